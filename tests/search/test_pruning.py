"""Pruning rules: what they skip, that look-ahead costs no coverage, and the OSMOSE paper's examples as C programs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path as File
from random import Random

import numpy as np
import pytest

from untaken.build.library.effects import effects_of
from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Watcher
from untaken.errors import UsageError
from untaken.execute.target import Target, find_target
from untaken.model.path import ConstraintKind, CutOff, Exit, ExitKind, Path
from untaken.model.program import Block, Call, Edge, Function, ProgramMap
from untaken.search.attempts import Steps
from untaken.search.budget import Budget, Ending
from untaken.search.driver import Driver
from untaken.search.pruning.bounds import CallDepth, PathLength
from untaken.search.pruning.lookahead import LookAhead
from untaken.search.pruning.reach import Reach
from untaken.search.pruning.registry import check_pruning, pruning
from untaken.search.registry import strategies, strategy
from untaken.search.view import SearchView, new_search
from untaken.search.world import World

from .programs import HERE, Condition, Interpreter, Part, Program, random_program
from .trees import Tree, full

PROGRAMS = File(__file__).parent / "rewards" / "programs"
MOST_RUNS = 200


# ---- what is asked for ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("lookback", "no pruning rule is called 'lookback'; there are: call-depth=N, lookahead"),
        ("lookahead,", "no pruning rule is called ''"),
        ("lookahead,lookahead", "names lookahead twice"),
        ("lookahead=5", "not at '5'"),
        ("call-depth", "whole number from 0"),
        ("call-depth=", "whole number from 0"),
        ("call-depth=-1", "whole number from 0"),
        ("call-depth=two", "not 'two'"),
    ],
)
def test_nonsense_is_refused_with_a_reason(spec: str, words: str) -> None:
    with pytest.raises(UsageError) as error:
        pruning(spec)
    assert words in str(error.value)


@pytest.mark.parametrize("name", ["random", "words"])
def test_rules_are_refused_where_nothing_is_flipped(name: str) -> None:
    declared = strategies()[name].declaration
    for spec, bound in (("lookahead", None), ("", 5)):
        with pytest.raises(UsageError, match=f"strategy {name} flips none"):
            check_pruning(spec, bound, name, declared)
    check_pruning("", None, name, declared)


def test_rules_are_refused_where_runs_begin_in_the_middle() -> None:
    """A run from a snapshot does not tell which calls led there; how long its path is it does tell."""
    declared = strategies()["hybrid"].declaration
    with pytest.raises(UsageError, match="runs of strategy hybrid begin in the middle"):
        check_pruning("lookahead", None, "hybrid", declared)
    check_pruning("", 5, "hybrid", declared)


def test_rules_that_make_sense_are_not_refused() -> None:
    check_pruning("call-depth=0,lookahead", 5, "dfs", strategies()["dfs"].declaration)


# ---- covering power -------------------------------------------------------------------------------------------------


def once(name: str) -> Callable[[SearchView], Steps]:
    """One life of a strategy: a restart on random inputs would cover for what a rule lost."""
    lives: list[SearchView] = []

    def steps(search: SearchView) -> Steps:
        if lives:
            return None
        lives.append(search)
        return (yield from strategy(name)(search))

    return steps


def drive(program: Program, name: str, spec: str = "") -> tuple[Ending, Driver]:
    world = World(program.map, program, program, filters=(pruning(spec),))
    driver = Driver(world, once(name), Random(0), Budget(MOST_RUNS))
    return driver.run(), driver


class Sharing(Interpreter):
    """All functions have the same variables, so that what a callee did decides what its caller can do."""

    def __init__(self, program: Program, input: bytes) -> None:
        super().__init__(program, input)
        self.variables: dict[int, tuple[int, int | None]] = {}

    def decide(self, test: Condition, locals_: dict[int, tuple[int, int | None]], depth: int) -> int:
        return super().decide(test, self.variables, depth)

    def read(self) -> tuple[int, int]:
        value = super().read()
        self.variables[value[1] % 2] = value
        return value


class SharingProgram(Program):
    """Executor of such a program."""

    def run(self, input: bytes) -> Path:
        return Sharing(self, input).path()


def made_up(seed: int) -> Program:
    """Small enough to see all paths of most."""
    rng = Random(seed)
    shape = rng.randint(2, 5), rng.randint(3, 6 if seed % 2 else 4)
    return SharingProgram(random_program(rng, *shape, loops=seed % 4 == 1, pointers=seed % 4 == 2).bodies)


def test_lookahead_covers_the_same_branches_with_fewer_paths() -> None:
    """Over a hundred programs whose paths can all be seen."""
    compared, runs, pruned_runs = 0, 0, 0
    for seed in range(160):
        program = made_up(seed)
        ending, plain = drive(program, "dfs")
        if ending is not Ending.EXHAUSTED:
            continue
        _, pruned = drive(program, "dfs", "lookahead")
        assert pruned.search.coverage.uncovered().tolist() == plain.search.coverage.uncovered().tolist(), seed
        assert pruned.search.tally.iterations <= plain.search.tally.iterations, seed
        compared += 1
        runs += plain.search.tally.iterations
        pruned_runs += pruned.search.tally.iterations
    assert compared >= 100
    assert pruned_runs < 0.6 * runs


@pytest.mark.parametrize("name", ["dfs", "solve-first", "bfs", "generational"])
def test_lookahead_costs_no_strategy_coverage(name: str) -> None:
    compared = 0
    for seed in range(1_000, 1_030):
        ending, plain = drive(made_up(seed), name)
        _, pruned = drive(made_up(seed), name, "lookahead")
        if ending is Ending.EXHAUSTED:
            compared += 1
            assert pruned.search.coverage.count == plain.search.coverage.count, seed
    assert compared >= 25


@pytest.mark.parametrize("name", ["random-branch", "uniform", "cfg", "cgs", "auto"])
def test_all_rules_work_under_strategies_that_never_end(name: str) -> None:
    skipped = 0
    for seed in range(8):
        program = made_up(seed)
        rules = pruning("call-depth=1,lookahead", max_path=20)
        world = World(program.map, program, program, filters=(rules,))
        driver = Driver(world, strategy(name), Random(seed), Budget(60))
        assert driver.run() in (Ending.ITERATIONS, Ending.EXHAUSTED, Ending.PRUNED)
        skipped += rules.skipped["lookahead"]
    assert skipped


# ---- reachability ---------------------------------------------------------------------------------------------------


def after_the_call() -> Program:
    """f is called twice; g, where most is, only after the first of the calls."""
    main = [Part(calls=(1,), jump=1), Part(calls=(2,), test=Condition(0, 1, 2, 2)), Part(calls=(1,))]
    f = [Part(reads=(0,), test=Condition(0, 1, 1, 1)), Part()]
    g = [Part(reads=(0,), test=Condition(0, 1, 1, 2)), Part(reads=(0,), test=Condition(0, 1, 2, 2)), Part()]
    return Program([main, f, g])


def test_the_call_stack_of_the_path_counts() -> None:
    """From inside f, g is ahead of the first call but not of the second."""
    program = after_the_call()
    search = new_search(program.map, Random(0))
    path = program.run(b"\0\0\0\0")
    search.coverage.add(path.events)
    search.coverage.add(program.run(b"\1\0\0\1").events)  # f is covered, g is not
    assert [int(branch) // 2 for branch in path.constraints["id"]] == [12, 13, 14, 12]
    rule = LookAhead()
    assert [rule.allows(search, path, index) for index in range(4)] == [True, True, True, False]


def test_a_call_counts_with_all_that_it_leads_to() -> None:
    main = [Part(reads=(0,), test=Condition(0, 1, 1, 2)), Part(calls=(1,)), Part()]
    program = Program([main, [Part(calls=(2,))], [Part(reads=(0,), test=Condition(0, 1, 1, 1)), Part()]])
    reach = Reach(program.map)
    inner = [branch.id for branch in program.map if branch.function == 2] + program.entries[1:]
    assert main[0].test is not None
    entering = main[0].test.id
    assert reach.through(entering) == reach.set_of(np.array([entering, *inner]))
    assert reach.through(entering + 1) == reach.set_of(np.array([entering + 1]))


def calling(name: str | None) -> ProgramMap:
    """Its first block calls something by this name; a branch of another function is all there is."""
    other = Program([[Part(reads=(0,), test=Condition(0, 1, 1, 1)), Part()]]).map
    caller = Function(1, "caller", HERE, 30, (Block((Call(name, 1),), ()),), True)
    library = effects_of(("malloc", *([] if name is None else [name])))
    return replace(other, functions=(*other.functions, caller), id_count=40, library=library)


@pytest.mark.parametrize(
    ("name", "anything"), [("puts", False), ("strlen", False), ("qsort", True), ("f0", True), ("mystery", True)]
)
def test_unknown_callees_reach_anything(name: str, anything: bool) -> None:
    reach = Reach(calling(name))
    assert (reach.summary(1) == reach.everything) is anything
    assert reach.everything


def test_calls_through_pointers_reach_anything() -> None:
    reach = Reach(calling(None))
    assert reach.summary(1) == reach.everything


def test_functions_left_concrete_are_unknown_whatever_their_name() -> None:
    reach = Reach(replace(calling("puts"), uninstrumented=("puts: it has inline assembly",)))
    assert reach.summary(1) == reach.everything


def test_the_library_uses_what_the_program_replaces() -> None:
    program = calling("puts")
    own = replace(program.functions[0], name="malloc")
    reach = Reach(replace(program, functions=(own, program.functions[1])))
    assert reach.summary(1) == reach.everything


@pytest.mark.parametrize("name", ["setjmp", "signal", "atexit"])
def test_jumps_and_handlers_forbid_nothing(name: str) -> None:
    assert Reach(calling(name)).open
    assert not Reach(calling("puts")).open


def test_recursive_functions_and_loops_have_an_end() -> None:
    """Two functions call each other in a loop."""
    program = Program([[Part(jump=1), Part(calls=(1,), reads=(0,), test=Condition(0, 1, 1, 2)), Part()], [Part()]])
    back = replace(program.map.functions[1], blocks=(Block((Call("f0", 1),), (Edge(0),)),))
    reach = Reach(replace(program.map, functions=(program.map.functions[0], back)))
    assert reach.summary(0) == reach.summary(1) == reach.everything


def test_a_decision_of_the_library_is_skipped_only_if_nothing_lies_ahead() -> None:
    program = after_the_call()
    search = new_search(program.map, Random(0))
    path = program.run(b"\0\0\0\0")
    constraints = path.constraints.copy()
    constraints["kind"], constraints["id"] = ConstraintKind.LIBRARY, 0
    path = replace(path, constraints=constraints)
    search.coverage.add(path.events)
    search.coverage.add(program.run(b"\1\0\0\1").events)
    rule = LookAhead()
    assert [rule.allows(search, path, index) for index in range(4)] == [True, True, True, False]


def test_where_events_are_missing_nothing_is_skipped() -> None:
    program = after_the_call()
    search = new_search(program.map, Random(0))
    path = program.run(b"\0\0\0\0")
    search.coverage.add(path.events)
    search.coverage.add(program.run(b"\1\0\0\1").events)
    last = int(path.constraints["position"][3])
    cut = replace(path, events=path.events[:last], cut_off=CutOff.EVENTS)
    assert not LookAhead().allows(search, path, 3)
    assert LookAhead().allows(search, cut, 3)


def test_after_a_snapshot_nothing_is_skipped() -> None:
    """`auto` has strategies of both kinds: what is not known of a path forbids nothing."""
    program = after_the_call()
    search = new_search(program.map, Random(0))
    path = program.run(b"\0\0\0\0")
    search.coverage.add(path.events)
    search.coverage.add(program.run(b"\1\0\0\1").events)
    there = replace(path, snapshot=1)
    for rule in (LookAhead(), CallDepth(0)):
        assert not rule.allows(search, path, 3)
        assert rule.allows(search, there, 3)


def test_the_way_there_counts_if_an_assumption_failed_on_it() -> None:
    """Such a run covers nothing, so another end of the same path may be the first to cover its beginning."""
    first, last = Condition(0, 1, 1, 2), Condition(1, 1, 2, 2)
    program = Program([[Part(reads=(0, 1), test=first), Part(test=last), Part()]])
    search = new_search(program.map, Random(0))
    path = program.run(b"\0\0")
    search.coverage.add(np.array([*program.entries, first.id + 1, last.id, last.id + 1], np.uint32))
    assert not LookAhead().allows(search, path, 1)
    assert LookAhead().allows(search, replace(path, exit=Exit(ExitKind.ASSUME)), 1)


def test_what_runs_after_main_counts() -> None:
    """A function that nobody calls but that was seen to run: a destructor."""
    program = Program(
        [[Part(reads=(0,), test=Condition(0, 1, 1, 1)), Part()], [Part(test=Condition(0, 1, 1, 1)), Part()]]
    )
    search = new_search(program.map, Random(0))
    path = program.run(b"")
    search.coverage.add(path.events)
    search.coverage.add(program.run(b"\1").events)
    assert not LookAhead().allows(search, path, 0)
    search.coverage.add(np.array([program.entries[1]], np.uint32))
    assert LookAhead().allows(search, path, 0)


# ---- bounds ---------------------------------------------------------------------------------------------------------


def flipped(path: Path, rule: CallDepth | PathLength, search: SearchView) -> list[int]:
    return [index for index in range(len(path)) if rule.allows(search, path, index)]


def test_call_depth_counts_from_the_function_under_test() -> None:
    main = [Part(reads=(0,), calls=(1,), test=Condition(0, 1, 1, 1)), Part()]
    f = [Part(reads=(0,), calls=(2,), test=Condition(0, 1, 1, 1)), Part()]
    g = [Part(reads=(0,), test=Condition(0, 1, 1, 1)), Part()]
    program = Program([main, f, g])
    search, path = new_search(program.map, Random(0)), program.run(b"")
    assert path.constraints["depth"].tolist() == [2, 1, 0]
    assert [flipped(path, CallDepth(most), search) for most in (0, 1, 2)] == [[2], [1, 2], [0, 1, 2]]


@pytest.mark.parametrize("length", [1, 3, 5, 6])
def test_path_length_bounds_what_is_flipped(length: int) -> None:
    tree = Tree(full(6))
    world = World(tree.program, tree, tree, filters=(pruning("", max_path=length),))
    driver = Driver(world, once("dfs"), Random(0), Budget())
    driver.run()
    assert len(tree.runs) == 2**length


def test_skipped_flips_are_counted_by_rule() -> None:
    tree = Tree(full(3))
    rules = pruning("lookahead", max_path=2)
    driver = Driver(World(tree.program, tree, tree, filters=(rules,)), once("dfs"), Random(0), Budget())
    driver.run()
    assert rules.skipped["max-path"] == 4


# ---- the paper's examples -------------------------------------------------------------------------------------------


@cache
def target(program: str) -> Target:
    return find_target([str(PROGRAMS / f"{program}.c")])


def campaign(program: str, prune: str = "", name: str = "dfs", most: int = 400, max_path: int | None = None) -> Summary:
    with tempfile.TemporaryDirectory() as folder:
        config = Config(
            targets=(),
            strategy=name,
            prune=prune,
            max_path=max_path,
            iterations=most,
            out=File(folder),
            after_coverage=0,
        )
        config.check()
        return run_campaign(config, target(program), Watcher())


def paths(program: str, prune: str = "", name: str = "dfs", max_path: int | None = None) -> int:
    """How many executions covered everything; -1 if that did not happen."""
    summary = campaign(program, prune, name, max_path=max_path)
    return summary.totals.iterations if summary.covered == summary.total else -1


def test_figure_2_loops_that_are_covered_need_three_paths() -> None:
    assert paths("covered_loops", "lookahead") <= 3
    assert paths("covered_loops", "lookahead=branches") <= 3
    assert paths("covered_loops") == -1
    needed = [paths("covered_loops", max_path=bound) for bound in (4, 6, 8, 10)]
    assert all(later > 2 * earlier for earlier, later in pairwise(needed)), needed


def test_figure_3_a_busy_callee_is_left_alone() -> None:
    assert paths("busy_callee", "call-depth=0") == 2
    assert paths("busy_callee", "lookahead,call-depth=0") == 2
    needed = [paths("busy_callee", "lookahead", max_path=bound) for bound in (4, 6, 8)]
    assert all(2 ** (bound - 1) < number for bound, number in zip((4, 6, 8), needed, strict=True)), needed


def test_figure_4_call_depth_misses_what_a_callee_decides() -> None:
    assert paths("callee_decides") == 2
    summary = campaign("callee_decides", "call-depth=0", most=60)
    assert [each.covered for each in summary.functions if each.name == "main"] == [1]
    assert paths("callee_decides", "call-depth=1") == 2


def test_figure_5_choices_need_two_paths_when_solved_first() -> None:
    assert paths("choices", "lookahead") == 9
    assert paths("choices", "lookahead", "solve-first") == 2


def test_the_summary_says_what_was_skipped() -> None:
    summary = campaign("covered_loops", "lookahead")
    assert summary.as_json()["pruned"] == summary.pruned
    assert summary.pruned["lookahead"] > 0


@pytest.mark.parametrize("program", ["histogram", "password", "all_of_them", "first_few"])
def test_lookahead_costs_real_programs_no_coverage(program: str) -> None:
    """Some strategy covers all of each; so it does with look-ahead."""
    name = {"histogram": "random-branch", "password": "generational", "all_of_them": "dfs", "first_few": "bfs"}[program]
    plain, pruned = campaign(program, name=name), campaign(program, "lookahead", name)
    assert pruned.covered >= plain.covered
