"""Runs that grow with a number from the input are cut: nothing is lost by that, and the others get their time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.campaign.commands import campaign, files_of, written
from untaken.campaign.machinery.lengths import FIRST_LIMIT, Looks, RunLengths
from untaken.execute.session import Session
from untaken.execute.target import find_target
from untaken.model.burst import BurstStart, ChangedInputs
from untaken.model.path import CutOff, ExitKind

RECURSION = """
#include <untaken.h>
unsigned id(unsigned x) { return x ? id(x - 1) + 1 : 0; }
int main(void) {
    unsigned x;
    untaken_uint(&x);
    return id(x) == 20;
}
"""
COUNTS = """
#include <untaken.h>
int main(void) {
    unsigned n, sum = 0;
    untaken_uint(&n);
    for (unsigned i = 0; i < n; i++) sum += i & 3;
    volatile char *end = (char *)&sum + ((unsigned long)(n >> 20 & 1) << 46); /* out of reach from 2 to the 20th on */
    return *end + (sum == 4711);
}
"""
LONG_LOOP = """
#include <untaken.h>
int main(void) {{
    unsigned n;
    untaken_uint(&n);
    for (unsigned i = 0; i < {rounds}; i++) if (i == n) n += 2;
    if (n == 77) return 3;
    return n == 78;
}}
"""
LONG_START = """
#include <untaken.h>
static unsigned char odd[100000];
int main(void) {
    unsigned n;
    for (unsigned i = 0; i < sizeof odd; i++) if (i & 1) odd[i] = 1;
    untaken_uint(&n);
    if (n == 77) return 3;
    return n == 78;
}
"""


def number(value: int) -> bytes:
    return value.to_bytes(4, "little")


def test_what_a_recursion_comes_to_is_met(tmp_path: Path) -> None:
    summary = campaign(written(tmp_path, RECURSION), "--iterations", 400, "--coverage", 100, "--out", tmp_path / "out")
    assert summary.ended_by == "enough coverage"


def test_the_same_seed_cuts_the_same_runs(tmp_path: Path) -> None:
    program = written(tmp_path, COUNTS)
    for name in ("one", "other"):
        campaign(program, "--iterations", 25, "--seed", 3, "--out", tmp_path / name)
    assert files_of(tmp_path / "one" / "tests") == files_of(tmp_path / "other" / "tests")


def test_a_run_that_is_cut_has_the_beginning_of_its_path(tmp_path: Path) -> None:
    target = find_target([str(written(tmp_path, COUNTS))])
    with Session(target.program) as session:
        whole = session.run(number(50_000))
        session.event_limit = 8192
        cut = session.run(number(50_000))
        count, events = len(cut.constraints), len(cut.events)
        assert cut.exit.kind is ExitKind.LENGTH and 4096 < events <= 8192
        assert np.array_equal(cut.events, whole.events[:events])
        assert np.array_equal(cut.constraints, whole.constraints[:count])
        assert session.run(number(5)).exit.kind is ExitKind.CODE, "the next one is whole"


def test_what_a_long_run_comes_to_is_known(tmp_path: Path) -> None:
    target = find_target([str(written(tmp_path, COUNTS))])
    with Session(target.program) as session:
        lengths = RunLengths(session, target.map)
        lengths.run(number(3))
        crashed = lengths.run(number(1_500_000))
        assert crashed.exit.kind is ExitKind.SIGNAL, "a crash beyond the cut is found"
        later = [lengths.run(number(5_000_000 + i)) for i in range(4)]
        assert [path.exit.kind is ExitKind.LENGTH for path in later] == [True, True, False, True]
        assert all(len(path.events) <= FIRST_LIMIT for path in later), "nothing new lies beyond"
        assert later[2].exit.kind in (ExitKind.CODE, ExitKind.TIMEOUT) and later[2].cut_off & CutOff.EVENTS


def test_where_something_new_lies_beyond_runs_may_be_longer(tmp_path: Path) -> None:
    target = find_target([str(written(tmp_path, LONG_LOOP.format(rounds=100_000)))])
    with Session(target.program) as session:
        lengths = RunLengths(session, target.map)
        first = lengths.run(number(1_000_000))
        assert first.exit.kind is ExitKind.CODE and not first.cut_off and len(first.events) > FIRST_LIMIT
        assert lengths.run(number(2_000_000)).exit.kind is ExitKind.CODE
        kinds = [lengths.run(number(3_000_000 + i)).exit.kind for i in range(24)]
        assert kinds[:6] == [ExitKind.CODE] * 6 and kinds[-1] is ExitKind.LENGTH, "until they were in vain for a while"


def test_very_long_runs_are_soon_in_vain(tmp_path: Path) -> None:
    target = find_target([str(written(tmp_path, LONG_LOOP.format(rounds=450_000)))])
    with Session(target.program) as session:
        lengths = RunLengths(session, target.map)
        kinds = [lengths.run(number(1_000_000 + i)).exit.kind for i in range(5)]
        assert kinds[:3] == [ExitKind.CODE] * 3 and kinds[-1] is ExitKind.LENGTH


def test_where_no_run_is_shorter_all_may_be_as_long(tmp_path: Path) -> None:
    target = find_target([str(written(tmp_path, LONG_LOOP.format(rounds=40_000)))])
    with Session(target.program) as session:
        lengths = RunLengths(session, target.map)
        kinds = [lengths.run(number(3_000_000 + i)).exit.kind for i in range(130)]
        assert ExitKind.LENGTH in kinds and kinds[-8:] == [ExitKind.CODE] * 8


def looked_at(looks: Looks, *, endless: bool) -> list[int]:
    """Which of the first 300 runs that are cut in a function are looked at."""
    numbers = []
    for number in range(1, 301):
        if looks.is_due(covers_new=False):
            looks.looked(endless=endless)
            numbers.append(number)
    return numbers


def test_looks_get_rarer_and_most_so_where_nothing_ends() -> None:
    assert looked_at(Looks(), endless=False) == [1, 4, 16, 64, 256]
    assert looked_at(Looks(), endless=True) == [1, 16, 256]


def test_what_is_done_before_the_input_is_looked_at_is_no_part_of_the_limit(tmp_path: Path) -> None:
    target = find_target([str(written(tmp_path, LONG_START))])
    with Session(target.program) as session:
        lengths = RunLengths(session, target.map)
        kinds = [lengths.run(number(1_000 + i)).exit.kind for i in range(20)]
    assert kinds == [ExitKind.CODE] * 20


NEVER_LOOKS = """
int main(void) { for (volatile unsigned i = 0; i < 3000000u; i++) if (i == 4711) i++; }
"""


def test_a_program_that_does_not_look_at_its_input_has_runs_as_short_as_any(tmp_path: Path) -> None:
    target = find_target([str(written(tmp_path, NEVER_LOOKS))])
    with Session(target.program) as session:
        lengths = RunLengths(session, target.map)
        lengths.run(b"")
        counts = [len(lengths.run(b"").events) for _ in range(3)]
    assert max(counts) < 2 * FIRST_LIMIT


def test_runs_whose_path_is_not_read_may_be_longer_and_ever_longer_if_all_are_cut(tmp_path: Path) -> None:
    target = find_target([str(written(tmp_path, LONG_START))])
    with Session(target.program) as session:
        lengths = RunLengths(session, target.map)
        changes = ChangedInputs([BurstStart(number(77), (), is_new=True)] * 40)
        passes = np.zeros(session.id_count, np.uint8)
        glances = [lengths.burst(changes, range(i, i + 1), passes) for i in range(40)]
    kinds = [glance.exit.kind for glance in glances if glance.exit is not None]
    assert kinds[0] is ExitKind.LENGTH and kinds[-1] is ExitKind.CODE


def test_a_burst_that_comes_in_pieces_has_one_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How large the pieces are is a matter of time: the same seed is to cut the same runs."""
    target = find_target([str(written(tmp_path, LONG_START))])
    changes = ChangedInputs([BurstStart(number(77), (), is_new=True)] * 40)
    with Session(target.program) as session:
        whole, passes = session.burst, np.zeros(session.id_count, np.uint8)
        monkeypatch.setattr(session, "burst", lambda changes, runs, *others: whole(changes, runs[:1], *others))
        lengths = RunLengths(session, target.map)
        glances = [lengths.burst(changes, range(i, 40), passes) for i in range(40)]
        after = lengths.burst(changes, range(1), passes)
    assert {glance.exit.kind for glance in glances[1:] if glance.exit is not None} == {ExitKind.LENGTH}
    assert after.exit and after.exit.kind is ExitKind.CODE
