"""`untaken unit`: explores one function, through a driver that is written from its types."""

from __future__ import annotations

import os
import shlex
from argparse import BooleanOptionalAction
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.text import Text

from untaken.campaign.config import DEFAULT_SECONDS, Config
from untaken.campaign.option_text import whole
from untaken.campaign.summary import FunctionCoverage, GoalCoverage, Summary
from untaken.campaign.wanted_target import refuse_failing_allocations
from untaken.cli.building import building
from untaken.cli.changed import refuse_changed_since
from untaken.cli.gates import Gates, Judgement
from untaken.cli.images import add_image_options, image_options, is_image
from untaken.cli.options import add_campaign_options, campaign_settings
from untaken.cli.parser import Parser
from untaken.cli.report import live_page, page_at_the_end, time_for_page
from untaken.cli.run import before_dashes, joined_flags, show
from untaken.cli.start_up import without_start_up
from untaken.cli.unit_project import explore_all
from untaken.errors import UsageError
from untaken.execute.target import words
from untaken.report.console import VisibleConsole
from untaken.report.prose import say
from untaken.report.terminal import make_watcher
from untaken.search.coverage_goals import Criterion
from untaken.team.start import prepare_workers, run_with_workers
from untaken.unit.compile_commands import located
from untaken.unit.options import UnitOptions, read_array
from untaken.unit.planning import make_plan
from untaken.unit.shape import STREAM_BYTES
from untaken.unit.target import build_target

NO_NEW = 5000  # executions without a new branch that end it: the driver's decisions hide that a path space is exhausted
AFTER_COVERAGE = 200  # executions in search of faults
SAID_OF_AFTER_COVERAGE = (
    f"once the function is covered, go on for N executions in search of faults, then end (default {AFTER_COVERAGE})"
)
MOST_NOTES = 8
FAILED_ALLOCATION = "when allocation"  # in what is said of a finding: NULL was not passed
DESCRIPTION = (
    "Explores one function of a C file, static or not. Its arguments are built from their types: numbers, structs, "
    "arrays, strings, lists; every part of them is an input. Ends when all branches of the function are covered "
    f"and {AFTER_COVERAGE} more executions (`--after-coverage`) have shown no other fault. All other options of "
    "`untaken run` hold here as they are."
)


def run(arguments: Sequence[str]) -> int:
    """Exit codes as of `untaken run`."""
    known = parse_words(arguments)
    if known["all"]:
        return run_project(known)
    if is_image([str(known["source"])], known, may_be_ours=False):
        return run_image(known)
    options, config = settings(known)
    config.check()
    config = without_start_up(config)
    refuse_changed_since(config, "`untaken unit`")
    gates = Gates(config)
    console = VisibleConsole(stderr=config.json)
    watcher = make_watcher(console, quiet=config.quiet)
    prepare_workers(config)
    with building(watcher.note, config.targets):
        planned = make_plan(options)
        for note in planned.notes[:MOST_NOTES]:
            watcher.note(note)
        if len(planned.notes) > MOST_NOTES:
            watcher.note(f"{len(planned.notes) - MOST_NOTES} more such notes are in {config.out}/unit/unit.json")
        if planned.plan.reads_stream and config.stdin is None:
            config = replace(config, stdin=STREAM_BYTES)
        target = build_target(planned.plan, config.out, watcher.note)
    with live_page(config, watcher.note):
        summary = run_with_workers(config, target, watcher)
    page_at_the_end(config.out, target.map, time_for_page(config.seconds, summary.run_seconds), watcher.note)
    command = shlex.join(["untaken", "export", str(config.out), "--format", "c"])
    judged = gates.judge(summary, target.map)
    show_unit(config, options.function, summary, console, judged, f" As C: {command}")
    others = [each for each in summary.findings if FAILED_ALLOCATION not in each.in_words]
    if others and planned.nullable and not config.quiet and not config.json:
        say(console, Text("Where NULL is not meant to be passed, --non-null POINTER or --non-null all rules it out."))
    return judged.exit_code


