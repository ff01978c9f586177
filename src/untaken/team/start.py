"""Where a campaign is run: in this process, or by several workers."""

from __future__ import annotations

import os

from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Watcher
from untaken.execute.target import Target
from untaken.team.local import LocalCrew
from untaken.team.owner import run_team


def run_with_workers(config: Config, target: Target, watcher: Watcher) -> Summary:
    """One campaign, with as many workers as the user wants."""
    workers = config.jobs or len(os.sched_getaffinity(0))
    if workers == 1:
        return run_campaign(config, target, watcher)
    return run_team(config, target, watcher, LocalCrew(), workers)
