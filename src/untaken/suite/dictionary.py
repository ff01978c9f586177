"""Dictionaries in the format of AFL and libFuzzer: the words that a program looks for in its input.

    # a comment
    "word"
    name="\\x89PNG\\"\\\\"

A name, and a level behind it (`name@2=`), may come before a word; they mean nothing to us.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from untaken.errors import UsageError

WORDS = "words.dict"  # in a campaign's folder: the words that it met
LARGEST_DICTIONARY = 16 << 20  # bytes
_LINE = re.compile(rb'(?:[\w.+-]+(?:@\d+)?\s*=\s*)?"((?:[^"\\]|\\\\|\\"|\\x[0-9a-fA-F]{2})+)"')
_ESCAPE = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|(.))", re.DOTALL)


def read_dictionary(name: str) -> tuple[bytes, ...]:
    """The words of a file, each once."""
    try:
        with open(name, "rb") as file:  # a pipe of a shell, maybe
            content = file.read(LARGEST_DICTIONARY + 1)
    except OSError as error:
        raise UsageError(f"cannot read the dictionary {name}: {error.strerror}") from None
    if len(content) > LARGEST_DICTIONARY:
        raise UsageError(f"the dictionary {name} has more than {LARGEST_DICTIONARY:,} bytes")
    words: dict[bytes, None] = {}
    for number, line in enumerate(content.split(b"\n"), 1):
        text = line.strip()
        if text and not text.startswith(b"#"):
            words[_word(text, f"line {number} of {name}")] = None
    return tuple(words)


def _word(line: bytes, place: str) -> bytes:
    match = _LINE.fullmatch(line)
    if match is None:
        raise UsageError(f'{place} is no word of a dictionary: it wants NAME="WORD", with \\xNN for other bytes')
    return _ESCAPE.sub(lambda found: bytes([int(found[1], 16)]) if found[1] else found[2], match[1])


def dictionary_text(words: Iterable[bytes]) -> bytes:
    """The same words as a file, in this order."""
    return "".join(f'"{"".join(map(_escaped, word))}"\n' for word in words).encode()


def _escaped(byte: int) -> str:
    if chr(byte) in '"\\':
        return f"\\{chr(byte)}"
    return chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}"
