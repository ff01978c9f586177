"""The shape of what a function is called with: one node for each object or part of one that must be built.

The driver draws a shape from the input; the C export fills the same shape with the values of a test. Both walk it in
the same order, so what the one drew the other finds. Shapes are kept as JSON in the campaign's folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

NAME = "@"  # where the name goes in a declaration
STREAM_BYTES = 32  # of a FILE that the function is given
ERRNO = "errno"  # a macro that stands for a variable, and can be an input as one


@dataclass(frozen=True, slots=True)
class Scalar:
    """An integer, character, bool or enum. `draw` names the function of untaken.h: untaken_input_DRAW."""

    draw: str
    size: int
    enumerators: tuple[tuple[str, int], ...] = ()
    strict: bool = False  # an enum that is only ever one of its enumerators
    bits: int | None = None  # of a bit-field
    most: int | None = None  # of a length: from 0 to this
    descriptor: bool = False  # 0 is a file or connection whose content is explored
    index: bool = False  # mostly small
    named: tuple[tuple[str, int], ...] = ()  # macros that the source means by some values
    usual: tuple[int, ...] = ()  # what callers of the project pass
    always: bool = False  # callers pass nothing else


@dataclass(frozen=True, slots=True)
class Real:
    """A floating-point number: any bits, or one of a few choices, written as in C."""

    draw: str  # float or double
    wide: bool  # a long double, drawn as double
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScalarBlock:
    """Many scalars in a row, drawn as bytes at once."""

    element: Scalar
    count: int


@dataclass(frozen=True, slots=True)
class ArrayShape:
    """An array inside an object."""

    element: Shape
    count: int


@dataclass(frozen=True, slots=True)
class Fields:
    """A struct; or a union, of which one member is chosen. A member without a name is an anonymous struct or union."""

    members: tuple[tuple[str, Shape], ...]
    union: bool = False
    inner: bool = False  # its members are no concern of those who use it


@dataclass(frozen=True, slots=True)
class Zero:
    """An object that is left as zeros."""


@dataclass(frozen=True, slots=True)
class Null:
    """A pointer that cannot be anything but NULL; or is, since callers pass that."""

    meant: bool = False


@dataclass(frozen=True, slots=True)
class Objects:
    """A pointer to one object or, with `count`, to an array of them. `declared` is the element's declaration, with @
    for the name; `length` is the parameter that says how many there are, up to `count`."""

    element: Shape
    declared: str
    nullable: bool
    count: int | None = None
    length: str | None = None
    constant: bool = False  # what it points to is not for writing
    ended: bool = False  # the last element is NULL
    back: int | None = None  # may point back to the object so many pointers up, 1 being the one that it lies in
    given_as: str = ""  # the type of the pointer, where the code takes it for one to another struct


@dataclass(frozen=True, slots=True)
class Enclosing:
    """A pointer to the object so many pointers up, and to no other: its type is too deep to be built again."""

    up: int
    nullable: bool


@dataclass(frozen=True, slots=True)
class Within:
    """A pointer into the array that the member `start` of the same struct leads to, not before where the member `after`
    points; or to its end. NULL if there is no array."""

    start: str
    after: str
    at_end: bool
    count: int  # of elements that the array has


@dataclass(frozen=True, slots=True)
class Text:
    """A pointer to a string of up to `most` characters of the input."""

    most: int
    nullable: bool
    constant: bool
    words: tuple[str, ...] = ()  # or one of these
    always: bool = False  # callers of the project pass nothing else: mostly the first


@dataclass(frozen=True, slots=True)
class Buffer:
    """A void pointer to so many bytes. `counted`: they are what is meant, since a length goes with them."""

    size: int
    nullable: bool
    counted: bool = False
    characters: bool = False  # the pointer is to char


@dataclass(frozen=True, slots=True)
class Callback:
    """A pointer to a function: one of ours, by its name."""

    stub: str
    nullable: bool


@dataclass(frozen=True, slots=True)
class Stream:
    """A pointer to a FILE: /dev/null, which can be written, or standard input, whose content is explored."""

    nullable: bool


@dataclass(frozen=True, slots=True)
class Handle:
    """What only the system can make: one of these calls."""

    ways: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MakerCall:
    """A call of one of the project's own functions that makes, fills or changes an object. `given`: it is handed the
    object as its first argument; the others are `parameters`. With `member` nothing is called: the object is that
    member of the only parameter; or, if one is given, the only parameter becomes that member of it."""

    function: str
    parameters: tuple[Variable, ...]
    given: bool
    member: str = ""
    through: str = ""  # the type of the pointer that has the member, where the object's own is another

    @property
    def is_assignment(self) -> bool:
        """Whether a member is set, and no function called: no caller of the project need do that."""
        return self.given and bool(self.member)


@dataclass(frozen=True, slots=True)
class Made:
    """A pointer to an object that the project's own functions make: one of `makers`, then up to `rounds` of `setters`.
    Or it is built as `otherwise` says, if the type is known. `declared` is the object's declaration, as in Objects."""

    declared: str
    nullable: bool
    makers: tuple[MakerCall, ...]
    setters: tuple[MakerCall, ...]
    otherwise: Shape | None
    rounds: int = 1
    like: str = ""  # a parameter before it: half of the time it is made by the same one of the makers
    followed: bool = False  # there is a parameter that is like it
    given_as: str = ""  # the type of the pointer, where the code takes it for one to another struct


