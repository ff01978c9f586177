"""Where a campaign is run: in this process, or by several workers."""

from __future__ import annotations

import os

from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Watcher
from untaken.execute.target import Target
from untaken.pool.cluster import connected
from untaken.team.local import LocalCrew
from untaken.team.owner import run_team
from untaken.team.remote import RayCrew


def run_with_workers(config: Config, target: Target, watcher: Watcher) -> Summary:
    """One campaign, with as many workers as the user wants."""
    if config.ray is not None:
        with connected(config.ray) as cluster:
            workers = config.jobs or cluster.cores
            return run_team(config, target, watcher, RayCrew(cluster, target, workers), workers)
    workers = len(os.sched_getaffinity(0)) if config.jobs == 0 else config.jobs or 1
    if workers == 1:
        return run_campaign(config, target, watcher)
    return run_team(config, target, watcher, LocalCrew(), workers)
