"""The closing words of a campaign: what was covered, what was found, where to look next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console, RenderableType
from rich.text import Text

from untaken.build.plain import AS_GIVEN
from untaken.campaign.obstacles import Obstacle
from untaken.campaign.summary import EarlyExit, Frontier, FunctionCoverage, GoalCoverage, Library, Summary
from untaken.model.program import Branch, BranchKind
from untaken.report.columns import TextColumns, source_line
from untaken.report.independence import independence
from untaken.report.page import PAGE
from untaken.report.prose import say
from untaken.report.standstill import advice, stands_still
from untaken.report.words import CONCRETISED, ENDINGS, clock, count, shown
from untaken.search.budget import Ending
from untaken.search.doubts import Doubt
from untaken.suite.corpus import TESTS, UNCONFIRMED
from untaken.suite.findings import Finding, replay_command

MOST_FUNCTIONS = 15
MOST_BRANCHES = 8
MOST_FINDINGS = 10
MOST_FRAMES = 4
MOST_NAMED = 8  # functions of a goal
DECLARE = "Declare what it reads with --stdin N, --arg N or --file NAME=N, or call untaken_input in it."
DECLARE_OF_IMAGE = (
    "Declare what it reads with --port ADDRESS or --input ADDRESS:SIZE; if start-up code overwrites that, --input-at "
    "main puts it there later."
)
READS_ELSEWHERE = (
    "It may give up before it reads what was declared, or read something else (--stdin N, --arg N, --file NAME=N)."
)
MOST_PRINTED = 10
MOST_EXTERNALS = 8
LONG_SOLVING = 1.0  # seconds
_NOTHING_LEFT = (Ending.STUCK.value, Ending.ALL_OF_INPUT.value)
LARGE_SHARE = 0.3  # of the time


def print_summary(console: Console, summary: Summary) -> None:
    """On a terminal or not."""
    for part in parts(summary):
        say(console, part)


def parts(summary: Summary) -> Iterator[RenderableType]:
    """From the most to the least important."""
    yield Text("")
    yield from headline(summary)
    yield from no_more_paths(summary)
    if summary.early_exit is not None:
        yield from early_exit(summary.early_exit)
    if summary.findings:
        yield from findings(summary)
    if summary.unconfirmed:
        yield from unconfirmed(summary)
    if any(function.covered < function.total for function in summary.functions):
        yield from by_function(summary.functions)
    if summary.frontier:
        yield from look_next(summary)
    if stands_still(summary):
        yield Text(f"  {advice(summary)}")
    if summary.independence is not None:
        yield from independence(summary.independence)
    yield from costly_lines(summary)
    yield from limits(summary)
    yield Text("")
    figures, page = summary.out / "summary.json", summary.out / PAGE
    yield Text(f"{kept_tests(summary)}, the figures in {figures}, all of it as a page in {page}.")


def declare(summary: Summary) -> str:
    """How to say what the input is."""
    from untaken.executables.target import holds_image  # most campaigns are of C

    return DECLARE_OF_IMAGE if holds_image(summary.out) else DECLARE


def kept_tests(summary: Summary) -> str:
    """How many, and which of them cover nothing."""
    failing = summary.failing_tests
    some = f" ({failing:,} of them to fail an assumption: these cover nothing)" if failing else ""
    return f"{count(summary.tests, 'test')} in {summary.out / TESTS}{some}"


def no_more_paths(summary: Summary) -> Iterator[Text]:
    """That nothing is left to explore, if it looks so; and why that is no proof, if it is none."""
    if not summary.totals.iterations:
        yield Text("The program was not executed, so nothing is known of it: give the campaign more time.")
    elif not summary.input_mattered and not summary.doubts:
        told = "Nothing that the program decided depended on an input, so there was nothing to explore."
        yield Text(f"{told} {_advice(summary)}")
    elif not summary.input_mattered:
        advice = f" {_advice(summary)}" if summary.ended_by == Ending.ALL_OF_INPUT.value else ""
        told = "No decision was seen that depends on an input. That is no proof"
        yield Text(f"{told}: {because(summary.doubts)}.{advice}")
    elif summary.doubts and (summary.tried_all or summary.ended_by in _NOTHING_LEFT):
        yield Text(f"No flip is left that was not tried. There may be other paths: {because(summary.doubts)}.")


def _advice(summary: Summary) -> str:
    return READS_ELSEWHERE if summary.has_sources else declare(summary)


def early_exit(found: EarlyExit) -> Iterator[Text]:
    """A program that gives up whatever its input mostly says why."""
    yield Text(f"The program ended with exit code {found.code} and printed:")
    lines = found.printed.splitlines()
    if len(lines) > MOST_PRINTED:
        lines = [*lines[: MOST_PRINTED // 2], "...", *lines[-MOST_PRINTED // 2 :]]
    yield from (Text(f"    | {line}") for line in lines)
    yield Text("If that is the sandbox's doing, --no-sandbox or --allow-write DIR lets it go on.")


def because(doubts: Sequence[Doubt]) -> str:
    return "; ".join(doubt.value for doubt in doubts)


def headline(summary: Summary) -> Iterator[Text]:
    share = f" ({summary.covered / summary.total:.0%})" if summary.total else ""
    totals = summary.totals
    rate = summary.run_iterations / summary.run_seconds if summary.run_seconds else 0
    solver = totals.solver_seconds / totals.seconds if totals.seconds else 0
    reached = f", {summary.reachable} in functions that were reached" if summary.reachable < summary.total else ""
    divergences = f", {count(totals.divergences, 'divergence')}" if totals.divergences else ""
    pruned = "".join(f", {count(number, 'flip')} skipped by {rule}" for rule, number in summary.pruned.items())
    unknown = f", {totals.unknown:,} without an answer" if totals.unknown else ""
    solver_words = f"{count(totals.queries, 'solver question')}{unknown}, {solver:.0%} of the time"
    covered = f"{summary.covered} of {summary.total} branches covered{share}{reached}"
    yield Text(covered if summary.total else "There are no branches to cover", style="bold")
    if summary.goal.total and not summary.goal.is_all_branches:
        yield Text(f"The goal: {aim(summary.goal)}")
    yield Text(
        f"{count(totals.iterations, 'iteration')} in {clock(totals.seconds)} ({rate:,.0f} a second) with "
        f"{summary.strategy}; {solver_words}{divergences}{pruned}"
    )
    yield Text(f"Ended: {ENDINGS[summary.ended_by].format(item=summary.goal.goal.one, where=within(summary.goal))}.")


def aim(goal: GoalCoverage) -> str:
    """How far the goal is reached."""
    share = f" ({goal.covered / goal.total:.0%})" if goal.total else ""
    return f"{goal.covered} of {goal.total} {goal.goal.counted}{within(goal)} covered{share}"


def within(goal: GoalCoverage) -> str:
    """The functions that are to be covered, if there is room for their names."""
    if len(goal.only_in) > MOST_NAMED:
        return f" of {len(goal.only_in)} functions"
    return f" of {', '.join(goal.only_in)}" if goal.only_in else ""


def findings(summary: Summary) -> Iterator[RenderableType]:
    yield Text("")
    yield Text(count(len(summary.findings), "finding"), style="bold red")
    for finding in summary.findings[:MOST_FINDINGS]:
        yield from one_finding(summary, finding)
    if len(summary.findings) > MOST_FINDINGS:
        yield Text(f"  and {len(summary.findings) - MOST_FINDINGS} more in {summary.out / 'crashes'}")


def unconfirmed(summary: Summary) -> Iterator[RenderableType]:
    """What is no finding, and why."""
    yield Text("")
    yield Text("Seen only while exploring, so these are no findings", style="bold")
    for finding in summary.unconfirmed[:MOST_FINDINGS]:
        place = f" at {shown(finding.location)}" if finding.location else ""
        yield Text(f"  {finding.what}{place}; {finding.confirmation.reason}")
        yield command("    try it again: ", summary, finding)
    if len(summary.unconfirmed) > MOST_FINDINGS:
        yield Text(f"  and {len(summary.unconfirmed) - MOST_FINDINGS} more in {summary.out / UNCONFIRMED}")


def command(before: str, summary: Summary, finding: Finding) -> Text:
    """In one line, to be copied."""
    return Text.assemble(before, (replay_command(summary.out, finding), "green"), no_wrap=True)


def one_finding(summary: Summary, finding: Finding) -> Iterator[RenderableType]:
    times = f" ({finding.times:,} times)" if finding.times > 1 else ""
    yield Text(f"  {finding.in_words}{times}", style="bold")
    if finding.location and not finding.frames:
        yield Text(f"    at {finding.location}")
    for index, frame in enumerate(finding.frames[:MOST_FRAMES]):
        place = (finding.location or frame.place) if index == 0 else frame.place
        # The trace shows branches: where a run died lies somewhere after the last one.
        after = "after " if index == 0 and finding.kind not in ("assertion", "sanitizer", "error") else ""
        yield Text(f"    {'in' if index == 0 else 'from'} {frame.function}, {after}{shown(place)}")
    yield from confirmed_on(finding)
    yield command("    see it again: ", summary, finding)


def confirmed_on(finding: Finding) -> Iterator[RenderableType]:
    """Said where it is not the plain program that shows the same."""
    found = finding.confirmation
    same = finding.kind != "signal" or found.shows == finding.what
    if found.on != AS_GIVEN.title or not same:
        yield Text(f"    confirmed on {found.on}{'' if same else f', which shows: {found.shows}'}")


def costly_lines(summary: Summary) -> Iterator[RenderableType]:
    """Where the solver's time went, if it is much: a line that brings nothing may be worth leaving out."""
    seconds = summary.totals.solver_seconds
    if seconds < LONG_SOLVING or seconds < LARGE_SHARE * summary.totals.seconds or not summary.costly_lines:
        return
    yield Text("")
    yield Text("Where the solver's time went", style="bold")
    yield TextColumns(
        [
            (
                shown(line.at),
                line.function,
                line.operation.value,
                f"{line.seconds:.1f} s",
                f"{count(line.questions, 'question')}, {line.answered:,} answered with an input",
            )
            for line in summary.costly_lines
        ]
    )


