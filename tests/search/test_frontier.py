"""What lies behind a branch: counted as the definition says, and for all branches of a large function at once."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.search.programs import Condition, Part, Program, random_program
from untaken.model.program import NO_BRANCH, Branch, BranchId, ProgramMap, paired
from untaken.search.coverage import Coverage
from untaken.search.program.frontier import Beyond, opens

LARGE = 8_000


def walked(program: ProgramMap, coverage: Coverage, branch: Branch, frontier: bool = True) -> int:
    """The definition: a walk from the branch that passes no covered one, nor another of the frontier unless told."""

    def closed(other: BranchId) -> bool:
        return bool(coverage.hit[other] or (not frontier and coverage.hit[paired(other)]))

    waiting, seen, opened = list(program.targets[branch.id]), set(program.targets[branch.id]), {branch.id}
    while waiting:
        index, number = waiting.pop()
        function = program.functions[index]
        edges = [each for each in function.blocks[number].edges if each.branch == NO_BRANCH or not closed(each.branch)]
        opened.update(each.branch for each in edges if each.branch != NO_BRANCH)
        callees = [program.callee(function, call) for call in function.blocks[number].calls]
        ahead = {(index, each.target) for each in edges}
        ahead |= {(each.index, 0) for each in callees if each is not None and not coverage.hit[each.entry_id]}
        waiting.extend(ahead - seen)
        seen |= ahead
    return len(opened)


@pytest.mark.parametrize("seed", range(40))
def test_counts_are_those_of_the_definition(seed: int) -> None:
    rng = Random(seed)
    program = random_program(rng, 4, 12, loops=True).map
    coverage = Coverage(program)
    coverage.add(np.array([event for event in range(program.id_count) if rng.random() < 0.4], np.uint32))
    branches = list(program)
    assert Beyond(program, coverage).counts(branches) == [walked(program, coverage, each) for each in branches]
    assert opens(program, coverage, branches) == [walked(program, coverage, each, False) for each in branches]


def test_what_follows_an_if_is_opened_by_what_keeps_runs_from_it() -> None:
    """if (a) x = 1; if (b) return; if (c) ...: with a false and b true so far, c is behind b alone."""
    first, second, third = (Part((0,), test=Condition(0, 1, *sides)) for sides in ((1, 1), (3, 2), (3, 3)))
    program = Program([[first, second, third, Part()]]).map
    coverage = Coverage(program)
    a, b, c = (each.edges for each in program.functions[0].blocks[:3])
    coverage.add(np.array([program.functions[0].entry_id, a[1].branch, b[0].branch], np.uint32))
    branches = [program.branches[a[0].branch], program.branches[b[1].branch]]
    assert opens(program, coverage, branches) == [1, 1 + len(c)]
    assert Beyond(program, coverage).counts(branches) == [2 + len(c), 1 + len(c)]


def test_a_loop_around_thousands_of_branches_is_counted_at_once() -> None:
    """As of a large `switch` in a loop: each of its branches leads to all the others."""
    ring = [Part((0,), test=Condition(0, 1, 0, block + 1)) for block in range(LARGE)]
    program = Program([[*ring, Part(jump=0)]]).map
    counted = opens(program, Coverage(program), list(program))
    assert counted == [2 * LARGE] * (2 * LARGE)


def test_what_was_covered_since_is_not_counted() -> None:
    """Sets are kept while little more is covered, or each new branch of a large program would cost a walk over it."""
    ring = [Part((0,), test=Condition(0, 1, 0, block + 1)) for block in range(LARGE)]
    program = Program([[*ring, Part(jump=0)]]).map
    coverage = Coverage(program)
    back = [branch.id for branch in program if program.targets[branch.id] == [(0, 0)]]
    last = next(branch for branch in program if branch.id == back[-1])
    coverage.add(np.array(back[1_000:2_000], np.uint32))
    beyond = Beyond(program, coverage)
    before = beyond.count(last)
    coverage.add(np.array(back[2_000:2_010], np.uint32))
    assert beyond.count(last) == before - 10 == walked(program, coverage, last)
