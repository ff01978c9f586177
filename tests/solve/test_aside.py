"""Hard questions are answered beside the search, and where executions are counted after counted work."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.solve.fakes import FakeExpressions
from tests.solve.test_limits import division_chain, easy
from untaken.build.driver import build_program
from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.watcher import Watcher
from untaken.execute.target import find_target
from untaken.solve import stack
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.statistics import Statistics
from untaken.solve.worker import aside as module
from untaken.solve.worker.aside import LONGEST, MOST_TIMES, WORK, SolverAside

# Beside things to do, a product that bitwuzla takes some thousand steps for.
FACTORS = r"""
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    unsigned char b[12];
    uint16_t x, y;
    if (fread(b, 1, sizeof b, stdin) < 8) return 1;
    memcpy(&x, b, 2);
    memcpy(&y, b + 2, 2);
    if (x > 1 && y > 1 && (uint32_t)x * y == 65521u * 65519u) puts("factored");
    for (int i = 4; i < 8; i++) if (b[i] == 'a' + i) puts("letter");
    return 0;
}
"""

# All assumptions share two branches, which are covered before the last one holds.
ASSUMED = r"""
#include <stdlib.h>
unsigned short __VERIFIER_nondet_ushort(void);
void reach_error(void) {}
static void assume_abort_if_not(int condition) { if (!condition) abort(); }
int main(void) {
    unsigned x = __VERIFIER_nondet_ushort(), y = __VERIFIER_nondet_ushort();
    assume_abort_if_not(x > 1);
    assume_abort_if_not(y > 1);
    assume_abort_if_not(x * y == 65521u * 65519u);
    reach_error();
}
"""


class Place:
    """An aside with its surroundings: which sides are covered, and what was counted."""

    def __init__(self, make: FakeExpressions, *, waits: bool) -> None:
        self.covered: set[int] = set()
        self.statistics = Statistics()
        self.aside = SolverAside("bitwuzla", make, lambda side: side not in self.covered, self.statistics, waits=waits)

    def awaited(self, work: float = 0.0) -> list[bytes]:
        """The next answers, however long they take; none if nothing is asked any more."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not self.aside.is_idle:
            if found := self.aside.answers(work):
                return found
            time.sleep(0.01)
        return []


@pytest.fixture
def at_once(make: FakeExpressions) -> Iterator[Place]:
    place = Place(make, waits=False)
    yield place
    place.aside.close()


@pytest.fixture
def counted(make: FakeExpressions) -> Iterator[Place]:
    place = Place(make, waits=True)
    yield place
    place.aside.close()


def is_answer(input: bytes) -> bool:
    return (int.from_bytes(input[:2], "little") + int.from_bytes(input[2:4], "little")) % (1 << 16) == 999


def test_an_answer_is_an_input(make: FakeExpressions, at_once: Place) -> None:
    at_once.aside.put(7, easy(make))
    (found,) = at_once.awaited()
    assert is_answer(found) and at_once.aside.is_idle
    assert (at_once.statistics.aside, at_once.statistics.answered_aside) == (1, 1)


def test_nothing_comes_before_the_work_is_done_and_all_of_it_then(make: FakeExpressions, counted: Place) -> None:
    counted.aside.put(7, easy(make))
    counted.aside.put(9, easy(make))
    assert counted.aside.answers(100.0) == []
    time.sleep(1.0)  # it is there, or nearly
    assert counted.aside.answers(100.0 + WORK - 1) == []
    first = counted.aside.answers(100.0 + WORK)
    assert len(first) == 1 and is_answer(first[0])
    assert counted.aside.answers(100.0 + 1.5 * WORK) == []
    assert len(counted.aside.answers(100.0 + 2 * WORK)) == 1


def test_what_was_covered_meanwhile_is_not_asked(make: FakeExpressions, at_once: Place) -> None:
    at_once.aside.put(7, easy(make))
    at_once.covered.add(7)
    assert at_once.awaited() == [] and at_once.statistics.aside == 0


def test_a_side_is_asked_for_a_few_times(make: FakeExpressions, at_once: Place) -> None:
    for _ in range(MOST_TIMES + 2):
        at_once.aside.put(7, easy(make))
    assert [len(at_once.awaited()) for _ in range(MOST_TIMES + 1)] == [1] * MOST_TIMES + [0]


def test_what_is_insisted_on_is_asked_whatever_was_covered(make: FakeExpressions, at_once: Place) -> None:
    for _ in range(MOST_TIMES + 2):
        at_once.aside.insist(easy(make))
    assert [len(at_once.awaited()) for _ in range(MOST_TIMES + 1)] == [1] * MOST_TIMES + [0]


def test_a_question_of_very_many_assertions_is_not_put(make: FakeExpressions, at_once: Place) -> None:
    goal = easy(make).goal
    at_once.aside.put(7, Query.of([goal] * (LONGEST + 1)))
    assert at_once.aside.is_idle
    at_once.aside.put(7, Query.of([goal] * LONGEST))
    assert not at_once.aside.is_idle


def test_questions_about_expressions_that_are_gone_are_dropped(make: FakeExpressions, at_once: Place) -> None:
    at_once.aside.put(7, easy(make))
    assert at_once.awaited()
    at_once.aside.put(9, easy(make))
    make.generation += 1
    assert at_once.awaited() == []
    at_once.aside.put(11, easy(make))
    assert is_answer(at_once.awaited()[0])


def test_a_process_that_does_not_answer_is_replaced(
    make: FakeExpressions, at_once: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LIMITS", QueryLimits(seconds=0.2, largest=1 << 40))
    monkeypatch.setattr(module, "GRACE", 0.2)
    at_once.aside.put(7, division_chain(make, 250))
    at_once.aside.put(9, easy(make))
    assert is_answer(at_once.awaited()[0])


def test_it_can_be_closed_while_it_is_asked(make: FakeExpressions, at_once: Place) -> None:
    at_once.aside.put(7, division_chain(make, 250))
    assert at_once.aside.answers(0.0) == []
    begun = time.monotonic()
    at_once.aside.close()
    assert time.monotonic() - begun < 10


def test_the_same_seed_gives_the_same_tests(tmp_path: Path) -> None:
    source, program = tmp_path / "factors.c", tmp_path / "factors"
    source.write_text(FACTORS)
    build_program([source], program)
    target = find_target([str(program)])
    tests = []
    for out in (tmp_path / "one", tmp_path / "two"):
        run_campaign(Config((str(program),), stdin=12, iterations=400, out=out), target, Watcher())
        tests.append([path.read_bytes() for path in sorted((out / "tests").glob("*.bin"))])
    assert tests[0] == tests[1] and tests[0]


def test_an_assumption_that_is_too_hard_is_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stack, "QueryLimits", lambda: QueryLimits(steps=20))
    (program := tmp_path / "assumed.c").write_text(ASSUMED)
    target = find_target([str(program)])
    summary = run_campaign(Config((str(program),), iterations=2_500, out=tmp_path / "out"), target, Watcher())
    assert [finding.what for finding in summary.findings] == ["reach_error"]
