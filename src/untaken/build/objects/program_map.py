"""The program map on disk: what an object file says about its branches and control flow, and back again.

Each object file carries one record in section "untaken_map": digest, two lengths, and a compressed text. The linker
puts the records of all object files behind one another; the digest leads from a unit's ids (section "untaken_ids") to
its record, so no order of sections matters.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from untaken.build.instrument.abi import DIGEST_SIZE
from untaken.build.instrument.flow_shapes import blocks_in_loops, unconditional_blocks
from untaken.build.instrument.gates import PlaceGates
from untaken.build.ir.strings import plain_name
from untaken.build.library.contained import containment, only_called, still_called
from untaken.build.library.effects import effects_of
from untaken.build.library.noted_calls import libraries_in_the_way, noted_functions
from untaken.build.objects.elf import sections
from untaken.build.objects.shared_objects import linked_objects, names_in
from untaken.errors import NoProgramMap, ProgramMapError
from untaken.model.decision import Decision, DecisionCondition
from untaken.model.program import (
    NO_BRANCH,
    Block,
    Branch,
    BranchId,
    BranchKind,
    Call,
    Edge,
    Function,
    Location,
    Operand,
    ProgramMap,
)
from untaken.model.variables import PREDICATES, AskedVariable, VariableDefinition
from untaken.uncollected import uncollected

if TYPE_CHECKING:  # to read a map, nothing of what draws sketches need be loaded: a twelfth of what `run` loads
    from untaken.build.instrument.sketch import FunctionSketch, SketchBlock

_VERSION = 7
_LINKED_TOO_EARLY = "its library was not instrumented when the program was linked; link it again"
_KINDS = tuple(BranchKind)
_OPERANDS = tuple(Operand)


def encode_unit(
    source: str,
    sketches: Sequence[FunctionSketch],
    uninstrumented: Sequence[str],
    aliases: Mapping[str, str],
    outside: Sequence[str],
    words: Sequence[str] = (),
    origin: Mapping[str, Any] | None = None,
) -> bytes:
    """The record of one object file; ids are relative to its own. `origin` is for build/plain.py."""
    files: dict[str, int] = {}
    variables: dict[str, int] = {}
    functions = [
        _encode_function(sketch, files) | _encode_variables(sketch, variables) for sketch in sketches if sketch.counted
    ]
    record = {
        "version": _VERSION,
        "source": source,
        "files": list(files),
        "variables": list(variables),
        "functions": functions,
        "uncounted": [plain_name(sketch.name) for sketch in sketches if sketch.exported and not sketch.counted],
        "uninstrumented": list(uninstrumented),
        "aliases": {plain_name(name): plain_name(target) for name, target in aliases.items()},
        "outside": list(outside),
        "words": list(words),
        "origin": origin,
    }
    return zlib.compress(json.dumps(record, separators=(",", ":")).encode(), 6)


def _encode_function(sketch: FunctionSketch, files: dict[str, int]) -> dict[str, Any]:
    numbers = {block.name: number for number, block in enumerate(sketch.blocks)}
    graph = [[numbers[target] for target, _ in block.edges] for block in sketch.blocks]
    looping, unconditional = blocks_in_loops(graph), unconditional_blocks(graph)
    branches = []
    for branch in sketch.branches:
        block = numbers[branch.block]
        operands = sum(1 << _OPERANDS.index(operand) for operand in branch.operands)
        place = branch.location
        file = files.setdefault(place.file, len(files))
        flags = (block in looping) | (block not in unconditional) << 1
        branches.append([branch.pair, file, place.line, place.column, _KINDS.index(branch.kind), flags, operands])
    return {
        "name": plain_name(sketch.name),
        "file": files.setdefault(sketch.location.file, len(files)),
        "line": sketch.location.line,
        "entry": sketch.entry_id,
        "exported": int(sketch.exported),
        "weak": int(sketch.weak),
        "blocks": [_encode_block(block, numbers) for block in sketch.blocks],
        "branches": branches,
        "decisions": sketch.decisions(),
    }


def _encode_variables(sketch: FunctionSketch, numbers: dict[str, int]) -> dict[str, Any]:
    """What its branches ask of variables, and where it gives them which values; variables by number."""

    def number(variable: str) -> int:
        return numbers.setdefault(variable, len(numbers))

    asked = [(branch.pair, branch.asked) for branch in sketch.branches if branch.asked is not None]
    gates = PlaceGates(sketch.blocks, sketch.entry_id)
    defined = []
    for each in dict.fromkeys(sketch.definitions):
        if ids := gates.of(each.block, each.target):
            copied = None if each.copied is None else number(each.copied)
            defined.append([number(each.variable), each.value, each.step, copied, ids])
    return {
        "asked": [[pair, number(of.variable), PREDICATES.index(of.predicate), of.constant] for pair, of in asked],
        "defined": defined,
    }


def _encode_block(block: SketchBlock, numbers: dict[str, int]) -> list[Any]:
    return [[list(call) for call in block.calls], [[numbers[target], branch] for target, branch in block.edges]]


@dataclass(frozen=True, slots=True)
class _Unit:
    record: dict[str, Any]
    id_length: int


def read_program_map(executable: Path) -> ProgramMap:
    """The map of a linked program, from the executable and the shared objects that it names."""
    found = _images(executable)
    if not found:
        raise NoProgramMap(
            f"{executable} carries no program map: build it with `untaken cc`, or give its C source instead"
        )
    try:
        with uncollected():
            return _decoded(found, executable)
    except (ValueError, LookupError, OverflowError) as error:
        raise ProgramMapError(f"the program map of {executable} is damaged ({error}): build it again") from None


def _decoded(found: list[dict[str, bytes]], executable: Path) -> ProgramMap:
    units = {digest: unit for image in found for digest, unit in _units(image["untaken_map"])}
    placed: list[tuple[int, _Unit]] = []
    id_count = 0
    for image in found:
        placed += [(id_count + offset, unit) for offset, unit in _placed(image["untaken_ids"], units)]
        id_count += len(image["untaken_ids"])
    linkage = _Linkage([unit.record for _, unit in placed])
    asked: dict[BranchId, AskedVariable] = {}
    definitions: list[VariableDefinition] = []
    functions: list[Function] = []
    branches: dict[BranchId, Branch] = {}
    decisions: list[Decision] = []
    for number, (offset, unit) in enumerate(placed):
        _decode_unit(unit.record, linkage, number, offset, (functions, branches, decisions))
        _decode_variables(unit.record, offset, asked, definitions)
    _check_ids(functions, branches, id_count)
    if max((gate for each in definitions for gate in each.gates), default=-1) >= id_count:
        raise ValueError("a variable gets its value where nothing is")
    noted = noted_functions(executable)
    outside = [name for unit in units.values() for name in unit.record["outside"]]
    if len(found) == 1 and (linked := names_in(executable)):
        outside = still_called(outside, linked)
    return ProgramMap(
        tuple(functions),
        branches,
        id_count,
        tuple(unit.record["source"] for unit in units.values()),
        (
            *(name for unit in units.values() for name in unit.record["uninstrumented"]),
            *(f"{name}: {_LINKED_TOO_EARLY}" for name in _defined_in_libraries(functions, noted)),
        ),
        containment(
            outside,
            (
                *(function.name for function in functions if function.exported),
                *linkage.aliases,
                *(name for unit in units.values() for name in unit.record["uncounted"]),  # a driver's main, say
            ),
            libraries_in_the_way(executable),
            noted,
        ),
        effects_of(_names(functions)),
        tuple(decisions),
        asked,
        tuple(definitions),
        tuple(dict.fromkeys(word.encode() for unit in units.values() for word in unit.record.get("words", ()))),
    )


def _defined_in_libraries(functions: Sequence[Function], noted: frozenset[str]) -> list[str]:
    """The functions whose calls are noted although the library that the program is run with is instrumented."""
    return sorted({function.name for function in functions if function.exported} & noted)


def _check_ids(functions: Sequence[Function], branches: Mapping[BranchId, Branch], id_count: int) -> None:
    """All of them index what is kept by id; a damaged record may name any."""
    edges = (edge for function in functions for block in function.blocks for edge in block.edges)
    used = {*(function.entry_id for function in functions), *branches, *(edge.branch for edge in edges)} - {NO_BRANCH}
    if max(used, default=-1) >= id_count:
        raise ValueError(f"an id is {max(used)}, and there are {id_count}")


def _names(functions: Sequence[Function]) -> set[str]:
    """Of all functions that the program has or calls."""
    calls = (call for function in functions for block in function.blocks for call in block.calls)
    return {*(call.callee for call in calls if call.callee), *(function.name for function in functions)}


def unknown_calls(program: Path) -> set[str]:
    """The functions that a program's units call, do nothing else with, and that nobody here knows."""
    return only_called(name for record in _records(program) for name in record["outside"])


