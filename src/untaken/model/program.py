"""The program map: branches, functions and control flow of a linked program, as read from the executable.

Ids are offsets into the concatenated "untaken_ids" sections (runtime/abi.h, "Events"): the two branches of a
conditional are `2k` (true side) and `2k + 1`, so the paired branch is `id ^ 1`; entry and return of a function
likewise. They are stable for the same sources and flags.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from functools import cached_property
from itertools import accumulate

from untaken.model.decision import BranchId as BranchId
from untaken.model.decision import Decision
from untaken.model.variables import AskedVariable, VariableDefinition

NO_BRANCH = BranchId(0)


class BranchKind(Enum):
    """What the conditional is in the source."""

    IF = "if"
    LOOP = "loop"
    CASE = "case"
    LOGICAL = "logical"  # an operand of && or ||
    CONDITIONAL = "conditional"  # ?:


class Operand(Enum):
    """What the compared values of a branch are, for learned heuristics."""

    EXTERNAL_CALL = "external-call"
    INTEGER_CONSTANT = "integer-constant"
    CHARACTER_CONSTANT = "character-constant"
    POINTER_ACCESS = "pointer-access"
    LOCAL_VARIABLE = "local-variable"


def paired(branch: BranchId) -> BranchId:
    """The other side of the same conditional."""
    return BranchId(branch ^ 1)


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the source; line 0 where the compiler gave none."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Branch:
    """One edge of one conditional."""

    id: BranchId
    function: int  # index into ProgramMap.functions
    location: Location
    kind: BranchKind
    in_loop: bool
    nested: bool  # inside another conditional
    operands: frozenset[Operand]

    @property
    def side(self) -> bool:
        """True for the side taken when the condition holds."""
        return self.id & 1 == 0


@dataclass(frozen=True, slots=True)
class Edge:
    """To another block of the function, by way of a branch or not."""

    target: int
    branch: BranchId = NO_BRANCH


@dataclass(frozen=True, slots=True)
class Call:
    """A call site: the function's name, or None through a pointer."""

    callee: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """Straight-line code: its calls in order, then where it may go. No edges: it returns or ends."""

    calls: tuple[Call, ...]
    edges: tuple[Edge, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class Function:
    """A function with a body; block 0 is its entry."""

    index: int
    name: str
    location: Location
    entry_id: int  # return_id is entry_id + 1
    blocks: tuple[Block, ...]
    exported: bool  # visible to other object files
    unit: int = 0  # which object file; static functions are known only inside theirs

    @property
    def return_id(self) -> int:
        return self.entry_id + 1


class LibraryEffect(Flag):
    """What a call of a function that the program map has no body of does to control flow; nothing: it may call anything
    (build/library/effects.py)."""

    QUIET = auto()  # it runs no code of the program
    LEAVES_BEHIND = auto()  # code of the program may run at any later time, or go on elsewhere
    ENDS = auto()  # the program ends
    ASSUMES = auto()  # the run ends unless the argument holds
    REJECTS = auto()  # the run ends as if an assumption had failed


@dataclass(frozen=True, slots=True)
class Containment:
    """What runs of a program may leave behind (build/library/contained.py)."""

    contained: bool  # nothing but memory and open files
    uses_files: bool  # else it cannot have written any
    changes_process: bool = False  # signal handlers and masks, which can be put back
    sets_locale: bool = False
    about_processors: bool = False  # asks which processors it may use, or chooses some
    takes_addresses: bool = False  # of functions that are not its own, in code: what these leave behind nobody knows
    obstacles: tuple[str, ...] = ()  # functions, libraries and the like that may leave anything
    strangers: tuple[str, ...] = ()  # those of which nobody knows what they read


@dataclass(frozen=True)
class ProgramMap:
    """All of a linked program. `id_count` bounds every id."""

    functions: tuple[Function, ...]
    branches: dict[BranchId, Branch]
    id_count: int
    sources: tuple[str, ...] = ()
    uninstrumented: tuple[str, ...] = field(default=())  # functions left concrete, "name: reason"
    containment: Containment = Containment(False, True)
    library: Mapping[str, LibraryEffect] = field(default_factory=dict)  # of functions by name, if it has any effect
    decisions: tuple[Decision, ...] = ()  # those of several conditions, and jumps that repeat them
    asked: Mapping[BranchId, AskedVariable] = field(default_factory=dict)  # by the true side
    definitions: tuple[VariableDefinition, ...] = ()
    words: tuple[bytes, ...] = ()  # that its constant strings spell

    def __iter__(self) -> Iterator[Branch]:
        return iter(self.branches.values())

    @cached_property
    def function_of_entry(self) -> dict[int, Function]:
        """By entry id, as it occurs in events."""
        return {function.entry_id: function for function in self.functions}

    @cached_property
    def callees(self) -> set[str]:
        """All functions that are called by name."""
        blocks = (block for function in self.functions for block in function.blocks)
        return {call.callee for block in blocks for call in block.calls if call.callee}

    def named(self, effect: LibraryEffect) -> frozenset[str]:
        """The functions of the library that have this effect."""
        return frozenset(name for name, effects in self.library.items() if effect in effects)

    @cached_property
    def library_calls(self) -> set[str]:
        """Those of them that the program does not define itself: its own `accept` is not the library's."""
        return self.callees - {function.name for function in self.functions}

    @cached_property
    def targets(self) -> dict[BranchId, list[tuple[int, int]]]:
        """By branch, the blocks that it leads to, each as its function's index and its own in there: mostly one."""
        found: dict[BranchId, list[tuple[int, int]]] = {}
        for function in self.functions:
            for edge in (edge for block in function.blocks for edge in block.edges):
                if edge.branch != NO_BRANCH:
                    found.setdefault(edge.branch, []).append((function.index, edge.target))
        return found

    @cached_property
    def first_blocks(self) -> list[int]:
        """By function, the number of its first block, if the blocks of all functions are numbered through."""
        return list(accumulate((len(function.blocks) for function in self.functions), initial=0))

    def blocks_behind(self, branch: BranchId) -> Iterator[int]:
        """The numbers of the blocks that a branch leads to."""
        for function, place in self.targets.get(branch, ()):
            if place < len(self.functions[function].blocks):
                yield self.first_blocks[function] + place

    @cached_property
    def ways(self) -> list[list[tuple[int, int]]]:
        """By the number of a block, where it leads: the branch or the function's entry that is passed on the way, by
        its id (NO_BRANCH: none), and the number of the block that comes next."""
        return [list(self._ways_out(function, block)) for function in self.functions for block in function.blocks]

    def _ways_out(self, function: Function, block: Block) -> Iterator[tuple[int, int]]:
        first = self.first_blocks[function.index]
        for edge in block.edges:
            if edge.target < len(function.blocks):
                yield edge.branch, first + edge.target
        for call in block.calls:
            callee = self.callee(function, call)
            if callee is not None and callee.blocks:
                yield callee.entry_id, self.first_blocks[callee.index]

    def callee(self, caller: Function, call: Call) -> Function | None:
        """The function a direct call enters, if its body is known: a static one of the same file first."""
        if call.callee is None:
            return None
        return self._by_unit.get((caller.unit, call.callee)) or self._exported.get(call.callee)

    @cached_property
    def _by_unit(self) -> dict[tuple[int, str], Function]:
        return {(function.unit, function.name): function for function in self.functions}

    @cached_property
    def _exported(self) -> dict[str, Function]:
        return {function.name: function for function in reversed(self.functions) if function.exported}
