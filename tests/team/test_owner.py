"""The owner of a campaign, with workers that are made up: what it tells whom, and when its time begins."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.campaign.commands import written
from untaken.campaign.config import Config
from untaken.campaign.folder.rows import Totals
from untaken.campaign.watcher import Watcher
from untaken.execute.target import Target, find_target
from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind
from untaken.model.path import Path as Run
from untaken.search.budget import Ending
from untaken.team.messages import Dispatch, Message, Orders, ProgramReady, Report, SentRun
from untaken.team.owner import run_team

PROGRAM = "int main(int count, char **words) { if (count > 1) return 1; return 0; }"
Heard = list[tuple[int, Message]]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Target:
    return find_target([str(written(tmp_path_factory.mktemp("program"), PROGRAM))])


class MadeUpCrew:
    """Says what it was given, bit by bit; remembers what it was told."""

    def __init__(self, says: Iterator[Heard]) -> None:
        self.told: list[tuple[int, Dispatch]] = []
        self._says = says

    def start(self, orders: Orders) -> None:
        pass

    def hear(self, seconds: float) -> Heard:
        return next(self._says)

    def tell(self, number: int, news: Dispatch) -> None:
        self.told.append((number, news))

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


def report(ending: Ending | None = None, runs: tuple[SentRun, ...] = ()) -> Report:
    return Report(
        life=0,
        totals=Totals(iterations=1),
        covered=0,
        input_mattered=True,
        is_done=False,
        runs=runs,
        ending=ending,
    )


def find(target: Target) -> SentRun:
    branch = np.array([min(target.map.branches)], np.uint32)
    path = Run(b"found", branch, np.zeros(0, CONSTRAINT_DTYPE), Exit(ExitKind.CODE, 0))
    return SentRun.of(path, 1, is_known=False, printed=b"")


def test_time_begins_when_the_first_program_has_been_started(target: Target, tmp_path: Path) -> None:
    def says() -> Iterator[Heard]:
        time.sleep(0.3)  # longer than the campaign may take
        yield [(0, ProgramReady())]
        yield [(0, report(Ending.SECONDS)), (1, report(Ending.SECONDS))]

    config = Config(targets=("program",), time=0.1, jobs=2, out=tmp_path / "out")
    summary = run_team(config, target, Watcher(), MadeUpCrew(says()), 2)
    assert summary.run_iterations == 2 and summary.run_seconds < 0.3


def test_news_is_told_when_there_is_some(target: Target, tmp_path: Path) -> None:
    told_before: list[tuple[int, Dispatch]] = []

    def says() -> Iterator[Heard]:
        yield [(0, ProgramReady()), (1, report())]
        told_before.extend(crew.told)
        yield [(0, report(runs=(find(target),)))]  # the other one has not spoken since
        yield [(0, report(Ending.SECONDS)), (1, report(Ending.SECONDS))]

    crew = MadeUpCrew(says())
    run_team(Config(targets=("program",), time=10, jobs=2, out=tmp_path / "out"), target, Watcher(), crew, 2)
    assert not told_before
    [(number, news)] = crew.told
    assert number == 1 and [tiding.input for tiding in news.tidings] == [b"found"]
