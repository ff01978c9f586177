"""Why a campaign stands still, in one line: what most of the uncovered code lies behind, and what would help.

Everything is judged from a summary, so that the line is the same while the campaign runs and at its end.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from untaken.campaign.obstacles import Obstacle
from untaken.campaign.summary import Frontier, Summary
from untaken.report.words import CONCRETISED, clock, count, shown
from untaken.search.budget import Ending

LEAST_SECONDS = 10.0  # without anything new
LEAST_SHARE = 0.25  # of the time so far
LEAST_ITERATIONS = 50
MOST_NAMES = 3
GAVE_UP = (Ending.STALE.value, Ending.STUCK.value)


def stands_still(summary: Summary) -> bool:
    """Nothing new for long, as measured by how long it took so far; or it ended for lack of anything new."""
    if not summary.frontier:
        return False
    still = summary.since_new
    long = still.seconds >= max(LEAST_SECONDS, LEAST_SHARE * summary.totals.seconds)
    return summary.ended_by in GAVE_UP or (long and still.iterations >= LEAST_ITERATIONS)


def standstill(summary: Summary) -> str:
    """One line; for campaigns that `stands_still`."""
    most = summary.frontier[0]
    behind = f"{count(most.opens, 'branch').replace('branchs', 'branches')} behind " if most.opens > 1 else ""
    place = shown(f"{most.branch.location.file}:{most.branch.location.line}")
    return (
        f"{nothing_new(summary)} Most is missing at {place} "
        f"in {most.function}: {behind}its {side(most)}, {most.obstacle.value}. {HELP[most.obstacle](summary)}"
    )


def advice(summary: Summary) -> str:
    """The same below a list of what is missing, whose first entry says where and why already."""
    most = summary.frontier[0]
    return f"{nothing_new(summary)} As to the first of these: {HELP[most.obstacle](summary)}"


def nothing_new(summary: Summary) -> str:
    still = summary.since_new
    return f"Nothing new for {clock(still.seconds)} ({count(still.iterations, 'execution')})."


def side(most: Frontier) -> str:
    return "true side" if most.branch.side else "false side"


def concrete(summary: Summary) -> str:
    """Input that was lost on the way to it, if there is any; else state that other paths would have set."""
    known = summary.limits
    if known.externals:
        names = sorted(known.externals, key=lambda name: (-known.externals[name], name))[:MOST_NAMES]
        return (
            f"Input went into {', '.join(names)} and was not followed further: build that code with untaken cc, or add "
            "a model."
        )
    if known.uninstrumented:
        library = Path(known.uninstrumented[0].path).name
        return f"{library} is not instrumented, and what it does with input is not seen: build it with untaken cc, too."
    if known.concretised:
        name = max(known.concretised, key=lambda name: known.concretised[name])
        return f"Input was lost to {CONCRETISED[name]}."
    if known.cut_off:
        return "Runs outgrew their trace, and what came later was not followed: shorter inputs may get there."
    if summary.has_arguments:
        return "The arguments after -- may fix it: --arg N explores one."
    larger = "larger --stdin, --arg or --file" if summary.has_sources else "more input"
    return (
        f"Something else must happen earlier on the path (a counter, a mode, a longer input): {larger}, or --seeds DIR "
        "with inputs that come near."
    )


def pruned(summary: Summary) -> str:
    """Named, since somebody asked for it."""
    return f"Without --prune {','.join(summary.pruned) or '...'} it would be tried."


HELP: dict[Obstacle, Callable[[Summary], str]] = {
    Obstacle.CONCRETE: concrete,
    Obstacle.UNTRIED: lambda _: "More time may take it.",
    Obstacle.INFEASIBLE: lambda _: "It takes another path to get there: more time, --seeds DIR, another --strategy.",
    Obstacle.UNKNOWN: lambda _: "--seeds DIR with an input that takes it helps most; --solver z3 may know an answer.",
    Obstacle.DIVERGED: lambda _: (
        "What decides it is not followed exactly: time, random numbers, threads, code that is not instrumented."
    ),
    Obstacle.PRUNED: pruned,
    Obstacle.PUT_OFF: lambda _: "Its turn comes when all else is tried: more time may take it.",
    Obstacle.REJECTED: lambda _: "An assumption of the program rules it out.",
}
