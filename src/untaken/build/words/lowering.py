"""Rewrites the functions of a printed module that compute with large integers: words come in their place.

`_BitInt(256)` is such an integer, and so is a run of bit-fields that older clangs read and write at once. The compiler
would take them apart in the same way, only later; so the program does what it did, and each of its words has a label.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from untaken.build.ir.instruction_reader import read_instruction
from untaken.build.ir.reader import FunctionText, ModuleText, is_label, read_function, read_types, whole_lines
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import Type
from untaken.build.words.instructions import PREFIX, InstructionLowering, WordNames, is_large
from untaken.errors import InstrumentationError

_LARGE = re.compile(r'(?<![\w.%@"$-])i(?:129|1[3-9]\d|[2-9]\d\d|[1-9]\d{3,})\b')
_FUNNELS = {name: f"declare i64 @llvm.{name}.i64(i64, i64, i64)" for name in ("fshl", "fshr")}
_OWN_NAME = re.compile(re.escape(PREFIX) + r"[\w.]+")


def lower_large_integers(module: ModuleText) -> None:
    """Rewrites what computes with integers of more than 128 bits; a function that cannot be read stays as it is."""
    types: dict[str, Type] | None = None
    for place, function in enumerate(module.functions):
        if _LARGE.search(function.header) or any(map(_LARGE.search, function.lines)):
            types = read_types(module.preamble) if types is None else types
            try:
                module.functions[place] = _lowered(function, types)
            except InstrumentationError:
                continue  # whoever instruments it says why
    if types is not None:
        _declare_funnels(module)


def _lowered(function: FunctionText, types: dict[str, Type]) -> FunctionText:
    names, result = WordNames(), list[str]()
    entry = _entry(function, types, names)
    for line in whole_lines(function.lines):
        is_code = not is_label(line)
        if is_code and entry and " = phi " not in line:
            result += entry
            entry = []
        if is_code and _LARGE.search(line):
            result += InstructionLowering(read_instruction(line, types), names).run()
        else:
            result.append(line)
    return replace(function, lines=tuple(_without_unused(result)))


def _entry(function: FunctionText, types: dict[str, Type], names: WordNames) -> list[str]:
    """Takes parameters apart: clang passes large integers in memory, but others may not."""
    header = replace(function, lines=())
    parameters = [each for each in read_function(header, types).parameters if is_large(each.type)]
    names.wholes.update(each.name for each in parameters)
    return [line for each in parameters for line in _parameter_words(Value(each.type, each.name), names)]


def _parameter_words(parameter: Value, names: WordNames) -> Iterable[str]:
    width = parameter.type.size * 8
    for place, name in enumerate(names.of(parameter.text, width)):
        yield f"  {name}.whole = lshr {parameter}, {64 * place}"
        yield f"  {name} = trunc {parameter.type} {name}.whole to i64"


def _without_unused(lines: list[str]) -> list[str]:
    """WordTexts that nobody asks for are not computed."""
    uses = Counter(name for line in lines for name in _OWN_NAME.findall(line))
    kept = []
    for line in reversed(lines):
        name = line.strip().partition(" = ")[0]
        if uses[name] == 1 and name.startswith(PREFIX) and " volatile " not in line:
            uses.subtract(_OWN_NAME.findall(line))
        else:
            kept.append(line)
    return kept[::-1]


def _declare_funnels(module: ModuleText) -> None:
    """The intrinsics that shifts by a variable number of bits became."""
    for name, declaration in _FUNNELS.items():
        called = f"@llvm.{name}.i64("
        if any(called in line for line in module.preamble):
            continue
        if any(called in line for function in module.functions for line in function.lines):
            module.preamble.append(declaration)
