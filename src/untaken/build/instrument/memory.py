"""Labels of memory: loads, stores, atomics, block copies."""

from __future__ import annotations

from untaken.build.instrument import abi
from untaken.build.instrument.arithmetic import Labelled, cast_label, concretise, labelled, result_of
from untaken.build.instrument.labels import shape
from untaken.build.instrument.writing.constants import constant_bits
from untaken.build.instrument.writing.steps import LARGEST_EXTRA, Step
from untaken.build.instrument.writing.writer import FunctionWriter
from untaken.build.ir.instructions import Alloca, AtomicUpdate, CallInstruction, CompareExchange, Load, StoreInstruction
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import WORD_BITS, Float, Integer, Pointer, Type, Vector, is_wide, label_width

KnownObject = tuple[str | None, int]  # what an address points into, and how large that is
Reached = tuple[Labelled, Labelled]  # an address as two operands whose sum it is: the second is concrete
_WORD = WORD_BITS // 8

# A copy of at most this many bytes is watched through its first and last line; larger ones are always told.
BLOCKS = ("memcpy", "memmove", "memset")
_WATCHED_COPY = 64
_OF_A_TARGET, _OF_A_SIZE = 1, 2  # what is pinned, as the header of the runtime has it


def load(writer: FunctionWriter, instruction: Load, known_object: KnownObject) -> None:
    """After the load itself. `known_object`: what the address points into."""
    if instruction.type.size == 0:
        return
    writer.watch(instruction.pointer.text, _extent(instruction.type), instruction.align)
    labels = writer.labels.of(result_of(instruction))
    for leaf, label in zip(shape(instruction.type), labels, strict=True):
        place = _at(writer, instruction.pointer, leaf.offset)
        value = result_of(instruction)
        if leaf.indices:
            value = Value(leaf.type, writer.group.before(f"extractvalue {value}, {', '.join(map(str, leaf.indices))}"))
        load_label(writer, place, (value, label), known_object)


def load_label(writer: FunctionWriter, place: Labelled, result: Labelled, known: KnownObject = (None, 0)) -> None:
    """The label of a scalar that was loaded."""
    value, label = result
    if not label:
        _load_concrete(writer, place, value.type)
    elif is_wide(value.type):
        _load_wide(writer, place, result, known)
    elif isinstance(value.type, Integer) and value.type.width % 8:
        # An integer that does not fill its bytes, such as i1: the bytes' expression, cut.
        whole = (Value(Integer(64), writer.group.before(f"zext {value} to i64")), writer.labels.fresh())
        _load_step(writer, whole, writer.group.reach(place), known, value.type.size)
        descriptor = abi.CAST_OPS["trunc"] | value.type.size * 8 << 8 | value.type.width << 16
        writer.group.step(Step.CAST, result, whole, descriptor=descriptor)
    else:
        _load_step(writer, result, writer.group.reach(place), known, value.type.size)


def _load_concrete(writer: FunctionWriter, place: Labelled, kind: Type) -> None:
    """What has no label: if there is input in memory, the load is counted, with the reason."""
    reason = abi.BY_VECTOR if isinstance(kind, Vector) else abi.BY_FLOAT if isinstance(kind, Float) else abi.BY_WIDE
    reached, size = writer.group.reach(place), kind.size
    writer.group.step(Step.LOAD, None, *reached, descriptor=max(2 * _WORD, size), extra=reason | size << 8)


def _load_wide(writer: FunctionWriter, place: Labelled, result: Labelled, known: KnownObject) -> None:
    """The lower word and what is above are loaded each by itself, and joined."""
    value = result[0]
    whole = Integer(8 * value.type.size)
    if label_width(value.type) != whole.width:
        value = Value(whole, writer.group.before(f"zext {value} to {whole}"))
    low, high = ((half, writer.labels.fresh()) for half in writer.group.halves(value))
    _load_step(writer, low, writer.group.reach(place), known, _WORD)
    _load_step(writer, high, _further(writer, writer.group.reach(place), _WORD), known, whole.size - _WORD)
    joined = result if value is result[0] else (value, writer.labels.fresh())
    descriptor = abi.HALVES_OPS["concat"] | WORD_BITS << 8 | whole.width << 16
    writer.group.step(Step.CAST, joined, high, low, descriptor=descriptor)
    if joined is not result:
        cast_label(writer, "trunc", joined, result)


def _load_step(writer: FunctionWriter, result: Labelled, reached: Reached, known: KnownObject, size: int) -> None:
    name, extent = known
    if name is None or extent > LARGEST_EXTRA:  # then the runtime looks for it itself
        writer.group.step(Step.LOAD, result, *reached, None, descriptor=size)
    else:
        writer.group.step(Step.LOAD, result, *reached, (Value(Pointer(), name), 0), descriptor=size, extra=extent)