@dataclass(frozen=True, slots=True)
class MadeValue:
    """A struct or union itself, as one of the project's functions returns it; or as `otherwise` says."""

    declared: str
    makers: tuple[MakerCall, ...]
    otherwise: Shape | None
    like: str = ""  # as in Made
    followed: bool = False


@dataclass(frozen=True, slots=True)
class Related:
    """A pointer to what a parameter before it leads to, or to what a member of that leads to; or as `otherwise` says.
    `others` are parameters, each with the name of a member or nothing."""

    others: tuple[tuple[str, str], ...]
    otherwise: Shape


Shape = (
    Scalar
    | Real
    | ScalarBlock
    | ArrayShape
    | Fields
    | Zero
    | Null
    | Objects
    | Enclosing
    | Within
    | Text
    | Buffer
    | Callback
    | Stream
    | Handle
    | Made
    | MadeValue
    | Related
)


@dataclass(frozen=True, slots=True)
class Getter:
    """A function of the project that says something of an object, or of what so many `pointers` lead to."""

    function: str
    result: Variable
    pointers: int


@dataclass(frozen=True, slots=True)
class Variable:
    """A parameter or a global variable; `declared` as in Objects. `getters` look at what it is, or leads to, and
    `pointers` is how many pointers away that is."""

    name: str
    declared: str
    shape: Shape
    getters: tuple[Getter, ...] = ()
    pointers: int = 0


@dataclass(frozen=True, slots=True)
class Stub:
    """A function that we write: `header` is its definition up to the body, `shown` how its results are named. The
    result is None for void."""

    name: str
    header: str
    shown: str
    result: Variable | None
    returns: bool = True
    arguments: tuple[Variable, ...] = ()  # those that are numbers: tests check them
    outputs: tuple[Variable, ...] = ()  # what its pointer arguments lead to, by their names: it writes inputs there


@dataclass(frozen=True, slots=True)
class Precondition:
    """What a function takes for granted of a parameter: a condition in C, with @ before the names of parameters. In
    one of eight inputs it need not hold."""

    parameter: str
    condition: str


@dataclass(frozen=True, slots=True)
class Preparer:
    """A call that may come first, since it sets what the tested function looks at; after the test it may be undone."""

    call: str
    exported: bool
    undo: str = ""
    header: str = ""  # that declares it


