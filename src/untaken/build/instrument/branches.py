"""Gives out ids of branches and functions, and finds out what each conditional is in the source.

clang names its blocks after the statement they belong to (`for.body`, `land.lhs.true`), which tells loops from ifs and
operands of && and || from whole conditions.
"""

from __future__ import annotations

import re

from untaken.build.instrument import abi
from untaken.build.ir.instructions import ConditionalBranch, Instruction, Jump, Phi
from untaken.build.ir.reader import FunctionBody
from untaken.build.ir.types import Integer
from untaken.model.program import BranchKind

_LOOP_TARGET = re.compile(r"%(for|while|do)\.(body|end)")
_LOOP_HEAD = re.compile(r"%(for|while|do)\.cond")
_LOGICAL_TARGET = re.compile(r"%(land|lor)\.(lhs|rhs|end)")
_LATER_OPERAND = re.compile(r"%(land\.lhs\.true|lor\.lhs\.false)")
_WHEN_TRUE = re.compile(r"%(if\.then|cond\.true|land\.lhs\.true|land\.rhs)")
_WHEN_FALSE = re.compile(r"%(if\.else|cond\.false|lor\.lhs\.false|lor\.rhs)")
_CONDITIONAL_TARGET = re.compile(r"%cond\.(true|false)")


class IdTable:
    """The ids of one object file: pairs, numbered from the end of the digest on."""

    def __init__(self) -> None:
        self.kinds = bytearray()

    def branch_pair(self) -> int:
        """Offset of the true side; the false side is next to it."""
        return self._add(abi.ID_BRANCH, abi.ID_BRANCH)

    def function_pair(self) -> int:
        """Offset of the entry; the return is next to it."""
        return self._add(abi.ID_ENTRY, abi.ID_RETURN)

    def _add(self, first: int, second: int) -> int:
        offset = abi.DIGEST_SIZE + len(self.kinds)
        self.kinds += bytes((first, second))
        return offset


def event(offset: int) -> str:
    """The constant that is stored when the id at this offset happens: the low half of its address."""
    return f"trunc (i64 ptrtoint (ptr getelementptr (i8, ptr @untaken.ids, i64 {offset}) to i64) to i32)"


def kind_of(branch: ConditionalBranch, block: str) -> BranchKind:
    """What a conditional jump is in the source."""
    targets = (branch.true_target, branch.false_target)
    if any(_LOGICAL_TARGET.match(target) for target in targets):
        return BranchKind.LOGICAL
    if any(_LOOP_TARGET.match(target) for target in targets) or _LOOP_HEAD.match(block):
        return BranchKind.LOOP
    if any(_CONDITIONAL_TARGET.match(target) for target in targets):
        return BranchKind.CONDITIONAL
    return BranchKind.IF


class Negations:
    """Finds the jumps on `x` that stand for `!x` in the source: clang drops the `!` and exchanges the targets.

    The name of a block says which outcome leads there. The last operand of && or || in an if has no such block: it
    leaves the condition on the same outcome for the same target as the operand before it, unless it is negated.
    """

    def __init__(self, function: FunctionBody) -> None:
        self._short_cuts: dict[str, str] = {}  # by the block of a later operand: where the one before it leads else
        for block in function.blocks:
            branch = block.terminator
            if isinstance(branch, ConditionalBranch):
                self._note(branch.true_target, branch.false_target)
                self._note(branch.false_target, branch.true_target)

    def _note(self, target: str, other: str) -> None:
        if _LATER_OPERAND.match(target):
            self._short_cuts[target] = other

    def holds(self, branch: ConditionalBranch, block: str) -> bool:
        """Whether the jump's condition is the negation of the source's."""
        short_cut = self._short_cuts.get(block, "")
        on_true, on_false = branch.true_target, branch.false_target
        if short_cut in (on_true, on_false):
            return short_cut == (on_true if block.startswith("%land") else on_false)
        if _WHEN_TRUE.match(on_true) or _WHEN_FALSE.match(on_false):
            return False
        return bool(_WHEN_TRUE.match(on_false) or _WHEN_FALSE.match(on_true))


class LogicalValues:
    """Where `a && b` is a value: clang branches on `a` only, and joins `b` in a phi. We count `b` as well.

    `operands` maps a block that ends by jumping to such a join to the text of its operand; `joined` holds the phis
    all of whose outcomes were decided by counted branches, so that a branch on them is no conditional of its own.
    """

    def __init__(self, function: FunctionBody) -> None:
        self.operands: dict[str, str] = {}
        self.joined: dict[str, Phi] = {}
        terminators = {block.name: block.terminator for block in function.blocks}
        for block in function.blocks:
            for instruction in block.instructions:
                if isinstance(instruction, Phi) and _joins_logical(instruction, block.name, terminators):
                    self.joined[instruction.result] = instruction
                    for value, source in instruction.incoming:
                        if value.is_local:
                            self.operands[source] = value.text


def _joins_logical(phi: Phi, block: str, terminators: dict[str, Instruction]) -> bool:
    if phi.type != Integer(1) or not re.match(r"%(land|lor)\.end", block):
        return False
    operands = [(value, source) for value, source in phi.incoming if value.is_local]
    return len(operands) == 1 and all(isinstance(terminators.get(source), Jump) for _, source in operands)
