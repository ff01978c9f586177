"""--changed-since on the command line: the functions that a diff touches become the goal of a campaign."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from untaken.campaign.changed_functions import ChangedCode, changed_functions
from untaken.campaign.config import Config
from untaken.errors import UsageError
from untaken.model.program import ProgramMap
from untaken.report.words import count
from untaken.search.registry import strategies

MOST_NAMES = 6
LOOKAHEAD = "lookahead"  # the rule of --prune that skips what does not lead to a goal


def refuse_changed_since(config: Config, what: str) -> None:
    """For commands that have a goal of their own."""
    if config.changed_since is not None:
        raise UsageError(f"--changed-since is for `untaken run` with C, not for {what}")


def with_changed_goal(config: Config, program: ProgramMap, note: Callable[[str], None]) -> Config | None:
    """The settings with the changed functions as their goal; None: no function has changed."""
    if config.changed_since is None:
        return config
    found = changed_functions(program, config.changed_since)
    note(said(found, config.changed_since))
    if not found.functions:
        return None
    return replace(config, only_in=found.functions, prune=config.prune or pruned(config))


def pruned(config: Config) -> str:
    """Nothing is lost by it, where a strategy can make use of it."""
    declared = strategies()[config.strategy_name].declaration
    return LOOKAHEAD if declared.flips and declared.from_start else ""


def said(found: ChangedCode, revision: str) -> str:
    """What is explored, and what a diff does not tell."""
    names = ", ".join(found.functions[:MOST_NAMES])
    more = f" and {len(found.functions) - MOST_NAMES} more" if len(found.functions) > MOST_NAMES else ""
    changed = f"{count(len(found.functions), 'function')} changed since {revision}: {names}{more}"
    outside = (
        f"; {count(found.elsewhere, 'changed line')} outside functions (declarations, macros): functions that use them "
        "are not looked for"
        if found.elsewhere
        else ""
    )
    nothing = f"no function of the program has changed since {revision}, so there is nothing to explore"
    return f"{changed if found.functions else nothing}{outside}"
