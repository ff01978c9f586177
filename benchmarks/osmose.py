"""The OSMOSE paper's tables 1 to 5, for our own versions of its programs (benchmarks/osmose).

The basic procedure (BP) is depth-first search that goes back along a path from its end, and stops when all is covered.
As in the paper's procedure 2 the solver is asked for each alternative: none is put off because its place was dear.
LA: look-ahead. UT: only the top-level function has to be covered. MCD: no flips in callees. SF: solve-first. Every
search begins with an ordinary test, such as a developer would try first, or with --zeros as the paper's do: memory is
"initialised either randomly or at a constant value, typically 0". Times are processor seconds of the campaign
and all its processes. `make osmose` runs it. With --cpu 8051 or ppc the programs are machine code, as in the paper,
compiled by sdcc or gcc (apt-get install sdcc gcc-powerpc-linux-gnu); tables show the paper's own figures, too.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from unittest.mock import patch

from benchmarks.executables.subjects import PAPERS, image_target, own_functions
from untaken.campaign import campaign as campaigns
from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.machinery import machinery
from untaken.campaign.watcher import Watcher
from untaken.execute.target import Target, find_target
from untaken.model.effort import UNLIMITED
from untaken.model.path import Path as Trace
from untaken.model.program import Function, ProgramMap
from untaken.search.knowledge.place_records import PlaceRecords
from untaken.search.pruning.registry import Pruning, pruning
from untaken.search.view import SearchView
from untaken.search.world import Filter
from untaken.suite.corpus import TESTS

FOLDER = Path(__file__).parent / "osmose"
MOST_TESTS = 1_000
BACKWARDS = "dfs:last-first=yes"
LOOKAHEAD, AT_EACH = "lookahead", "lookahead=branches"


@dataclass(frozen=True, slots=True)
class Subject:
    """A program of the benchmark, and the test that searches begin with."""

    name: str
    source: str
    first: bytes
    flags: str = ""


SUBJECTS = (
    Subject("check-pressure", "check_pressure.c", bytes([100, 102, 101])),
    Subject("square 3x3", "square.c", bytes([2, 7, 6, 9, 5, 1, 4, 3, 8]), "-DSIDE=3"),
    Subject("square 4x4", "square.c", bytes([16, 3, 2, 13, 5, 10, 11, 8, 9, 6, 7, 12, 4, 15, 14, 1]), "-DSIDE=4"),
    Subject("hysteresis", "hysteresis.c", bytes([80] * 7)),
    Subject("merge", "merge.c", bytes([2, 2, 10, 20, 15, 25])),
    Subject("triangle", "triangle.c", bytes([7, 8, 9])),
)


# What the paper has, by processor and program: coverage and tests of BP, and how many tests less or more with
# look-ahead, with a call depth of 0 (beside unit testing), and with solve-first.
PAPER = {
    ("8051", "check-pressure"): ("100%", 4, "0%", "-43%", "-50%"),
    ("8051", "square 3x3"): ("100%", 43, "-70%", "", "-65%"),
    ("8051", "square 4x4"): ("100%", 123, "-85%", "", ""),
    ("8051", "hysteresis"): ("100%", 35, "-9%", "", "-80%"),
    ("8051", "merge"): ("100%", 70, "-43%", "-84%", "-83%"),
    ("8051", "triangle"): ("100%", 15, "-20%", "-66%", "+50%"),
    ("ppc", "square 4x4"): ("82%", 125, "-84%", "", ""),
    ("ppc", "hysteresis"): ("100%", 251, "-44%", "", "-98%"),
    ("ppc", "merge"): ("100%", 2, "0%", "0%", "+30%"),
    ("ppc", "triangle"): ("100%", 19, "-47%", "-80%", "+15%"),
}


@dataclass(frozen=True, slots=True)
class Procedure:
    """A way to search."""

    strategy: str = BACKWARDS
    prune: str = ""
    only_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Built:
    """A program ready to be searched: its top-level function, and what is to be covered if nothing else is said."""

    subject: Subject
    target: Target
    top: str = "main"
    only_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """What a search needed."""

    tests: int
    seconds: float
    covered: int
    total: int
    new: int  # tests that covered something; all others are what pruning can save
    rule_seconds: tuple[float, ...] = ()  # of rules that were asked, and skipped nothing


Results = dict[str, list[Result]]


class Idle:
    """Asks a rule, and allows everything all the same: what is left of it is its cost."""

    lossless = True

    def __init__(self, rule: Filter) -> None:
        self._rule = rule
        self.seconds = 0.0

    def allows(self, search: SearchView, path: Trace, index: int) -> bool:
        begun = time.thread_time()
        self._rule.allows(search, path, index)
        self.seconds += time.thread_time() - begun
        return True

    def rules_out(self, search: SearchView, path: Trace, index: int) -> bool:
        return False


def processor_seconds() -> float:
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def search(built: Built, procedure: Procedure) -> Result:
    """One campaign, which ends when its goal is covered."""
    first = built.subject.first
    begins = patch.object(campaigns, "first_input", lambda _: first)
    with tempfile.TemporaryDirectory() as folder, begins, patch.object(PlaceRecords, "allowance", no_bound):
        config = Config(
            (str(FOLDER / built.subject.source),),
            strategy=procedure.strategy,
            prune=procedure.prune,
            only_in=procedure.only_in or built.only_in,
            iterations=MOST_TESTS,
            after_coverage=0,
            out=Path(folder),
        )
        begun = processor_seconds()
        summary = run_campaign(config, built.target, Watcher())
        seconds = processor_seconds() - begun
        new = len(list((Path(folder) / TESTS).glob("*.bin")))
    return Result(summary.totals.iterations, seconds, summary.goal.covered, summary.goal.total, new)


def no_bound(records: PlaceRecords, path: Trace, index: int) -> int:
    """The steps that any flip may take, in place of what is fair at its place."""
    return UNLIMITED


def basic_procedure(built: Built) -> Result:
    """BP, in which look-ahead is asked for nothing, so that its cost is known; its time is not BP's."""
    rules = [Idle(pruning(spec)) for spec in (LOOKAHEAD, AT_EACH)]

    def asked_for_nothing(spec: str, *, max_path: int | None = None, prepares: bool = False) -> Pruning:
        return Pruning({str(number): rule for number, rule in enumerate(rules)})

    with patch.object(machinery, "pruning", asked_for_nothing):
        found = search(built, Procedure())
    spent = tuple(rule.seconds for rule in rules)
    return replace(found, seconds=found.seconds - sum(spent), rule_seconds=spent)


