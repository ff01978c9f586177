"""Functions of libm that have no expression: the module gets a function for each that calls it and tells the runtime.

The real function is called from the module itself, not from the runtime: only so does a program that needs libm say so
to the linker, and one that does not is not linked with it. Modules that share one of these functions share its address.
"""

from __future__ import annotations

import re

from untaken.build.ir.reader import FunctionText, ModuleText
from untaken.model.mathematics import FUNCTIONS, NUMBERS, LibmFunction

PREFIX = "untaken_model_"
_TYPES = {"d": "double", "f": "float", "i": "i32"}
_INTRINSIC = re.compile(r"@llvm\.(\w+)\.f(64|32)")  # what calls become where errno does not matter
_DECLARED = re.compile(r"declare .*?@(fmodf?)\(")
_REMAINDER = re.compile(r"= frem ((?:\w+ )*)(double|float) (\S+), (\S+?)(?=,|$)")


def library_name(name: str) -> str:
    """The function that a declared name means: an intrinsic is compiled to a call of it."""
    intrinsic = _INTRINSIC.fullmatch(name)
    if intrinsic is None:
        return name[1:]
    return intrinsic[1] + ("f" if intrinsic[2] == "32" else "")


def fits(name: str, result: str, parameters: tuple[str, ...]) -> bool:
    """Whether the function of this name has this type."""
    function = FUNCTIONS[NUMBERS[name]]
    return result == _TYPES[function.result] and parameters == tuple(_TYPES[letter] for letter in function.parameters)


def replace_remainders(module: ModuleText) -> None:
    """Remainders of numbers become calls of fmod, which is what they are compiled to."""
    found: dict[str, str] = {}

    def call(match: re.Match[str]) -> str:
        flags, kind, a, b = match.groups()
        name = "fmodf" if kind == "float" else "fmod"
        found[name] = f"declare {kind} @{name}({kind}, {kind})"
        return f"= call {flags}{kind} @{name}({kind} {a}, {kind} {b})"

    for place, function in enumerate(module.functions):
        if any(" frem " in line for line in function.lines):
            lines = tuple(_REMAINDER.sub(call, line) for line in function.lines)
            module.functions[place] = FunctionText(function.header, lines, function.variables)
    declared = {match[1] for line in module.preamble if (match := _DECLARED.match(line))}
    module.preamble += [line for name, line in found.items() if name not in declared]


def definition(name: str) -> list[str]:
    """The declaration of a function, and the definition of the one that stands for it.

    The labels are handed on to the function, which may be the program's own.
    """
    function = FUNCTIONS[NUMBERS[name]]
    result, real, own = _TYPES[function.result], f"@{name}", f"@{PREFIX}{name}"
    values = dict(zip(("%a", "%b"), function.parameters, strict=False))
    parameters = ", ".join(f"{_TYPES[letter]} {value}" for value, letter in values.items())
    bits = [
        line for value, letter in {**values, "%result": function.result}.items() for line in _as_bits(letter, value)
    ]
    second = "%b.bits" if "%b" in values else "0"
    return [
        f"declare {result} {real}({', '.join(_TYPES[letter] for letter in function.parameters)})",
        f"define linkonce_odr {result} {own}({parameters}) #9990 {{",
        "  %callee = load ptr, ptr @__untaken_callee, align 8",
        f"  %ours = icmp eq ptr %callee, {own}",
        "  br i1 %ours, label %symbolic, label %concrete",
        "concrete:",
        f"  %plain = tail call {result} {real}({parameters})",
        f"  ret {result} %plain",
        "symbolic:",
        f"  store ptr {real}, ptr @__untaken_callee, align 8",
        f"  %result = call {result} {real}({parameters})",
        *bits,
        f"  call void @__untaken_function(ptr {own}, ptr {real}, i32 {_descriptor(function)}, "
        f"i64 %a.bits, i64 {second}, i64 %result.bits)",
        f"  ret {result} %result",
        "}",
    ]


def _as_bits(letter: str, value: str) -> list[str]:
    if letter == "d":
        return [f"  {value}.bits = bitcast double {value} to i64"]
    if letter == "i":
        return [f"  {value}.bits = zext i32 {value} to i64"]
    return [f"  {value}.low = bitcast float {value} to i32", f"  {value}.bits = zext i32 {value}.low to i64"]


def _descriptor(function: LibmFunction) -> int:
    a, b = (*function.widths, 0)[:2]
    return function.result_width | a << 8 | b << 16 | NUMBERS[function.name] << 24
