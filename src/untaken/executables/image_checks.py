"""What can be said to be wrong with an image before anything of it is run."""

from __future__ import annotations

from collections.abc import Iterator

from untaken.errors import UsageError
from untaken.executables.c_text.starting import Start
from untaken.executables.image_files.image import ExecutableImage
from untaken.executables.machine_code.control_flow import MachineProgram
from untaken.executables.processors.description import Processor


def check_image(image: ExecutableImage, processor: Processor) -> None:
    """Its code lies where the processor has memory for it."""
    end = end_of_code(processor)
    known = {memory.name for memory in processor.memories}
    for segment in image.segments:
        if segment.memory and segment.memory not in known:
            raise UsageError(
                f"{image.path} has bytes for a memory {segment.memory}, and {processor.title} has none: is --cpu right?"
            )
        if not segment.memory and (segment.address < 0 or segment.end > end):
            raise UsageError(
                f"{image.path} has bytes at {max(segment.address, segment.end - 1):#x}, "
                f"and code of {processor.title} ends at {end - 1:#x}: are --cpu and --base right?"
            )


def end_of_code(processor: Processor) -> int:
    memory = processor.code_memory
    return 1 << 8 * processor.address_bytes if memory.size is None else memory.first + memory.size


def check_program(image: ExecutableImage, processor: Processor, program: MachineProgram, entry: int) -> None:
    """What its code leads to looks like code."""
    title = processor.title
    if entry in program.invalid:
        if not image.bytes_at(entry, 1):
            raise UsageError(f"{image.path} has no code at {entry:#x}, where it is to begin: see --entry and --base")
        raise UsageError(f"{image.path} has no instruction of {title} at {entry:#x}: is it code, and --cpu right?")
    if len(program.instructions) < 12 and len(program.invalid) > 3 * len(program.instructions):
        raise UsageError(f"{image.path} does not look like code of {title}: is --cpu right?")
    if program.is_cut_off:
        raise UsageError(
            f"{image.path} leads to {len(program.instructions):,} instructions and more, which is more than can be "
            "lifted: begin at a part of it with --entry"
        )


def unmet_places(image: ExecutableImage, program: MachineProgram, start: Start) -> Iterator[str]:
    """Addresses on the command line at which no instruction begins that is known now; refuses those without code."""
    named = [("--exit", address) for address in sorted(start.exits)]
    named += [("--interrupt", address) for address in sorted(start.interrupt_points or ())]
    named += [("--input-at", start.input_at)] if start.input_at is not None else []
    for option, address in named:
        if address in program.instructions:
            continue
        if not image.bytes_at(address, 1):
            raise UsageError(f"{option} {address:#x}: {image.path.name} has no code at this address")
        yield f"{option} {address:#x}: no instruction that is known begins there, so it means nothing as yet"