# ---- the tables


def change(before: float, after: float) -> float:
    return after / before - 1


def print_table(title: str, head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    print(f"\n{title}\n")
    print(f"| {' | '.join(head)} |")
    print(f"| --- |{' ---: |' * (len(head) - 1)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    sys.stdout.flush()


def described(programs: list[Built]) -> None:
    rows: list[tuple[str, ...]] = []
    for built in programs:
        program = built.target.map
        depth = call_depth(program, next(each for each in program.functions if each.name == built.top))
        rows.append((built.subject.name, str(len(program.branches)), str(len(program.functions)), str(depth)))
    print_table("Table 1: the programs", ("program", "branches", "functions", "call depth"), rows)


def call_depth(program: ProgramMap, function: Function) -> int:
    return max((1 + call_depth(program, callee) for callee in callees(program, function)), default=0)


def callees(program: ProgramMap, function: Function) -> Iterator[Function]:
    for block in function.blocks:
        for call in block.calls:
            callee = program.callee(function, call)
            if callee is not None:
                yield callee


def compared(title: str, names: tuple[str, ...], results: Results) -> None:
    """Tests and time of the first procedure, and how much more or less the others needed."""
    head = ["program", "covered", *(f"{name} {what}" for name in names for what in ("s", "tests"))]
    rows: list[tuple[str, ...]] = []
    for program, row in results.items():
        cells = [program, covered(row), f"{row[0].seconds:.2f}", str(row[0].tests)]
        for other in row[1:]:
            cells += [f"{change(row[0].seconds, other.seconds):+.0%}"]
            cells += [f"{change(row[0].tests, other.tests):+.0%} ({other.tests})"]
        rows.append(tuple(cells))
    rows += [summed(word, results, fold) for word, fold in (("mean", mean_change), ("total", total_change))]
    print_table(title, tuple(head), rows)


def covered(row: list[Result]) -> str:
    """Of the goal, by each procedure."""
    shares = {f"{result.covered / result.total:.0%}" for result in row}
    return " / ".join(sorted(shares))


def mean_change(pairs: list[tuple[float, float]]) -> float:
    return mean(change(before, after) for before, after in pairs)


def total_change(pairs: list[tuple[float, float]]) -> float:
    return change(sum(before for before, _ in pairs), sum(after for _, after in pairs))


def summed(word: str, results: Results, fold: Callable[[list[tuple[float, float]]], float]) -> tuple[str, ...]:
    cells = [word, "", "", ""]
    rows = list(results.values())
    for number in range(1, len(rows[0])):
        cells.append(f"{fold([(row[0].seconds, row[number].seconds) for row in rows]):+.0%}")
        cells.append(f"{fold([(row[0].tests, row[number].tests) for row in rows]):+.0%}")
    return tuple(cells)


def irrelevant(results: Results) -> None:
    """How much there was to save: tests that covered nothing new. No pruning that loses nothing can save others."""
    rows: list[tuple[str, ...]] = []
    for program, (basic, looking, _) in results.items():
        most = change(basic.tests, basic.new)
        saved = change(basic.tests, looking.tests)
        rows.append((program, str(basic.tests), str(basic.new), f"{most:+.0%}", f"{saved:+.0%}", str(looking.new)))
    head = ("program", "BP tests", "of them new", "most that can be saved", "saved", "new with look-ahead")
    print_table("What look-ahead could save at most, and what it saved", head, rows)


def overhead(results: Results) -> None:
    """The rule's own time over that of everything else in the same search."""
    basic = {program: row[0] for program, row in results.items()}
    rules = range(2)
    rows: list[tuple[str, ...]] = []
    for program, result in basic.items():
        rows.append((program, *(f"{share(result, rule):+.1%}" for rule in rules)))
    every = list(basic.values())
    rows.append(("mean", *(f"{mean(share(each, rule) for each in every):+.1%}" for rule in rules)))
    rows.append(("total", *(f"{total_share(every, rule):+.1%}" for rule in rules)))
    head = ("program", "when backtracking", "at each branch")
    print_table("Table 3: what look-ahead costs where nothing is pruned", head, rows)


def share(result: Result, rule: int) -> float:
    return result.rule_seconds[rule] / result.seconds


def total_share(results: list[Result], rule: int) -> float:
    return sum(result.rule_seconds[rule] for result in results) / sum(result.seconds for result in results)


def has_deciding_callees(built: Built) -> bool:
    program = built.target.map
    return any(program.functions[branch.function].name != built.top for branch in program)


def as_source(subject: Subject) -> Built:
    return Built(subject, find_target([str(FOLDER / subject.source)], subject.flags))


def as_image(subject: Subject, cpu: str, folder: Path) -> Built:
    place = folder / subject.name.replace(" ", "-")
    place.mkdir()
    target = image_target(FOLDER / subject.source, subject.flags.split(), cpu, place)
    return Built(subject, target, "fn_main", own_functions(target))


def beside_the_paper(cpu: str, ahead: Results, depth: Results, first: Results, source: Results) -> None:
    """Our figures and the paper's, ours first; then those of the same program as C."""
    rows: list[tuple[str, ...]] = []
    for name, (basic, looking, _) in ahead.items():
        theirs = PAPER.get((cpu, name))
        if theirs is None:
            continue
        unit = depth.get(name)
        ours = (
            f"{basic.covered / basic.total:.0%}",
            str(basic.tests),
            f"{change(basic.tests, looking.tests):+.0%}",
            f"{change(unit[0].tests, unit[1].tests):+.0%}" if unit else "",
            f"{change(basic.tests, first[name][2].tests):+.0%}",
        )
        shown = [f"{mine} ({other})" if other else mine for mine, other in zip(ours, theirs, strict=True)]
        in_c, looking_in_c = source[name]
        rows.append((name, *shown, str(in_c.tests), f"{change(in_c.tests, looking_in_c.tests):+.0%}"))
    head = ("program", "covered", "tests of BP", "look-ahead", "call depth 0", "solve-first", "BP of C", "look-ahead")
    print_table(f"{cpu}: our figures, and the paper's in brackets", head, rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", help="only these")
    parser.add_argument("--cpu", choices=PAPERS, help="as machine code")
    parser.add_argument(
        "--zeros", action="store_true", help="begin with zeros, as the paper does, not with a usual test"
    )
    options = parser.parse_args()
    chosen = [each for each in SUBJECTS if not options.programs or each.name in options.programs]
    if options.zeros:
        chosen = [replace(each, first=bytes(len(each.first))) for each in chosen]
    with tempfile.TemporaryDirectory() as folder:
        if options.cpu is None:
            tables([as_source(each) for each in chosen])
        else:
            found = tables([as_image(each, options.cpu, Path(folder)) for each in chosen])
            sources = [as_source(each) for each in chosen if (options.cpu, each.name) in PAPER]
            in_c = {
                each.subject.name: [search(each, Procedure(prune=prune)) for prune in ("", LOOKAHEAD)]
                for each in sources
            }
            beside_the_paper(options.cpu, *found, in_c)
    return 0


def tables(programs: list[Built]) -> tuple[Results, Results, Results]:
    """All five; what look-ahead, call depth and solve-first needed."""
    described(programs)
    ahead: Results = {}
    depth: Results = {}
    first: Results = {}
    for built in programs:
        name = built.subject.name
        basic = basic_procedure(built)
        looking = search(built, Procedure(prune=LOOKAHEAD))
        ahead[name] = [basic, looking, search(built, Procedure(prune=AT_EACH))]
        first[name] = [basic, looking, search(built, Procedure("solve-first", LOOKAHEAD))]
        if has_deciding_callees(built):
            top = (built.top,)
            unit = (Procedure(only_in=top), Procedure(only_in=top, prune="call-depth=0"))
            depth[name] = [search(built, each) for each in unit]
    compared("Table 2: look-ahead", ("BP", "BP+LA", "BP+LA at each branch"), ahead)
    irrelevant(ahead)
    overhead(ahead)
    if depth:
        compared("Table 4: call depth 0", ("BP+UT", "BP+UT+MCD"), depth)
    compared("Table 5: solve-first", ("BP", "BP+LA", "BP+LA+SF"), first)
    return ahead, depth, first


if __name__ == "__main__":
    sys.exit(main())