def by_function(functions: tuple[FunctionCoverage, ...]) -> Iterator[RenderableType]:
    """Those with most missing; the rest is summed up."""
    missing = sorted(
        (each for each in functions if each.covered < each.total), key=lambda each: each.covered - each.total
    )
    rows = [
        (
            each.name,
            f"{each.covered} of {each.total}",
            shown(f"{each.file}:{each.line}"),
            "" if each.entered else "never entered",
        )
        for each in missing[:MOST_FUNCTIONS]
    ]
    yield Text("")
    yield Text("Functions with uncovered branches", style="bold")
    yield TextColumns(rows)
    complete = len(functions) - len(missing)
    left = f"  {len(missing) - MOST_FUNCTIONS} more have some. " if len(missing) > MOST_FUNCTIONS else "  "
    if complete:
        yield Text(f"{left}{count(complete, 'function')} fully covered.")


def look_next(summary: Summary) -> Iterator[RenderableType]:
    """Conditions that always went the same way: once a line, with its function, and why as far as that is known."""
    yield Text("")
    yield Text("Where to look next: conditions that always went the same way", style="bold")
    lines: dict[tuple[str, int], list[Frontier]] = {}
    for each in summary.frontier:
        lines.setdefault((each.branch.location.file, each.branch.location.line), []).append(each)
    yield TextColumns([look_row(file, line, lines[file, line]) for file, line in list(lines)[:MOST_BRANCHES]])
    if any(each.obstacle is Obstacle.CONCRETE for each in summary.frontier) and summary.has_arguments:
        yield Text("  What does not depend on the input may be fixed by the arguments after --; --arg N explores one.")
    if len(lines) > MOST_BRANCHES:
        yield Text(f"  and {len(lines) - MOST_BRANCHES} more lines")


