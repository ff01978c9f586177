"""A hang costs what others take, not all of --timeout, and nothing is lost by that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from tests.campaign.commands import campaign, written
from untaken.campaign.machinery.late_runs import ENOUGH, LEAST, MANY, RARER, LateRuns
from untaken.execute.session import Session
from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind
from untaken.model.path import Path as Run

HANGS = """
#include <unistd.h>
volatile unsigned rounds;
int main(void) {
    char text[4] = "";
    if (read(0, text, 4) < 4) return 0;
    if (text[0] == 'h') for (;;) rounds++;
    if (text[0] == 's') usleep(200000);
    return text[1] == 'x';
}
"""


@dataclass
class Settings:
    timeout: float = 5.0


@dataclass
class Slow:
    """A session in which runs take so long and hang at such places; it notes how much time each was given."""

    takes: Iterator[tuple[float, int]]
    settings: Settings = field(default_factory=Settings)
    given: list[float] = field(default_factory=list)
    now: float = 0.0
    last: tuple[bytes, tuple[float, int]] = (b"", (0.0, 0))

    def run(self, input: bytes, *, seconds: float) -> Run:
        if self.last[0] != input:
            self.last = input, next(self.takes)
        self.given.append(seconds)
        took, place = self.last[1]
        self.now += min(took, seconds)
        kind = ExitKind.TIMEOUT if took > seconds else ExitKind.CODE
        return Run(input, np.array([place], np.uint32), np.empty(0, CONSTRAINT_DTYPE), Exit(kind), new_ids=1)


def played(monkeypatch: pytest.MonkeyPatch, *takes: tuple[float, int]) -> tuple[Slow, list[Run]]:
    slow = Slow(iter(takes))
    monkeypatch.setattr("untaken.campaign.machinery.late_runs.time.perf_counter", lambda: slow.now)
    late = LateRuns(slow)  # type: ignore[arg-type]
    return slow, [late.run(str(number).encode()) for number in range(len(takes))]


def test_time_is_learnt_from_runs_that_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, _ = played(monkeypatch, *[(0.02, 1)] * ENOUGH, *[(0.0001, 1)] * MANY)
    assert slow.given[:ENOUGH] == [5.0] * ENOUGH
    assert slow.given[ENOUGH] == pytest.approx(0.2)
    assert slow.given[-1] == LEAST


def test_a_late_run_has_all_the_time_before_anything_is_said_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, paths = played(monkeypatch, *[(0.001, 1)] * ENOUGH, (2.0, 7), (2.0, 7))
    assert slow.given[ENOUGH:] == [LEAST, 5.0] * 2
    assert all(path.exit.kind is ExitKind.CODE for path in paths)
    assert paths[-1].new_ids == 2  # of both runs


def test_where_one_hung_others_are_believed_to_hang_but_now_and_then_one_has_all_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow, paths = played(monkeypatch, *[(0.001, 1)] * ENOUGH, *[(99.0, 7)] * RARER, (99.0, 8))
    late = [LEAST, 5.0, *[LEAST] * (RARER - 2), LEAST, 5.0]
    assert slow.given[ENOUGH:] == [*late, LEAST, 5.0]
    assert [path.exit.kind for path in paths[ENOUGH:]] == [ExitKind.TIMEOUT] * (RARER + 1)


def test_a_place_where_a_run_ends_after_all_is_no_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    hangs, ends = [(99.0, 7)] * (RARER - 1), (2.0, 7)
    slow, paths = played(monkeypatch, *[(0.001, 1)] * ENOUGH, *hangs, ends, ends)
    assert [path.exit.kind for path in paths[-2:]] == [ExitKind.CODE] * 2
    assert slow.given[-4:] == [LEAST, 5.0] * 2


def test_hangs_of_a_program_cost_little_and_its_long_runs_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late: list[float | None] = []
    original = Session.run

    def run(session: Session, input: bytes, *, concrete: bool = False, seconds: float | None = None) -> Run:
        path = original(session, input, concrete=concrete, seconds=seconds)
        if path.exit.kind is ExitKind.TIMEOUT:
            late.append(seconds)
        return path

    monkeypatch.setattr(Session, "run", run)
    program = written(tmp_path, HANGS)
    limits = ("--iterations", 40, "--strategy", "random-branch", "--timeout", 1)
    summary = campaign(program, "--stdin", 4, *limits, "--out", tmp_path / "out")
    assert summary.covered == summary.total
    assert len(late) > 8
    assert late.count(1.0) <= 4
