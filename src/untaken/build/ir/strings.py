"""Strings and names as printed IR has them: what is not printable ASCII is a backslash and two digits."""

from __future__ import annotations

import re

_ESCAPE = re.compile(rb"\\(\\|[0-9A-Fa-f]{2})")


def escaped(text: bytes) -> str:
    """Bytes as LLVM writes them between quotes."""
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in text)


def unescaped(text: str) -> str:
    """What stands between quotes; bytes that are no UTF-8 stay visible."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_byte, text.encode()).decode(errors="backslashreplace")


def _byte(match: re.Match[bytes]) -> bytes:
    return b"\\" if match[1] == b"\\" else bytes([int(match[1], 16)])


def plain_name(name: str) -> str:
    """Of a global, as the linker knows it: `@"gr\\C3\\BC\\C3\\9Fe"` is grüße. A leading 1 says: not to be mangled."""
    return unescaped(name.removeprefix("@").strip('"')).removeprefix("\x01")
