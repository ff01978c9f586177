"""Pins that hold: tests that fail when they are run as tests read something that no program may rely on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from untaken.model.path import ExitKind
from untaken.unit.export.compilable import refused
from untaken.unit.export.frameworks import FRAMEWORKS, Framework
from untaken.unit.export.observe import Observed
from untaken.unit.export.programs import Workshop
from untaken.unit.export.text import NamedCase, Pin, test_file
from untaken.unit.shape import UnitPlan

Observations = Sequence[tuple[NamedCase, Observed]]
UNSTEADY = Pin(None, "it was not the same a second time")


def text_of(plan: UnitPlan, framework: Framework, kept: Observations) -> str:
    """The C file of the tests that are kept, with what was observed."""
    return test_file(plan, framework, [named for named, _ in kept], [seen.pins for _, seen in kept])


def settled(workshop: Workshop, kept: Observations) -> list[tuple[NamedCase, Observed]]:
    """Without the pins of tests that fail: uninitialised or foreign memory came out otherwise."""
    if not kept:
        return []
    with TemporaryDirectory(prefix=".settled-", dir=workshop.folder) as folder:
        source, program = Path(folder) / "tests.c", Path(folder) / "tests"
        source.write_text(text_of(workshop.plan, FRAMEWORKS["assert"], kept))
        if (said := workshop.compile(str(source), program)) is not None:
            raise refused(workshop, "the tests", said)
        if _passes(workshop, program, [], len(kept)):
            return list(kept)
        return [
            (named, seen if _passes(workshop, program, [named.name], 1) else _unpinned(seen)) for named, seen in kept
        ]


def _passes(workshop: Workshop, program: Path, names: list[str], rounds: int) -> bool:
    ended = workshop.run(program, names, rounds=rounds)
    return ended.exit.kind is ExitKind.CODE and ended.exit.code == 0


def _unpinned(seen: Observed) -> Observed:
    return Observed(seen.returned, dict.fromkeys(seen.pins, UNSTEADY))
