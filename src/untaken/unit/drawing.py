"""The C statements of a driver that fill a place with input, shape by shape; and what the input's fields are called."""

from __future__ import annotations

from collections.abc import Iterator

from untaken.unit.literals import string
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
    Variable,
    Within,
    Zero,
)
from untaken.unit.shaping import MOST_SINGLE

FREE_SHARE = (
    2  # of the ways to make an object: one in so many more, or at least one, is as its type says; of a value one
)
THERE_BITS = 7  # of a byte: all zero mean NULL, as `untaken_there` of the driver has it
MOSTLY = 8  # of so many numbers one means something else
MOST_INDEX = 3  # where an index is small
NOBODYS_FILE = 1 << 20  # a descriptor from here on is open nowhere: tests that are given one leave others alone
PREFIX = "untaken_given_"  # of the driver's variables for the function's parameters
C_TYPES = {
    "bool": "_Bool",
    "char": "char",
    "schar": "signed char",
    "uchar": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned int",
    "long": "long",
    "ulong": "unsigned long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
}


BEFORE = "before: choice"  # which function is called before all else


def broken_name(parameter: str) -> str:
    """Whether a parameter need not be what the function takes for granted."""
    return f"{parameter}: as taken for granted"


def is_broken(number: int) -> bool:
    """What a choice of `broken_name` comes to."""
    return number % MOSTLY == MOSTLY - 1


def there_name(shown: CPlace) -> str:
    return f"{shown.text} != NULL"


def choice_name(shown: CPlace) -> str:
    return f"{shown.text}: choice"


def real_name(shown: CPlace) -> str:
    """Which of the everyday numbers it is."""
    return f"{shown.text}: everyday"


def then_name(shown: CPlace) -> str:
    """Which call follows the one that made an object."""
    return f"{shown.text} then: choice"


def same_name(shown: CPlace) -> str:
    """Which other parameter it is the same as."""
    return f"{shown.text}: same as"


def followed_name(parameter: str) -> str:
    """The driver's variable for the way in which a parameter was made, where others may be like it."""
    return f"untaken_way_of_{parameter}"


def draw(shape: Shape, place: CPlace, shown: CPlace, indent: str, around: tuple[CPlace, ...] = ()) -> Iterator[str]:
    """The statements that fill a place; `shown` is what the fields of the input are called, `around` the objects that
    pointers on the way here point to."""
    match shape:
        case Scalar():
            yield from _scalar(shape, place, shown, indent)
        case Real():
            yield from _real(shape, place, shown, indent)
        case ScalarBlock(element, count):
            yield f"{indent}untaken_input((void *)&{place.operand}, {element.size * count}, {quoted(shown.text)});"
        case ArrayShape(element, count):
            for index in range(count):
                yield from draw(element, place.item(index), shown.item(index), indent, around)
        case Fields(members=members, union=False):
            for name, member in members:
                if isinstance(member, Within):
                    yield from _within(member, place, shown, name, indent)
                else:
                    yield from draw(member, place.member(name), shown.member(name), indent, around)
        case Fields(members=members):
            yield from _union(members, place, shown, indent, around)
        case MadeValue():
            yield from _made_value(shape, place, shown, indent, around)
        case Handle(ways=ways):
            yield f"{indent}switch (untaken_way({len(ways)}, {quoted(choice_name(shown))})) {{"
            yield from (f"{indent}case {index}: {place.text} = {way}; break;" for index, way in enumerate(ways))
            yield f"{indent}}}"
        case Related():
            yield from _related(shape, place, shown, indent, around)
        case Zero() | Null() | Within():
            return
        case _:
            yield from _pointer(shape, place, shown, indent, around)


def small_name(shown: CPlace) -> str:
    """Whether a number that is used as an index is small."""
    return f"{shown.text}: small"


def way_count(shape: Made | MadeValue) -> int:
    """Numbers that a choice between makers has: those from their count on mean the object as its type says."""
    share = len(shape.makers) // FREE_SHARE if isinstance(shape, Made) else 1
    return len(shape.makers) + (0 if shape.otherwise is None else max(1, share))


def same_count(shape: Related) -> int:
    """Numbers that a choice of what a pointer is the same as has: 0, and those behind the last, mean nothing."""
    return 2 * len(shape.others) + 1


