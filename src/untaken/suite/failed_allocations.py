"""Which allocations a test makes fail (--fail-malloc), as its fields tell."""

from __future__ import annotations

import re
from collections.abc import Sequence

from untaken.build.library.failing_allocations import FAILS, FIELD
from untaken.model.input import Field

_NAME = re.compile(rf"{FIELD}(\d+)(?: at line (\d+) of (.*))?")
_IN_WORDS = re.compile(r" ?when allocation .*")
MOST_NAMED = 3


def is_allocation(field: Field) -> bool:
    """Whether it decides on an allocation, and is none of the program's own inputs."""
    return _NAME.fullmatch(field.name) is not None


def failed_allocations(input: bytes, fields: Sequence[Field]) -> list[Field]:
    """In the order in which the program asked for memory."""
    fails = bytes([FAILS])
    return [field for field in fields if is_allocation(field) and input[field.offset : field.offset + 1] == fails]


def allocation_pattern(input: bytes, fields: Sequence[Field]) -> str:
    """A letter for each allocation up to the last that fails: F for those that do, else a dot."""
    failed = failed_allocations(input, fields)
    letters = ("F" if field in failed else "." for field in fields if is_allocation(field))
    return "".join(letters).rstrip(".")


def with_failed_allocations(cause: str, input: bytes, fields: Sequence[Field]) -> str:
    """Why something goes wrong, with the allocations that fail; those of another input are left out."""
    return " ".join(filter(None, (_IN_WORDS.sub("", cause), in_words(input, fields))))


def in_words(input: bytes, fields: Sequence[Field]) -> str:
    """As in "when allocation 3 at parse.c:42 fails"; empty if none does."""
    failed = [_named(field.name) for field in failed_allocations(input, fields)]
    if not failed:
        return ""
    more = f" and {len(failed) - MOST_NAMED} more" if len(failed) > MOST_NAMED else ""
    return f"when {', '.join(failed[:MOST_NAMED])}{more} {'fails' if len(failed) == 1 else 'fail'}"


def _named(name: str) -> str:
    match = _NAME.fullmatch(name)
    assert match is not None
    number, line, file = match.groups()
    return f"allocation {number} at {file}:{line}" if line else f"allocation {number}"
