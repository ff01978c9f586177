"""Labels across calls: arguments, results, aggregates passed in memory, variable arguments (runtime/abi.h)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from untaken.build.instrument import abi
from untaken.build.instrument.arithmetic import concretise, intrinsic, nothing, result_of
from untaken.build.instrument.floats import float_intrinsic
from untaken.build.instrument.labels import shape
from untaken.build.instrument.memory import BLOCKS, block_intrinsic, decide_target, hot_label, pin
from untaken.build.instrument.writes import tell_writes
from untaken.build.instrument.writing.writer import FunctionWriter
from untaken.build.ir.instructions import Argument, CallInstruction
from untaken.build.ir.reader import FunctionBody
from untaken.build.ir.strings import escaped, plain_name
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import Float, Pointer, is_wide, label_width
from untaken.build.library.contained import does_nothing, leaves_traces
from untaken.build.library.gaps import gap_of, gap_of_instructions
from untaken.build.library.reads import BEHIND, FORMATS, is_read, reads_behind_pointers, size_read
from untaken.model.gap import Gap

# Sanitizers look at addresses and values that they are passed, and report; they change nothing.
_SANITIZERS = ("@__asan_", "@__ubsan_", "@__lsan_", "@__sanitizer_")
# But for these, which AddressSanitizer has instead of the intrinsics of that name.
_CHECKED = "@__asan_"
_CHECKED_BLOCKS = frozenset(_CHECKED + kind for kind in BLOCKS)
# What these do with a symbolic argument comes back to the program in no way that matters.
_ONLY_OUTPUT = frozenset(
    """printf fprintf dprintf vprintf vfprintf puts fputs putchar putc fputc fwrite write perror syslog exit _exit _Exit
    fflush __printf_chk __fprintf_chk __vfprintf_chk __vprintf_chk putchar_unlocked putc_unlocked fputs_unlocked
    fputc_unlocked fwrite_unlocked""".split()
)
_SET_JUMP = frozenset("@setjmp @_setjmp @sigsetjmp @__sigsetjmp @llvm.eh.sjlj.setjmp".split())
_MODEL = "untaken_model_"
NOTE_TRACES = "  store i8 1, ptr @__untaken_left_traces, align 1"
_ERRNO = "@__errno_location"
_OF_PROCESSOR = ("x86.", "masked.", "readcyclecounter", "readsteadycounter")
_SYMBOL = re.compile(r"[A-Za-z_.$][\w.$]*")
_IGNORED = tuple("lifetime. dbg. prefetch assume va_end va_copy stacksave stackrestore objectsize trap".split())


@dataclass(slots=True)
class CallContext:
    """What a call needs to know about its function and module."""

    self_name: str
    defined: frozenset[str]  # functions of this module whose returned labels are always up to date
    aliases: dict[str, str]
    strings: StringPool
    saved_varargs: str = ""  # the frame's copy of the labels of variable arguments
    jump: str = ""  # the frame's note of what is open when setjmp returns
    allocates: bool = False  # some call of the module may fail as the input says
    telling: frozenset[str] = frozenset()  # results of functions that write, of which the input may decide
    counting: frozenset[str] = frozenset()  # constant texts that are formats with %n
    variables: frozenset[str] = frozenset()  # the module's, that assembly may name


class StringPool:
    """Constant strings of our own, each once a module."""

    def __init__(self) -> None:
        self._names: dict[bytes, str] = {}

    def name(self, text: bytes) -> str:
        return self._names.setdefault(text, f"@untaken.string.{len(self._names)}")

    def definitions(self) -> list[str]:
        return [
            f'{name} = private unnamed_addr constant [{len(text) + 1} x i8] c"{escaped(text)}\\00"'
            for text, name in self._names.items()
        ]


def call(writer: FunctionWriter, instruction: CallInstruction, context: CallContext) -> None:
    """Emits a call with everything around it."""
    if instruction.callee.startswith("@llvm."):
        _intrinsic_call(writer, instruction, context)
    elif instruction.callee == "asm":
        _assembly(writer, instruction, context)
    elif instruction.callee in _CHECKED_BLOCKS:
        block_intrinsic(writer, instruction, instruction.callee.removeprefix(_CHECKED))
        _no_result(writer, instruction)
    else:
        _ordinary_call(writer, instruction, context)
    if sets_jump(instruction):
        _tell_jump(writer, instruction, context)


def _assembly(writer: FunctionWriter, instruction: CallInstruction, context: CallContext) -> None:
    """Inline assembly: nobody knows what it does with its operands, and with what they point to."""
    concretise(writer, instruction.operands, abi.BY_ASM)
    writer.flush()
    if does_nothing(instruction.text):
        writer.emit(instruction.text)
    else:
        writer.emit(NOTE_TRACES)
        _note_gap(writer, gap_of_instructions(instruction.text))
        named = [f"@{name}" for name in _symbols(instruction.text) if name in context.variables]
        _emit_unseen(writer, instruction, context.strings.name(b"inline assembly"), named)
    _no_result(writer, instruction)


def _symbols(assembly: str) -> list[str]:
    """All words of the instructions, without operands and what they overwrite."""
    return _SYMBOL.findall(assembly.split('"', 2)[1])


def _note_gap(writer: FunctionWriter, gap: Gap | None) -> None:
    if gap is not None:
        writer.emit(f"  call void @__untaken_note_gap(i32 {int(gap)})")


def _emit_unseen(writer: FunctionWriter, instruction: CallInstruction, called: str, named: Sequence[str] = ()) -> None:
    """Instructions that may read where their operands lead to, and `named` variables: if input is there, it is told."""
    operands = [operand.text for operand in instruction.operands if isinstance(operand.type, Pointer)]
    pointers = [*operands, *named]
    for pointer in pointers:
        writer.emit(f"  call void @__untaken_passed_to_code(ptr {called}, ptr {pointer})")
    writer.emit(instruction.text)
    if pointers:
        writer.emit(f"  call void @__untaken_after_call(ptr {called}, ptr {called})")


def _tell_jump(writer: FunctionWriter, instruction: CallInstruction, context: CallContext) -> None:
    """Says what setjmp has returned, and takes its label: that of what longjmp was given."""
    label = writer.labels.scalar(result_of(instruction)) if instruction.result else 0
    told = f"call i32 @__untaken_set_jump(ptr {context.jump}, i32 {instruction.result or '0'})"
    writer.emit(f"  %$.l{label} = {told}" if label else f"  {told}")


def sets_jump(instruction: CallInstruction) -> bool:
    """Whether a longjmp may come back to this call."""
    return instruction.callee in _SET_JUMP


def _intrinsic_call(writer: FunctionWriter, instruction: CallInstruction, context: CallContext) -> None:
    name = instruction.callee.removeprefix("@llvm.")
    if block_intrinsic(writer, instruction, name):
        return
    if name.startswith(_OF_PROCESSOR):
        _processor_intrinsic(writer, instruction, name, context)
        return
    writer.emit(instruction.text)
    if name.startswith("va_start"):
        writer.flush()
        pointer = instruction.arguments[0].value.text
        writer.emit(f"  call void @__untaken_varargs_start(ptr {context.saved_varargs}, ptr {pointer})")
    elif name.startswith("va_copy"):
        to, source = (argument.value.text for argument in instruction.arguments)
        writer.flush()
        writer.emit(f"  call void @__untaken_copied(ptr {to}, ptr {source}, i64 24, i32 0)")
    elif name.startswith(_IGNORED) or not _computes(writer, instruction, name):
        if not name.startswith(_IGNORED):
            concretise(writer, instruction.operands, _why(instruction))
        _no_result(writer, instruction)


def _processor_intrinsic(writer: FunctionWriter, instruction: CallInstruction, name: str, context: CallContext) -> None:
    """An instruction that only this processor has, or one of vectors: some of them read memory."""
    concretise(writer, instruction.operands, _why(instruction))
    writer.flush()
    _note_gap(writer, gap_of_instructions(name))
    _emit_unseen(writer, instruction, context.strings.name(name.encode()))
    _no_result(writer, instruction)


def _computes(writer: FunctionWriter, instruction: CallInstruction, name: str) -> bool:
    """Whether this is an intrinsic that only computes, and has its labels now."""
    values = instruction.operands
    if values and isinstance(values[0].type, Float) and label_width(values[0].type) and label_width(instruction.type):
        return float_intrinsic(writer, instruction, name)
    return intrinsic(writer, instruction, name)


def _why(instruction: CallInstruction) -> int:
    floats = any(isinstance(value.type, Float) for value in instruction.operands)
    return abi.BY_FLOAT if floats else abi.BY_OTHER


def _no_result(writer: FunctionWriter, instruction: CallInstruction) -> None:
    """The call's result is concrete: none of its labels is set. What a setjmp returned has one, which comes later."""
    if instruction.result and not sets_jump(instruction):
        for label in writer.labels.of(result_of(instruction)):
            nothing(writer, label)