def then_count(shape: Made) -> int:
    """Numbers that a choice of what follows has: about half of them mean that nothing does."""
    return 2 * len(shape.setters) + 1


def length_draw(most: int) -> str:
    """The smallest type that has all lengths up to the most: any value means one of them, so that no input is lost."""
    return next((draw for draw, end in (("uchar", 1 << 8), ("ushort", 1 << 16)) if most < end), "uint")


def _length(most: int, shape: Scalar, place: CPlace, shown: CPlace, indent: str) -> Iterator[str]:
    draw = length_draw(most)
    yield f"{indent}{{ {C_TYPES[draw]} untaken_value; untaken_input_{draw}(&untaken_value, {quoted(shown.text)});"
    yield f"{indent}  *({C_TYPES[shape.draw]} *)(void *)&{place.operand} = untaken_value % {most + 1}u; }}"


def _scalar(shape: Scalar, place: CPlace, shown: CPlace, indent: str) -> Iterator[str]:
    if shape.most is not None:
        yield from _length(shape.most, shape, place, shown, indent)
        return
    kind = C_TYPES[shape.draw]
    yield f"{indent}{{ {kind} untaken_value; untaken_input_{shape.draw}(&untaken_value, {quoted(shown.text)});"
    if shape.strict and shape.enumerators:
        values = dict.fromkeys(value for _, value in shape.enumerators)
        # Without branches: an assumption is one condition.
        yield f"{indent}  untaken_assume({' | '.join(f'(untaken_value == {value})' for value in values)});"
    if shape.index:
        yield f"{indent}  if (untaken_there({quoted(small_name(shown))})) untaken_value &= {MOST_INDEX};"
    if shape.descriptor:
        yield f"{indent}  untaken_value |= (untaken_value > 0) * {NOBODYS_FILE};"
    if shape.usual:
        yield from _usual(shape, shown, indent + "  ")
    target = place.text if shape.bits is not None else f"*({kind} *)(void *)&{place.operand}"
    yield f"{indent}  {target} = untaken_value; }}"


def usual_name(shown: CPlace) -> str:
    """Which of the numbers it is that callers pass."""
    return f"{shown.text}: usual"


def usual_count(shape: Scalar) -> int:
    """Numbers that a choice of these has: the one behind them means any number; others too, or mostly the first."""
    return max(MOSTLY, len(shape.usual) + 1) if shape.always else 2 * len(shape.usual)


def usual_number(shape: Scalar, choice: int, drawn: int) -> int:
    """What a choice comes to."""
    if choice < len(shape.usual):
        return shape.usual[choice]
    return shape.usual[0] if shape.always and choice > len(shape.usual) else drawn


def _usual(shape: Scalar, shown: CPlace, indent: str) -> Iterator[str]:
    yield f"{indent}switch (untaken_way({usual_count(shape)}, {quoted(usual_name(shown))})) {{"
    for index, number in enumerate(shape.usual):
        yield f"{indent}case {index}: untaken_value = ({C_TYPES[shape.draw]}){number}; break;"
    yield f"{indent}case {len(shape.usual)}: break;"
    if shape.always:
        yield f"{indent}default: untaken_value = ({C_TYPES[shape.draw]}){shape.usual[0]};"
    yield f"{indent}}}"


def _real(shape: Real, place: CPlace, shown: CPlace, indent: str) -> Iterator[str]:
    kind = "long double" if shape.wide else shape.draw
    choices = ", ".join(shape.choices)
    yield f"{indent}{{ static const double untaken_choices[] = {{{choices}}};"
    yield f"{indent}  unsigned untaken_k = untaken_choice({len(shape.choices) + 1}, {quoted(real_name(shown))});"
    yield f"{indent}  {shape.draw} untaken_raw = 0;"
    yield f"{indent}  if (untaken_k == 0) untaken_input_{shape.draw}(&untaken_raw, {quoted(shown.text)});"
    yield f"{indent}  else untaken_raw = ({shape.draw})untaken_choices[untaken_k - 1];"
    yield f"{indent}  *({kind} *)(void *)&{place.operand} = untaken_raw; }}"