@dataclass(frozen=True, slots=True)
class UnitPlan:
    """All that a driver needs, and later the export: unit.json."""

    source: str
    function: str
    parameters: tuple[Variable, ...]  # as the function takes them
    order: tuple[str, ...]  # of drawing: lengths first
    globals: tuple[Variable, ...]
    stubs: tuple[Stub, ...]
    storage: tuple[str, ...]  # variables of other files, which get storage in the driver
    result: Variable | None
    frees: bool  # what it is given may be freed
    unreached: tuple[str, ...] = ()  # functions of other files that are linked, but never called
    blank: tuple[str, ...] = ()  # variables of other files whose types are not known: zeros
    others: tuple[str, ...] = ()  # further C files
    flags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # what could not be built, for the reader
    variadic: bool = False  # it is called without further arguments, or an empty list: no text may ask for them
    fail_malloc: bool = False  # allocations may fail while it runs
    preconditions: tuple[Precondition, ...] = ()
    preparers: tuple[Preparer, ...] = ()
    sentinel: bool = False  # its further arguments end with NULL
    drawn_as: str = ""  # in unit.json: what stands for the statements that drew the inputs

    @property
    def includes(self) -> tuple[str, ...]:
        """Headers that what is drawn needs, beside those of the source."""
        headers = ["errno.h"] if any(variable.name == ERRNO for variable in self.globals) else []
        headers += [each.header for each in self.preparers if each.header]
        return tuple(f"#include <{header}>" for header in headers)

    @property
    def reads_stream(self) -> bool:
        """Whether standard input is one of the things that the function is given."""
        made = [each.result for each in self.stubs if each.result is not None]
        return any(has_stream(each.shape) for each in (*self.parameters, *self.globals, *made))

    def drawn(self) -> tuple[Variable, ...]:
        """Parameters in the order of drawing, then globals."""
        by_name = {variable.name: variable for variable in self.parameters}
        return (*(by_name[name] for name in self.order), *self.globals)


def has_stream(shape: Shape) -> bool:
    """Whether a FILE or a descriptor is part of it."""
    match shape:
        case Stream() | Scalar(descriptor=True):
            return True
        case ArrayShape(element=element) | Objects(element=element):
            return has_stream(element)
        case Fields(members=members):
            return any(has_stream(member) for _, member in members)
        case Related(otherwise=otherwise):
            return has_stream(otherwise)
        case Made(makers=makers, setters=setters, otherwise=otherwise):
            given = (each.shape for call in (*makers, *setters) for each in call.parameters)
            return any(map(has_stream, given)) or (otherwise is not None and has_stream(otherwise))
        case MadeValue(makers=makers, otherwise=otherwise):
            given = (each.shape for call in makers for each in call.parameters)
            return any(map(has_stream, given)) or (otherwise is not None and has_stream(otherwise))
        case _:
            return False


# What unit.json calls them: these names stay, whatever the classes are called.
_NODES: dict[str, Any] = {
    "Scalar": Scalar,
    "Real": Real,
    "Block": ScalarBlock,
    "Row": ArrayShape,
    "Fields": Fields,
    "Zero": Zero,
    "Null": Null,
    "Objects": Objects,
    "Enclosing": Enclosing,
    "Within": Within,
    "Text": Text,
    "Buffer": Buffer,
    "Callback": Callback,
    "Stream": Stream,
    "Handle": Handle,
    "Made": Made,
    "MadeValue": MadeValue,
    "Related": Related,
    "MakerCall": MakerCall,
    "Variable": Variable,
    "Getter": Getter,
    "Stub": Stub,
    "Precondition": Precondition,
    "Preparer": Preparer,
    "Plan": UnitPlan,
}
_NAMES = {node: name for name, node in _NODES.items()}


def to_json(value: Any) -> Any:
    """A shape or plan as JSON values: objects say which node they are."""
    if is_dataclass(value):
        content = {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
        return {"node": _NAMES[type(value)], **content}
    return [to_json(item) for item in value] if isinstance(value, tuple | list) else value


def from_json(value: Any) -> Any:
    """The shape that was written as JSON.

    Not by the one checked decoder: msgspec has no unions of dataclasses. It makes no other classes than these, and a
    plan that was not written here is not read at all (unit/target.py)."""
    if isinstance(value, Mapping):
        content = {name: from_json(item) for name, item in value.items() if name != "node"}
        return _NODES[value["node"]](**content)
    return tuple(from_json(item) for item in value) if isinstance(value, list) else value
