"""What lies behind a branch: counted as the definition says, and for all branches of a large function at once."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.search.programs import Condition, Part, Program, random_program
from untaken.model.program import NO_BRANCH, Branch, ProgramMap
from untaken.search.coverage import Coverage
from untaken.search.program.frontier import Beyond, opens

LARGE = 8_000


def walked(program: ProgramMap, coverage: Coverage, branch: Branch) -> int:
    """The definition: a walk from the branch that passes no covered one."""
    waiting, seen, opened = list(program.targets[branch.id]), set(program.targets[branch.id]), {branch.id}
    while waiting:
        index, number = waiting.pop()
        function = program.functions[index]
        edges = [
            each for each in function.blocks[number].edges if each.branch == NO_BRANCH or not coverage.hit[each.branch]
        ]
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
    assert opens(program, coverage, branches) == [walked(program, coverage, branch) for branch in branches]


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
