"""What `untaken unit` can be told about how to build arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from untaken.errors import UsageError
from untaken.unit.named_numbers import NamedNumbers
from untaken.unit.private_types import PrivateTypes
from untaken.unit.shape import Precondition, Preparer
from untaken.unit.types import RecordPlace
from untaken.unit.usual_arguments import UsualOf, nothing_usual

DEFAULT_ARRAY = 8
MOST_SETTERS = 6
MOST_ADDING = 2  # of these, such as make what they add
MOST_INNER = 3  # functions that make an object which only makes another
MOST_CARRYING = 4  # of values that are put into others: such as are made of something
ALL = "all"


@dataclass(frozen=True, slots=True)
class Extent:
    """How many elements an array has: a number, or the parameter that says it and the most it may be."""

    most: int
    length: str | None = None
    ended: bool = False  # pointers, the last of which is NULL


@dataclass(frozen=True, slots=True)
class MakerTemplate:
    """A function of the project that makes or changes objects of a type: types are those of the file's table. With
    `member` there is no function: the object is that member of another one."""

    function: str
    names: tuple[str, ...]  # of the parameters beside the object
    types: tuple[str, ...]
    given: bool  # the object is its first argument
    level: int = 0  # how many functions deep the objects are made that it takes; 0: it takes none
    member: str = ""
    nulls: frozenset[str] = frozenset()  # its parameters that are NULL
    first: tuple[str, ...] = ()  # functions of which one makes its first argument: it adds to what they return


@dataclass(frozen=True, slots=True)
class TypeMakers:
    """How the project itself makes objects of a type, and what it does to them afterwards."""

    makers: tuple[MakerTemplate, ...]
    setters: tuple[MakerTemplate, ...] = ()
    adding: frozenset[str] = frozenset()  # setters that make what they add to the object

    def without(self, function: str) -> TypeMakers:
        """For tests of this function: what is tested does not prepare its own arguments."""
        return self._those(lambda each: each.function != function)

    @property
    def names(self) -> frozenset[str]:
        """Of all parameters of these functions."""
        return frozenset(name for each in (*self.makers, *self.setters) for name in each.names)

    def nearest(self, nearness: Callable[[str], int]) -> TypeMakers:
        """With the setters that have most to do with a function, but not many of those that make what they add."""
        ordered = sorted(self.setters, key=lambda each: -nearness(each.function))
        adding = [each for each in ordered if each.function in self.adding][:MOST_ADDING]
        others = [each for each in ordered if each.function not in self.adding][: MOST_SETTERS - len(adding)]
        return TypeMakers(self.makers, (*others, *adding), self.adding)

    def below(self, level: int) -> TypeMakers:
        """For objects that are only made to make others: few ways, and none that takes as much itself. Where values are
        put into values, those that carry something."""
        found = self._those(lambda each: each.level < level)
        if not any(each.first for each in self.makers):
            return TypeMakers(found.makers[:MOST_INNER], found.setters[:MOST_INNER])
        carrying = sorted(
            (each for each in found.makers if not each.level and each.names), key=lambda each: len(each.names)
        )
        bare = [each for each in found.makers if not each.level and not each.names]
        grown = [each for each in found.makers if each.first]
        return TypeMakers((*carrying[:MOST_CARRYING], *bare[:MOST_INNER], *grown[:MOST_INNER]))

    def beginning(self, first: tuple[str, ...], level: int) -> TypeMakers:
        """What a function may add to."""
        return self._those(lambda each: each.function in first and each.level < level)

    def _those(self, wanted: Callable[[MakerTemplate], bool]) -> TypeMakers:
        return TypeMakers(tuple(filter(wanted, self.makers)), tuple(filter(wanted, self.setters)), self.adding)


@dataclass(frozen=True, slots=True)
class Indices:
    """Numbers that the code uses as an index: the function's parameters, members by struct and number, and elements of
    what members lead to."""

    parameters: frozenset[str] = frozenset()
    members: frozenset[tuple[str, int]] = frozenset()
    elements: frozenset[tuple[str, int]] = frozenset()


# Functions that say something of an object, by what they look at: the most telling first.
Getters = Mapping[RecordPlace, tuple[str, ...]]


def by_value(record: str) -> str:
    """The name under which makers of the object itself are kept, not of a pointer to it."""
    return f"{record}, by value"


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
    most_nodes: int = 3000  # parts that arguments may have together
    variadic: bool = False  # a function that takes more arguments is called without them
    fail_malloc: bool = False
    null_members: frozenset[tuple[str, int]] | None = None  # by struct and number: members that may be NULL; None: all
    casts: Mapping[str, str] = field(default_factory=dict)  # by pointer: the struct that the code takes it for
    makers: Mapping[str, TypeMakers] = field(default_factory=dict)  # by the name of the type; by_value
    used_members: frozenset[tuple[str, int]] = frozenset()  # by struct and number: what the function looks at
    reached_members: frozenset[tuple[str, int]] | None = None  # or what it calls; others need no value. None: all do
    indices: Indices = Indices()
    texts: tuple[str, ...] = ()  # that the function mentions
    keys: frozenset[str] = frozenset()  # names that its parameters share with those of functions that make its objects
    numbers: NamedNumbers = NamedNumbers()
    getters: Getters = field(default_factory=dict)
    private: PrivateTypes = PrivateTypes()
    usual: UsualOf = nothing_usual  # constants that the project passes
    preparers: tuple[Preparer, ...] = ()  # one of which may be called first
    preconditions: tuple[Precondition, ...] = ()  # what the function takes for granted of its parameters

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
