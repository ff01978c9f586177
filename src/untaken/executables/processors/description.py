"""What is to be known of a processor before code for it can be lifted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from untaken.executables.machine_code.operations import MachineInstruction, Varnode

Decode = Callable[[bytes, int], MachineInstruction | None]


@dataclass(frozen=True, slots=True)
class Memory:
    """An address space. One without a size has regions: what the image, the stack and the command line say."""

    name: str  # in C and on the command line
    space: str  # SLEIGH's
    size: int | None = None
    first: int = 0  # the address of its first byte
    is_code: bool = False
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Calling:
    """How a function is called, for entries that are functions: where its return address goes, and its arguments."""

    link: str | None = None  # the register of return addresses; None: they are pushed
    arguments: tuple[str, ...] = ()  # registers


@dataclass(frozen=True, slots=True)
class Interrupts:
    """What the processor pushes before it goes to a vector, first to last."""

    pushes: tuple[str, ...]  # "pc", or what else in C
    reads: tuple[str, ...] = ()  # the registers that it needs for that
    entered: tuple[str, ...] = ()  # what it does then, in C, such as to forbid others


@dataclass(frozen=True, slots=True)
class Processor:
    """All that is particular to one."""

    name: str
    title: str
    language: str  # SLEIGH's name for it
    code_space: str
    memories: tuple[Memory, ...]
    address_bytes: int
    big_endian: bool
    stack_pointer: str
    reset: Mapping[str, int] = field(default_factory=dict)  # registers that begin with something else than 0
    reset_memory: Mapping[Varnode, int] = field(default_factory=dict)  # the same for places in memories
    stack_grows_up: bool = False
    stack_symbols: tuple[str, ...] = ()  # what linkers call the place where the stack begins
    usual_stack: int = 0  # where it begins if nothing is known
    return_bytes: int = 4  # of a return address that is pushed
    pushed_at: int = 0  # where it is then, from the stack pointer on
    pushed_upper_first: bool = False  # its upper byte is at the lower address, whatever the order of numbers is
    thread_pointer: str = ""  # the register that memory of a thread, such as a guard of the stack, is found by
    reset_vector: int | None = None  # the address that holds that of the first instruction
    calling: Calling = Calling()
    interrupts: Interrupts | None = None
    code_unit: int = 1  # bytes that an address of code stands for
    code_alignment: int = 1  # what addresses of code are multiples of: others are rounded down by the processor
    registers: Mapping[str, Varnode] | None = None  # in place of SLEIGH's
    more_registers: Mapping[str, Varnode] = field(default_factory=dict)  # beside them
    names: Mapping[Varnode, str] = field(default_factory=dict)  # of places in memories
    without_effect: frozenset[str] = frozenset()  # operations that SLEIGH names only, and that may be passed over
    context: Mapping[str, int] = field(default_factory=dict)
    decode: Callable[[Decode], Decode] | None = None  # corrects or replaces what SLEIGH says
    has_latches: bool = False  # instructions that change a port read back what was written there, not its pins
    thumb: bool = False  # the lowest bit of an address of code is no part of it
    tested: bool = True

    @property
    def code_memory(self) -> Memory:
        return next(memory for memory in self.memories if memory.is_code)

    @property
    def data_memory(self) -> Memory:
        """What a plain address on the command line means."""
        return self.memories[0]

    def memory(self, space: str) -> Memory | None:
        """By SLEIGH's name for it."""
        return next((memory for memory in self.memories if memory.space == space), None)