def run_project(known: dict[str, Any]) -> int:
    """Every function of files or of a project."""
    config = Config(targets=(), arguments=known["arguments"], **campaign_settings(known))
    config.check()
    config = without_start_up(config)
    refuse_changed_since(config, "`untaken unit`")
    if config.ray is not None or config.baseline is not None:
        raise UsageError("--ray and --baseline are for one function; --all works with --jobs on this machine")
    return explore_all([Path(word) for word in known["words"]], _unit_options(known, config), config)


def run_image(known: dict[str, Any]) -> int:
    """A function of an executable without source: its arguments are the registers that it reads."""
    from untaken.executables.exploring import explore  # as in run.py
    from untaken.executables.lifting import Lifted

    function = str(known["function"])
    image = image_options([str(known["source"])], known, function)
    config = Config(targets=(str(known["source"]),), **campaign_settings(known))
    config.check()
    config = without_start_up(config)
    refuse_changed_since(config, "`untaken unit`")
    refuse_failing_allocations(config, "executables without source")
    gates = Gates(config)
    console = VisibleConsole(stderr=config.json)
    watcher = make_watcher(console, quiet=config.quiet)
    entries: list[str] = []

    def own(lifted: Lifted) -> tuple[str, ...]:
        entries[:] = [lifted.entry_name]
        return tuple(entries) if known["goal_function_only"] else ()

    with live_page(config, watcher.note):
        explored = explore(config, image, watcher, own)
    seconds = time_for_page(config.seconds, explored.summary.run_seconds)
    page_at_the_end(config.out, explored.program, seconds, watcher.note)
    judged = gates.judge(explored.summary, explored.program)
    show_unit(config, entries[0], explored.summary, console, judged, "")
    return judged.exit_code


def show_unit(
    config: Config, function: str, summary: Summary, console: VisibleConsole, judged: Judgement, more: str
) -> None:
    """The summary, and how much of the function itself is covered; `more` is said at the end."""
    own = next((each for each in summary.functions if each.name == function), None)
    covered, total = (own.covered, own.total) if own else (0, 0)
    show(
        config,
        summary if config.json else focused(summary, own),
        console,
        judged,
        {"unit": {"function": function, "branches_covered": covered, "branches_total": total}},
    )
    if not config.json and not config.quiet:
        counted = f"{covered} of {total} branches" if total else "no branches"
        say(console, Text(f"{function} itself: {counted}.{more}"))


def focused(summary: Summary, own: FunctionCoverage | None) -> Summary:
    """What is said at the end is about the function, and about what it led to; others were never meant."""
    entered = tuple(each for each in summary.functions if each.entered)
    names = {each.name for each in entered}
    frontier = sorted(
        (each for each in summary.frontier if each.function in names),
        key=lambda each: own is None or each.function != own.name,
    )
    if own is None:  # it has no branches
        return replace(summary, covered=0, total=0, reachable=0, functions=entered, frontier=tuple(frontier))
    return replace(
        summary,
        covered=own.covered,
        total=own.total,
        reachable=own.total,
        goal=_own_goal(summary.goal, own),
        functions=entered,
        frontier=tuple(frontier),
    )


def _own_goal(goal: GoalCoverage, own: FunctionCoverage) -> GoalCoverage:
    """Conditions are of the function anyway."""
    return goal if goal.goal is Criterion.MCDC else GoalCoverage(Criterion.BRANCHES, (), own.covered, own.total)


def parse(arguments: Sequence[str]) -> tuple[UnitOptions, Config]:
    """The command line as settings, for C."""
    return settings(parse_words(arguments))


