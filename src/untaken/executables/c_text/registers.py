"""Registers as C variables: those that overlap, such as AL, AX and RAX, are parts of one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from untaken.executables.c_text.c_types import literal, mask, room, unsigned
from untaken.executables.machine_code.operations import REGISTER, Varnode

LARGEST = 16


@dataclass(frozen=True, slots=True)
class RegisterVariable:
    """A C variable for a stretch of the register space; an array if it is too long for a number."""

    name: str
    offset: int
    size: int

    @property
    def declaration(self) -> str:
        if self.size > LARGEST:
            return f"static u8 {self.name}[{self.size}];"
        return f"static {unsigned(self.size)} {self.name};"


class RegisterFile:
    """Which variable a register is in, and how it is read and written there."""

    def __init__(self, used: Iterable[Varnode], names: Mapping[str, Varnode], big_endian: bool) -> None:
        self._names = {place: name for name, place in reversed(list(names.items())) if place.space == REGISTER}
        self._big_endian = big_endian
        self.variables = [self._variable(start, end) for start, end in _stretches(used)]
        self._by_byte = {
            offset: variable
            for variable in self.variables
            for offset in range(variable.offset, variable.offset + variable.size)
        }

    def _variable(self, start: int, end: int) -> RegisterVariable:
        name: str = self._names.get(Varnode(REGISTER, start, end - start), f"r_{start:x}")
        return RegisterVariable(identifier(name), start, end - start)

    def holds(self, place: Varnode) -> bool:
        return place.offset in self._by_byte

    def _shift(self, place: Varnode, variable: RegisterVariable) -> int:
        if self._big_endian:
            return 8 * (variable.offset + variable.size - place.offset - place.size)
        return 8 * (place.offset - variable.offset)

    def read(self, place: Varnode) -> str:
        variable = self._by_byte[place.offset]
        if variable.size > LARGEST:
            return f"get{8 * room(place.size)}({variable.name} + {place.offset - variable.offset})"
        shift = self._shift(place, variable)
        text = f"({variable.name} >> {shift})" if shift else variable.name
        if place.size == variable.size:
            return text
        return f"({unsigned(place.size)}){text}" if room(place.size) == place.size else f"({text} & {mask(place.size)})"

    def write(self, place: Varnode, value: str) -> str:
        """The C statement that puts a value into a register or a part of one."""
        variable = self._by_byte[place.offset]
        if variable.size > LARGEST:
            return f"put{8 * room(place.size)}({variable.name} + {place.offset - variable.offset}, {value});"
        if place.size == variable.size:
            return f"{variable.name} = {value};"
        shift = self._shift(place, variable)
        kept = ((1 << 8 * variable.size) - 1) & ~(((1 << 8 * place.size) - 1) << shift)
        kind = unsigned(variable.size)
        moved = f"({kind})({value})" + (f" << {shift}" if shift else "")
        return f"{variable.name} = ({variable.name} & {literal(kept, variable.size)}) | {moved};"


def _stretches(used: Iterable[Varnode]) -> list[tuple[int, int]]:
    """The registers that are used, those that overlap joined."""
    found: list[tuple[int, int]] = []
    for place in sorted((each for each in set(used) if each.space == REGISTER), key=lambda each: each.offset):
        if found and place.offset < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], place.offset + place.size))
        else:
            found.append((place.offset, place.offset + place.size))
    return found


def identifier(name: str) -> str:
    """A name turned into an identifier of C."""
    text = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name)
    return f"_{text}" if text[:1].isdigit() else text