def origins(image: Path) -> list[tuple[str, dict[str, Any] | None]]:
    """The source of each unit in one executable or shared object, and what origin.py recorded of it."""
    return [(str(record["source"]), record.get("origin")) for record in _records(image)]


def _records(image: Path) -> list[dict[str, Any]]:
    """That of each unit in one executable or shared object, once."""
    section = sections(image, ("untaken_map",)).get("untaken_map", b"")
    try:
        units = {digest: unit.record for digest, unit in _units(section)}
    except ValueError as error:
        raise ProgramMapError(f"the program map of {image} is damaged ({error}): build it again") from None
    return list(units.values())


def _images(executable: Path) -> list[dict[str, bytes]]:
    """Our sections of the executable and, as the runtime numbers them, of the shared objects it is linked with."""
    read = [sections(file, ("untaken_map", "untaken_ids")) for file in (executable, *linked_objects(executable))]
    own, *others = [image if image.get("untaken_map") and image.get("untaken_ids") else {} for image in read]
    ours = [image for image in others if image]
    return [image for image in (own, *sorted(ours, key=lambda image: image["untaken_ids"][:DIGEST_SIZE])) if image]


def _units(section: bytes) -> Iterator[tuple[bytes, _Unit]]:
    from untaken.build.objects.map_records import unit_record  # here, since the compiler only writes such records

    position = 0
    while position + DIGEST_SIZE + 8 <= len(section):
        digest = section[position : position + DIGEST_SIZE]
        size = int.from_bytes(section[position + DIGEST_SIZE : position + DIGEST_SIZE + 4], "little")
        ids = int.from_bytes(section[position + DIGEST_SIZE + 4 : position + DIGEST_SIZE + 8], "little")
        start = position + DIGEST_SIZE + 8
        record = unit_record(section[start : start + size], _VERSION)
        if record is None:
            raise ProgramMapError("the program was built by another version of untaken: build it again")
        yield digest, _Unit(record, ids)
        position = start + size