def _ordinary_call(writer: FunctionWriter, instruction: CallInstruction, context: CallContext) -> None:
    target = context.aliases.get(instruction.callee, instruction.callee)
    if instruction.callee.startswith("%"):
        decide_target(writer, Value(Pointer(), instruction.callee))
    passed = _pass_arguments(writer, instruction, target, context)
    tells = instruction.result in context.telling
    if target not in context.defined and (tells or reads_behind_pointers(target.removeprefix("@"))):
        passed |= _pass_pointers(writer, instruction, target)
    wants = bool(instruction.result) and any(writer.labels.of(result_of(instruction))) and not instruction.must_tail
    wants &= not sets_jump(instruction)
    if wants and target not in context.defined:
        writer.emit("  store ptr null, ptr @__untaken_return_owner, align 8")
    by_name = target.startswith("@") and target not in context.defined
    values = [argument.value.text for argument in instruction.arguments]
    if by_name:
        _tell_format(writer, target[1:], instruction, context)
    if by_name and target == _ERRNO:
        writer.emit("  call void @__untaken_errno_asked()")
    if by_name and leaves_traces(target[1:], values):
        writer.emit(NOTE_TRACES)
    if by_name:
        _note_gap(writer, gap_of(target[1:], values))
    writer.emit(instruction.text)
    if by_name:
        tell_writes(writer, instruction)
    if passed and not instruction.must_tail and (tells or _may_lose_labels(target, context)):
        _tell_after(writer, target, context)
    if wants:
        _take_result(writer, instruction, target)


