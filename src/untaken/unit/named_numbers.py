"""Names that people give to numbers: macros, where the source compares or sets something to them, or returns them.

7247 says nothing, GZ_READ does. Which of a thousand macros a number stands for is told by the code: what `mode` is
compared with are names for values of `mode`. A macro of the file itself is left out: tests take such names back.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from untaken.build.plain import plain_compiler
from untaken.build.toolchain.compilers import environment, front_end

Names = tuple[tuple[str, int], ...]
_MACRO = re.compile(r"^#define ([A-Z]\w*) (.+)$", re.MULTILINE)
_NUMBER = re.compile(r"\(?\s*(?:\(\s*\w+\s*\)\s*)?\(?\s*(-?\s*(?:0[xX][0-9a-fA-F]+|0|[1-9]\d*))[uUlL]*\s*\)?\s*\)?")
_OWN = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_MEANT = re.compile(r"\b([A-Za-z_]\w*)\s*(?:==|!=|(?<![<>=!])=(?!=)|\|=|&)\s*([A-Z][A-Z0-9_]+)\b(?!\s*\()")
_SWITCH = re.compile(r"\bswitch\s*\(([^{};]*?)\b([A-Za-z_]\w*)\s*\)\s*\{")
_CASE = re.compile(r"\bcase\s+([A-Z][A-Z0-9_]+)\s*:")
_RETURN = re.compile(r"\breturn\b([^;{}]*);")
_NAME = re.compile(r"\b[A-Z][A-Z0-9_]+\b(?!\s*\()")
_HIDDEN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NamedNumbers:
    """Of a file: its text without comments and strings, and the macros that stand for numbers."""

    text: str = ""
    values: Mapping[str, int] = field(default_factory=dict)

    def of(self, name: str) -> Names:
        """For a variable or member: what it is compared with or set to."""
        found = [macro for place, macro in _MEANT.findall(self.text) if place == name]
        for switch in _SWITCH.finditer(self.text):
            found += _CASE.findall(_body(self.text, switch.end())) if switch[2] == name else []
        return self._listed(found)

    def returned_by(self, function: str) -> Names:
        """For what a function returns."""
        begin = re.search(rf"\b{re.escape(function)}\s*\([^;{{}}]*\)[^{{}}=()]*\{{", self.text)
        returned = _RETURN.findall(_body(self.text, begin.end())) if begin is not None else ()
        return self._listed(macro for each in returned for macro in _NAME.findall(each))

    def _listed(self, macros: Iterable[str]) -> Names:
        return tuple((macro, self.values[macro]) for macro in dict.fromkeys(macros) if macro in self.values)


def named_numbers(source: Path, flags: Sequence[str]) -> NamedNumbers:
    """What a source file says."""
    try:
        text = source.read_text(errors="replace")
    except OSError:
        return NamedNumbers()
    return NamedNumbers(_HIDDEN.sub(" ", text), _macro_values(source, text, flags))


def _body(text: str, start: int) -> str:
    """Up to the bracket that ends what begins before `start`."""
    depth = 1
    for found in re.finditer(r"[{}]", text[start:]):
        depth += 1 if found[0] == "{" else -1
        if depth == 0:
            return text[start : start + found.start()]
    return text[start:]


def _macro_values(source: Path, text: str, flags: Sequence[str]) -> dict[str, int]:
    """Macros that stand for a number where a file ends, without those that it defines itself."""
    command = [*plain_compiler(front_end(), flags), *flags, "-w", "-E", "-dM", str(source)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        return {}
    own = set(_OWN.findall(text))
    found = ((name, _NUMBER.fullmatch(body.strip())) for name, body in _MACRO.findall(done.stdout) if name not in own)
    return {name: int(number[1].replace(" ", ""), 0) for name, number in found if number is not None}