def _union(
    members: tuple[tuple[str, Shape], ...], place: CPlace, shown: CPlace, indent: str, around: tuple[CPlace, ...]
) -> Iterator[str]:
    if len(members) == 1:
        name, member = members[0]
        yield from draw(member, place.member(name), shown.member(name), indent, around)
        return
    yield f"{indent}switch (untaken_way({len(members)}, {quoted(choice_name(shown))})) {{"
    for index, (name, member) in enumerate(members):
        yield f"{indent}case {index}:"
        yield from draw(member, place.member(name), shown.member(name), indent + "    ", around)
        yield f"{indent}    break;"
    yield f"{indent}}}"


def _within(shape: Within, place: CPlace, shown: CPlace, name: str, indent: str) -> Iterator[str]:
    """A member that points into the array of another one; `place` is the struct."""
    start, own = place.member(shape.start).text, place.member(name).text
    if shape.at_end:
        yield f"{indent}if ({start}) {own} = {start} + {shape.count};"
        return
    chosen = f"untaken_choice({shape.count + 1}, {quoted(choice_name(shown.member(name)))})"
    yield f"{indent}if ({start}) {{ unsigned long untaken_k = {chosen} + ({place.member(shape.after).text} - {start});"
    yield f"{indent}  {own} = {start} + (untaken_k < {shape.count} ? untaken_k : {shape.count}); }}"


def _pointer(shape: Shape, place: CPlace, shown: CPlace, indent: str, around: tuple[CPlace, ...]) -> Iterator[str]:
    """What is pointed to is filled through a pointer of the driver's own, and only then put in its place."""
    assert isinstance(shape, Objects | Enclosing | Text | Buffer | Callback | Stream | Made)
    condition = f"untaken_there({quoted(there_name(shown))})" if shape.nullable else "1"
    inside = indent + "    "
    pointer = f"untaken_{len(inside)}"
    yield f"{indent}if ({condition}) {{"
    match shape:
        case Text():
            yield from _text(shape, pointer, shown, inside)
        case Buffer(size=size):
            yield f"{inside}void *{pointer} = untaken_new({size});"
            yield f"{inside}untaken_input({pointer}, {size}, {quoted(shown.text)});"
        case Callback(stub=stub):
            yield f"{inside}void *{pointer} = (void *){stub};"
        case Enclosing(up=up):
            yield f"{inside}void *{pointer} = (void *)&{around[-up].operand};"
        case Stream():
            empty = '(void *)fopen("/dev/null", "r+")'
            chosen = f"untaken_choice(2, {quoted(choice_name(shown))})"
            yield f"{inside}void *{pointer} = {chosen} ? (void *)stdin : {empty};"
        case Made():
            yield from _made(shape, pointer, shown, inside, around)
        case Objects(count=None):
            yield from _object(shape, place, shown, inside, around)
        case Objects():
            yield from _array(shape, place, shown, inside, around)
    yield f"{inside}*(void **)(void *)&{place.operand} = (void *){pointer};"
    yield f"{indent}}}"


def _text(shape: Text, pointer: str, shown: CPlace, indent: str) -> Iterator[str]:
    """A copy of one of its words, or what the input says."""
    room, drawn = text_room(shape), f"untaken_input({pointer}, {shape.most}, {quoted(shown.text)});"
    yield f"{indent}void *{pointer} = untaken_new({room});"
    if not shape.words:
        yield f"{indent}{drawn}"
        return
    yield f"{indent}switch (untaken_way({word_count(shape)}, {quoted(choice_name(shown))})) {{"
    for index, word in enumerate(shape.words, 1):
        yield f"{indent}case {index}: __builtin_strcpy({pointer}, {string(word.encode())}); break;"
    if shape.always:
        yield f"{indent}case 0: {drawn} break;"
        drawn = f"__builtin_strcpy({pointer}, {string(shape.words[0].encode())});"
    yield f"{indent}default: {drawn}"
    yield f"{indent}}}"


def text_room(shape: Text) -> int:
    """Bytes for the longest text, and the zero behind it."""
    return max(shape.most, *(len(word) for word in shape.words), 0) + 1


