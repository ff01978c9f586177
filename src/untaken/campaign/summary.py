"""What came of a campaign, as summary.json and as the closing words of the display have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from untaken.campaign.folder.rows import Totals
from untaken.campaign.obstacles import Obstacle, Obstacles
from untaken.campaign.solver_costs import CostlyLine
from untaken.model.program import Branch, ProgramMap
from untaken.search.coverage import Coverage
from untaken.search.coverage_goals import Criterion
from untaken.search.doubts import Doubt
from untaken.search.program.frontier import frontier_of, opens
from untaken.suite.corpus import INPUT
from untaken.suite.findings import Finding, folder_of, replay_command
from untaken.suite.independence.goal import SUMMARY as SUMMARY
from untaken.suite.independence.report import DecisionReport
from untaken.suite.independence.report import as_json as independence_json


@dataclass(frozen=True, slots=True)
class FunctionCoverage:
    """Of one function that has branches."""

    name: str
    file: str
    line: int
    covered: int
    total: int
    entered: bool


@dataclass(frozen=True, slots=True)
class GoalCoverage:
    """Of what the campaign was to cover."""

    goal: Criterion
    only_in: tuple[str, ...]  # functions; empty: the whole program
    covered: int
    total: int

    @property
    def is_all_branches(self) -> bool:
        return self.goal is Criterion.BRANCHES and not self.only_in


@dataclass(frozen=True, slots=True)
class Frontier:
    """A branch never taken although its condition was evaluated, and how much lies behind it."""

    branch: Branch
    function: str
    opens: int  # uncovered branches, itself included, that taking it may lead to, and taking no other
    obstacle: Obstacle  # why it was not taken


@dataclass(frozen=True, slots=True)
class SinceNew:
    """How long nothing new was covered, up to now."""

    iterations: int
    seconds: float


@dataclass(frozen=True, slots=True)
class WorkerState:
    """Where one of several workers stands."""

    number: int  # from 1
    iterations: int
    iterations_a_second: float
    branches: int  # that it knows to be covered
    tests: int  # that it was first to find
    state: str  # "at work", or what ended it
    replaced: int  # how often it was lost and replaced


@dataclass(frozen=True, slots=True)
class Library:
    """A shared library that is not instrumented."""

    path: str
    beside: str  # the program's folder, if an instrumented one of that name lies there


@dataclass(frozen=True, slots=True)
class NotFollowed:
    """What the campaign could not follow, for the page of an honest report."""

    cut_off: dict[str, int]
    renewals: int
    pins: int
    concretised: dict[str, int]
    externals: dict[str, int]
    notes: tuple[str, ...]
    server_restarts: int
    damaged: int  # runs that wrote over their own trace
    uninstrumented: tuple[Library, ...]


@dataclass(frozen=True, slots=True)
class EarlyExit:
    """How a program gives up whatever its input, and what it prints then."""

    code: int
    printed: str


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything that is said at the end."""

    program: str
    out: Path
    strategy: str
    seed: int
    ended_by: str
    exhausted: bool
    interrupted: bool
    totals: Totals
    run_seconds: float  # wall time of this run alone
    run_iterations: int
    tests: int
    failing_tests: int  # of these: they fail an assumption of the program, and cover nothing
    covered: int
    total: int
    reachable: int
    goal: GoalCoverage
    functions: tuple[FunctionCoverage, ...]
    frontier: tuple[Frontier, ...]
    has_arguments: bool  # the program was given some after --
    has_sources: bool  # standard input, arguments or files were declared
    findings: tuple[Finding, ...]
    unconfirmed: tuple[Finding, ...]  # seen only while exploring
    limits: NotFollowed
    input_mattered: bool
    early_exit: EarlyExit | None
    doubts: tuple[Doubt, ...]  # why nothing can be claimed about all paths
    tried_all: bool  # and yet every flip was tried at least once
    pruned: dict[str, int]  # flips that each rule skipped, in this run
    costly_lines: tuple[CostlyLine, ...]  # where the solver's time went, in this run
    since_new: SinceNew
    workers: tuple[WorkerState, ...] = ()  # where there are several
    independence: tuple[DecisionReport, ...] | None = None  # of the goal mcdc

    def as_json(self) -> dict[str, Any]:
        totals = self.totals
        return {
            "program": self.program,
            "strategy": self.strategy,
            "seed": self.seed,
            "branches_covered": self.covered,
            "branches_total": self.total,
            "branches_reachable": self.reachable,
            "goal": self.goal.goal.value,
            "goal_functions": list(self.goal.only_in),
            "goal_covered": self.goal.covered,
            "goal_total": self.goal.total,
            "mcdc": None if self.independence is None else independence_json(self.independence),
            "iterations": totals.iterations,
            "seconds": round(totals.seconds, 3),
            "solver": {
                "queries": totals.queries,
                "sat": totals.sat,
                "unsat": totals.unsat,
                "unknown": totals.unknown,
                "seconds": round(totals.solver_seconds, 3),
                "costliest_lines": [line.as_json() for line in self.costly_lines],
            },
            "since_new": {"iterations": self.since_new.iterations, "seconds": round(self.since_new.seconds, 3)},
            "divergences": totals.divergences,
            "pruned": self.pruned,
            "tests": self.tests,
            "tests_that_fail_an_assumption": self.failing_tests,
            "crashes": [self._crash(finding) for finding in self.findings],
            "unconfirmed": [self._crash(finding) for finding in self.unconfirmed],
            "exhausted": self.exhausted,
            "doubts": [doubt.name.lower() for doubt in self.doubts],
            "ended_by": self.ended_by,
            "interrupted": self.interrupted,
            "restarts": totals.restarts,
            "run_iterations": self.run_iterations,
            "run_seconds": round(self.run_seconds, 3),
            "workers": [asdict(worker) for worker in self.workers],
            "functions": [
                {"name": each.name, "at": f"{each.file}:{each.line}", "covered": each.covered, "branches": each.total}
                for each in self.functions
            ],
            "uncovered": [
                {
                    "branch": int(each.branch.id),
                    "function": each.function,
                    "at": str(each.branch.location),
                    "side": each.branch.side,
                    "opens": each.opens,
                    "why": each.obstacle.value,
                }
                for each in self.frontier
            ],
            "limits": {
                "cut_off": self.limits.cut_off,
                "expression_tables": self.limits.renewals + 1,
                "pins": self.limits.pins,
                "concretised": self.limits.concretised,
                "externals": self.limits.externals,
                "notes": list(self.limits.notes),
                "fork_server_restarts": self.limits.server_restarts,
                "damaged_runs": self.limits.damaged,
                "uninstrumented": [library.path for library in self.limits.uninstrumented],
            },
        }

    def _crash(self, finding: Finding) -> dict[str, Any]:
        return {
            "name": finding.name,
            **finding.as_json(),
            "times": finding.times,
            "test": f"{folder_of(finding)}/{finding.name}/{INPUT}",
            "replay": replay_command(self.out, finding),
        }


