"""From C types to shapes: decides what each parameter is built as, and notes what cannot be built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from untaken.errors import UsageError
from untaken.unit.byte_lengths import byte_lengths, is_length
from untaken.unit.member_setters import VALUE, MemberSetters
from untaken.unit.number_roles import as_descriptor, as_index, as_usual, with_indices
from untaken.unit.options import ALL, Extent, MakerTemplate, TypeMakers, UnitOptions, by_value
from untaken.unit.places import CPlace
from untaken.unit.ranges import RangeMember, range_extent, range_members
from untaken.unit.shape import (
    NAME,
    ArrayShape,
    Buffer,
    Callback,
    Enclosing,
    Fields,
    Handle,
    Made,
    MadeValue,
    MakerCall,
    Null,
    Objects,
    Real,
    Scalar,
    ScalarBlock,
    Shape,
    Stream,
    Stub,
    Text,
    Variable,
    Within,
    Zero,
)
from untaken.unit.shape_measures import is_plain, nodes_of, size_of
from untaken.unit.stubs import StubMaker
from untaken.unit.types import (
    Basic,
    CArray,
    CPointer,
    CType,
    CUnknown,
    CVoid,
    Encoding,
    Enumeration,
    Member,
    Record,
    Signature,
    TypeTable,
)
from untaken.unit.usual_arguments import NOTHING, Usual

MOST_SINGLE = 16  # elements that are drawn one by one; scalars of a longer array are drawn as one block
MOST_NODES = 3000
BUFFER = 8  # bytes behind a void pointer
ROUNDS = 2  # of changing an object after it was made
MADE_BYTES = 16  # given to functions that make objects, where a length goes with them
STREAMS = ("_IO_FILE", "__sFILE", "FILE")
# Objects of the system that are no plain data: anything but zeros would be undefined.
SYSTEM_OBJECTS = ("pthread_", "sem_t", "jmp_buf", "sigjmp_buf", "mtx_t", "cnd_t", "DIR", "va_list")
# What only the system makes, by the name of its type: a header that declares the one declares the other.
HANDLES = {
    "iconv_t": (
        'iconv_open("UTF-8", "ISO-8859-1")',
        'iconv_open("ASCII", "UTF-8")',
        'iconv_open("UTF-16", "UTF-8")',
        "(iconv_t)-1",
    ),
    "DIR": ('opendir(".")', 'opendir("/")'),
}
INTEGERS = {
    (True, 1): "schar",
    (True, 2): "short",
    (True, 4): "int",
    (True, 8): "long",
    (False, 1): "uchar",
    (False, 2): "ushort",
    (False, 4): "uint",
    (False, 8): "ulong",
}
SPELLED = {"long long": "longlong", "unsigned long long": "ulonglong"}


def _within(member: RangeMember | None, shapes: Mapping[str, Shape]) -> Shape | None:
    """The shape of a pointer into memory that another member leads to, if that member is an array."""
    start = shapes.get(member.start) if member is not None else None
    if member is None or not isinstance(start, Objects) or start.count is None:
        return None
    return Within(member.start, member.after, member.at_end, start.count)


class TooLarge(Exception):
    """A structure would take more nodes than a driver should have."""


@dataclass(slots=True)
class Shaper:
    """Shapes variables one after the other. `reals` are numbers that the function compares with."""

    table: TypeTable
    options: UnitOptions
    reals: tuple[str, ...]
    depth: int
    notes: dict[str, None] = field(default_factory=dict)
    stubs: dict[str, Stub] = field(default_factory=dict)
    used_arrays: set[str] = field(default_factory=set)
    pointers: dict[str, None] = field(default_factory=dict)
    around: list[CType] = field(default_factory=list)  # what the pointers on the way here point to
    nodes: int = 0
    most_nodes: int = MOST_NODES
    calling: int | None = None  # what is shaped is an argument of a maker of this level
    first: tuple[str, ...] = ()  # functions that make what is shaped: it is the first argument of one that adds to it
    member: tuple[str, int] | None = None  # of a struct: what is shaped, if that is one
    in_range: bool = False  # what is shaped is the start of memory into which other members point

    def variable(self, name: str, reference: str) -> Variable:
        own = self.table.unqualified(reference)
        if self.table.is_argument_list(own):
            return Variable(name, f"__builtin_va_list {NAME}", Zero())
        shape = self.shape(own, CPlace(name), 0)
        shape = self._as_key(self._named(shape, name), name)
        if name in self.options.indices.parameters:
            shape = as_index(shape)
        return Variable(name, self.table.declaration(own, NAME), as_descriptor(name, shape))

    def shape(self, reference: str, place: CPlace, depth: int, bits: int | None = None) -> Shape:
        """What lies at a place, `depth` pointers deep."""
        self.nodes += 1
        if self.nodes > self.most_nodes:
            raise TooLarge
        if any(name.startswith(SYSTEM_OBJECTS) for name in self.table.typedef_names(reference)):
            return self._left(place, "is an object of the system")
        if (ways := self._handle(reference)) is not None:
            self.pointers[place.text] = None
            self.used_arrays.add(place.text)  # whatever stands beside it: it is no memory
            return Handle(ways)
        found = self.table.plain(reference)
        match found:
            case Basic():
                return self._basic(found, place, bits)
            case Enumeration():
                draw = INTEGERS[found.signed, found.size]
                return Scalar(draw, found.size, found.enumerators, self.options.strict_enums, bits)
            case CPointer(target):
                return self._pointer(target, place, depth)
            case Record(members=members) if members is not None:
                return self._made_value(reference, found, members, place, depth)
            case CArray(element, count):
                return self._array(element, count, place, depth)
            case CUnknown(what):
                return self._left(place, f"is {what}, which is not built")
            case _:
                return self._left(place, "has a type that this file does not define")

    def _handle(self, reference: str) -> tuple[str, ...] | None:
        """How the system makes what goes by this name."""
        found = self.table.plain(reference)
        names = self.table.typedef_names(reference)
        names |= self.table.typedef_names(found.target) if isinstance(found, CPointer) else set()
        return next((HANDLES[name] for name in sorted(names) if name in HANDLES), None)

    def _named(self, shape: Shape, name: str) -> Shape:
        """A number with the names that the source has for its values."""
        return replace(shape, named=self.options.numbers.of(name)) if isinstance(shape, Scalar) else shape

    def _as_key(self, shape: Shape, name: str) -> Shape:
        """A text that may well be the same in a call that makes an object and in the one that looks for it there."""
        if isinstance(shape, Text) and name in self.options.keys and name not in shape.words:
            return replace(shape, words=(*shape.words, name))
        return shape

    def _left(self, place: CPlace, why: str) -> Zero:
        self.notes[f"{place.text} {why}: it stays zero"] = None
        return Zero()

    def _basic(self, found: Basic, place: CPlace, bits: int | None) -> Shape:
        match found.encoding:
            case Encoding.FLOAT:
                return Real("float" if found.size == 4 else "double", found.size > 8, self.reals)
            case Encoding.BOOL:
                return Scalar("bool", 1, bits=bits)
            case Encoding.CHARACTER:
                return Scalar("char", 1, bits=bits)
            case encoding if (encoding is Encoding.SIGNED, found.size) in INTEGERS:
                draw = SPELLED.get(found.name) or INTEGERS[encoding is Encoding.SIGNED, found.size]
                return Scalar(draw, found.size, bits=bits)
            case _:
                return self._left(place, f"is {found.name}, which is not built")

    def _made_value(self, reference: str, found: Record, members: Iterable[Member], place: CPlace, depth: int) -> Shape:
        """What the project's functions return, beside what the type allows."""
        name = self.table.record_name(reference)
        known = self._possible(self.options.makers.get(by_value(name)) if name is not None else None)
        if known is None:
            return self._record(reference, found, members, place, depth)
        self.first = ()
        inside = bool(self.around) or self.member is not None
        if inside and known.below(1).makers:
            known = known.below(1)  # drivers of files with many such members would be very large
        free = None if inside or self.calling is not None else self._record(reference, found, members, place, depth)
        own = self.table.unqualified(reference)
        return MadeValue(self.table.declaration(own, NAME), tuple(map(self._call, known.makers)), free)

    def _possible(self, known: TypeMakers | None) -> TypeMakers | None:
        """What makes an argument of a function that makes another needs no more objects."""
        if known is not None and self.calling is not None:
            begun = known.beginning(self.first, self.calling)
            known = begun if begun.makers else known.below(self.calling)
        return known if known is not None and known.makers else None

    def _record(self, reference: str, found: Record, members: Iterable[Member], place: CPlace, depth: int) -> Shape:
        members = tuple(members)
        # Numbers of members are those of the compiler only where no bits share a word.
        known = self.table.bare_name(reference) if all(member.bits is None for member in members) else None
        ranges = {} if found.union else range_members(self.table, members)
        shapes: dict[str, Shape] = {}  # of the named ones
        entries: list[tuple[str, Shape]] = []
        indexing = self._lead_to_indices(known, members, ranges)
        for number, member in enumerate(members):
            if (not member.name and member.bits is not None) or self._is_flexible(member):
                continue
            self.in_range = any(each.start == member.name for each in ranges.values())
            within = _within(ranges.get(member.name), shapes)
            own = None if known is None else (known, number)
            shapes[member.name] = within or self._member(own, found, member, place, depth)
            if member.name in indexing:
                shapes[member.name] = with_indices(shapes[member.name])
            entries.append((member.name, shapes[member.name]))
        shaped = tuple(entries)
        if not found.union:
            return Fields(shaped, inner=self._is_inner(reference, found))
        if shaped and all(is_plain(shape) for _, shape in shaped):  # all bits are in the largest: no need to choose
            shaped = (max(shaped, key=lambda entry: size_of(entry[1])),)
        return Fields(shaped, union=True)

    def _is_inner(self, reference: str, found: Record) -> bool:
        return self.options.private.has(self.table.record_name(reference), found.file)

    def _lead_to_indices(
        self, known: str | None, members: Sequence[Member], ranges: Mapping[str, RangeMember]
    ) -> frozenset[str]:
        """Members whose elements are used as an index: also where another pointer into the same memory shows that."""
        wanted = self.options.indices.elements
        found = [each.name for number, each in enumerate(members) if known is not None and (known, number) in wanted]
        return frozenset(ranges[name].start if name in ranges else name for name in found)

    def _member(self, known: tuple[str, int] | None, found: Record, member: Member, place: CPlace, depth: int) -> Shape:
        """A member of a union is where the union is: in the struct around it."""
        outer = self.member
        if not found.union:
            if not self.in_range and not self._is_looked_at(known):
                return Null() if isinstance(self.table.plain(member.type), CPointer) else Zero()
            self.member = known
        shape = self.shape(member.type, place.member(member.name), depth, member.bits)
        self.member = outer
        shape = self._named(shape, member.name)
        return as_index(shape) if known in self.options.indices.members else shape

    def _is_looked_at(self, member: tuple[str, int] | None) -> bool:
        """Of what no code mentions the value does not matter; functions that make objects are other code."""
        reached = self.options.reached_members
        return reached is None or member is None or member in reached or self.calling is not None

    def _is_flexible(self, member: Member) -> bool:
        found = self.table.plain(member.type)
        return isinstance(found, CArray) and not found.count

    def _array(self, element: str, count: int | None, place: CPlace, depth: int) -> Shape:
        if not count:
            return self._left(place, "is an array of unknown size")
        self.member = None  # what lies in an array may be missing, whatever is known of the array
        first = self.shape(element, place.item(0), depth)
        if isinstance(first, Scalar) and count > MOST_SINGLE and first.draw != "bool" and not first.strict:
            return ScalarBlock(first, count)
        if count > MOST_SINGLE:
            self.notes[f"of {place.text} only the first {MOST_SINGLE} elements are inputs, the others stay zero"] = None
            count = MOST_SINGLE
        self.nodes += (count - 1) * nodes_of(first)
        if self.nodes > self.most_nodes:
            raise TooLarge
        return ArrayShape(first, count)

    # ---- pointers

    def _pointer(self, target: str, place: CPlace, depth: int) -> Shape:
        self.pointers[place.text] = None
        extent = self.options.arrays.get(place.text)
        if extent is not None:
            self.used_arrays.add(place.text)
        elif self.in_range:
            extent = Extent(range_extent(self.table, target))
        self.in_range = False
        declared = target
        if (cast := self.options.casts.get(place.text)) is not None:
            target = self.table.complete_record(cast) or target
        nullable = self._nullable(place)
        self.member = None
        found = self.table.plain(target)
        match found:
            case Signature():
                return self._callback(found, place, nullable)
            case CVoid():
                return self._buffer(place, extent, nullable)
            case Record(tag=tag) if tag in STREAMS:
                return Stream(nullable)
            case Basic(encoding=Encoding.CHARACTER) if extent is None:
                words = self.options.texts if self.calling is not None else ()
                return Text(self.options.strings, nullable, self.table.is_const(target), words)
            case Record(members=members) if (found_makers := self._makers(target, declared, depth)) and extent is None:
                made, known = found_makers
                free = None if members is None else self._free(target, made, place, depth)
                given_as = "" if made == declared else self.table.declaration(declared, "*")
                return replace(self._made(known, made, target, free, nullable), given_as=given_as)
            case Record(members=None):
                return self._null(place, f"points to {self.table.declaration(target)}, which this file does not define")
        if self.table.nameless(target):
            return self._null(place, "points to a type without a name")
        if depth >= self.depth and not (extent is not None and self._is_flat(target)):
            up = self._way_back(found)
            return Null() if up is None else Enclosing(up, nullable)
        return replace(self._taken_as(target, declared, place, depth, extent), nullable=nullable)

    def _is_flat(self, reference: str) -> bool:
        """Numbers, or a struct of numbers: memory in which nothing leads further may be one pointer deeper."""
        found = self.table.plain(reference)
        members = found.members or () if isinstance(found, Record) else ()
        plain = (isinstance(self.table.plain(each.type), Basic | Enumeration) for each in members)
        return isinstance(found, Basic) or (bool(members) and all(plain))

    def _nullable(self, place: CPlace) -> bool:
        """A member that no code compares with NULL or sets to it always leads somewhere."""
        known = self.options.null_members
        return self.options.nullable(place.text) and (self.member is None or known is None or self.member in known)

    def _makers(self, target: str, declared: str, depth: int) -> tuple[str, TypeMakers] | None:
        """The type that the project makes, and how: the one that the code takes it for, or as it is declared."""
        if depth and self.calling is None:
            return None
        for made in dict.fromkeys((target, declared)):
            name = self.table.record_name(made)
            known = self._possible(self.options.makers.get(name) if name is not None else None)
            if known is not None:
                return made, known
        return None

    def _free(self, target: str, declared: str, place: CPlace, depth: int) -> Shape | None:
        """The object as its type says, beside those that the project makes."""
        if self.table.nameless(target) or depth >= self.depth or self.calling is not None:
            return None
        return replace(self._taken_as(target, declared, place, depth, None), nullable=False)

    def _taken_as(self, target: str, declared: str, place: CPlace, depth: int, extent: Extent | None) -> Objects:
        """An object of the type that the code takes it for, behind a pointer of another."""
        found = self._objects(target, place, depth, extent)
        if target == declared or isinstance(self.table.plain(declared), CVoid):
            return found
        return replace(found, given_as=self.table.declaration(declared, "*"))

    def _made(self, known: TypeMakers, declared: str, target: str, free: Shape | None, nullable: bool) -> Made:
        own = self.table.unqualified(declared)
        makers = tuple(self._call(template) for template in known.makers)
        setters = tuple(self._call(template) for template in known.setters)
        if free is not None:
            through = "" if target == declared else self.table.declaration(target, "*")
            setters += MemberSetters(self.table, self.options.used_members, self._number, NAME).of(target, through)
        rounds = ROUNDS if self.calling is None else 1
        return Made(self.table.declaration(own, NAME), nullable, makers, setters, free, rounds)

    def _number(self, reference: str, name: str) -> Shape:
        return self._named(self.shape(reference, CPlace(VALUE), self.depth), name)

    def _call(self, template: MakerTemplate) -> MakerCall:
        """Bytes with a length beside them are as many as it may say at most; other sizes are small, too."""
        outer, self.calling = self.calling, template.level
        call = self._call_at_level(template)
        self.calling = outer
        return call

    def _call_at_level(self, template: MakerTemplate) -> MakerCall:
        usuals = [self._usual(template, place) for place in range(len(template.names))]
        pairs = [
            (number, bytes)
            for number, bytes in byte_lengths(template, self.table)
            if not usuals[bytes].is_not_counted_by(usuals[number])
        ]
        lengths, bytes_with_length = {number for number, _ in pairs}, {bytes for _, bytes in pairs}
        found = []
        for place, (name, reference) in enumerate(zip(template.names, template.types, strict=True)):
            own = self.table.unqualified(reference)
            shape: Shape
            usual = usuals[place]
            self.first = template.first if place == 0 else ()
            if name in template.nulls:
                shape = Null(meant=True)
            elif place in bytes_with_length:
                shape = Buffer(MADE_BYTES, nullable=False, counted=True, characters=self._is_text(reference))
            else:
                shape = self.shape(own, CPlace(f"{template.function}_{name}"), self.depth)
            sized = isinstance(shape, Scalar) and self._is_size(name, shape) and not usual.numbers
            if isinstance(shape, Scalar) and (place in lengths or sized):
                shape = replace(shape, most=MADE_BYTES)
            shape = as_descriptor(name, self._as_key(self._named(shape, name), name))
            shape = as_usual(shape, usual)
            if isinstance(shape, Text | Callback | Buffer | Stream | Made):
                shape = replace(shape, nullable=False)
            found.append(Variable(name, self.table.declaration(own, NAME), shape))
        return MakerCall(template.function, tuple(found), template.given, template.member)

    def _usual(self, template: MakerTemplate, place: int) -> Usual:
        """What the project passes for an argument of a function that makes or changes objects."""
        if not template.function:
            return NOTHING
        count = len(template.types) + template.given
        return self.options.usual(template.function, count, place + template.given, template.names[place])

    def _is_text(self, reference: str) -> bool:
        pointer = self.table.plain(reference)
        target = self.table.plain(pointer.target) if isinstance(pointer, CPointer) else None
        return isinstance(target, Basic) and target.encoding is Encoding.CHARACTER

    def _is_size(self, name: str, shape: Scalar) -> bool:
        return shape.draw != "bool" and not shape.enumerators and shape.size >= 2 and is_length(name)

    def _buffer(self, place: CPlace, extent: Extent | None, nullable: bool) -> Shape:
        if extent is None:
            hint = f"--array {place.text}=N gives it N"
            self.notes[f"{place.text} is a void pointer: it points to {BUFFER} bytes; {hint}"] = None
        counted = extent is not None and extent.length is not None
        return Buffer(extent.most if extent else BUFFER, nullable, counted)

    def _null(self, place: CPlace, why: str) -> Null:
        self.notes[f"{place.text} {why}: it is always NULL"] = None
        return Null()

    def _objects(self, target: str, place: CPlace, depth: int, extent: Extent | None) -> Objects:
        own = self.table.unqualified(target)
        inner = place.target() if extent is None else place.target_item(0)
        back = self._way_back(self.table.plain(own))
        self.around.append(self.table.plain(own))
        element = self.shape(own, inner, depth if depth == 0 and self._leads_to_made(own) else depth + 1)
        self.around.pop()
        if extent is not None:
            self.nodes += (extent.most - 1) * nodes_of(element)
        if self.nodes > self.most_nodes:
            raise TooLarge
        return Objects(
            element,
            self.table.declaration(own, NAME),
            nullable=True,
            count=extent.most if extent else None,
            length=extent.length if extent else None,
            constant=self.table.is_const(target),
            ended=extent is not None and extent.ended,
            back=back if extent is None else None,
        )

    def _leads_to_made(self, reference: str) -> bool:
        """Whether it is a pointer to what the project makes: a parameter that leads to it leads to such an object."""
        found = self.table.plain(reference)
        return isinstance(found, CPointer) and self.table.record_name(found.target) in self.options.makers

    def _way_back(self, wanted: CType) -> int | None:
        """How many pointers up an object of this type is; not the one that the pointer lies in, nor one of the same
        type as that: such a list would have no end."""
        if not self.around or self.around[-1] is wanted:
            return None
        return next((up for up, found in enumerate(reversed(self.around), 1) if found is wanted), None)

    def _callback(self, signature: Signature, place: CPlace, nullable: bool) -> Shape:
        if signature.variadic and not signature.parameters:
            return self._null(place, "points to a function without a prototype")
        if self.table.nameless(signature.result) or any(map(self.table.nameless, signature.parameters)):
            return self._null(place, "points to a function of types without names")
        name = f"untaken_callback_{self.options.function}_{len(self.stubs)}"
        self.stubs[name] = self.stub(name, f"{place.operand}()", signature)
        return Callback(name, nullable)

    def stub(self, name: str, shown: str, signature: Signature, *, returns: bool = True) -> Stub:
        """A function of this type that returns inputs; pointers that it returns lead one step further at most."""
        return StubMaker(self.table, self.depth, self.shape).stub(name, shown, signature, returns=returns)

    def check(self) -> None:
        """Options that name what is not there are mistakes."""
        wrong = {
            "--array": self.options.arrays.keys() - self.used_arrays,
            "--non-null": set(self.options.not_null) - self.pointers.keys() - {ALL},
        }
        for option, places in wrong.items():
            for place in sorted(places):
                known = ", ".join(self.pointers) or "none"
                raise UsageError(
                    f"{option} {place}: {self.options.function} has no pointer of that name; there are: {known}"
                )
