"""What can be said of a function before it is instrumented: its graph, its decisions, its objects, how much it is."""

from __future__ import annotations

from untaken.build.instrument.flow_shapes import FlowGraph
from untaken.build.instrument.memory import KnownObject
from untaken.build.ir.instructions import (
    Alloca,
    CallInstruction,
    ConditionalBranch,
    GetElementPointer,
    Instruction,
    Select,
    successors,
)
from untaken.build.ir.reader import FunctionBody
from untaken.build.ir.types import Array, Type


def is_of_the_source(branch: ConditionalBranch) -> bool:
    """Not a check of a sanitizer, nor the question in which registers or where on the stack va_arg finds its own."""
    return "!nosanitize" not in branch.text and not branch.true_target.startswith("%vaarg.")


def is_conditional(select: Select) -> bool:
    """clang turns `c ? 1 : 2` into a select called cond; other selects are none of the source's."""
    return select.result.startswith(("%cond", '%"cond')) and select.condition.is_local


def most_events(function: FunctionBody) -> int:
    """How many events one pass through the function may write: two a block, and one a conditional without jumps."""
    selects = (i for block in function.blocks for i in block.instructions if isinstance(i, Select))
    return 2 * len(function.blocks) + sum(map(is_conditional, selects))


def makes_calls(function: FunctionBody) -> bool:
    """Whether something that it calls may write events."""
    return any(_may_write_events(each) for block in function.blocks for each in block.instructions)


def _may_write_events(instruction: Instruction) -> bool:
    """Calls of anything but what LLVM itself knows."""
    return isinstance(instruction, CallInstruction) and not instruction.callee.startswith(("@llvm.", "asm"))


def graph_of(function: FunctionBody) -> FlowGraph:
    """The successors of each block, by number."""
    numbers = {block.name: number for number, block in enumerate(function.blocks)}
    return [[numbers[target] for target in successors(block.terminator)] for block in function.blocks]


def known_objects(function: FunctionBody, module_globals: dict[str, int]) -> dict[str, KnownObject]:
    """What pointers computed by getelementptr from a local array or a global point into."""
    sizes: dict[str, KnownObject] = {name: (name, size) for name, size in module_globals.items()}
    for block in function.blocks:
        for instruction in block.instructions:
            if isinstance(instruction, Alloca) and instruction.count is None and _is_table(instruction.allocated):
                sizes[instruction.result] = (instruction.result, instruction.allocated.size)
            elif isinstance(instruction, GetElementPointer) and instruction.base.text in sizes:
                sizes[instruction.result] = sizes[instruction.base.text]
    return sizes


def _is_table(kind: Type) -> bool:
    return isinstance(kind, Array) or kind.size > 8
