"""The only module that touches pypcode: bytes in, instructions out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from untaken.errors import UsageError
from untaken.executables.machine_code.operations import MachineInstruction, Operation, Varnode

MISSING = "executables are read with pypcode and pyelftools: pip install 'untaken[executables]'"
LONGEST = 16  # bytes of an instruction


class Decoder:
    """Decodes for one processor; what came before an address may change what is there (Thumb's IT, AVR's skips)."""

    def __init__(self, language: str, context: Mapping[str, int] | None = None) -> None:
        self._library = library()
        try:
            self._context = self._library.Context(language)
        except (KeyError, ValueError, self._library.LowlevelError):
            raise UsageError(
                f"no processor is called {language!r} by SLEIGH either; see `untaken lift --help`"
            ) from None
        for name, value in (context or {}).items():
            self._context.setVariableDefault(name, value)
        self._failures = (
            self._library.BadDataError,
            self._library.UnimplError,
            self._library.DecoderError,
            self._library.LowlevelError,
        )

    def decode(self, code: bytes, address: int) -> MachineInstruction | None:
        """The instruction at the start of these bytes, None if there is none."""
        try:
            shown = self._context.disassemble(code[:LONGEST], base_address=address, max_instructions=1).instructions[0]
            lifted = self._context.translate(code[:LONGEST], base_address=address, max_instructions=1)
        except self._failures:
            return None
        length = sum(place.size for place in lifted.ops[0].inputs)
        if length > len(code):
            return None
        text = f"{shown.mnem} {shown.body}".strip()
        return MachineInstruction(address, length, text, tuple(map(operation, lifted.ops[1:])))

    def registers(self) -> dict[str, Varnode]:
        """The places of all registers, by their names."""
        return {name: varnode(place) for name, place in self._context.registers.items()}


def library() -> Any:
    """pypcode, if it is installed."""
    try:
        import pypcode
    except ImportError:
        raise UsageError(MISSING) from None
    return pypcode


def varnode(place: Any) -> Varnode:
    return Varnode(place.space.name, place.offset, place.size)


def operation(op: Any) -> Operation:
    """Ours of pypcode's; spaces are named, not numbered."""
    code = op.opcode.__name__ if hasattr(op.opcode, "__name__") else op.opcode.name
    output = None if op.output is None else varnode(op.output)
    inputs = list(op.inputs)
    if code in ("LOAD", "STORE"):
        space = inputs[0].getSpaceFromConst().name
        return Operation(code, output, tuple(map(varnode, inputs[1:])), space=space)
    if code == "CALLOTHER":
        return Operation(code, output, tuple(map(varnode, inputs[1:])), name=inputs[0].getUserDefinedOpName())
    return Operation(code, output, tuple(map(varnode, inputs)))


def languages() -> list[str]:
    """All that SLEIGH knows, by their full names."""
    return sorted(language.id for arch in library().Arch.enumerate() for language in arch.languages)


@dataclass(frozen=True, slots=True)
class Facts:
    """What SLEIGH's files say of a processor as a whole."""

    description: str
    code_space: str
    address_bytes: int
    big_endian: bool
    stack_pointer: str | None
    link: str | None


def facts(language: str) -> Facts | None:
    """None: there is no such language."""
    found = next((each for arch in library().Arch.enumerate() for each in arch.languages if each.id == language), None)
    if found is None:
        return None
    compiler = next(iter(found.cspecs.values()), None)
    pointer = None if compiler is None else compiler.find("stackpointer")
    link = None if compiler is None else compiler.find(".//returnaddress/varnode")
    width = int(language.split(":")[2])
    link_register = None if compiler is None else compiler.find(".//returnaddress/register")
    return Facts(
        found.description,
        pointer.get("space") if pointer is not None else "ram",
        max(2, 1 << (-(-width // 8) - 1).bit_length()),
        ":BE:" in language,
        pointer.get("register") if pointer is not None else None,
        link_register.get("name") if link is None and link_register is not None else None,
    )
