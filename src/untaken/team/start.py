"""Where a campaign is run: in this process, or by several workers."""

from __future__ import annotations

import os

from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Watcher
from untaken.errors import UsageError
from untaken.execute.target import Target

WORKERS_A_CORE = 64  # more than any machine has use for: each is a process of its own, with its solver


def run_with_workers(config: Config, target: Target, watcher: Watcher) -> Summary:
    """One campaign, with as many workers as the user wants. What only a team needs is loaded for one."""
    if config.ray is not None:
        from untaken.pool.cluster import connected
        from untaken.team.owner import run_team
        from untaken.team.remote import RayCrew

        with connected(config.ray) as cluster:
            workers = config.jobs or cluster.cores
            return run_team(config, target, watcher, RayCrew(cluster, target, workers), workers)
    workers = _local_workers(config.jobs)
    if workers == 1:
        return run_campaign(config, target, watcher)
    from untaken.team.local import LocalCrew
    from untaken.team.owner import run_team

    return run_team(config, target, watcher, LocalCrew(), workers)


def prepare_workers(config: Config) -> None:
    """For who has something to do before there is a target: workers on this machine load what they need meanwhile."""
    if config.ray is None and config.jobs not in (None, 1):
        from untaken.team.local import prepare

        prepare()


def _local_workers(jobs: int | None) -> int:
    """As many as were asked for; 0 is one for each core."""
    cores = len(os.sched_getaffinity(0))
    most = WORKERS_A_CORE * cores
    if jobs is not None and jobs > most:
        raise UsageError(f"--jobs {jobs} is too much for {cores} cores: give at most {most}, or 0 for one a core")
    return cores if jobs == 0 else jobs or 1
