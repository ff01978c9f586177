"""The program map on disk: what an object file says about its branches and control flow, and back again.

Each object file carries one record in section "untaken_map": digest, two lengths, and a compressed text. The linker
puts the records of all object files behind one another; the digest leads from a unit's ids (section "untaken_ids") to
its record, so no order of sections matters.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from untaken.build.elf import sections
from untaken.build.instrument.abi import DIGEST_SIZE
from untaken.build.instrument.sketch import FunctionSketch, SketchBlock
from untaken.build.structure import blocks_in_loops, unconditional_blocks
from untaken.errors import ProgramMapError
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

_VERSION = 1
_KINDS = tuple(BranchKind)
_OPERANDS = tuple(Operand)


def encode_unit(source: str, sketches: Sequence[FunctionSketch], uninstrumented: Sequence[str]) -> bytes:
    """The record of one object file; ids are relative to its own."""
    files: dict[str, int] = {}
    functions = [_encode_function(sketch, files) for sketch in sketches if sketch.counted]
    record = {
        "version": _VERSION,
        "source": source,
        "files": list(files),
        "functions": functions,
        "uninstrumented": list(uninstrumented),
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
        "name": sketch.name[1:].strip('"'),
        "file": files.setdefault(sketch.location.file, len(files)),
        "line": sketch.location.line,
        "entry": sketch.entry_id,
        "exported": int(sketch.exported),
        "blocks": [_encode_block(block, numbers) for block in sketch.blocks],
        "branches": branches,
    }


def _encode_block(block: SketchBlock, numbers: dict[str, int]) -> list[Any]:
    return [[list(call) for call in block.calls], [[numbers[target], branch] for target, branch in block.edges]]


@dataclass(frozen=True, slots=True)
class _Unit:
    record: dict[str, Any]
    id_length: int


def read_program_map(executable: Path) -> ProgramMap:
    """The map of a linked program, from the executable alone."""
    found = sections(executable, ("untaken_map", "untaken_ids"))
    if not found.get("untaken_map") or not found.get("untaken_ids"):
        raise ProgramMapError(
            f"{executable} carries no program map: build it with `untaken cc`, or give its C source instead"
        )
    units = dict(_units(found["untaken_map"]))
    functions: list[Function] = []
    branches: dict[BranchId, Branch] = {}
    for number, (offset, unit) in enumerate(_placed(found["untaken_ids"], units)):
        _decode_unit(unit.record, number, offset, functions, branches)
    return ProgramMap(
        tuple(functions),
        branches,
        len(found["untaken_ids"]),
        tuple(unit.record["source"] for unit in units.values()),
        tuple(name for unit in units.values() for name in unit.record["uninstrumented"]),
    )


def _units(section: bytes) -> Iterator[tuple[bytes, _Unit]]:
    position = 0
    while position + DIGEST_SIZE + 8 <= len(section):
        digest = section[position : position + DIGEST_SIZE]
        size = int.from_bytes(section[position + DIGEST_SIZE : position + DIGEST_SIZE + 4], "little")
        ids = int.from_bytes(section[position + DIGEST_SIZE + 4 : position + DIGEST_SIZE + 8], "little")
        start = position + DIGEST_SIZE + 8
        record = json.loads(zlib.decompress(section[start : start + size]))
        if record["version"] != _VERSION:
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


def _decode_unit(
    record: dict[str, Any], unit: int, base: int, functions: list[Function], branches: dict[BranchId, Branch]
) -> None:
    files = record["files"]
    for entry in record["functions"]:
        index = len(functions)
        place = Location(files[entry["file"]], entry["line"], 0)
        blocks = tuple(_decode_block(block, base) for block in entry["blocks"])
        functions.append(
            Function(index, entry["name"], place, base + entry["entry"], blocks, bool(entry["exported"]), unit)
        )
        for values in entry["branches"]:
            for side in (0, 1):
                branch = _decode_branch(values, side, base, index, files)
                branches[branch.id] = branch


def _decode_block(block: list[Any], base: int) -> Block:
    calls, edges = block
    return Block(
        tuple(Call(callee, line) for callee, line in calls),
        tuple(Edge(target, BranchId(base + branch) if branch else NO_BRANCH) for target, branch in edges),
    )


def _decode_branch(values: list[int], side: int, base: int, function: int, files: list[str]) -> Branch:
    pair, file, line, column, kind, flags, operands = values
    return Branch(
        BranchId(base + pair + side),
        function,
        Location(files[file], line, column),
        _KINDS[kind],
        bool(flags & 1),
        bool(flags & 2),
        frozenset(operand for bit, operand in enumerate(_OPERANDS) if operands >> bit & 1),
    )