def _placed(ids: bytes, units: dict[bytes, _Unit]) -> Iterator[tuple[int, _Unit]]:
    """Where in the ids section each unit's own start; arrays are aligned, with zeros between."""
    position = 0
    while position + DIGEST_SIZE <= len(ids):
        unit = units.get(ids[position : position + DIGEST_SIZE])
        if unit is None:
            position += DIGEST_SIZE
            continue
        yield position, unit
        position += -(-(DIGEST_SIZE + unit.id_length) // DIGEST_SIZE) * DIGEST_SIZE


class _Linkage:
    """Which definition a name stands for in the linked program: a strong one, else the first of the weak ones."""

    def __init__(self, records: list[dict[str, Any]]) -> None:
        self._chosen: dict[str, int] = {}
        self.aliases = {name: target for record in records for name, target in record["aliases"].items()}
        self._targets = frozenset(self.aliases.values())
        for weak in (0, 1):
            for unit, record in enumerate(records):
                for entry in record["functions"]:
                    if entry["exported"] and entry["weak"] == weak:
                        self._chosen.setdefault(entry["name"], unit)

    def is_linked(self, entry: dict[str, Any], unit: int) -> bool:
        """False for a weak function that another object file has a definition of."""
        return not entry["weak"] or not entry["exported"] or self._chosen[entry["name"]] == unit

    def is_exported(self, entry: dict[str, Any]) -> bool:
        """Whether others can call it, under its own name or as the target of an alias."""
        return bool(entry["exported"]) or entry["name"] in self._targets

    def callee(self, name: str | None, aliases: dict[str, str]) -> str | None:
        """The function's own name; the object file's own aliases come first."""
        if name is None or name in self._chosen:
            return name
        return aliases.get(name) or self.aliases.get(name, name)


def _decode_unit(
    record: dict[str, Any],
    linkage: _Linkage,
    unit: int,
    base: int,
    found: tuple[list[Function], dict[BranchId, Branch], list[Decision]],
) -> None:
    files = record["files"]
    functions, branches, decisions = found
    for entry in record["functions"]:
        if not linkage.is_linked(entry, unit):
            continue
        index = len(functions)
        place = Location(files[entry["file"]], entry["line"], 0)
        blocks = tuple(_decode_block(block, base, linkage, record["aliases"]) for block in entry["blocks"])
        exported = linkage.is_exported(entry)
        functions.append(Function(index, entry["name"], place, base + entry["entry"], blocks, exported, unit))
        for values in entry["branches"]:
            for branch in _decode_pair(values, base, index, files):
                branches[branch.id] = branch
        for conditions in entry["decisions"]:
            decisions.append(Decision(index, tuple(_decode_condition(each, base) for each in conditions)))


def _decode_condition(values: list[int], base: int) -> DecisionCondition:
    pair, on_true, on_false = values
    return DecisionCondition(BranchId(base + pair), on_true, on_false)


def _decode_variables(
    record: dict[str, Any], base: int, asked: dict[BranchId, AskedVariable], definitions: list[VariableDefinition]
) -> None:
    names = record["variables"]
    for entry in record["functions"]:
        for pair, variable, predicate, constant in entry["asked"]:
            asked[BranchId(base + pair)] = AskedVariable(names[variable], PREDICATES[predicate], constant)
        for variable, value, step, copied, gates in entry["defined"]:
            source = None if copied is None else names[copied]
            ids = tuple(base + gate for gate in gates)
            definitions.append(VariableDefinition(names[variable], ids, value, step, source))


def _decode_block(block: list[Any], base: int, linkage: _Linkage, aliases: dict[str, str]) -> Block:
    calls, edges = block
    return Block(
        tuple(Call(linkage.callee(callee, aliases), line) for callee, line in calls),
        tuple(Edge(target, BranchId(base + branch) if branch else NO_BRANCH) for target, branch in edges),
    )


def _decode_pair(values: list[int], base: int, function: int, files: list[str]) -> tuple[Branch, Branch]:
    """Both sides of a decision: large programs have tens of thousands, so what they share is made once."""
    pair, file, line, column, kind, flags, operands = values
    true = BranchId(base + pair)
    shared = (
        function,
        Location(files[file], line, column),
        _KINDS[kind],
        bool(flags & 1),
        bool(flags & 2),
        _operands(operands),
    )
    return Branch(true, *shared), Branch(BranchId(true + 1), *shared)


@cache
def _operands(bits: int) -> frozenset[Operand]:
    return frozenset(operand for bit, operand in enumerate(_OPERANDS) if bits >> bit & 1)
