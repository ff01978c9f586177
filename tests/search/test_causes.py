"""What was decided last before a condition that the input does not decide as data."""

from __future__ import annotations

import numpy as np

from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.search.coverage import Coverage
from untaken.search.knowledge.causes import Causes

from .programs import Condition, Part, Program

PROGRAM = Program(
    [[*(Part(reads=(0,), test=Condition(0, 4, block, 3)) for block in (1, 2, 3)), Part()]],
)
FIRST, SECOND, ASKED = ([edge.branch for edge in block.edges] for block in PROGRAM.map.functions[0].blocks[:3])


def run(input: bytes, *steps: tuple[int, int | None]) -> Path:
    """One that passed these branches; decided by the input where there is the number of a condition."""
    events = np.array([branch for branch, _ in steps], np.uint32)
    decided = [place for place, (_, node) in enumerate(steps) if node is not None]
    constraints = np.zeros(len(decided), CONSTRAINT_DTYPE)
    for row, place in enumerate(decided):
        constraints[row]["id"], constraints[row]["node"], constraints[row]["position"] = *steps[place], place
    return Path(input, events, constraints, Exit(ExitKind.CODE))


def known(*paths: Path) -> tuple[Causes, Coverage]:
    coverage = Coverage(PROGRAM.map)
    causes = Causes(coverage, PROGRAM.map.id_count)
    for path in paths:
        coverage.add_run(path)
        causes.observe(path)
    return causes, coverage


def taken(causes: Causes) -> list[tuple[bytes, int, int]]:
    found = []
    while (cause := causes.next()) is not None:
        found.append((cause.input, cause.side, cause.goal))
    return found


ALL_FIRST = run(b"", (FIRST[1], 1), (SECOND[1], 2))  # so that only one branch is left beside what others pass


def test_the_nearest_decision_comes_first_and_each_once() -> None:
    path = run(b"a", (FIRST[0], 7), (SECOND[0], 8), (ASKED[0], None))
    causes, _ = known(ALL_FIRST, path, path)
    assert taken(causes) == [(b"a", SECOND[0], ASKED[1]), (b"a", FIRST[0], ASKED[1])]


def test_another_expression_is_another_decision() -> None:
    causes, _ = known(ALL_FIRST, *(run(bytes((node,)), (FIRST[0], node), (ASKED[0], None)) for node in (7, 8)))
    assert sorted(taken(causes)) == [(b"\7", FIRST[0], ASKED[1]), (b"\10", FIRST[0], ASKED[1])]


def test_what_the_input_decides_is_left_to_others() -> None:
    causes, _ = known(ALL_FIRST, run(b"a", (FIRST[0], 7), (ASKED[0], 9)))
    assert taken(causes) == []


def test_what_was_covered_since_has_no_turn() -> None:
    causes, coverage = known(ALL_FIRST, run(b"a", (FIRST[0], 7), (ASKED[0], None)))
    coverage.add_run(run(b"b", (ASKED[1], None)))
    assert taken(causes) == []


def test_the_first_and_the_last_time_count_that_a_condition_was_come_to() -> None:
    rounds = [step for node in (7, 8, 9) for step in ((FIRST[0], node), (ASKED[0], None))]
    causes, _ = known(ALL_FIRST, run(b"a", *rounds))
    found = []
    while (cause := causes.next()) is not None:
        found.append((cause.decision, cause.back))
    assert found[0] == (2, 0) and set(found) == {(0, 0), (1, 1), (2, 0)}
