"""Values as C objects: declarations with initialisers, one for each object that a pointer leads to."""

from __future__ import annotations

from dataclasses import dataclass, field

from untaken.unit.drawing import text_room
from untaken.unit.export.values import Address, Back, Chosen, DrawnValue, MadeBy, Position, Same, is_zero
from untaken.unit.literals import character, identifier, number, readable, string
from untaken.unit.places import CPlace
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
    Related,
    Scalar,
    ScalarBlock,
    Shape,
    Stream,
    Text,
    Within,
    Zero,
)

MOST_SHOWN = 4  # a larger struct is written without the members that are zero
ON_HEAP = "on_heap"
STREAM_OF = "stream_of"
DESCRIPTOR_OF = "descriptor_of"


def declared_as(declaration: str, name: str) -> str:
    return declaration.replace(NAME, name)


def pointer_to(declaration: str, name: str) -> str:
    """A pointer to what is declared."""
    return declaration.replace(NAME, f"(*{name})" if f"{NAME}[" in declaration else f"*{name}")


@dataclass(slots=True)
class ObjectWriter:
    """Collects declarations. `heap`: what the function is given may be freed, so it is allocated."""

    heap: bool
    names: set[str]
    callbacks: dict[str, str]
    lines: list[str] = field(default_factory=list)
    around: list[tuple[str, CPlace]] = field(default_factory=list)  # objects under way: their names and places
    links: list[str] = field(default_factory=list)  # pointers back to them, set when all are there
    parameters: dict[str, str] = field(default_factory=dict)  # what they are given, as far as that is written
    opened: dict[str, str] = field(default_factory=dict)  # what has the input's content: all that read it read the same

    def fresh(self, wanted: str) -> str:
        name, count = wanted, 1
        while name in self.names:
            count += 1
            name = f"{wanted}_{count}"
        self.names.add(name)
        return name

    def expression(self, shape: Shape, value: DrawnValue, shown: CPlace) -> str:
        """What initialises an object of this shape; what it points to is declared before."""
        match shape, value:
            case Scalar(), int():
                return number(shape, value)
            case Real(), str():
                return _real(value)
            case ((ScalarBlock(element=element) | ArrayShape(element=element)), tuple()):
                return self._array(element, value, shown)
            case Fields(), tuple() if is_zero(value):
                return "{0}"
            case Fields(), tuple() | Chosen():
                return self._braced(self._members(shape, value, shown))
            case Handle(ways=ways), Chosen(index=index):
                return ways[index]
            case Made(), MadeBy():
                return self._made(shape, value, shown)
            case MadeValue(), MadeBy():
                return self._made_value(shape, value, shown)
            case _, Same(parameter, member):
                return _part(self.parameters[parameter], member)
            case Related(otherwise=otherwise), _:
                return self.expression(otherwise, value, shown)
            case _, Back(up=up):
                return self._link(up, shown)
            case _, Address():
                return self._address(shape, value, shown)
            case ((Text() | Buffer() | Objects() | Enclosing() | Callback() | Stream() | Null() | Made()), _):
                return "NULL"
            case ((Fields() | ArrayShape() | ScalarBlock()), _):
                return "{0}"
            case _:
                return "0"

    def _array(self, element: Shape, values: tuple[DrawnValue, ...], shown: CPlace) -> str:
        """Zeros at the end need not be said; characters are a string."""
        used = len(values)
        while used and is_zero(values[used - 1]):
            used -= 1
        if isinstance(element, Scalar) and element.draw == "char" and used < len(values):
            return string(bytes(value & 0xFF for value in values[:used] if isinstance(value, int)))
        if (text := _text(element, values)) is not None:
            return text
        items = [self.expression(element, value, shown.item(index)) for index, value in enumerate(values[:used])]
        return self._braced(_without_zeros(items))

    def _braced(self, items: list[str]) -> str:
        return f"{{{', '.join(items)}}}" if items else "{0}"

    def _members(self, shape: Fields, value: tuple[DrawnValue, ...] | Chosen, shown: CPlace) -> list[str]:
        """Members of an anonymous struct or union are named as if they were the outer one's."""
        if isinstance(value, Chosen):
            name, member = shape.members[value.index]
            return self._member(name, member, value.value, shown)
        pairs = zip(shape.members, value, strict=True)
        given = [(name, member, item) for (name, member), item in pairs]
        if len(given) > MOST_SHOWN:
            given = [entry for entry in given if not is_zero(entry[2])]
        texts: dict[str, list[str]] = {}
        for name, member, item in given:
            if isinstance(member, Within):
                if isinstance(item, Position):
                    start = texts[member.start][0].partition(" = ")[2]
                    texts[name] = [f".{name} = {_position(start, item)}"]
            else:
                texts.setdefault(name, []).extend(self._member(name, member, item, shown))
        return [text for found in texts.values() for text in found]

    def _member(self, name: str, shape: Shape, value: DrawnValue, shown: CPlace) -> list[str]:
        if not name and isinstance(shape, Fields) and isinstance(value, tuple | Chosen):
            return self._members(shape, value, shown)
        text = self.expression(shape, value, shown.member(name))
        # Zeros need not be said, and not every type can be set to 0.
        unsaid = value is None or isinstance(value, Back) or (is_zero(value) and text.startswith("{"))
        return [f".{name} = {text}"] if name and not unsaid else []

    # ---- what pointers lead to

    def _address(self, shape: Shape, value: Address, shown: CPlace) -> str:
        match shape:
            case Callback(stub=stub):
                return self.callbacks[stub]
            case Stream():
                return self._stream(value, shown)
            case Scalar():
                assert isinstance(value.content, bytes)
                return self._opened("int ", DESCRIPTOR_OF, value.content, shown)
            case Text(constant=constant):
                assert isinstance(value.content, bytes)
                return self._text(value.content, text_room(shape), constant, shown)
            case Buffer(size=size, characters=characters):
                assert isinstance(value.content, bytes)
                return self._bytes(value.content, size, characters, shown)
            case _:
                assert isinstance(shape, Objects)
                return self._objects(shape, value, shown)

    def _made(self, shape: Made, value: MadeBy, shown: CPlace) -> str:
        """A variable for the object, and the calls that made it what it is."""
        if value.maker >= len(shape.makers):
            assert shape.otherwise is not None
            name = self.expression(shape.otherwise, value.arguments[0], shown)
        else:
            name = self._made_by(shape, shape.makers[value.maker], value, shown)
        for setter, arguments in value.then:
            self.lines.append(f"{self._changed(shape.setters[setter], arguments, name)};")
        return name if name.startswith("(") else _cast(shape, name)  # what the driver fills may be cast already

    def _changed(self, call: MakerCall, arguments: tuple[DrawnValue, ...], object: str) -> str:
        """A call that changes an object, or an assignment to its member."""
        if not call.is_assignment:
            return self._called(call, arguments, object)
        value = self.expression(call.parameters[0].shape, arguments[0], CPlace(call.member))
        if call.through and not object.startswith("("):
            return f"(({call.through}){object})->{call.member} = {value}"
        own = object.rpartition(")")[2]  # of that type itself, and only cast for the function
        place = f"{own[1:]}." if own.startswith("&") else f"{own}->"
        return f"{place}{call.member} = {value}"

    def _made_by(self, shape: Made, maker: MakerCall, value: MadeBy, shown: CPlace) -> str:
        name = self.fresh(identifier(shown.text))
        declared = pointer_to(shape.declared, name)
        if maker.given:
            self.lines.append(f"{declared} = calloc(1, sizeof *{name});")
            self.lines.append(f"{self._called(maker, value.arguments, name)};")
        else:
            made = self._called(maker, value.arguments)
            self.lines.append(f"{declared} = {made};")
        return name

    def _made_value(self, shape: MadeValue, value: MadeBy, shown: CPlace) -> str:
        if value.maker >= len(shape.makers):
            assert shape.otherwise is not None
            return self.expression(shape.otherwise, value.arguments[0], shown)
        return self._called(shape.makers[value.maker], value.arguments)

    def _called(self, call: MakerCall, values: tuple[DrawnValue, ...], object: str = "") -> str:
        """The call, or the member that stands for it; its arguments are declared before."""
        arguments = [object] if call.given else []
        for variable, value in zip(call.parameters, values, strict=True):
            wanted = CPlace(variable.name if not call.member else f"{call.member}_{variable.name}")
            text = self.expression(variable.shape, value, wanted)
            arguments.append(f"({variable.declared.replace(NAME, '').strip()}){text}" if text[0] == "{" else text)
        return f"{arguments[0]}->{call.member}" if call.member else f"{call.function}({', '.join(arguments)})"

    def _stream(self, value: Address, shown: CPlace) -> str:
        if isinstance(value.content, bytes):
            return self._opened("FILE *", STREAM_OF, value.content, shown)
        name = self.fresh(identifier(shown.text))
        self.lines.append(f'FILE *{name} = fopen("/dev/null", "r+");')
        return name

    def _opened(self, declared: str, function: str, content: bytes, shown: CPlace) -> str:
        """Standard input is one file, whatever it is given for."""
        name = self.fresh(identifier(shown.text))
        first = self.opened.setdefault(function, name)
        opened = f"{function}({string(content)}, {len(content)})" if first == name else first
        self.lines.append(f"{declared}{name} = {opened};")
        return name

    def _text(self, content: bytes, room: int, constant: bool, shown: CPlace) -> str:
        literal = string(content.rstrip(b"\0"))
        # What a parameter leads to is the caller's, if it is const; a member's text may be the object's own.
        if constant and (not self.heap or shown.text.isidentifier()):
            return literal
        name = self.fresh(identifier(shown.text))
        if self.heap:
            self.lines.append(f"char *{name} = {ON_HEAP}({literal}, {len(content.rstrip(bytes(1))) + 1}, {room});")
        else:
            self.lines.append(f"char {name}[{room}] = {literal};")
        return name

    def _bytes(self, content: bytes, size: int, characters: bool, shown: CPlace) -> str:
        name = self.fresh(identifier(shown.text))
        used = content.rstrip(b"\0")
        if self.heap:
            self.lines.append(f"void *{name} = {ON_HEAP}({string(used)}, {len(used)}, {size});")
        elif characters and len(used) < size:
            self.lines.append(f"char {name}[{size}] = {string(used)};")
        elif characters:
            listed = ", ".join(character(byte - 256 if byte > 127 else byte) for byte in used)
            self.lines.append(f"char {name}[{size}] = {{{listed}}};")
        else:
            text = readable(used) if len(used) < size else None
            listed = text or f"{{{', '.join(str(byte) for byte in used) or '0'}}}"
            self.lines.append(f"unsigned char {name}[{size}] = {listed};")
        return name

    def _objects(self, shape: Objects, value: Address, shown: CPlace) -> str:
        assert isinstance(value.content, tuple)
        if shape.count is None:
            return self._one(shape, value.content[0], shown)
        name = self.fresh(identifier(shown.text))
        if (text := _text(shape.element, value.content)) is not None:
            return self._declared_many(shape, f"{{{text}}}" if self.heap else text, len(value.content), name)
        items = []
        for index, item in enumerate(value.content):
            self.around.append((f"{name}[{index}]", shown.target_item(index)))
            items.append(self.expression(shape.element, item, shown.target_item(index)))
            self.around.pop()
        return self._many(shape, items, name)

    def _one(self, shape: Objects, value: DrawnValue, shown: CPlace) -> str:
        name = self.fresh(identifier(shown.text))
        self.around.append((name, shown))
        text = self.expression(shape.element, value, shown.target())
        self.around.pop()
        if self.heap and text == "{0}":
            self.lines.append(f"{pointer_to(shape.declared, name)} = calloc(1, sizeof *{name});")
            return _cast(shape, name)
        if self.heap:
            literal = f"&({shape.declared.replace(NAME, '').strip()}){_in_braces(text)}"
            self.lines.append(f"{pointer_to(shape.declared, name)} = {_heap(literal, name)};")
            return _cast(shape, name)
        self.lines.append(f"{declared_as(shape.declared, name)} = {text};")
        return _cast(shape, f"&{name}")

    def _link(self, up: int, shown: CPlace) -> str:
        """NULL for now: an object that is not declared yet has no address."""
        target, _ = self.around[-up]
        name, outer = self.around[-1]
        if shown == outer.target():  # the object is nothing but this pointer
            place = f"*{name}" if self.heap else name
        else:
            inside = shown.text[len(outer.operand) :]
            place = f"{name}{inside}" if self.heap or not inside.startswith("->") else f"{name}.{inside[2:]}"
        self.links.append(f"{place} = {target if self.heap else f'&{target}'};")
        return "NULL"

    def _many(self, shape: Objects, items: list[str], name: str) -> str:
        count = max(1, len(items))  # C has no empty arrays
        while items and items[-1] in ("0", "NULL", "{0}"):
            items = items[:-1]  # zeros at the end need not be said
        return self._declared_many(shape, self._braced(_without_zeros(items)), count, name)

    def _declared_many(self, shape: Objects, listed: str, count: int, name: str) -> str:
        if self.heap:
            literal = f"({declared_as(shape.declared, f'[{count}]')}){listed}"
            self.lines.append(f"{pointer_to(shape.declared, name)} = {_heap(literal, name, count)};")
        else:
            self.lines.append(f"{declared_as(shape.declared, f'{name}[{count}]')} = {listed};")
        return _cast(shape, name)


