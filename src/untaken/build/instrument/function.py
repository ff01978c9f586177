"""Instruments one function: walks its blocks, and writes for each instruction what goes with it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from untaken.build.instrument import allocations, arithmetic, calls, floats, memory
from untaken.build.instrument.branches import IdTable, LogicalValues, Negations, event
from untaken.build.instrument.calls import CallContext
from untaken.build.instrument.flow_shapes import turning_points
from untaken.build.instrument.function_shape import (
    graph_of,
    is_conditional,
    is_of_the_source,
    known_objects,
    makes_calls,
    most_events,
)
from untaken.build.instrument.joins import Joins
from untaken.build.instrument.labels import LabelTable, is_alias
from untaken.build.instrument.sketch import FunctionSketch
from untaken.build.instrument.stdio import tell_buffer
from untaken.build.instrument.switches import tell_switch
from untaken.build.instrument.writing.steps import Step
from untaken.build.instrument.writing.writer import FunctionWriter, ModuleWriting
from untaken.build.ir.instructions import (
    Alloca,
    AtomicUpdate,
    BinaryOperation,
    CallInstruction,
    Cast,
    CompareExchange,
    Concrete,
    ConditionalBranch,
    ExtractValue,
    FloatOperation,
    GetElementPointer,
    IndirectBranch,
    InsertValue,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    StoreInstruction,
    Switch,
)
from untaken.build.ir.reader import FunctionBody, InstructionBlock
from untaken.build.ir.syntax import Value
from untaken.build.ir.types import Integer, Type, is_wide, label_width

# Behind the limit of the events there is room for more, so that it is enough to look at the entry and once on each way
# round a loop (runtime/abi.h, UNTAKEN_EVENT_SLACK).
_MOST_UNCHECKED = 200
LARGE = 200  # the size of functions whose cold code is kept small (writing/handover.py)


@dataclass(slots=True)
class ModuleContext:
    """What the functions of a module share."""

    ids: IdTable
    calls: CallContext
    globals: dict[str, int]  # "@table" -> size, of those that are arrays or structs
    switches: list[str]  # definitions of switch tables
    writing: ModuleWriting


class FunctionInstrumenter:
    """The state of instrumenting one function; `run` gives the new body."""

    def __init__(self, function: FunctionBody, module: ModuleContext, sketch: FunctionSketch) -> None:
        self._function = function
        self._module = module
        self._sketch = sketch
        self._labels = LabelTable(function)
        self._logical = LogicalValues(function)
        self._negations = Negations(function)
        is_large = size_of(function) > LARGE
        self._writer = FunctionWriter(self._labels, module.writing, is_large)
        self._joins = Joins(self._labels)
        self._objects = known_objects(function, module.globals)
        self._is_large = most_events(function) > _MOST_UNCHECKED
        self._turning = set() if self._is_large else turning_points(graph_of(function), self._blocks_with_events())
        self._look_for_room = True
        self._makes_calls = makes_calls(function)
        self._left = False  # the return event was already written, before a tail call
        self._entry_id = module.ids.function_pair() if sketch.counted else 0

    def run(self) -> list[str]:
        """The lines of the instrumented body."""
        self._sketch.start(self._entry_id)
        for number, block in enumerate(self._function.blocks):
            self._writer.start_block(block.name)
            self._look_for_room = self._is_large or number in self._turning
            self._sketch.block(block.name)
            self._left = False
            instructions = list(enumerate(block.instructions))
            if number == 0:
                instructions = self._prologue(instructions)
            for index, instruction in instructions:
                self._writer.at(index, instruction.debug)
                self._instruction(block, instruction)
            self._joins.left(block.name, self._writer.piece)
        return self._writer.take_home(self._joins.completed(self._writer.finish(), self._writer.frame()))

    def _prologue(self, instructions: list[tuple[int, Instruction]]) -> list[tuple[int, Instruction]]:
        """Fixed-size locals stay at the top of the entry block, where they cost nothing; then the entry itself."""
        fixed = [i for _, i in instructions if isinstance(i, Alloca) and (i.count is None or not i.count.is_local)]
        for alloca in fixed:
            self._writer.emit(alloca.text)
        self._writer.mark_frame()
        self._writer.at(-1)
        calls.entry(self._writer, self._function, self._module.calls)
        if self._entry_id:
            self._event(event(self._entry_id), with_room=True)
        self._writer.flush()
        return [(index, instruction) for index, instruction in instructions if instruction not in fixed]

    def _instruction(self, block: InstructionBlock, instruction: Instruction) -> None:
        writer = self._writer
        match instruction:
            case Phi():
                writer.emit(_defined_bits(instruction.text))
                self._joins.add(instruction, len(writer.lines))
            case CallInstruction():
                self._call(instruction)
            case ConditionalBranch():
                self._branch(block, instruction)
            case Switch():
                self._switch(instruction)
            case Return():
                self._return(instruction)
            case Select() if is_conditional(instruction):
                self._conditional(instruction)
            case AtomicUpdate() if _in_a_word(instruction.type):
                memory.atomic_update(writer, instruction)
            case CompareExchange() if _in_a_word(instruction.expected.type):
                memory.compare_exchange(writer, instruction)
            case AtomicUpdate() | CompareExchange():
                self._opaque_atomic(instruction)
            case StoreInstruction():
                writer.emit(_defined_bits(instruction.text))
                memory.store(writer, instruction)
            case IndirectBranch():
                memory.decide_target(writer, instruction.address)
                self._terminate(block, instruction)
            case _ if instruction is block.terminator:
                self._terminate(block, instruction)
            case _:
                writer.emit(_defined_bits(instruction.text))
                self._computed(instruction)

    def _computed(self, instruction: Instruction) -> None:
        """Instructions that compute a value and touch nothing else; the program's own line is already written."""
        writer = self._writer
        match instruction:
            case BinaryOperation():
                arithmetic.binary(writer, instruction)
            case Cast() if not is_alias(instruction):
                arithmetic.cast(writer, instruction)
            case GetElementPointer():
                arithmetic.get_element_pointer(writer, instruction)
                tell_buffer(writer, instruction)
            case Load():
                memory.load(writer, instruction, self._objects.get(instruction.pointer.text, (None, 0)))
            case Select():
                arithmetic.select(writer, instruction)
            case Alloca():
                memory.alloca(writer, instruction)
            case FloatOperation():
                floats.float_operation(writer, instruction)
            case Concrete():
                arithmetic.concrete(writer, instruction)
            case ExtractValue() | InsertValue() | Cast():
                pass

    def _opaque_atomic(self, instruction: AtomicUpdate | CompareExchange) -> None:
        """Atomics on types without labels: memory is only told that it changed."""
        self._writer.flush()
        self._writer.emit(instruction.text)
        pointer = instruction.pointer.text
        size = instruction.value.type.size if isinstance(instruction, AtomicUpdate) else instruction.new.type.size
        self._writer.emit(f"  call void @__untaken_filled(ptr {pointer}, i64 {size}, i32 0, i32 0)")
        for label in self._labels.of(Value(instruction.type, instruction.result)):
            arithmetic.nothing(self._writer, label)

    # ---- calls and returns

    def _call(self, call: CallInstruction) -> None:
        self._sketch.call(call)
        if allocations.may_fail(call):
            allocations.note_place(self._writer, self._sketch.place(call), self._module.calls)
        if call.must_tail:
            self._leave()
        calls.call(self._writer, call, self._module.calls)

    def _return(self, instruction: Return) -> None:
        if not self._left:
            if instruction.value is not None:
                calls.give_result(self._writer, instruction.value, self._function.name)
            self._leave()
        self._writer.flush()
        self._writer.emit(_defined_bits(instruction.text))

    def _leave(self) -> None:
        self._left = True
        if self._entry_id:
            # Deep recursion unwinds through returns alone, so these look as well.
            self._event(event(self._entry_id + 1), with_room=self._makes_calls)

    # ---- branches

    def _blocks_with_events(self) -> set[int]:
        return {number for number, block in enumerate(self._function.blocks) if self._has_event(block)}

    def _has_event(self, block: InstructionBlock) -> bool:
        """Whether it decides something that counts; switches look for room themselves."""
        end = block.terminator
        if isinstance(end, ConditionalBranch):
            decides = self._is_decision(end) and is_of_the_source(end)
        else:
            decides = self._operand_of(block) is not None
        selects = [i for i in block.instructions if isinstance(i, Select) and is_conditional(i)]
        return any(map(self._sketch.counts, [*selects, end] if decides else selects))

    def _is_decision(self, branch: ConditionalBranch) -> bool:
        """Not one that only repeats what was decided before."""
        return branch.condition.is_local and branch.condition.text not in self._logical.joined

    def _operand_of(self, block: InstructionBlock) -> str | None:
        """The last operand of && or || that is joined behind this block, if that is a decision."""
        operand = self._logical.operands.get(block.name)
        return None if operand in self._logical.joined else operand

    def _event(self, constant: str, with_room: bool = False) -> None:
        cursor = self._writer.flush_to_cursor(with_room or self._look_for_room)
        self._writer.emit(f"  store i32 {constant}, ptr {cursor}, align 4")
        following = self._writer.define(f"getelementptr i8, ptr {cursor}, i64 4")
        self._writer.emit(f"  store ptr {following}, ptr @__untaken_cursor, align 8")
        self._look_for_room = self._is_large

    def _decide(self, condition: Value, pair: int, negated: bool = False) -> None:
        """The constraint of a branch, and its event; pair 0 is a decision that does not count."""
        writer = self._writer
        label = self._labels.scalar(condition)
        bit = writer.define(f"zext {condition} to i32")
        operation = f"add i32 {event(pair)}" if negated else f"sub i32 {event(pair + 1)}"
        code = writer.define(f"{operation}, {bit}") if pair else "0"
        if label:
            writer.group.step(Step.BRANCH, None, (condition, label), (Value(Integer(32), code), 0))
        if pair:
            self._event(code)
        else:
            writer.flush()

    def _branch(self, block: InstructionBlock, branch: ConditionalBranch) -> None:
        condition = branch.condition
        if not self._is_decision(branch):
            self._sketch.branch(branch, 0)
            self._writer.flush()
        else:
            pair = self._new_pair(branch) if is_of_the_source(branch) else 0
            negated = self._negations.holds(branch, block.name)
            self._sketch.branch(_exchanged(branch) if negated else branch, pair, negated)
            self._decide(condition, pair, negated)
        self._writer.emit(_defined_bits(branch.text))

    def _new_pair(self, at: Instruction) -> int:
        return self._module.ids.branch_pair() if self._sketch.counts(at) else 0

    def _terminate(self, block: InstructionBlock, instruction: Instruction) -> None:
        operand = self._operand_of(block)
        if operand is not None:
            pair = self._new_pair(instruction)
            self._sketch.logical_operand(block, operand, pair)
            self._decide(Value(Integer(1), operand), pair)
        self._sketch.leave(instruction)
        self._writer.flush()
        self._writer.emit(_defined_bits(instruction.text))

    def _conditional(self, select: Select) -> None:
        pair = self._new_pair(select)
        self._sketch.conditional(select, pair)
        self._decide(select.condition, pair)
        self._writer.emit(_defined_bits(select.text))
        columns = zip(
            self._labels.of(Value(select.type, select.result)),
            self._labels.of(select.a),
            self._labels.of(select.b),
            strict=True,
        )
        for label, a, b in columns:
            if label:
                chosen = f"i32 {memory.hot_label(a)}, i32 {memory.hot_label(b)}"
                self._writer.emit(f"  %$.l{label} = select i1 {select.condition.text}, {chosen}")

    def _switch(self, switch: Switch) -> None:
        """Each case counts as a comparison with its value, in order; the runtime writes their events. A switch without
        a place in the source is clang's: where to go on once something was cleaned up at the end of a scope."""
        label = self._labels.scalar(switch.value)
        self._writer.flush()
        if switch.cases and switch.value.is_local:
            pairs = [self._new_pair(switch) if switch.debug else 0 for _ in switch.cases]
            self._sketch.switch(switch, pairs)
            tell_switch(self._writer, switch, self._module.switches, pairs[0], label)
        else:
            self._sketch.switch(switch, [0] * len(switch.cases))
        self._writer.emit(switch.text)


def _in_a_word(kind: Type) -> bool:
    """Whether such a value has an expression, and not of more bits than an atomic instruction is followed with."""
    return bool(label_width(kind)) and not is_wide(kind)


def size_of(function: FunctionBody) -> int:
    """What it takes to compile, in instructions; the event and the test at the end of a block take as long as a few."""
    return sum(len(block.instructions) + 4 for block in function.blocks)


def _exchanged(branch: ConditionalBranch) -> ConditionalBranch:
    return replace(branch, true_target=branch.false_target, false_target=branch.true_target)


def _defined_bits(text: str) -> str:
    """Undefined values become zero, so that the program's code and the cold code see the same bits."""
    if "undef" in text or "poison" in text:
        return re.sub(r"(?<![\w%@.\"-])(undef|poison)(?![\w.\"])", "zeroinitializer", text)
    return text
