"""Finds out what calls come to: runs each case natively, alone and after the others, and compares."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from untaken.unit.export.checks import Check, Look
from untaken.unit.export.compilable import RefusedTests, compilable, refused
from untaken.unit.export.programs import Workshop
from untaken.unit.export.text import RETURNED, NamedCase, Pin, observer_file
from untaken.unit.export.worthwhile import least, worthwhile

# case, check and whether after the call: what was seen
Seen = dict[tuple[int, int, int], str]


@dataclass(frozen=True, slots=True)
class Observed:
    """Of one case: whether the call returned, and what its checks are pinned to."""

    returned: bool
    pins: dict[int, Pin]


def without_fragile(named: NamedCase, seen: Observed, *, unsure: bool = False) -> Observed:
    """Without pins of what the function may have freed: only a sanitizer can tell whether it did. `unsure`: nor of what
    results lead to."""
    checks = named.case.checks
    left = {n for n, check in enumerate(checks) if check.fragile or (unsure and check.unsure)}
    return Observed(seen.returned, {n: Pin(None) if n in left else pin for n, pin in seen.pins.items()})


def observe_compilable(
    workshop: Workshop, cases: Sequence[NamedCase]
) -> tuple[list[tuple[NamedCase, Observed]], list[str]]:
    """What calls come to, without those that the compiler refuses, and what to tell about these."""
    notes: list[str] = []
    try:
        seen = observe(workshop, cases)
    except RefusedTests:
        cases, notes = compilable(workshop, cases)
        seen = observe(workshop, cases)
    return list(zip(cases, seen, strict=True)), notes


def observe(workshop: Workshop, cases: Sequence[NamedCase]) -> list[Observed]:
    """Alone in a process of its own, and all that return one after the other."""
    if not cases:
        return []
    with TemporaryDirectory(prefix=".observe-", dir=workshop.folder) as folder:
        source, program = Path(folder) / "observe.c", Path(folder) / "observe"
        source.write_text(observer_file(workshop.plan, cases))
        if (said := workshop.compile(str(source), program)) is not None:
            raise refused(workshop, "the tests", said)
        alone = _seen(workshop, program, "alone", range(len(cases)))
        returned = [case for case in range(len(cases)) if (case, RETURNED, 1) in alone]
        together = _seen_in_a_row(workshop, program, returned)
    return [Observed(case in returned, _pins(named, case, alone, together)) for case, named in enumerate(cases)]


def _pins(named: NamedCase, case: int, alone: Seen, together: Seen) -> dict[int, Pin]:
    """What the call returned and changed; if that is nothing, some of what it left as it was."""
    checks = named.case.checks
    pins = {number: _pin(check, case, number, alone, together) for number, check in enumerate(checks)}
    values = {number: pin.value for number, pin in pins.items() if pin.value is not None}
    if values:
        wanted = worthwhile(checks, values)
        return {number: pin if pin.value is None or number in wanted else Pin(None) for number, pin in pins.items()}
    left = [number for number in pins if (case, number, 1) in alone and not pins[number].reason]
    wanted = least(checks, {number: alone[case, number, 1] for number in left})
    return pins | {number: Pin(alone[case, number, 1]) for number in wanted}


def _seen_in_a_row(workshop: Workshop, program: Path, cases: Sequence[int]) -> Seen:
    """All one after the other. One that does not return after the others costs what is seen of it, not of those that
    follow: they are run in a row of their own."""
    found: Seen = {}
    while cases:
        found |= _seen(workshop, program, "sequence", cases)
        ended = next((place for place, case in enumerate(cases) if (case, RETURNED, 1) not in found), len(cases))
        cases = cases[ended + 1 :]
    return found


def _seen(workshop: Workshop, program: Path, how: str, cases: Sequence[int]) -> Seen:
    log = program.with_name(how)
    log.write_bytes(b"")
    workshop.run(program, [how, *map(str, cases)], log=log, rounds=len(cases))
    found = {}
    for line in log.read_text().splitlines():
        case, check, after, *value = line.split(" ")
        found[int(case), int(check), int(after)] = value[0] if value else ""
    return found


def _is_text(value: str) -> bool:
    """As people write it, and not about this machine."""
    if value == "null":
        return True
    text = bytes.fromhex(value)
    return all(32 <= byte < 127 or byte in b"\t\n\r" for byte in text) and os.getcwd().encode() not in text


def _pin(check: Check, case: int, number: int, alone: Seen, together: Seen) -> Pin:
    value = alone.get((case, number, 1))
    if value is None or (check.look is Look.STRING and not _is_text(value)):
        return Pin(None)
    if together.get((case, number, 1)) != value:
        return Pin(None, "it depends on what ran before")
    if check.output and alone.get((case, number, 0)) == value:
        return Pin(None)  # left as it was
    return Pin(value)