def _text(element: Shape, values: tuple[DrawnValue, ...]) -> str | None:
    """Bytes that are text, with a zero behind it, as a string."""
    if not isinstance(element, Scalar) or element.draw != "uchar" or element.enumerators:
        return None
    data = bytes(value for value in values if isinstance(value, int)).rstrip(b"\0")
    return readable(data) if len(data) < len(values) else None


def _without_zeros(items: list[str]) -> list[str]:
    """Structs of zeros need not be said, and not every `{0}` is taken without a warning."""
    if "{0}" not in items:
        return items
    return [f"[{index}] = {item}" for index, item in enumerate(items) if item != "{0}"]


def _position(start: str, value: DrawnValue) -> str:
    """A pointer so many elements behind a start."""
    if not isinstance(value, Position):
        return "NULL"
    return f"{start} + {value.index}" if value.index else start


def _part(pointer: str, member: str) -> str:
    """What a pointer leads to itself, or its member."""
    if not member or pointer == "NULL":
        return pointer
    if pointer.startswith("&"):
        return f"{pointer[1:]}.{member}"
    return f"({pointer})->{member}" if pointer.startswith("(") else f"{pointer}->{member}"


def _cast(shape: Objects | Made, pointer: str) -> str:
    return f"({shape.given_as}){pointer}" if shape.given_as else pointer


