"""Processors that SLEIGH knows and nobody has checked here."""

from __future__ import annotations

from untaken.errors import UsageError
from untaken.executables.machine_code.sleigh import Decoder, facts
from untaken.executables.processors.description import Calling, Memory, Processor

_SHORT_ADDRESS = 2  # bytes
_ABOVE_STACK = 64


def other(language: str) -> Processor:
    """As good as it can be told from SLEIGH's own description."""
    found = facts(language)
    if found is None:
        raise UsageError(f"SLEIGH has no language {language}; `untaken lift --list-cpus` prints those that there are")
    # Where addresses are short, all of them are memory: there is no place that nothing else could be at.
    size = 1 << 8 * found.address_bytes if found.address_bytes <= _SHORT_ADDRESS else None
    memories = [Memory(found.code_space, found.code_space, size, is_code=True)]
    pointer = found.stack_pointer or next(iter(Decoder(language).registers()))
    return Processor(
        name=language,
        title=found.description,
        language=language,
        code_space=found.code_space,
        memories=tuple(memories),
        address_bytes=found.address_bytes,
        big_endian=found.big_endian,
        stack_pointer=pointer,
        usual_stack=0 if size is None else size - _ABOVE_STACK,
        return_bytes=found.address_bytes,
        calling=Calling(link=found.link),
        tested=False,
    )
