"""Compiles the user's file to look at it: its types, who calls whom, and what is not defined anywhere."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from untaken.build.instrument.debug import DebugInfo
from untaken.build.instrument.system_files import is_system_file
from untaken.build.ir.reader import FunctionText, split_module
from untaken.build.ir.strings import plain_name, unescaped
from untaken.build.library.runtime import runtime_library
from untaken.build.llvm import printed
from untaken.build.plain import plain_compiler
from untaken.build.storage import scratch_directory
from untaken.build.toolchain.command_line import parse
from untaken.build.toolchain.compilers import environment, front_end
from untaken.build.toolchain.front_end import INCLUDE, bitcode_command
from untaken.errors import CompileError
from untaken.unit.debug_types import DebugTypes, FunctionInfo
from untaken.unit.driver import USERS_MAIN, included
from untaken.unit.types import CPointer, Signature

PROBE = "untaken_probe_"
# Functions that nobody calls are of interest too.
EVERYTHING = ("-w", "-femit-all-decls")
_SYMBOL = re.compile(r'@("[^"]*"|[-\w$.]+)')
_GLOBAL = re.compile(r'^@("[^"]*"|[-\w$.]+) = (.*)')
_DECLARE = re.compile(r'^declare .*?@("[^"]*"|[-\w$.]+)\(.*?(#\d+)?$')
_DEBUG = re.compile(r"!dbg (!\d+)")
_PLACE = re.compile(r", !dbg (!\d+)")
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:?) [`']?([\w$.]+)")
_UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'")
_STRING = re.compile(r'\bconstant \[\d+ x i8\] c"((?:[^"])*)"')
_NUMBER = re.compile(r"(?<![%\w.])(-?\d+\.\d+e[-+]\d+|0x[0-9A-F]{16})")


@dataclass(frozen=True)
class Module:
    """A compiled file, as printed."""

    text: str

    @cached_property
    def _parts(self) -> tuple[dict[str, FunctionText], list[str], list[str]]:
        module = split_module(self.text)
        return (
            {plain_name(function.name): function for function in module.functions},
            module.preamble,
            module.metadata,
        )

    @property
    def functions(self) -> dict[str, FunctionText]:
        """By name, those with bodies."""
        return self._parts[0]

    @cached_property
    def types(self) -> DebugTypes:
        return DebugTypes(DebugInfo(self._parts[2]))

    def function(self, name: str) -> FunctionInfo | None:
        text = self.functions.get(name)
        reference = _DEBUG.search(text.header) if text else None
        return self.types.function(name, reference[1]) if reference else None

    def probed(self, name: str) -> str | None:
        """The type of a function or variable that the file only declares, if it was asked for."""
        reference = self.types.variables().get(f"{PROBE}{name}")
        found = self.types.table.plain(reference) if reference else None
        return found.target if isinstance(found, CPointer) else None

    def signature(self, name: str) -> Signature | None:
        """The type of a function that the file defines, or that it declares and was asked for."""
        if (info := self.function(name)) is not None:
            return info.signature
        reference = self.probed(name)
        found = self.types.table.plain(reference) if reference is not None else None
        return found if isinstance(found, Signature) else None

    @property
    def variables(self) -> dict[str, str]:
        """The file's own global variables, by name: their types."""
        return {name: type for name, type in self.types.variables().items() if not name.startswith(PROBE)}

    @cached_property
    def externals(self) -> dict[str, bool]:
        """Declared, not defined: whether each is a function."""
        found = {}
        for line in self._parts[1]:
            if declared := _DECLARE.match(line):
                found[plain_name(declared[1])] = True
            elif (variable := _GLOBAL.match(line)) and variable[2].startswith(("external", "extern_weak")):
                found[plain_name(variable[1])] = False
        return found

    @cached_property
    def endless(self) -> frozenset[str]:
        """Declared functions that never return."""
        groups = {line.split()[1] for line in self._parts[2] if line.startswith("attributes") and " noreturn " in line}
        matches = (_DECLARE.match(line) for line in self._parts[1])
        return frozenset(plain_name(match[1]) for match in matches if match and match[2] in groups)

    def reached(self, name: str) -> frozenset[str]:
        """All functions and variables that a function may lead to, by name."""
        uses = self.uses
        seen = {name}
        waiting = [name]
        while waiting:
            fresh = uses.get(waiting.pop(), set()) - seen
            seen |= fresh
            waiting += sorted(fresh)
        return frozenset(seen)

    @cached_property
    def uses(self) -> dict[str, set[str]]:
        """By function or variable: what it mentions."""
        uses = {name: _symbols(function.lines) for name, function in self.functions.items()}
        for line in self._parts[1]:
            if variable := _GLOBAL.match(line):
                uses[plain_name(variable[1])] = _symbols([variable[2]])
        return uses

    def code_lines(self, name: str) -> int:
        """How many lines of the source have code in this function."""
        places = {found[1] for line in self.functions[name].lines if (found := _PLACE.search(line))}
        known = (self.types.line_of(place) for place in places)
        return len({line for line in known if line})

    def compared_reals(self, names: Iterable[str]) -> tuple[float, ...]:
        """The numbers that functions compare floats with."""
        found: dict[float, None] = {}
        for name in sorted(names):
            for line in self.functions[name].lines if name in self.functions else ():
                if " fcmp " in line:
                    found |= dict.fromkeys(map(_real, _NUMBER.findall(line)))
        return tuple(found)

    def texts(self, name: str) -> tuple[bytes, ...]:
        """The string constants that a function mentions, in order."""
        mentioned = (plain_name(each) for line in self.functions[name].lines for each in _SYMBOL.findall(line))
        return tuple(self.strings[each] for each in dict.fromkeys(mentioned) if each in self.strings)

    @cached_property
    def strings(self) -> dict[str, bytes]:
        """The file's string constants, by name."""
        variables = (match for line in self._parts[1] if (match := _GLOBAL.match(line)) is not None)
        found = ((plain_name(match[1]), _STRING.search(match[2])) for match in variables)
        texts = ((name, unescaped(string[1])) for name, string in found if string is not None)
        return {name: text[:-1].encode() for name, text in texts if text.endswith("\0")}