def _pass_arguments(writer: FunctionWriter, instruction: CallInstruction, target: str, context: CallContext) -> bool:
    """Stores the labels of the arguments before the call; false if none can be symbolic."""
    labels = [label for argument in instruction.arguments for label in _passed(writer, argument)][: abi.ARGUMENT_LABELS]
    in_memory = [(slot, a) for slot, a in enumerate(instruction.arguments) if a.byval is not None]
    for _, argument in in_memory:
        pin(writer, argument.value)
    if in_memory:
        # The copy that the call makes always needs its labels told, so all of this is done in any case.
        writer.flush()
        _pass_in_memory(writer, in_memory)
    if in_memory or any(labels):
        say = (lambda text: writer.emit("  " + text)) if in_memory else writer.group.after
        name = hot_label if in_memory else writer.group.label
        for position, label in enumerate(labels):
            place = f"getelementptr (i8, ptr @__untaken_arguments, i64 {4 * position})"
            say(f"store i32 {name(label)}, ptr {place}, align 4")
        if instruction.function.variadic:
            shapes = context.strings.name(_variadic_shape(instruction))
            say(f"call void @__untaken_varargs_call(ptr {shapes}, i32 {len(instruction.arguments)})")
        say(f"store ptr {target}, ptr @__untaken_callee, align 8")
    writer.flush()
    if instruction.function.variadic:
        _tell_stacked(writer, instruction, target)
    return bool(in_memory) or any(labels)


def _tell_stacked(writer: FunctionWriter, instruction: CallInstruction, target: str) -> None:
    """Says how many slots of the stack the variable arguments take, if they do."""
    slots = _stacked_slots(instruction)
    if slots:
        writer.emit(f"  store ptr {target}, ptr @__untaken_stacked, align 8")
        writer.emit(f"  store i64 {slots}, ptr getelementptr (i8, ptr @__untaken_stacked, i64 8), align 8")


