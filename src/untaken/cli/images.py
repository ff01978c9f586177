"""Options of commands that take executables without source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from untaken.campaign.option_text import whole
from untaken.errors import UsageError
from untaken.executables.options import DEFAULT_LIMIT, ImageOptions

SUFFIXES = (".hex", ".ihx", ".ihex", ".bin", ".srec", ".s19", ".s28", ".s37", ".mot")
NAMES = (
    *("cpu", "base", "entry", "image_inputs", "input_at", "ports", "exits", "interrupts", "ram", "symbols", "stack"),
    "limit",
)
ELF = b"\x7fELF"
EM_X86_64 = 62


def add_image_options(add: Callable[..., object]) -> None:
    """What an image cannot say itself."""
    many: dict[str, Any] = {"action": "append"}
    add("--cpu", metavar="NAME", help="what it is for: 8051, avr, msp430, ppc, arm, x86-64, or a language of SLEIGH")
    add("--base", type=number, metavar="ADDRESS", help="where the first byte of a raw image lies")
    add("--entry", metavar="ADDRESS", help="the address or function where it begins (default: as after a reset)")
    add("--input", dest="image_inputs", metavar="ADDRESS:SIZE[:NAME]", **many, help="memory that is an input")
    add("--input-at", metavar="ADDRESS", help="put the input into memory when this address is reached first")
    add("--port", dest="ports", metavar="ADDRESS[:SIZE[:NAME]]", **many, help="memory of which each read is an input")
    add(
        "--exit",
        dest="exits",
        metavar="ADDRESS",
        **many,
        help="a run ends here, as it does where a jump leads to itself",
    )
    add(
        "--interrupt",
        dest="interrupts",
        metavar="VECTOR[@ADDRESS]",
        **many,
        help="may come at ADDRESS, or in each loop",
    )
    add("--ram", metavar="ADDRESS:SIZE", **many, help="memory that the image does not mention")
    add("--stack", type=number, metavar="ADDRESS", help="where the stack begins (default: in memory of its own)")
    add("--symbols", type=Path, metavar="FILE", help="names of addresses: a map of sdcc, or what nm prints")
    add(
        "--limit",
        type=whole("--limit", 1),
        metavar="N",
        help=f"instructions without an input after which a run is a finding (default {DEFAULT_LIMIT:,})",
    )


def number(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise UsageError(f"{text} is no address") from None


def is_image(targets: Sequence[str], known: Mapping[str, Any], may_be_ours: bool = True) -> bool:
    """Whether an executable without source is meant; one for this machine `may_be_ours`, built with untaken cc."""
    if any(known.get(name) is not None for name in NAMES):
        return True
    path = Path(targets[0])
    if len(targets) != 1 or not path.is_file():
        return False
    if path.suffix in SUFFIXES:
        return True
    with path.open("rb") as file:
        head = file.read(20)
    machine = int.from_bytes(head[18:20], "little" if head[5:6] == b"\1" else "big")
    return head.startswith(ELF) and not (may_be_ours and machine == EM_X86_64)


def image_options(targets: Sequence[str], known: Mapping[str, Any], function: str | None = None) -> ImageOptions:
    """What was typed about an image, not yet looked into."""
    if len(targets) != 1:
        raise UsageError("one image at a time: name a single file")
    path = Path(targets[0])
    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    return ImageOptions(
        path=path,
        cpu=known["cpu"],
        base=known["base"],
        entry=known["entry"],
        inputs=tuple(known["image_inputs"] or ()),
        input_at=known["input_at"],
        ports=tuple(known["ports"] or ()),
        exits=tuple(known["exits"] or ()),
        interrupts=tuple(known["interrupts"] or ()),
        memory=tuple(known["ram"] or ()),
        symbols=known["symbols"],
        stack=known["stack"],
        limit=known["limit"] or DEFAULT_LIMIT,
        function=function,
    )
