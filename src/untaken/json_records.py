"""Records in JSON, read through one checked decoder: a type says which fields there are, and of what types.

For all stages; msgspec is known here alone. A field that a type does not have is passed over, so that older versions
read what newer ones write; one without a default must be there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

AnyRecord = TypeVar("AnyRecord")

Natural = Annotated[int, msgspec.Meta(ge=0)]  # a number from 0


def like(pattern: str) -> msgspec.Meta:
    """Marks a text that is such all through, as in `Annotated[str, like("[a-z]+")]`."""
    return msgspec.Meta(pattern=f"^(?:{pattern})\\Z")


def up_to(most: int) -> msgspec.Meta:
    """Marks a number from 0 with a bound, as in `Annotated[int, up_to(100)]`."""
    return msgspec.Meta(ge=0, le=most)


class DamagedRecord(ValueError):
    """What does not fit, and where: "Expected `int`, got `str` - at `$.exit.code`"."""


def decoded(data: bytes | str, kind: type[AnyRecord]) -> AnyRecord:
    """The record that some JSON holds; DamagedRecord if it holds anything else."""
    return checked(parsed(data), kind)


def checked_json(data: bytes | str, kind: type[AnyRecord]) -> Any:
    """What some JSON holds, with all its fields, if it is such a record; else DamagedRecord."""
    value = parsed(data)
    checked(value, kind)
    return value


def parsed(data: bytes | str) -> Any:
    """What some JSON holds, for those who check it themselves; DamagedRecord if it is none.

    Python's own parser, because words of command lines may hold bytes that are no text ("\\udc80"), which msgspec's
    refuses.
    """
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DamagedRecord(str(error)) from None


def _from_text(kind: type, value: Any) -> Any:
    """Names of files are texts in JSON; what may be any object is what it is."""
    if kind is Path and isinstance(value, str):
        return Path(value)
    if isinstance(value, kind):
        return value
    raise TypeError(f"Expected `{kind.__name__}`, got `{type(value).__name__}`")


def checked(value: Any, kind: type[AnyRecord]) -> AnyRecord:
    """The same for what was parsed already."""
    try:
        return msgspec.convert(value, kind, dec_hook=_from_text)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # of names, msgspec takes only what is text
        raise DamagedRecord(str(error)) from None
