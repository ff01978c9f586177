"""What the program map says of one function, drawn while it is instrumented: blocks, edges, calls, branches."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from untaken.build.instrument.branches import LogicalValues, kind_of
from untaken.build.instrument.debug import DebugInfo
from untaken.build.instrument.decision_ways import SketchCondition
from untaken.build.instrument.decisions import FoundDecision, decisions_of
from untaken.build.instrument.definitions import Definition, Variables
from untaken.build.instrument.operands import OperandKinds
from untaken.build.ir.instructions import (
    CallInstruction,
    ConditionalBranch,
    IndirectBranch,
    Instruction,
    Jump,
    Phi,
    Select,
    Switch,
)
from untaken.build.ir.reader import FunctionBody, InstructionBlock
from untaken.build.ir.strings import plain_name
from untaken.build.ir.syntax import Value
from untaken.model.program import BranchKind, Location, Operand
from untaken.model.variables import AskedVariable

# One edge: target block (its name, or a number for a piece of a split block), and the branch taken on it or 0.
SketchEdge = tuple[str, int]

_WEAK = re.compile(r"define (?:dso_local )?(?:weak|linkonce)")


@dataclass(slots=True)
class SketchBlock:
    name: str
    calls: list[tuple[str | None, int]] = field(default_factory=list)
    edges: list[SketchEdge] = field(default_factory=list)
    line: int = 0


@dataclass(slots=True)
class SketchBranch:
    """Both sides of a conditional."""

    pair: int
    location: Location
    kind: BranchKind
    operands: frozenset[Operand]
    block: str
    asked: AskedVariable | None = None


class FunctionSketch:
    """Follows the instrumenter through the function. `counted` is false for code of system headers."""

    def __init__(
        self, function: FunctionBody, debug: DebugInfo, is_system: Callable[[str], bool], external: frozenset[str]
    ) -> None:
        self._function = function
        self._debug = debug
        self._kinds = OperandKinds(function, external)
        self._variables = Variables(function)
        self._definitions = {i.result: i for block in function.blocks for i in block.instructions if i.result}
        self._logical = LogicalValues(function)
        self._by_name = {block.name: block for block in function.blocks}
        self.location = debug.function_location(function.debug) or Location("", 0, 0)
        self._is_system = is_system
        # Without a place in the source: made by the compiler, such as the constructors of sanitizers.
        self.counted = bool(self.location.file) and not is_system(self.location.file)
        self.name = function.name
        self.exported = " internal " not in function.header and " private " not in function.header
        self.weak = _WEAK.match(function.header) is not None
        self.entry_id = 0
        self.blocks: list[SketchBlock] = []
        self.branches: list[SketchBranch] = []
        self._conditions: list[SketchCondition] = []

    def decisions(self) -> list[FoundDecision]:
        """Which branches are conditions of one decision; asked for when all of the function was seen."""
        return decisions_of(self._function, self._conditions)

    @property
    def definitions(self) -> list[Definition]:
        """Where it gives variables which values."""
        return list(self._variables.definitions())

    def start(self, entry_id: int) -> None:
        self.entry_id = entry_id

    def counts(self, instruction: Instruction) -> bool:
        """Whether a decision is the program's: headers of the system may have been inlined."""
        return self.counted and not self._is_system(self._location(instruction).file)

    @property
    def _current(self) -> SketchBlock:
        return self.blocks[-1]

    def block(self, name: str) -> None:
        self.blocks.append(SketchBlock(name))

    def call(self, call: CallInstruction) -> None:
        if call.callee == "asm" or call.callee.startswith("@llvm."):
            return
        callee = plain_name(call.callee).removeprefix("untaken_model_")
        location = self._debug.location(call.debug)
        name = callee if call.callee.startswith("@") else None
        self._current.calls.append((name, location.line if location else 0))

    def place(self, at: Instruction) -> Location:
        """Where an instruction is in the source."""
        return self._location(at)

    def branch(self, branch: ConditionalBranch, pair: int, negated: bool = False) -> None:
        """A conditional jump; pair 0: it only repeats what counted branches decided. `negated`: its targets were
        exchanged, its condition was not."""
        block = self._current.name
        self._current.edges = [
            self._through(block, branch.true_target, pair, None),
            self._through(block, branch.false_target, pair + 1 if pair else 0, None),
        ]
        if pair:
            kind = kind_of(branch, block)
            self._conditions.append(SketchCondition(pair, _whole(block), branch.true_target, branch.false_target))
            self._add(pair, kind, branch.condition, branch, block, negated)

    def logical_operand(self, block: InstructionBlock, operand: str, pair: int) -> None:
        """The last operand of && or || whose value is joined in the block that this one jumps to."""
        jump = block.terminator
        assert isinstance(jump, Jump)
        self._current.edges = [
            self._through(block.name, jump.target, pair, True),
            self._through(block.name, jump.target, pair + 1 if pair else 0, False),
        ]
        if pair:
            self._conditions.append(SketchCondition(pair, block.name, jump.target, jump.target, is_value=True))
            self._add(pair, BranchKind.LOGICAL, Value(self._definitions[operand].type, operand), jump, block.name)

    def conditional(self, select: Select, pair: int) -> None:
        """c ? a : b without jumps: drawn as a fork that joins at once."""
        before = self._current
        after = SketchBlock(f"{before.name}#{len(self.blocks)}")
        before.edges = [(after.name, pair), (after.name, pair + 1 if pair else 0)]
        self.blocks.append(after)
        if pair:
            self._add(pair, BranchKind.CONDITIONAL, select.condition, select, before.name)

    def switch(self, switch: Switch, pairs: list[int]) -> None:
        """A chain of comparisons, one a case."""
        for pair, (case, target) in zip(pairs, switch.cases, strict=True):
            here = self._current
            following = SketchBlock(f"{here.name}#{len(self.blocks)}")
            here.edges = [(target, pair), (following.name, pair + 1 if pair else 0)]
            if pair:
                location = self._location(switch)
                operands = self._kinds.compared(switch.value, case)
                asked = self._variables.switched(switch.value, case)
                self.branches.append(SketchBranch(pair, location, BranchKind.CASE, operands, here.name, asked))
            self.blocks.append(following)
        self._current.edges = [(switch.default, 0)]

    def leave(self, instruction: Instruction) -> None:
        """Any other end of a block."""
        if isinstance(instruction, Jump) and not self._current.edges:
            self._current.edges = [self._through(self._current.name, instruction.target, 0, None)]
        elif isinstance(instruction, IndirectBranch):
            self._current.edges = [(target, 0) for target in instruction.targets]

    def _through(self, source: str, target: str, branch: int, operand: bool | None) -> SketchEdge:
        """Where an edge really leads: past a join of && or || whose outcome it decides."""
        source = _whole(source)
        join = self._by_name[target]
        decided = join.terminator
        if isinstance(decided, ConditionalBranch) and decided.condition.text in self._logical.joined and _is_bare(join):
            phi = self._logical.joined[decided.condition.text]
            outcome = operand
            for value, block in phi.incoming:
                if block == source and not value.is_local:
                    outcome = value.text == "true"
            if outcome is not None:
                return (decided.true_target if outcome else decided.false_target, branch)
        return (target, branch)

    def _add(
        self, pair: int, kind: BranchKind, condition: Value, at: Instruction, block: str, negated: bool = False
    ) -> None:
        definition = self._definitions.get(condition.text)
        location = self._location(at)
        if definition is not None and kind in (BranchKind.LOGICAL, BranchKind.CONDITIONAL):
            made = self._debug.location(definition.debug)
            location = made if made is not None and made.line else location  # where && and || are joined has line 0
        operands, asked = self._kinds.of_condition(definition), self._variables.asked(condition, negated)
        self.branches.append(SketchBranch(pair, location, kind, operands, block, asked))

    def _location(self, at: Instruction) -> Location:
        return self._debug.location(at.debug) or Location(self.location.file, 0, 0)


def _whole(block: str) -> str:
    """The block that a piece of a split one is of."""
    return block.split("#")[0]


def _is_bare(block: InstructionBlock) -> bool:
    """Nothing in it but phis and the jump."""
    return all(isinstance(instruction, Phi) for instruction in block.instructions[:-1])
