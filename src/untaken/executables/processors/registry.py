"""All processors, by the names that --cpu takes."""

from __future__ import annotations

from untaken.errors import UsageError
from untaken.executables.image_files.image import ExecutableImage
from untaken.executables.processors import i8051
from untaken.executables.processors.arm_thumb import ARM
from untaken.executables.processors.avr import AVR
from untaken.executables.processors.description import Processor
from untaken.executables.processors.i8051 import I8051
from untaken.executables.processors.msp430 import MSP430
from untaken.executables.processors.others import other
from untaken.executables.processors.powerpc import POWERPC
from untaken.executables.processors.x86_64 import X86_64

PROCESSORS = {each.name: each for each in (I8051, AVR, MSP430, POWERPC, ARM, X86_64)}


def find_processor(name: str | None, image: ExecutableImage) -> Processor:
    """What the command line names, or what the file says."""
    told = image.processor
    if name is None and told is None:
        raise UsageError(f"{image.path} does not say what it is for: name the processor with --cpu, {_known()}")
    chosen = name or told or ""
    if name in PROCESSORS and told in PROCESSORS and name != told:
        raise UsageError(f"{image.path} is for {PROCESSORS[told].title}, not for {PROCESSORS[name].title}: drop --cpu")
    if chosen in PROCESSORS:
        return PROCESSORS[chosen]
    if ":" in chosen:
        return other(chosen)
    raise UsageError(f"no processor is called {chosen}: there are {_known()}, and SLEIGH's, such as z80:LE:16:default")


def _known() -> str:
    return ", ".join(PROCESSORS)


def refined(processor: Processor, codes: list[bytes]) -> Processor:
    """The same processor as far as a program uses it, now that its instructions are known."""
    return i8051.chosen(codes) if processor is I8051 else processor
