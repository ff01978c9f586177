"""`untaken unit` as the tests start it: in this process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from untaken.campaign.campaign import run_campaign
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Watcher
from untaken.cli.unit import parse
from untaken.unit.planning import make_plan
from untaken.unit.target import build_target

FUNCTIONS = Path(__file__).with_name("functions.c")
ITERATIONS = 600


@dataclass(frozen=True, slots=True)
class Explored:
    """What came of it."""

    summary: Summary
    notes: tuple[str, ...]
    covered: int
    total: int


def unit(source: Path, function: str, out: Path, *words: object) -> Explored:
    """Explores a function."""
    listed = [source, function, "--out", out, "--iterations", ITERATIONS, *words]
    options, config = parse([str(word) for word in listed])
    config.check()
    planned = make_plan(options)
    summary = run_campaign(config, build_target(planned.plan, config.out), Watcher())
    own = next((each for each in summary.functions if each.name == function), None)
    return Explored(summary, planned.notes, own.covered if own else 0, own.total if own else 0)
