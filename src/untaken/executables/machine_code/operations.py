"""What one machine instruction does, as p-code: a few typed operations on places of memories and registers.

The words are SLEIGH's (Ghidra's language of processors). A place is a stretch of bytes in a space; `const` is the space
whose offsets are the values themselves, `unique` the one of results that live no longer than their instruction.
"""

from __future__ import annotations

from dataclasses import dataclass

CONST, UNIQUE, REGISTER = "const", "unique", "register"
JUMPS = frozenset({"BRANCH", "CBRANCH", "BRANCHIND", "CALL", "CALLIND", "RETURN"})
ENDS = frozenset({"BRANCH", "BRANCHIND", "RETURN"})
# What an operation does beside its result: these are never left out.
EFFECTS = JUMPS | {"STORE", "CALLOTHER", "INT_DIV", "INT_SDIV", "INT_REM", "INT_SREM", "LOAD", "PORT"}


@dataclass(frozen=True, slots=True, order=True)
class Varnode:
    """A stretch of bytes in a space."""

    space: str
    offset: int
    size: int

    @property
    def is_constant(self) -> bool:
        return self.space == CONST

    def overlaps(self, other: Varnode) -> bool:
        return (
            self.space == other.space
            and self.offset < other.offset + other.size
            and other.offset < self.offset + self.size
        )


def constant(value: int, size: int) -> Varnode:
    return Varnode(CONST, value & ((1 << 8 * size) - 1), size)


@dataclass(frozen=True, slots=True)
class Operation:
    """`space` is where LOAD and STORE go, `name` what CALLOTHER calls."""

    code: str
    output: Varnode | None
    inputs: tuple[Varnode, ...]
    space: str = ""
    name: str = ""

    @property
    def inside(self) -> bool:
        """Whether it jumps within its own instruction: the first input says how many operations on."""
        return self.code in ("BRANCH", "CBRANCH") and self.inputs[0].is_constant

    @property
    def is_idle(self) -> bool:
        """Whether to do it again changes nothing: temporaries, and registers that are given a constant."""
        if self.code in EFFECTS or self.output is None:
            return False
        return self.output.space == UNIQUE or (self.code == "COPY" and self.inputs[0].is_constant)


@dataclass(frozen=True, slots=True)
class MachineInstruction:
    """One machine instruction at its address."""

    address: int
    length: int
    text: str  # its disassembly
    operations: tuple[Operation, ...]

    @property
    def next(self) -> int:
        return self.address + self.length

    @property
    def targets(self) -> tuple[int, ...]:
        """Where it may jump to, as far as it says so itself; calls left out."""
        return tuple(
            op.inputs[0].offset for op in self.operations if op.code in ("BRANCH", "CBRANCH") and not op.inside
        )

    @property
    def calls(self) -> tuple[int, ...]:
        return tuple(op.inputs[0].offset for op in self.operations if op.code == "CALL")

    @property
    def falls_through(self) -> bool:
        """Whether the instruction behind it may be next, a call's return included."""
        return not self.operations or self.operations[-1].code not in ENDS or self._jumps_past_its_end

    @property
    def _jumps_past_its_end(self) -> bool:
        count = len(self.operations)
        return any(op.inside and number + signed(op.inputs[0]) >= count for number, op in enumerate(self.operations))


def signed(value: Varnode) -> int:
    """A constant as a signed number."""
    top = 1 << (8 * value.size - 1)
    return (value.offset ^ top) - top