def word_count(shape: Text) -> int:
    """Numbers that a choice of a text has: 0 means that it is drawn; those behind the words, too, or the first."""
    return max(MOSTLY, len(shape.words) + 1) if shape.always else 2 * len(shape.words) + 1


def chosen_word(shape: Text, choice: int) -> str | None:
    """What a choice comes to; None for a text that is drawn."""
    if 0 < choice <= len(shape.words):
        return shape.words[choice - 1]
    return shape.words[0] if choice and shape.always else None


def _made(shape: Made, pointer: str, shown: CPlace, indent: str, around: tuple[CPlace, ...]) -> Iterator[str]:
    """By one of the project's functions, or as its type says."""
    yield f"{indent}{shape.declared.replace(NAME, f'*{pointer}')} = 0;"
    inner = indent + "    "
    yield f"{indent}switch ({_way(shape, shown)}) {{"
    for index, maker in enumerate(shape.makers):
        yield f"{indent}case {index}: {{"
        if maker.given:
            yield f"{inner}{pointer} = untaken_new(sizeof *{pointer});"
        yield from _call(maker, pointer, "" if maker.given else f"{pointer} = (void *)", shown, inner, around)
        yield f"{indent}    break; }}"
    if shape.otherwise is not None:
        yield f"{indent}default:"
        yield from draw(shape.otherwise, CPlace(pointer), shown, inner, around)
    yield f"{indent}}}"
    if not shape.nullable:
        yield f"{indent}untaken_assume({pointer} != 0);"
    if shape.setters:
        yield from _changed(shape, pointer, shown, indent, around)


def _way(shape: Made | MadeValue, shown: CPlace) -> str:
    """Which of the ways to make it, or as the type says; perhaps the one of the parameter that it may be like."""
    count, name = way_count(shape), quoted(choice_name(shown))
    if shape.like:
        return f"untaken_way_like({count}, {followed_name(shape.like)}, {name})"
    way = f"untaken_way({count}, {name})"
    return f"{followed_name(shown.text)} = {way}" if shape.followed else way


def _related(shape: Related, place: CPlace, shown: CPlace, indent: str, around: tuple[CPlace, ...]) -> Iterator[str]:
    """What the other leads to; where that is nothing, as if there were no relation."""
    yield f"{indent}{{ void *untaken_same = 0;"
    yield f"{indent}switch (untaken_way({same_count(shape)}, {quoted(same_name(shown))})) {{"
    for number, (parameter, member) in enumerate(shape.others, 1):
        other = f"{PREFIX}{parameter}"
        inside = f"{other} ? (void *){other}->{member} : 0" if member else f"(void *){other}"
        yield f"{indent}case {number}: untaken_same = {inside}; break;"
    yield f"{indent}}}"
    yield f"{indent}if (untaken_same) *(void **)(void *)&{place.operand} = untaken_same;"
    yield f"{indent}else {{"
    yield from draw(shape.otherwise, place, shown, indent + "    ", around)
    yield f"{indent}}} }}"


def _changed(shape: Made, pointer: str, shown: CPlace, indent: str, around: tuple[CPlace, ...]) -> Iterator[str]:
    """Round by round one of the functions that change such objects, until none is wanted."""
    round, inner = f"untaken_round_{len(indent)}", indent + "        "
    choice = f"untaken_way({then_count(shape)}, {quoted(then_name(shown))})"
    yield f"{indent}for (int {round} = 0; {pointer} && {round} < {shape.rounds}; {round}++) {{"
    yield f"{indent}    switch ({choice}) {{"
    for index, setter in enumerate(shape.setters, 1):
        yield f"{indent}    case {index}: {{"
        yield from _call(setter, pointer, "", shown, inner, around)
        yield f"{indent}        continue; }}"
    yield f"{indent}    }}"
    yield f"{indent}    break;"
    yield f"{indent}}}"


def _made_value(
    shape: MadeValue, place: CPlace, shown: CPlace, indent: str, around: tuple[CPlace, ...]
) -> Iterator[str]:
    """As a function returns it, or as its type says."""
    yield f"{indent}switch ({_way(shape, shown)}) {{"
    for index, maker in enumerate(shape.makers):
        yield f"{indent}case {index}: {{"
        yield from _call(maker, "", f"{place.operand} = ", shown, indent + "    ", around)
        yield f"{indent}    break; }}"
    if shape.otherwise is not None:
        yield f"{indent}default:"
        yield from draw(shape.otherwise, place, shown, indent + "    ", around)
    yield f"{indent}    break;"
    yield f"{indent}}}"