def _stacked_slots(instruction: CallInstruction) -> int:
    """Of 8 bytes, for those behind the named arguments (System V, x86-64)."""
    general, floating, slots, before = 6, 8, 0, 0
    for position, argument in enumerate(instruction.arguments):
        if position == len(instruction.function.parameters):
            before = slots
        letter = _shape_of(argument)
        if letter == "g" and general:
            general -= 1
        elif letter == "f" and floating:
            floating -= 1
        elif letter == "w" and general > 1:
            general -= 2
        elif letter in "xw":
            slots += slots % 2 + 2
        else:
            slots += 1 if argument.byval is None else -(-argument.byval.size // 8)
    return slots - before


def _tell_format(writer: FunctionWriter, name: str, instruction: CallInstruction, context: CallContext) -> None:
    """Formats are mostly texts of the program's own; one that is not may come from the input, and one with %n tells how
    much was printed. What is no pointer is an argument of a function of the program's that has the name of one of the C
    library."""
    position = FORMATS.get(name, len(instruction.arguments))
    for argument in instruction.arguments[position : position + 1]:
        text = argument.value.text
        if text in context.counting:
            writer.emit(f"  call void @__untaken_note_gap(i32 {int(Gap.ASIDE)})")
        elif isinstance(argument.value.type, Pointer) and text.startswith("%"):
            called = context.strings.name(plain_name(f"@{name}").encode())
            writer.emit(f"  call void @__untaken_format(ptr {text}, ptr {called})")


def _pass_pointers(writer: FunctionWriter, instruction: CallInstruction, target: str) -> bool:
    """Says what the arguments point to; false if none does."""
    name = target.removeprefix("@")
    arguments = [(position, argument.value) for position, argument in enumerate(instruction.arguments)]
    read = [(at, value.text) for at, value in arguments if isinstance(value.type, Pointer) and is_read(name, at)]
    for position, pointer in read:
        size = size_read(name, position)
        if size is not None:
            writer.emit(f"  call void @__untaken_passed_object(ptr {target}, ptr {pointer}, i64 {size})")
        else:
            behind = "_behind" if name in BEHIND else ""
            writer.emit(f"  call void @__untaken_passed{behind}(ptr {target}, ptr {pointer})")
    return bool(read)


def _passed(writer: FunctionWriter, argument: Argument) -> tuple[int, ...]:
    """The labels of one argument; the callee sees the address of a copy, which is none of the program's values."""
    return (0,) if argument.byval is not None else writer.labels.of(argument.value)


def _pass_in_memory(writer: FunctionWriter, arguments: list[tuple[int, Argument]]) -> None:
    for slot, argument in arguments:
        assert argument.byval is not None
        size = argument.byval.size
        writer.emit(f"  call void @__untaken_byval_out(i32 {slot}, ptr {argument.value.text}, i64 {size})")


def _variadic_shape(instruction: CallInstruction) -> bytes:
    """One character for each argument, as the ABI header describes; the runtime finds the register or slot."""
    letters = [_shape_of(argument) for argument in instruction.arguments]
    named = len(instruction.function.parameters)
    shapes = "".join(letters[:named]) + "|" + "".join(letters[named:])
    sizes = "".join(f",{a.byval.size}" for a in instruction.arguments if a.byval is not None)
    return f"{shapes}{sizes}".encode()


def _shape_of(argument: Argument) -> str:
    if argument.byval is not None:
        return "m"
    kind = argument.value.type
    if isinstance(kind, Float):
        return "x" if kind.size > 8 else "f"
    return "g" if label_width(kind) and not is_wide(kind) else "w"


def _may_lose_labels(target: str, context: CallContext) -> bool:
    """Whether a callee that does not take its labels is worth counting."""
    name = target.removeprefix("@").removeprefix(_MODEL)
    # Our input functions too: they write labels, and what they are passed is an address.
    ours = target.startswith(("@untaken_", *_SANITIZERS)) and not target.startswith("@" + _MODEL)
    return target not in context.defined and not ours and name not in _ONLY_OUTPUT


def _tell_after(writer: FunctionWriter, target: str, context: CallContext) -> None:
    """If symbolic arguments were passed, asks whether the callee took them."""
    plain = plain_name(target).removeprefix(_MODEL) if target.startswith("@") else "(pointer)"
    name = context.strings.name(plain.encode())
    waiting = writer.define("load ptr, ptr @__untaken_callee, align 8")
    same = writer.define(f"icmp eq ptr {waiting}, {target}")
    writer.group.indicate(writer.define(f"zext i1 {same} to i32"))
    writer.group.before_do(f"call void @__untaken_after_call(ptr {target}, ptr {name})")


def _take_result(writer: FunctionWriter, instruction: CallInstruction, target: str) -> None:
    owner = writer.define("load ptr, ptr @__untaken_return_owner, align 8")
    ours = writer.define(f"icmp eq ptr {owner}, {target}")
    writer.group.indicate(writer.define(f"zext i1 {ours} to i32"))
    for position, label in enumerate(writer.labels.of(result_of(instruction))):
        if not label:
            continue
        if position >= abi.RETURN_LABELS:
            writer.group.take(label, "add i32 0, 0")
            continue
        place = f"getelementptr (i8, ptr @__untaken_returned, i64 {4 * position})"
        given = writer.group.before(f"load i32, ptr {place}, align 4")
        writer.group.take(label, f"select i1 {ours}, i32 {given}, i32 0")


def entry(writer: FunctionWriter, function: FunctionBody, context: CallContext) -> None:
    """On entry: takes the labels of the parameters if the caller meant them for this function."""
    if any(isinstance(i, CallInstruction) and sets_jump(i) for block in function.blocks for i in block.instructions):
        context.jump = writer.define(f"alloca [{abi.JUMP_SIZE} x i8], align 8")
    labels = [
        label for parameter in function.parameters for label in writer.labels.of(Value(parameter.type, parameter.name))
    ][: abi.ARGUMENT_LABELS]
    byval = [(slot, p) for slot, p in enumerate(function.parameters) if p.byval is not None]
    if not (any(labels) or byval or function.type.variadic):
        return
    callee = writer.define("load ptr, ptr @__untaken_callee, align 8")
    matched = writer.define(f"icmp eq ptr {callee}, {function.name}")
    flag = writer.define(f"zext i1 {matched} to i32")
    for slot, parameter in byval:
        assert parameter.byval is not None
        size = parameter.byval.size
        writer.emit(f"  call void @__untaken_byval_in(i32 {slot}, ptr {parameter.name}, i64 {size}, i32 {flag})")
    if function.type.variadic:
        context.saved_varargs = writer.define(f"alloca [{abi.VARARGS_SIZE} x i8], align 8")
        writer.emit(
            f"  call void @__untaken_varargs_entry(ptr {context.saved_varargs}, i32 {flag}, ptr {function.name})"
        )
    writer.group.indicate(flag)
    _take_parameters(writer, labels, matched)


def _take_parameters(writer: FunctionWriter, labels: list[int], matched: str) -> None:
    for position, label in enumerate(labels):
        if label:
            place = f"getelementptr (i8, ptr @__untaken_arguments, i64 {4 * position})"
            given = writer.group.before(f"load i32, ptr {place}, align 4")
            writer.group.take(label, f"select i1 {matched}, i32 {given}, i32 0")
    kept = writer.group.before("load ptr, ptr @__untaken_callee, align 8")
    cleared = writer.group.before(f"select i1 {matched}, ptr null, ptr {kept}")
    writer.group.before_do(f"store ptr {cleared}, ptr @__untaken_callee, align 8")


def give_result(writer: FunctionWriter, value: Value, self_name: str) -> None:
    """Before a return: hands out the labels of the result, or says that there are none."""
    labels = writer.labels.of(value)[: abi.RETURN_LABELS]
    if not any(labels):
        if any(label_width(leaf.type) for leaf in shape(value.type)):
            writer.emit("  store ptr null, ptr @__untaken_return_owner, align 8")
        return
    writer.emit("  store ptr null, ptr @__untaken_return_owner, align 8")
    for position, label in enumerate(labels):
        place = f"getelementptr (i8, ptr @__untaken_returned, i64 {4 * position})"
        writer.group.after(f"store i32 {writer.group.label(label)}, ptr {place}, align 4")
    writer.group.after(f"store ptr {self_name}, ptr @__untaken_return_owner, align 8")
