"""Plain files: a corpus for fuzzers and scripts.

A program with one input gets one file a test: stdin, the file or the argument itself, or what UNTAKEN_INPUT is to
name. With several inputs there is one folder a test: `stdin`, `argv` (each argument ended by NUL), `input` for the
input functions, and the files below `files/`.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from untaken.model.input import FieldKind
from untaken.model.input_codec import Delivery, decoded_length
from untaken.suite.delivery import asked_for, delivered, field_bytes
from untaken.suite.tests import SavedTest, Suite


def write_files(suite: Suite, target: Path) -> int:
    """Writes the corpus; how many tests."""
    single = _has_one_input(suite)
    for test in suite.proper_tests:
        path = target / test.name.replace("/", "-")
        if single:
            path.write_bytes(only_input(suite, test))
        else:
            _write_folder(path, delivered(test.input, suite.declared, test.fields))
    return len(suite.proper_tests)


def _has_one_input(suite: Suite) -> bool:
    asking = any(asked_for(test.fields, suite.declared) for test in suite.proper_tests)
    return len(suite.declared) + asking <= 1


def only_input(suite: Suite, test: SavedTest) -> bytes:
    """The one input of a program that has no other."""
    given = delivered(test.input, suite.declared, test.fields)
    if given.stdin is not None:
        return given.stdin
    if given.arguments or given.files:
        return next(iter((*given.arguments.values(), *given.files.values())))
    return _fuzzed(test) or given.rest


def _fuzzed(test: SavedTest) -> bytes | None:
    """What LLVMFuzzerTestOneInput got, if this is such a program: then the size is a field before the data."""
    kinds = [field.kind for field in test.fields]
    if kinds != [FieldKind.LENGTH, FieldKind.BYTES]:
        return None
    size, data = (field_bytes(test.input, field) for field in test.fields)
    return data[: decoded_length(size)]


def _write_folder(folder: Path, given: Delivery) -> None:
    folder.mkdir()
    if given.arguments:
        words = [given.arguments[place] for place in sorted(given.arguments)]
        (folder / "argv").write_bytes(b"".join(word + b"\0" for word in words))
    if given.stdin is not None:
        (folder / "stdin").write_bytes(given.stdin)
    if given.rest:
        (folder / "input").write_bytes(given.rest)
    for name, content in given.files.items():
        path = folder / "files" / inside(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def inside(name: str) -> PurePosixPath:
    """A file name that cannot lead out of the folder it is put into."""
    return PurePosixPath(*(part for part in PurePosixPath(name).parts if part not in ("/", "..")))