def _call(
    call: MakerCall, pointer: str, into: str, shown: CPlace, indent: str, around: tuple[CPlace, ...]
) -> Iterator[str]:
    """Arguments are drawn as those of the function itself."""
    names = [f"untaken_argument_{len(indent)}_{place}" for place in range(len(call.parameters))]
    for name, variable in zip(names, call.parameters, strict=True):
        yield f"{indent}static {variable.declared.replace(NAME, name)};"
        yield f"{indent}__builtin_memset((void *)&{name}, 0, sizeof {name});"
        yield from draw(variable.shape, CPlace(name), argument_place(call, variable), indent, around)
    if call.is_assignment:
        yield f"{indent}{f'(({call.through}){pointer})' if call.through else pointer}->{call.member} = {names[0]};"
        return
    made = f"{names[0]}->{call.member}" if call.member else _called(call, [pointer] * call.given + names)
    yield f"{indent}{into}{made};"


def _called(call: MakerCall, arguments: list[str]) -> str:
    return f"{call.function}({', '.join(arguments)})"


def argument_place(call: MakerCall, variable: Variable) -> CPlace:
    """What the input calls an argument of a call that makes an object."""
    return CPlace(f"{call.function or call.member}_{variable.name}")


def _object(shape: Objects, place: CPlace, shown: CPlace, indent: str, around: tuple[CPlace, ...]) -> Iterator[str]:
    """A new one, or one that the pointer lies in."""
    pointer = f"untaken_{len(indent)}"
    made = f"untaken_new(sizeof *{pointer})"
    target = CPlace(pointer, through=True)
    if shape.back is None:
        yield f"{indent}{_pointer_to(shape, pointer)} = {made};"
        yield from draw(shape.element, target, shown.target(), indent, (*around, target))
        return
    outer = f"(void *)&{around[-shape.back].operand}"
    yield f"{indent}unsigned untaken_back_{len(indent)} = untaken_choice(2, {quoted(choice_name(shown))});"
    yield f"{indent}{_pointer_to(shape, pointer)} = untaken_back_{len(indent)} ? {outer} : {made};"
    yield f"{indent}if (!untaken_back_{len(indent)}) {{"
    yield from draw(shape.element, target, shown.target(), indent + "    ", (*around, target))
    yield f"{indent}}}"


def _array(shape: Objects, place: CPlace, shown: CPlace, indent: str, around: tuple[CPlace, ...]) -> Iterator[str]:
    assert shape.count is not None
    pointer = f"untaken_{len(indent)}"
    length = f"untaken_length_{len(indent)}"
    amount = str(shape.count)
    if shape.length is not None:
        amount = f"untaken_counted((unsigned long){PREFIX}{shape.length}, {shape.count})"
    size = f"{length} * sizeof *{pointer}"
    yield f"{indent}unsigned long {length} = {amount};"
    yield f"{indent}{_pointer_to(shape, pointer)} = untaken_new({size});"
    if in_one_piece(shape):
        yield f"{indent}untaken_input((void *){pointer}, {size}, {quoted(shown.text)});"
        return
    for index in range(shape.count - shape.ended):
        yield f"{indent}if ({length} > {index}) {{"
        item = CPlace(f"{pointer}[{index}]")
        yield from draw(shape.element, item, shown.target_item(index), indent + "    ", (*around, item))
        yield f"{indent}}}"


def _pointer_to(shape: Objects, name: str) -> str:
    """Declared by what it points to: the parameter itself may be a void pointer."""
    return shape.declared.replace(NAME, f"(*{name})" if f"{NAME}[" in shape.declared else f"*{name}")


def in_one_piece(shape: Objects) -> bool:
    """Whether the elements of an array are drawn as one stretch of bytes."""
    element, count = shape.element, shape.count or 1
    return isinstance(element, Scalar) and count > MOST_SINGLE and element.draw != "bool" and not element.strict


def quoted(text: str) -> str:
    return f'"{text}"'
