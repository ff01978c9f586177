"""Inputs of the user to start from: files of any length, as they would be given to the program."""

from __future__ import annotations

from pathlib import Path

from untaken.errors import UsageError
from untaken.model.input import Source, SourceKind

LENGTH_BYTES = 4
LARGEST_SEED = 16 << 20


def read_seeds(folder: Path, sources: tuple[Source, ...]) -> list[bytes]:
    """All files of a folder, in order of name.

    A file that an earlier campaign wrote (it has a description beside it) is an input already. Any other is the
    content of stdin or of the first declared file, if there is one, and else the input itself.
    """
    files = [path for path in sorted(folder.iterdir()) if path.is_file() and not path.name.startswith(".")]
    ours = {path for path in files if path.suffix == ".bin" and path.with_suffix(".json") in files}
    descriptions = {path.with_suffix(".json") for path in ours}
    try:
        contents = {path: path.read_bytes()[:LARGEST_SEED] for path in files if path not in descriptions}
    except OSError as error:
        raise UsageError(f"cannot read the seeds in {folder}: {error.strerror}") from error
    return [data if path in ours else placed(data, sources) for path, data in contents.items()]


def placed(data: bytes, sources: tuple[Source, ...]) -> bytes:
    """A file's bytes where the program will read them; arguments before it stay empty."""
    streams = [source for source in sources if source.kind is not SourceKind.ARGUMENT]
    if not streams:
        return data
    chosen = next((source for source in streams if source.kind is SourceKind.STDIN), streams[0])
    before = sources[: sources.index(chosen)]
    start = sum(source.size + LENGTH_BYTES * (source.kind is not SourceKind.ARGUMENT) for source in before)
    length = min(len(data), chosen.size)
    return bytes(start) + length.to_bytes(LENGTH_BYTES, "little") + data[:length]


def first_input(sources: tuple[Source, ...]) -> bytes:
    """Zeros, and all of stdin and of each file that may be there: what is not there cannot be explored."""
    parts = []
    for source in sources:
        length = b"" if source.kind is SourceKind.ARGUMENT else source.size.to_bytes(LENGTH_BYTES, "little")
        parts.append(length + bytes(source.size))
    return b"".join(parts)