def _further(writer: FunctionWriter, reached: Reached, by: int) -> Reached:
    """An address some bytes behind."""
    base, (distance, _) = reached
    fixed = constant_bits(distance)
    text = str(fixed + by) if fixed is not None else writer.group.before(f"add {distance}, {by}")
    return base, (Value(Integer(64), text), 0)


def store(writer: FunctionWriter, instruction: StoreInstruction) -> None:
    """Puts the value's labels into the shadow of memory, after the store itself."""
    kind = instruction.value.type
    if kind.size == 0:
        return
    writer.watch(instruction.pointer.text, _extent(kind), instruction.align)
    for leaf, label in zip(shape(kind), writer.labels.of(instruction.value), strict=True):
        place = _at(writer, instruction.pointer, leaf.offset)
        value = instruction.value
        if leaf.indices and label:
            value = Value(leaf.type, writer.group.before(f"extractvalue {value}, {', '.join(map(str, leaf.indices))}"))
        store_label(writer, place, (value, label), _extent(leaf.type))


def store_label(writer: FunctionWriter, place: Labelled, value: Labelled, size: int) -> None:
    """Puts the label of a scalar into shadow memory."""
    if value[1] and is_wide(value[0].type):
        _store_wide(writer, place, value)
    else:
        _store_step(writer, writer.group.reach(place), value, size)


def _store_step(writer: FunctionWriter, reached: Reached, value: Labelled, size: int) -> None:
    base, distance = reached
    writer.group.step(Step.STORE, None, base, value if value[1] else None, distance, descriptor=size)


def _store_wide(writer: FunctionWriter, place: Labelled, value: Labelled) -> None:
    """The lower word and what is above are stored each by itself."""
    whole = Integer(8 * value[0].type.size)
    if label_width(value[0].type) != whole.width:
        bytes_of_value = (Value(whole, writer.group.before(f"zext {value[0]} to {whole}")), writer.labels.fresh())
        cast_label(writer, "zext", value, bytes_of_value)
        value = bytes_of_value
    low, high = ((half, writer.labels.fresh()) for half in writer.group.halves(value[0]))
    cast_label(writer, "trunc", value, low)
    descriptor = abi.HALVES_OPS["extract"] | whole.width << 8 | label_width(high[0].type) << 16
    writer.group.step(Step.CAST, high, value, descriptor=descriptor)
    _store_step(writer, writer.group.reach(place), low, _WORD)
    _store_step(writer, _further(writer, writer.group.reach(place), _WORD), high, whole.size - _WORD)


def _at(writer: FunctionWriter, pointer: Value, offset: int) -> Labelled:
    if not offset:
        return labelled(writer, pointer)
    place = Value(Pointer(), writer.group.before(f"getelementptr i8, ptr {pointer.text}, i64 {offset}"))
    if writer.labels.scalar(pointer):
        pin(writer, pointer)
    return place, 0


def _extent(kind: Type) -> int:
    """Bytes touched; the padding of x86_fp80 and the like is written too."""
    return kind.stride if isinstance(kind, Float) and kind.size > 8 else kind.size


def alloca(writer: FunctionWriter, instruction: Alloca) -> None:
    """A symbolic size is used as it is from here on."""
    if instruction.count is not None:
        pin(writer, instruction.count, _OF_A_SIZE)


def pin(writer: FunctionWriter, value: Value, kind: int = 0) -> None:
    """Records that a symbolic value was taken at its concrete value."""
    if writer.labels.scalar(value):
        writer.group.step(Step.PIN, None, labelled(writer, value), extra=kind)


def decide_target(writer: FunctionWriter, target: Value) -> None:
    """Records where a call or jump through a symbolic pointer led to, so that other targets can be tried."""
    pin(writer, target, _OF_A_TARGET)


def atomic_update(writer: FunctionWriter, instruction: AtomicUpdate) -> None:
    """Emits an atomicrmw with the labels around it: what was there is asked for before."""
    old = _labelled_before(writer, instruction.pointer, instruction.type)
    writer.emit(instruction.text)
    _rename(writer, old, labelled(writer, result_of(instruction)))
    writer.watch(instruction.pointer.text, instruction.type.size, instruction.type.alignment)
    stored = _updated(writer, instruction)
    store_label(writer, labelled(writer, instruction.pointer), stored, instruction.type.size)


def _labelled_before(writer: FunctionWriter, pointer: Value, kind: Type) -> Labelled:
    """What lies at an address that an atomic instruction is about to change."""
    writer.flush()
    seen = Value(kind, writer.define(f"load {kind}, ptr {pointer.text}, align 1"))
    writer.watch(pointer.text, kind.size, kind.alignment)
    label = writer.labels.fresh()
    load_label(writer, labelled(writer, pointer), (seen, label))
    writer.flush()
    return seen, label


def _rename(writer: FunctionWriter, old: Labelled, result: Labelled) -> None:
    """The result of an atomic instruction has the label of what lay there."""
    if result[1]:
        writer.emit(f"  %$.l{result[1]} = add i32 {hot_label(old[1])}, 0")