def _symbols(lines: Iterable[str]) -> set[str]:
    return {plain_name(name) for line in lines for name in _SYMBOL.findall(line)}


def _real(text: str) -> float:
    if text.startswith("0x"):  # the bits of a double, also for floats
        value: float = struct.unpack(">d", bytes.fromhex(text[2:]))[0]
        return value
    return float(text)


def compile_module(source: Path, flags: Sequence[str], probed: Sequence[str] = ()) -> Module:
    """Compiles a file as the driver will include it; `probed` are names whose types are wanted."""
    with scratch_directory() as scratch:
        wrapper = os.path.join(scratch, "probe.c")
        lines = [included(os.path.abspath(source)), *(f"__typeof__(&{name}) {PROBE}{name};\n" for name in probed)]
        Path(wrapper).write_text("".join(lines))
        invocation = parse([*flags, *EVERYTHING, "-c", wrapper])
        bitcode = os.path.join(scratch, "probe.bc")
        command = bitcode_command(front_end(), invocation, invocation.inputs[0], "probe.o", bitcode)
        done = subprocess.run(command, env=environment(), capture_output=True, check=False)
        if done.returncode == 0:
            return Module(printed(Path(bitcode).read_bytes()))
    hidden = set(_UNDECLARED.findall(done.stderr.decode(errors="replace")))
    if hidden.intersection(probed):  # declared inside functions only
        return compile_module(source, flags, [name for name in probed if name not in hidden])
    sys.stderr.write(done.stderr.decode(errors="replace"))
    raise CompileError(f"{source} could not be compiled, see the messages above", 2)


def undefined_symbols(source: Path, function: str, others: Sequence[Path], flags: Sequence[str]) -> frozenset[str]:
    """What neither the files nor the libraries define: as the linker says."""
    compiler = front_end()
    with scratch_directory() as scratch:
        wrapper = os.path.join(scratch, "link.c")
        reference = f"void *untaken_reference = (void *){function};\n"
        Path(wrapper).write_text(f"{included(os.path.abspath(source))}{reference}int main(void) {{ return 0; }}\n")
        command = [
            *plain_compiler(compiler, flags),
            *("-w", *flags, "-idirafter", INCLUDE, wrapper, *map(str, others)),
            *(runtime_library(compiler).native, *link_flags(flags), "-o", os.path.join(scratch, "linked")),
        ]
        done = subprocess.run(
            command, env={**environment(), "LC_ALL": "C"}, capture_output=True, text=True, errors="replace", check=False
        )
    found = frozenset(_UNDEFINED.findall(done.stderr))
    if done.returncode and not found:
        raise CompileError(f"{source} could not be built: {done.stderr.strip()[-600:]}", 2)
    return found


def link_flags(flags: Sequence[str]) -> list[str]:
    """Libraries come after what needs them."""
    return [word for word in flags if word.startswith(("-l", "-L", "-Wl,"))]


def defined_functions(module: Module) -> list[str]:
    """What a user may mean: no functions of the system's headers."""
    found = ((name, module.function(name)) for name in module.functions)
    return [name for name, info in found if info is not None and name != USERS_MAIN and not is_system_file(info.file)]