def look_row(file: str, line: int, here: Sequence[Frontier]) -> tuple[str, ...]:
    """The branches of one line."""
    opens = max(each.opens for each in here)
    return (
        shown(f"{file}:{line}"),
        ", ".join(dict.fromkeys(each.function for each in here)),
        ", ".join(dict.fromkeys(missing_side(each.branch) for each in here)),
        "; ".join(dict.fromkeys(each.obstacle.value for each in here)),
        f"opens {opens}" if opens > 1 else "",
        source_line(file, line),
    )


def missing_side(branch: Branch) -> str:
    if branch.kind is BranchKind.CASE:
        return "a case never taken" if branch.side else "always this case"
    return "never true" if branch.side else "never false"


def limits(summary: Summary) -> Iterator[RenderableType]:
    """What was not followed, said once."""
    known = summary.limits
    lines = []
    if known.cut_off:
        parts = ", ".join(f"{name.lower()} in {number:,}" for name, number in known.cut_off.items())
        lines.append(f"Runs that outgrew their trace: {parts}; what came after was not followed.")
    if known.renewals:
        lines.append(f"The table of expressions was full and begun anew {count(known.renewals, 'time')}.")
    if known.concretised:
        lines.append("Values that could not be followed: the concrete one was used, and no flip looks behind it.")
        lines += [f"  {count(number, 'time')} {CONCRETISED[name]}" for name, number in known.concretised.items()]
    if known.externals:
        names = sorted(known.externals, key=lambda name: (-known.externals[name], name))
        more = f" and {len(names) - MOST_EXTERNALS} more" if len(names) > MOST_EXTERNALS else ""
        lines.append(
            "Called with their concrete arguments, for lack of a model, or of one for such arguments: "
            f"{', '.join(names[:MOST_EXTERNALS])}{more}."
        )
    lines += map(about_library, known.uninstrumented)
    if known.server_restarts:
        lines.append(f"Runs that ended the fork server, which was started again: {known.server_restarts:,}.")
    if known.damaged:
        lines.append(f"Runs that wrote over their own trace, of which nothing but the end is known: {known.damaged:,}.")
    if lines:
        yield Text("")
        yield from (Text(line, style="dim") for line in lines)


def about_library(library: Library) -> str:
    """What to do about it."""
    name = Path(library.path).name
    if library.beside:
        advice = f"an instrumented {name} lies in {library.beside}: run with LD_LIBRARY_PATH={library.beside}"
    else:
        advice = "build it with untaken cc, too, and let LD_LIBRARY_PATH lead to it"
    return f"Not instrumented, so that nothing is seen of what it does: {library.path}; {advice}."