def _heap(literal: str, name: str, count: int = 1) -> str:
    size = f"sizeof *{name}" if count == 1 else f"{count} * sizeof *{name}"
    return f"{ON_HEAP}({literal}, {size}, {size})"


def _in_braces(text: str) -> str:
    return text if text.startswith("{") else f"{{{text}}}"


def _real(text: str) -> str:
    """In decimal where that says the same."""
    if text.startswith(("_", "-_")):
        return text
    return repr(float.fromhex(text))


def assignments(writer: ObjectWriter, shape: Shape, value: DrawnValue, place: CPlace) -> list[str]:
    """Statements that give a variable which is there already its value."""
    match shape, value:
        case Fields(), tuple():
            pairs = zip(shape.members, value, strict=True)
            lines = []
            for (name, member), item in pairs:
                if isinstance(member, Within):
                    lines.append(f"{place.member(name).text} = {_position(place.member(member.start).text, item)};")
                else:
                    lines += assignments(writer, member, item, place.member(name))
            return lines
        case Fields(), Chosen(index, inner):
            name, member = shape.members[index]
            return assignments(writer, member, inner, place.member(name))
        case MadeValue(makers=makers, otherwise=otherwise), MadeBy(maker=maker) if maker >= len(makers):
            assert otherwise is not None
            return assignments(writer, otherwise, value.arguments[0], place)
        case ((ArrayShape(element=element) | ScalarBlock(element=element)), tuple()):
            return [
                line
                for index, item in enumerate(value)
                for line in assignments(writer, element, item, place.item(index))
            ]
        case ((Fields() | ArrayShape() | ScalarBlock() | Zero()), _):
            return []
        case _:
            return [f"{place.text} = {writer.expression(shape, value, place)};"]
