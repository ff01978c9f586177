"""Inputs are put together and taken apart in one format, the runtime's own."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.search.hybrid.programs import built
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.input import Source, SourceKind
from untaken.model.input_codec import Delivery, declared_size, decoded, encoded

SIZES = st.integers(1, 12)
ARGUMENTS = st.lists(st.tuples(SIZES, st.binary(max_size=12)), max_size=3)
STREAM = st.tuples(SIZES, st.binary(max_size=12))


@given(ARGUMENTS, st.none() | STREAM, st.dictionaries(st.sampled_from("abc"), STREAM), st.binary(max_size=8))
def test_what_was_encoded_is_found_again(
    arguments: list[tuple[int, bytes]],
    stdin: tuple[int, bytes] | None,
    files: dict[str, tuple[int, bytes]],
    rest: bytes,
) -> None:
    sources = [Source(SourceKind.ARGUMENT, size, index=index) for index, (size, _) in enumerate(arguments, 1)]
    sources += [] if stdin is None else [Source(SourceKind.STDIN, stdin[0])]
    sources += [Source(SourceKind.FILE, size, name) for name, (size, _) in files.items()]
    meant = Delivery(
        {index: text[:size].split(b"\0")[0] for index, (size, text) in enumerate(arguments, 1)},
        None if stdin is None else stdin[1][: stdin[0]],
        {name: content[:size] for name, (size, content) in files.items()},
        rest,
    )
    input = encoded(meant, sources)
    assert decoded(input, sources) == meant
    assert len(input) == declared_size(sources) + len(rest)


def test_past_its_end_an_input_is_zero() -> None:
    sources = [Source(SourceKind.ARGUMENT, 4, index=1), Source(SourceKind.STDIN, 8)]
    assert decoded(b"", sources) == Delivery({1: b""}, b"")
    assert decoded(b"ab\0\0\3", sources) == Delivery({1: b"ab"}, b"\0\0\0")


ECHO = r"""
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char text[32];
    printf("%s|", argv[1]);
    fflush(stdout);
    ssize_t count = read(0, text, sizeof text);
    if (count > 0) write(1, text, (size_t)count);
    write(1, "|", 1);
    FILE *file = fopen("notes", "r");
    size_t size = file ? fread(text, 1, sizeof text, file) : 0;
    fwrite(text, 1, size, stdout);
    return 0;
}
"""


def test_the_runtime_delivers_what_was_encoded(tmp_path: Path) -> None:
    sources = (
        Source(SourceKind.ARGUMENT, 6, index=1),
        Source(SourceKind.STDIN, 9),
        Source(SourceKind.FILE, 5, "notes"),
    )
    meant = Delivery({1: b"word"}, b"stdin 1", {"notes": b"file"})
    with Session(built(tmp_path, ECHO), SessionSettings(sources=sources, capture=True)) as session:
        session.run(encoded(meant, sources))
        assert session.output == b"word|stdin 1|file"
