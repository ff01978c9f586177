"""What `untaken unit` can be told about how to build arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from untaken.errors import UsageError

DEFAULT_ARRAY = 8
ALL = "all"


@dataclass(frozen=True, slots=True)
class Extent:
    """How many elements an array has: a number, or the parameter that says it and the most it may be."""

    most: int
    length: str | None = None


@dataclass(frozen=True, slots=True)
class MakerTemplate:
    """A function of the project that makes or changes objects of a type: types are those of the file's table."""

    function: str
    names: tuple[str, ...]  # of the parameters beside the object
    types: tuple[str, ...]
    given: bool  # the object is its first argument


@dataclass(frozen=True, slots=True)
class TypeMakers:
    """How the project itself makes objects of a type, and what it does to them afterwards."""

    makers: tuple[MakerTemplate, ...]
    setters: tuple[MakerTemplate, ...] = ()

    def without(self, function: str) -> TypeMakers:
        """For tests of this function: what is tested does not prepare its own arguments."""
        return TypeMakers(
            tuple(each for each in self.makers if each.function != function),
            tuple(each for each in self.setters if each.function != function),
        )


@dataclass(frozen=True, slots=True)
class UnitOptions:
    """Beyond those of a campaign."""

    file: Path
    function: str
    arrays: dict[str, Extent] = field(default_factory=dict)
    strings: int = 8  # the longest string
    depth: int = 3  # of pointers inside what pointers point to
    globals: tuple[str, ...] = ()
    stubs: frozenset[str] = frozenset()
    not_null: frozenset[str] = frozenset()
    strict_enums: bool = False
    others: tuple[Path, ...] = ()
    commands: Path | None = None  # compile_commands.json
    flags: tuple[str, ...] = ()
    variadic: bool = False  # a function that takes more arguments is called without them
    fail_malloc: bool = False
    makers: Mapping[str, TypeMakers] = field(default_factory=dict)  # by the name of the type

    def stubbed(self, name: str) -> bool:
        return ALL in self.stubs or name in self.stubs

    def nullable(self, place: str) -> bool:
        return ALL not in self.not_null and place not in self.not_null


def read_array(text: str) -> tuple[str, Extent]:
    """Reads --array: POINTER=NUMBER, POINTER=PARAMETER or POINTER=PARAMETER:MOST."""
    place, equals, amount = text.partition("=")
    length, _, most = amount.partition(":")
    if length.isdecimal() and not most:
        length, most = "", length
    elif not most:
        most = str(DEFAULT_ARRAY)
    if not equals or not place or not most.isdecimal() or not 0 < int(most) <= 1 << 16:
        raise UsageError(
            f"--array wants POINTER=NUMBER, POINTER=PARAMETER or POINTER=PARAMETER:MOST, such as p=n:16, not {text!r}"
        )
    return place.strip(), Extent(int(most), length.strip() or None)
