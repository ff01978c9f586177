"""Reads the arguments of a call: values with their attributes; metadata, which debuggers are told, is passed over."""

from __future__ import annotations

from untaken.build.ir.instructions import Argument
from untaken.build.ir.syntax import Cursor


def read_arguments(cursor: Cursor) -> tuple[Argument, ...]:
    """From the opening parenthesis to the closing one."""
    cursor.expect("(")
    arguments: list[Argument] = []
    while not cursor.accept(")"):
        kind = cursor.type()
        if str(kind) == "metadata":
            _skip_metadata(cursor)
        else:
            attributes = cursor.attributes()
            byval = attributes.get("byval")
            value = cursor.value(kind)
            arguments.append(Argument(value, cursor.named_type(byval) if byval else None))
        cursor.accept(",")
    return tuple(arguments)


def _skip_metadata(cursor: Cursor) -> None:
    while cursor.peek() and cursor.peek() not in (",", ")"):
        if cursor.peek() in ("(", "{"):
            cursor.skip_group()
        else:
            cursor.next()
