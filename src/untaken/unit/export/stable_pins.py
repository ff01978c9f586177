"""Pins that hold: tests that fail when they are run as tests read something that no program may rely on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
FOREIGN = Pin(None, "it depends on the environment")
# Somebody else's machine, as far as variables tell.
ELSEWHERE = {
    "HOME": "/nowhere",
    "USER": "nobody",
    "TZ": "Pacific/Kiritimati",
    "TMPDIR": "/nowhere/tmp",
    "MALLOC_PERTURB_": "165",  # what nobody has set is not zero
}


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
        failed: dict[str, Pin] = {}
        for more, why in (({}, UNSTEADY), (ELSEWHERE, FOREIGN)):
            left = [named.name for named, _ in kept if named.name not in failed]
            if left and not _passes(workshop, program, left, more):
                failed |= {name: why for name in left if not _passes(workshop, program, [name], more)}
    return [(named, _unpinned(seen, failed[named.name]) if named.name in failed else seen) for named, seen in kept]


def _passes(workshop: Workshop, program: Path, names: list[str], more: Mapping[str, str]) -> bool:
    """Whether these tests do, one after the other; `more` is put into the environment."""
    ended = workshop.run(program, names, rounds=len(names), more=more)
    return ended.exit.kind is ExitKind.CODE and ended.exit.code == 0


def _unpinned(seen: Observed, why: Pin) -> Observed:
    return Observed(seen.returned, dict.fromkeys(seen.pins, why))
