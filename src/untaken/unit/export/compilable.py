"""Calls that the compiler takes: one that it refuses is left out, and the reader is told what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from untaken.errors import CampaignError
from untaken.unit.driver import included
from untaken.unit.export.programs import Workshop
from untaken.unit.export.text import NamedCase, observer_file

MOST_SAID = 800  # of what a compiler says
ALONE = "int main(void) { return 0; }\n"


class RefusedTests(CampaignError):
    """The compiler does not take a file of tests."""


def refused(workshop: Workshop, what: str, said: str) -> RefusedTests:
    """What a user is told of calls that do not compile."""
    return RefusedTests(_changed(workshop, what, said))


def compilable(workshop: Workshop, cases: Sequence[NamedCase]) -> tuple[list[NamedCase], list[str]]:
    """Those of the calls that compile, and what to tell about the others. For when all of them together do not."""
    _check_source(workshop)
    refusals = [_refusal(workshop, [named]) for named in cases]
    kept = [named for named, said in zip(cases, refusals, strict=True) if said is None]
    reason = next((said for said in refusals if said is not None), "")
    if not kept:
        raise refused(workshop, "the tests", reason)
    if len(kept) == len(cases):  # each alone, but not together
        raise refused(workshop, "the tests together", _refusal(workshop, cases) or "")
    left = len(cases) - len(kept)
    return kept, [_changed(workshop, "1 test" if left == 1 else f"{left} tests", reason)]


def _changed(workshop: Workshop, what: str, said: str) -> str:
    plan, source = workshop.plan, Path(workshop.plan.source).name
    return (
        f"{what} of {plan.function} cannot be compiled with {source} as it is now ({_first_error(said)}): "
        "run `untaken unit` again if it has changed since; `--format files` writes the inputs as they are"
    )


def _check_source(workshop: Workshop) -> None:
    """Nothing is wrong with the tests if the file that they include cannot be compiled."""
    source = workshop.plan.source
    if (said := _said(workshop, included(Path(source).name) + ALONE)) is not None:
        raise CampaignError(
            f"{source} cannot be compiled and linked as it is now ({_first_error(said)}): mend that, then export again"
        )


def _refusal(workshop: Workshop, cases: Sequence[NamedCase]) -> str | None:
    return _said(workshop, observer_file(workshop.plan, cases))


def _said(workshop: Workshop, text: str) -> str | None:
    with TemporaryDirectory(prefix=".compiled-", dir=workshop.folder) as folder:
        source = Path(folder) / "calls.c"
        source.write_text(text)
        return workshop.compile(str(source), Path(folder) / "calls")


def _first_error(said: str) -> str:
    """The line of it that says what is wrong."""
    lines = said.strip().splitlines() or ["no reason is given"]
    telling = (line for line in lines if "error:" in line or "undefined" in line)
    return next(telling, lines[-1]).strip()[:MOST_SAID]