def _updated(writer: FunctionWriter, instruction: AtomicUpdate) -> Labelled:
    """What an atomicrmw stores: the old value and the given one, combined."""
    old, given = labelled(writer, result_of(instruction)), labelled(writer, instruction.value)
    op = {"max": "smax", "min": "smin"}.get(instruction.op, instruction.op)
    if op == "xchg":
        return given
    if op == "nand":
        return _combined(writer, "xor", _combined(writer, "and", old, given), (Value(instruction.type, "-1"), 0))
    if op not in abi.BINARY_OPS or not isinstance(instruction.type, Integer):
        concretise(writer, (old[0], given[0]), abi.BY_OTHER if isinstance(instruction.type, Integer) else None)
        return old[0], 0
    return _combined(writer, op, old, given)


def _combined(writer: FunctionWriter, op: str, a: Labelled, b: Labelled) -> Labelled:
    """A value that the atomic instruction computes without showing it."""
    new = (Value(a[0].type, _computed(writer, op, a[0], b[0])), writer.labels.fresh())
    writer.group.step(Step.BINARY, new, a, b, descriptor=abi.BINARY_OPS[op] | label_width(a[0].type) << 8)
    return new


def _computed(writer: FunctionWriter, op: str, old: Value, operand: Value) -> str:
    if op in ("smin", "smax", "umin", "umax"):
        test = {"smin": "slt", "smax": "sgt", "umin": "ult", "umax": "ugt"}[op]
        chosen = writer.group.before(f"icmp {test} {old}, {operand.text}")
        return writer.group.before(f"select i1 {chosen}, {old}, {operand}")
    return writer.group.before(f"{op} {old}, {operand.text}")


def compare_exchange(writer: FunctionWriter, instruction: CompareExchange) -> None:
    """Emits a cmpxchg; its result is what was there, and whether it was as expected."""
    kind = instruction.expected.type
    before = _labelled_before(writer, instruction.pointer, kind)
    writer.emit(instruction.text)
    pair = result_of(instruction)
    old_label, success_label = writer.labels.of(pair)
    old = (Value(kind, writer.define(f"extractvalue {pair}, 0")), old_label)
    success = (Value(Integer(1), writer.define(f"extractvalue {pair}, 1")), success_label)
    _rename(writer, before, old)
    writer.watch(instruction.pointer.text, kind.size, kind.alignment)
    expected = labelled(writer, instruction.expected)
    descriptor = abi.COMPARE_OPS["eq"] | label_width(kind) << 8
    writer.group.step(Step.BINARY, success, old, expected, descriptor=descriptor)
    kept = Value(kind, writer.group.before(f"select i1 {success[0].text}, {instruction.new}, {kind} {old[0].text}"))
    stored = (kept, writer.labels.fresh())
    writer.group.step(Step.CHOOSE, stored, success, labelled(writer, instruction.new), old)
    store_label(writer, labelled(writer, instruction.pointer), stored, kind.size)


def block_intrinsic(writer: FunctionWriter, call: CallInstruction, name: str) -> bool:
    """llvm.memcpy, memmove and memset. False if this is none of them."""
    kind = name.split(".")[0]
    if kind not in BLOCKS:
        return False
    to, source, size = (argument.value for argument in call.arguments[:3])
    if kind == "memset" and source.type != Integer(8):  # AddressSanitizer's own has an int, as the C library's
        concretise(writer, (source,), abi.BY_OTHER)
        source = Value(Integer(8), "0")
    count = constant_bits(size)
    small = count is not None and count <= _WATCHED_COPY
    if not small:
        writer.flush()
    writer.emit(call.text)
    length = size.text if size.type == Integer(64) else writer.define(f"zext {size} to i64")
    if count == 0:
        return True
    if small:
        assert count is not None
        writer.watch(to.text, count, 1)
        if kind != "memset":
            writer.watch(source.text, count, 1)
    _tell_block(writer, kind, (to, source, size), length, small)
    return True


def _tell_block(
    writer: FunctionWriter, kind: str, operands: tuple[Value, Value, Value], length: str, small: bool
) -> None:
    to, source, size = operands
    count = Value(Integer(64), length)
    if small:
        step = Step.FILLED if kind == "memset" else Step.COPIED
        writer.group.step(step, None, labelled(writer, to), labelled(writer, source), (count, 0))
        return
    given = hot_label(writer.labels.scalar(size))
    if kind == "memset":
        byte = hot_label(writer.labels.scalar(source))
        writer.emit(f"  call void @__untaken_filled(ptr {to.text}, i64 {length}, i32 {byte}, i32 {given})")
    else:
        writer.emit(f"  call void @__untaken_copied(ptr {to.text}, ptr {source.text}, i64 {length}, i32 {given})")
    for value in (to, source):
        if isinstance(value.type, Pointer):
            pin(writer, value)


def hot_label(label: int) -> str:
    """How the program's own code names a label."""
    return f"%$.l{label}" if label else "0"