@dataclass(frozen=True, slots=True)
class Explored:
    """What a campaign came to, and the map of its program."""

    summary: Summary
    program: ProgramMap


def coverage_by_function(program: ProgramMap, coverage: Coverage) -> tuple[FunctionCoverage, ...]:
    """Functions with branches, in order of the source; without those that only prepare what is tested."""
    total: Counter[int] = Counter()
    covered: Counter[int] = Counter()
    for branch in program:
        total[branch.function] += 1
        covered[branch.function] += bool(coverage.hit[branch.id])
    return tuple(
        FunctionCoverage(
            function.name,
            function.location.file,
            function.location.line,
            covered[function.index],
            total[function.index],
            bool(coverage.hit[function.entry_id]),
        )
        for function in program.functions
        if total[function.index] and function.index not in coverage.aside
    )


def frontier(
    program: ProgramMap, coverage: Coverage, obstacles: Obstacles, only_in: Collection[str] = ()
) -> tuple[Frontier, ...]:
    """Uncovered branches one step from covered ones: those of the functions that are wanted first, if only some are,
    and of these those that open most."""
    branches = list(frontier_of(program, coverage))
    found = (
        Frontier(branch, program.functions[branch.function].name, opened, obstacles.of(branch.id))
        for branch, opened in zip(branches, opens(program, coverage, branches), strict=True)
    )
    return tuple(
        sorted(
            found,
            key=lambda each: (
                bool(only_in) and each.function not in only_in,
                -each.opens,
                str(each.branch.location),
                each.branch.id,
            ),
        )
    )
