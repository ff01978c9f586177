"""What a search is to cover: the goals of a criterion, of the whole program or of some functions of it.

A goal (the OSMOSE paper calls it an item) is covered when a run passes one of its ids: ids of branches and of function
entries, as they occur in events. So what a search is to cover is a list of pairs of a goal and an id, and nothing but
`Coverage` need know what the goals are. Which ids are still wanted is all that strategies and pruning rules ask.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from untaken.model.decision import Decision, single
from untaken.model.program import BranchKind, Edge, Function, ProgramMap
from untaken.search.program.graph import Ints, straight_line


class Criterion(Enum):
    """What counts as covering a program: which of its parts are goals."""

    STATEMENTS = "statements"  # stretches of code that run as a whole
    BRANCHES = "branches"  # all that the program map has
    CONDITIONS = "conditions"  # both outcomes of each condition: all branches but those of `switch`
    MCDC = "mcdc"  # each condition is shown to decide on its own: modified condition/decision coverage, masking

    @property
    def one(self) -> str:
        """The word for one of them."""
        return {"branches": "branch", "mcdc": "condition"}.get(self.value, self.value.removesuffix("s"))

    @property
    def counted(self) -> str:
        """What is counted: a condition has two outcomes."""
        names = {"conditions": "outcomes of conditions", "mcdc": "conditions (MC/DC)"}
        return names.get(self.value, self.value)


@dataclass(frozen=True, slots=True, eq=False)
class CoverageGoals:
    """Pairs of an id and the number of a goal that it covers, ordered by id."""

    criterion: Criterion
    ids: Ints
    numbers: Ints
    total: int
    decisions: tuple[Decision, ...] = ()  # of the criterion MCDC, which has no pairs: its goals are their conditions
    aside: frozenset[int] = frozenset()  # functions, by index, whose branches are no news: they only prepare a run


def coverage_goals(
    program: ProgramMap, criterion: Criterion = Criterion.BRANCHES, functions: Collection[int] | None = None
) -> CoverageGoals:
    """The goals of a program; only those in some functions, by index, if they are given."""
    chosen = frozenset(range(len(program.functions)) if functions is None else functions)
    if criterion is Criterion.MCDC:
        return _independence(program, chosen)
    if criterion is Criterion.STATEMENTS:
        found = [ids for index in sorted(chosen) for ids in _statements(program, program.functions[index])]
    else:
        wanted = (branch for branch in program if branch.function in chosen)
        found = [
            {int(branch.id)}
            for branch in wanted
            if criterion is Criterion.BRANCHES or branch.kind is not BranchKind.CASE
        ]
    pairs = sorted((identity, number) for number, ids in enumerate(found) for identity in ids)
    columns = np.asarray(pairs, np.intp).reshape(-1, 2)
    return CoverageGoals(criterion, columns[:, 0].copy(), columns[:, 1].copy(), len(found))


def with_call(goals: CoverageGoals, entry: int) -> CoverageGoals:
    """One goal more: that the function is called at all, which not every run comes to that makes its arguments."""
    place = int(np.searchsorted(goals.ids, entry))
    ids, numbers = np.insert(goals.ids, place, entry), np.insert(goals.numbers, place, goals.total)
    return replace(goals, ids=ids, numbers=numbers, total=goals.total + 1)


def _independence(program: ProgramMap, functions: Collection[int]) -> CoverageGoals:
    """Every condition of every decision, in order of the program."""
    several = {int(each.conditions[0].branch): each for each in program.decisions if each.function in functions}
    inside = {int(condition.branch) for each in program.decisions for condition in each.conditions}
    found = []
    for branch in program:
        if branch.function not in functions or not branch.side or branch.kind is BranchKind.CASE:
            continue
        if branch.id in several:
            found += [] if several[branch.id].repeats else [several[branch.id]]
        elif branch.id not in inside:
            found.append(single(branch.function, branch.id))
    none = np.empty(0, np.intp)
    total = sum(len(decision.conditions) for decision in found)
    return CoverageGoals(Criterion.MCDC, none, none, total, tuple(found))


def _statements(program: ProgramMap, function: Function) -> list[set[int]]:
    """For each block of a function, the ids after which it is sure to run.

    A block behind a decision that is no branch of the source (in a header of the system, say) has none: whether it
    ran is not known, so it is left out.
    """
    drawn = _drawn(program, function)
    ids: dict[int, set[int]] = defaultdict(set)
    starts = [(edge.target, int(edge.branch)) for block in function.blocks for edge in block.edges if edge.branch]
    for start, identity in [(0, function.entry_id), *starts]:
        for number in straight_line(function, start):
            ids[number].add(identity)
    return [ids[number] for number in sorted(ids) if number not in drawn]


def _drawn(program: ProgramMap, function: Function) -> set[int]:
    """Blocks that the source does not have: between the comparisons that a `switch` is drawn as, and after a `?:`
    without jumps, which goes on in the block that it stands in."""
    entered = Counter(edge.target for block in function.blocks for edge in block.edges)
    found: set[int] = set()
    for block in function.blocks:
        targets = [edge.target for edge in block.edges]
        if len(targets) == 2 and targets[0] == targets[1] and entered[targets[0]] == 2:
            found.add(targets[0])
        found.update(edge.target for edge in block.edges if _is_other_case(program, edge))
    return found


def _is_other_case(program: ProgramMap, edge: Edge) -> bool:
    branch = program.branches.get(edge.branch)
    return branch is not None and branch.kind is BranchKind.CASE and not branch.side
