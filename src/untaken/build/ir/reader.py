"""Reads a printed module: which lines are functions, and what blocks and instructions are in them.

The text always comes from the one pinned LLVM (build/llvm.py), so one syntax is enough. What is not understood
raises InstrumentationError with the instruction; the caller decides whether the function stays concrete.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from untaken.build.ir.instruction_reader import read_instruction
from untaken.build.ir.instructions import Instruction
from untaken.build.ir.syntax import Cursor
from untaken.build.ir.types import FunctionType, Struct, Type
from untaken.errors import InstrumentationError

_LABEL = re.compile(r'^("[^"]*"|[-\w$.]+):')
_DEFINE_NAME = re.compile(r'(@(?:"[^"]*"|[-\w$.]+))\(')
_VARIABLE_VALUE = re.compile(r'#dbg_value\([^%,]*(%(?:"[^"]*"|[-\w$.]+))')


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: Type
    byval: Type | None


@dataclass(slots=True)
class InstructionBlock:
    name: str  # "%entry"
    instructions: list[Instruction] = field(default_factory=list)

    @property
    def terminator(self) -> Instruction:
        return self.instructions[-1]


@dataclass(slots=True)
class FunctionBody:
    header: str  # the "define" line
    name: str  # "@main"
    type: FunctionType
    parameters: tuple[Parameter, ...]
    debug: str  # of its DISubprogram
    blocks: list[InstructionBlock]
    variables: frozenset[str] = frozenset()  # results that are the value of a variable of the source


@dataclass(frozen=True, slots=True)
class FunctionText:
    """A definition not yet read."""

    header: str
    lines: tuple[str, ...]
    variables: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        match = _DEFINE_NAME.search(self.header)
        if match is None:
            raise InstrumentationError(f"no function name in LLVM IR: {self.header}")
        return match.group(1)


@dataclass(slots=True)
class ModuleText:
    """A printed module, cut into what stays as it is and the functions with bodies."""

    preamble: list[str] = field(default_factory=list)  # types, globals, aliases, declarations
    functions: list[FunctionText] = field(default_factory=list)
    metadata: list[str] = field(default_factory=list)  # attributes and metadata, at the end


def split_module(text: str) -> ModuleText:
    """Cuts a printed module into functions and the rest, comments and debug records left out."""
    module = ModuleText()
    lines = iter(text.split("\n"))
    for line in lines:
        if not line or line[0] == ";":
            continue
        if line.startswith("define "):
            module.functions.append(_function_text(line, list(_body(lines))))
        elif line[0] == "!" or line.startswith("attributes #"):
            module.metadata.append(line)
        else:
            module.preamble.append(line)
    return module


def _body(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if line == "}":
            return
        if line and not line.lstrip().startswith(";"):
            yield line


def _function_text(header: str, body: list[str]) -> FunctionText:
    """Of the debug records only that a result is a variable's value is kept."""
    records = [line for line in body if line.lstrip().startswith("#dbg_")]
    variables = frozenset(found[1] for found in map(_VARIABLE_VALUE.search, records) if found)
    return FunctionText(header, tuple(line for line in body if not line.lstrip().startswith("#dbg_")), variables)


def read_types(preamble: list[str]) -> dict[str, Type]:
    """The named struct types; they may refer to each other in any order, but never contain themselves."""
    texts = {}
    for line in preamble:
        if line.startswith("%"):
            name, _, body = line.partition(" = type ")
            texts[name] = body
    return _NamedTypes(texts)


class _NamedTypes(dict[str, Type]):
    """Resolves a named type when it is first asked for."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__()
        self._texts = texts

    def get(self, key: str, default: Type | None = None) -> Type:  # type: ignore[override]
        if key not in self:
            body = self._texts.get(key)
            if body is None or body == "opaque":
                return default or Struct(())
            self[key] = Cursor(body, self).type()
        return self[key]


def read_function(source: FunctionText, named_types: dict[str, Type]) -> FunctionBody:
    """Reads the definition of a function, with all its instructions."""
    cursor = Cursor(source.header, named_types)
    name = source.name
    _skip_to_result_type(cursor)
    result = cursor.type()
    cursor.expect(name)
    parameters, variadic = _parameters(cursor)
    kind = FunctionType(result, tuple(parameter.type for parameter in parameters), variadic)
    debug = re.search(r" !dbg (!\d+)", source.header)
    blocks = list(_blocks(source.lines, named_types))
    place = debug.group(1) if debug else ""
    return FunctionBody(source.header, name, kind, parameters, place, blocks, source.variables)


def _skip_to_result_type(cursor: Cursor) -> None:
    """Past linkage, visibility, calling convention and attributes, to the type before the name."""
    words = frozenset(
        """define private internal available_externally linkonce weak common appending extern_weak linkonce_odr
        weak_odr external dso_local dso_preemptable default hidden protected dllimport dllexport unnamed_addr
        local_unnamed_addr fastcc coldcc preserve_mostcc preserve_allcc""".split()
    )
    cursor.skip_words(words)
    cursor.skip_result_attributes()


def _parameters(cursor: Cursor) -> tuple[tuple[Parameter, ...], bool]:
    cursor.expect("(")
    parameters: list[Parameter] = []
    variadic = False
    while not cursor.accept(")"):
        if cursor.accept("..."):
            variadic = True
            continue
        kind = cursor.type()
        attributes = cursor.attributes()
        byval = attributes.get("byval")
        name = cursor.next() if cursor.peek().startswith("%") else f"%{len(parameters)}"
        parameters.append(Parameter(name, kind, cursor.named_type(byval) if byval else None))
        cursor.accept(",")
    return tuple(parameters), variadic


def _blocks(lines: tuple[str, ...], named_types: dict[str, Type]) -> Iterator[InstructionBlock]:
    block = InstructionBlock("%0")
    started = False
    for line in whole_lines(lines):
        label = _LABEL.match(line)
        if label:
            if started:
                yield block
            block, started = InstructionBlock("%" + label.group(1)), True
            continue
        started = True
        block.instructions.append(read_instruction(line, named_types))
    yield block


def is_label(line: str) -> bool:
    """Whether a block begins here."""
    return _LABEL.match(line) is not None


def whole_lines(lines: tuple[str, ...]) -> Iterator[str]:
    """Labels and instructions, each in one piece: those of switches take several lines."""
    source = iter(lines)
    for line in source:
        if line.lstrip().startswith("switch ") and line.rstrip().endswith("["):
            line = _join_switch(line, source)
        yield line


def _join_switch(line: str, source: Iterator[str]) -> str:
    parts = [line]
    for following in source:
        parts.append(following)
        if following.lstrip().startswith("]"):
            break
    return "\n".join(parts)
