"""What is not followed of stdio, and only shows in the program's own code: results of functions that write, where more
is asked of them than whether they failed, and looks into buffers. Claims about all paths are not made then."""

from __future__ import annotations

import re

from untaken.build.instrument.writing.writer import FunctionWriter
from untaken.build.ir.instructions import CallInstruction, Compare, GetElementPointer, Instruction
from untaken.build.ir.reader import FunctionBody
from untaken.model.gap import Gap

# What they return says how much was written, or which character.
_COUNTING = frozenset(
    f"@{name}"
    for name in """printf fprintf dprintf vprintf vfprintf vdprintf putchar putc fputc putchar_unlocked putc_unlocked
    fputc_unlocked __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk __dprintf_chk __vdprintf_chk""".split()
)
# Of a comparison with a constant: whether the result is below zero, which no input decides.
_FAILED = frozenset((("slt", "0"), ("sge", "0"), ("sgt", "-1"), ("sle", "-1"), ("eq", "-1"), ("ne", "-1")))
# _IO_read_ptr, _IO_read_end, _IO_read_base, _IO_buf_base, _IO_buf_end. LLVM numbers types of the same name.
_INTO_BUFFER = re.compile(r"%struct\._IO_FILE(?:\.\d+)?, ptr [^,]+, i32 0, i32 (?:1|2|3|7|8)\b")


_CONSTANT_TEXT = re.compile(r'(@\S+) = .*\bconstant \[\d+ x i8\] c"([^"]*)"')
_CONVERSION = re.compile(r"%(?:%|[-+ #'0-9.*$hlqjztL]*(.))")


def counting_formats(preamble: list[str]) -> frozenset[str]:
    """Formats that have the number of characters so far stored."""
    texts = (match for line in preamble if "%" in line and (match := _CONSTANT_TEXT.match(line)))
    return frozenset(match[1] for match in texts if "n" in _CONVERSION.findall(match[2]))


def telling_results(function: FunctionBody) -> frozenset[str]:
    """Results of functions that write, of which the program asks how much that was."""
    instructions = [instruction for block in function.blocks for instruction in block.instructions]
    counts = {i.result for i in instructions if isinstance(i, CallInstruction) and i.callee in _COUNTING and i.result}
    if not counts:
        return frozenset()
    return frozenset(
        operand.text
        for instruction in instructions
        for operand in instruction.operands
        if operand.text in counts and not _asks_for_failure(instruction)
    )


def _asks_for_failure(instruction: Instruction) -> bool:
    return isinstance(instruction, Compare) and (instruction.op, instruction.b.text) in _FAILED


def tell_buffer(writer: FunctionWriter, instruction: GetElementPointer) -> None:
    """What stdio read ahead has no labels where it lies."""
    if "_IO_FILE" in instruction.text and _INTO_BUFFER.search(instruction.text):
        writer.flush()
        writer.emit(f"  call void @__untaken_note_gap(i32 {int(Gap.READS)})")
