"""C types, as the debug information names them, and how C writes them down.

Types may be recursive, so they refer to each other by the name that the metadata gives them; `TypeTable` resolves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

VOID = "null"  # how metadata refers to void
MOST_POINTERS = 2  # to an object, as outputs have them
ARGUMENT_LISTS = ("__va_list_tag", "__va_list")  # what compilers call the struct that a va_list is


class Encoding(Enum):
    """What the bits of a basic type mean."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"
    CHARACTER = "character"  # plain char
    BOOL = "bool"
    FLOAT = "float"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Basic:
    name: str
    size: int  # in bytes, as everywhere here
    encoding: Encoding


@dataclass(frozen=True, slots=True)
class Enumeration:
    tag: str
    size: int
    signed: bool
    enumerators: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Member:
    """Of a struct or union; `bits` for a bit-field. An anonymous struct or union inside another has no name."""

    name: str
    type: str
    bits: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A struct or a union; `members` is None if the file only declares it."""

    union: bool
    tag: str
    size: int
    members: tuple[Member, ...] | None
    file: str


@dataclass(frozen=True, slots=True)
class CPointer:
    target: str


@dataclass(frozen=True, slots=True)
class CArray:
    """`count` is None for a flexible array or one without a constant size."""

    element: str
    count: int | None


@dataclass(frozen=True, slots=True)
class Signature:
    """The type of a function."""

    result: str
    parameters: tuple[str, ...]
    variadic: bool


@dataclass(frozen=True, slots=True)
class Typedef:
    name: str
    target: str


@dataclass(frozen=True, slots=True)
class Qualified:
    """`word` is const, volatile or restrict."""

    word: str
    target: str


@dataclass(frozen=True, slots=True)
class CVoid:
    pass


@dataclass(frozen=True, slots=True)
class CUnknown:
    """A type that we do not build: `what` says which."""

    what: str


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """The name of the struct or union that a type leads to, and how many pointers away it is."""

    record: str
    pointers: int


CType = Basic | Enumeration | Record | CPointer | CArray | Signature | Typedef | Qualified | CVoid | CUnknown


class TypeTable:
    """All types of a module, which refer to each other by name."""

    def __init__(self, types: Mapping[str, CType]) -> None:
        self._types = types

    def __getitem__(self, reference: str) -> CType:
        return self._types[reference]

    def references(self) -> Iterable[str]:
        """By which all types can be looked up."""
        return self._types.keys()

    def plain(self, reference: str) -> CType:
        """The type that a reference means, without typedefs and qualifiers."""
        found = self._types[reference]
        while isinstance(found, Typedef | Qualified):
            found = self._types[found.target]
        return found

    def unqualified(self, reference: str) -> str:
        """Without qualifiers of its own: what a local variable of the type is declared as."""
        found = self._types[reference]
        while isinstance(found, Qualified):
            reference = found.target
            found = self._types[reference]
        return reference

    def is_const(self, reference: str) -> bool:
        """Whether the object itself may not be written."""
        found = self._types[reference]
        while isinstance(found, Typedef | Qualified):
            if isinstance(found, Qualified) and found.word == "const":
                return True
            found = self._types[found.target]
        return isinstance(found, CArray) and self.is_const(found.element)

    def typedef_names(self, reference: str) -> set[str]:
        """All names that the type goes by on the way to what it is."""
        names = set()
        found = self._types[reference]
        while isinstance(found, Typedef | Qualified):
            if isinstance(found, Typedef):
                names.add(found.name)
            found = self._types[found.target]
        return names

    def complete_record(self, bare: str) -> str | None:
        """A reference to the struct of this name, if the file defines it."""
        for reference in self._types:
            record = self.plain(reference)
            if isinstance(record, Record) and record.members is not None and self.bare_name(reference) == bare:
                return None if self.nameless(reference) else self.unqualified(reference)
        return None

    def bare_name(self, reference: str) -> str | None:
        """A struct's or union's as the compiler has it in its code: without `struct`."""
        name = self.record_name(reference)
        return name.split(" ")[-1] if name is not None else None

    def record_name(self, reference: str) -> str | None:
        """What a struct or union is called in every file: by its tag, or the first name that it has been given."""
        found, named = self._types[reference], ""
        while isinstance(found, Typedef | Qualified):
            named = found.name if isinstance(found, Typedef) else named
            found = self._types[found.target]
        if not isinstance(found, Record):
            return None
        return f"{'union' if found.union else 'struct'} {found.tag}" if found.tag else named or None

    def record_place(self, reference: str) -> RecordPlace | None:
        """None for what is no struct or union, or too far away."""
        for pointers in range(MOST_POINTERS + 1):
            found = self.plain(reference)
            if isinstance(found, Record):
                name = self.record_name(reference)
                return RecordPlace(name, pointers) if name is not None else None
            if not isinstance(found, CPointer):
                return None
            reference = found.target
        return None

    def declaration(self, reference: str, name: str = "") -> str:
        """`name` declared with the type, as in `int (*name)(void)`; the type alone if there is no name."""
        found = self._types[reference]
        match found:
            case CPointer(target):
                inner = self._types[target]
                bracketed = f"(*{name})" if isinstance(inner, CArray | Signature) else f"*{name}"
                return self.declaration(target, bracketed)
            case CArray(element, count):
                return self.declaration(element, f"{name}[{'' if count is None else count}]")
            case Signature(result, parameters, variadic):
                words = [self.declaration(parameter) for parameter in parameters] + ["..."] * variadic
                return self.declaration(result, f"{name}({', '.join(words) or 'void'})")
            case Qualified(word, target) if isinstance(self._types[target], CPointer):
                return self.declaration(target, f"{word} {name}".rstrip())
            case Qualified(word, target):
                return f"{word} {self.declaration(target, name)}"
            case _:
                return f"{self._specifier(found)} {name}".rstrip()

    def _specifier(self, found: CType) -> str:
        match found:
            case Basic(name=name) | Typedef(name=name):
                return name
            case Enumeration(tag=tag):
                return f"enum {tag}"
            case Record(union=union, tag=tag):
                return f"{'union' if union else 'struct'} {tag}"
            case _:
                return "void"

    def is_argument_list(self, reference: str) -> bool:
        """Whether it is a va_list, or what one is as a parameter."""
        found = self.plain(reference)
        if isinstance(found, CPointer):
            found = self.plain(found.target)
        return isinstance(found, Record) and found.tag in ARGUMENT_LISTS

    def nameless(self, reference: str) -> bool:
        """Whether the type cannot be written down outside its own declaration."""
        found = self._types[reference]
        match found:
            case Enumeration(tag="") | Record(tag="") | CUnknown():
                return True
            case CPointer(target) | Qualified(_, target) | CArray(target, _):
                return self.nameless(target)
            case Signature(result, parameters, _):
                return any(map(self.nameless, (result, *parameters)))
            case _:
                return False