def parse_words(arguments: Sequence[str]) -> dict[str, Any]:
    own, rest = before_dashes(arguments)
    known: dict[str, Any] = vars(make_parser().parse_args(joined_flags(own)))
    if known["time"] is known["iterations"] is known["no_new"] is None:
        known |= {"time": None if known["all"] else DEFAULT_SECONDS, "no_new": NO_NEW}
    if not known["all"]:
        known |= _file_and_function(known["words"])
    return known | {"arguments": rest}


def _file_and_function(words: Sequence[str]) -> dict[str, Any]:
    if len(words) != 2:
        raise UsageError("unit wants FILE.c and FUNCTION; or --all, for every function of the files that are named")
    return {"source": Path(words[0]), "function": words[1]}


def settings(known: dict[str, Any]) -> tuple[UnitOptions, Config]:
    own = known["goal_function_only"] or known["goal"] is Criterion.MCDC  # the driver's conditions are nobody's
    goal = (known["function"],) if own else ()
    source = str(known["source"])
    config = Config(targets=(source,), arguments=known["arguments"], only_in=goal, **campaign_settings(known))
    return _unit_options(known, config), config


def _unit_options(known: dict[str, Any], config: Config) -> UnitOptions:
    return UnitOptions(
        file=known.get("source", Path()),
        function=known.get("function", ""),
        arrays=dict(known["array"] or ()),
        strings=known["strings"],
        depth=known["depth"],
        globals=tuple(known["global"] or ()),
        stubs=frozenset(known["stub"] or ()),
        not_null=frozenset(known["non_null"] or ()),
        strict_enums=known["strict_enums"],
        others=tuple(known["with"] or ()),
        commands=known["compile_commands"],
        flags=located(words(config.cflags), os.getcwd()),
        fail_malloc=config.fail_malloc,
    )


def make_parser() -> Parser:
    parser = Parser("unit", DESCRIPTION, "FILE.c FUNCTION [OPTIONS]  or  FILE.c... --all [OPTIONS]")
    parser.add_argument("words", nargs="*", metavar="FILE FUNCTION", help="the C file that defines the function, or "
        "an executable that has it, and its name; with --all any number of C files")  # fmt: skip
    parser.add_argument("--all", action="store_true", help="explore every function of the files, or of all files that "
        "compile_commands.json names, and write their tests as C; --time is for all of them together")  # fmt: skip
    add = parser.add_argument_group("arguments of the function").add_argument
    add("--array", type=read_array, action="append", metavar="P=N", help="P points to an array: N elements, or as many "
        "as parameter N says, up to 8 or what N:MOST says")  # fmt: skip
    add("--strings", type=whole("--strings", 1, 1 << 16), default=8, metavar="N", help="strings have up to N "
        "characters (default 8)")  # fmt: skip
    add("--depth", type=whole("--depth", 0, 64), default=3, metavar="N", help="pointers inside structures are followed "
        "N deep (default 3)")  # fmt: skip
    add("--non-null", action="append", metavar="P", help="pointer P, or all, is never NULL")
    add("--strict-enums", action="store_true", help="enums have only the values that they name")
    add(
        "--global", action="append", metavar="NAME", help="the global variable is an input too; all: those that it uses"
    )
    add = parser.add_argument_group("the program around it").add_argument
    add("--stub", action="append", metavar="NAME", help="the undefined function, or all, is made up: it returns inputs")
    add("--with", type=Path, action="append", metavar="FILE.c", help="a further file that is built into the program")
    add("--compile-commands", type=Path, metavar="FILE", help="where the flags are taken from (default: "
        "compile_commands.json in a folder above)")  # fmt: skip
    add(
        "--goal-function-only",
        action=BooleanOptionalAction,
        default=True,
        help="end when the function itself is covered, not all that it calls (default)",
    )
    add_campaign_options(parser, said={"after_coverage": SAID_OF_AFTER_COVERAGE})
    add_image_options(parser.add_argument_group("executables without source").add_argument)
    parser.set_defaults(after_coverage=AFTER_COVERAGE)
    return parser
