"""Source places from the debug metadata at the end of a printed module."""

from __future__ import annotations

import os
import re
from functools import cache

from untaken.build.ir.strings import unescaped
from untaken.model.program import Location

_FIELD = re.compile(r'(\w+): (?:"((?:[^"\\]|\\.)*)"|([^,()]+))')


class DebugInfo:
    """Reads metadata lines when they are asked for."""

    def __init__(self, metadata: list[str]) -> None:
        self._lines = {}
        for line in metadata:
            if line[1:2].isdigit():
                name, _, body = line.partition(" = ")
                self._lines[name] = body
        self.fields = cache(self._read_fields)
        self.file_of = cache(self._file_of)

    def location(self, reference: str) -> Location | None:
        """The place a !dbg attachment names."""
        fields = self.fields(reference)
        if "line" not in fields:
            return None
        return Location(self.file_of(fields.get("scope", "")), int(fields["line"]), int(fields.get("column", "0")))

    def line(self, reference: str) -> int:
        """The line that a !dbg attachment names, or 0."""
        return int(self.fields(reference).get("line", "0"))

    def function_location(self, reference: str) -> Location | None:
        """Where a function's DISubprogram says that it is."""
        fields = self.fields(reference)
        if "line" not in fields:
            return None
        return Location(self.file_of(reference), int(fields["line"]), 0)

    def _file_of(self, scope: str) -> str:
        fields = self.fields(scope)
        if "filename" in fields:
            return os.path.normpath(os.path.join(fields.get("directory", ""), fields["filename"]))
        for key in ("file", "scope"):
            if fields.get(key, "").startswith("!"):
                return self.file_of(fields[key])
        return ""

    def body(self, reference: str) -> str:
        """What a metadata node is, as printed; empty if there is none."""
        return self._lines.get(reference, "")

    def files(self) -> list[str]:
        """The nodes that stand for files."""
        return [name for name, body in self._lines.items() if body.startswith("!DIFile(")]

    def references(self) -> list[str]:
        """All nodes of debug information, in the order in which they were made."""
        return list(self._lines)

    def _read_fields(self, reference: str) -> dict[str, str]:
        body = self._lines.get(reference, "")
        return {key: unescaped(quoted) or plain for key, quoted, plain in _FIELD.findall(body)}
