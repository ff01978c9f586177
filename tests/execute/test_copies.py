"""Runs that write to directories which were there before: what they find, and what is left."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.input import Source, SourceKind

# Ends with 0 if all is as it is outside. Then it does what the argument says.
SOURCE = r"""
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int writes(const char *name) {
    FILE *file = fopen(name, "a");
    return file && fputs("more", file) >= 0 && fclose(file) == 0;
}

int main(int count, char **arguments) {
    char text[9] = "";
    FILE *file = fopen("inner/old", "r");
    if (count < 2 || !file || !fgets(text, sizeof text, file) || fclose(file))
        return 10;
    if (strcmp(text, "as ") != 0 || access("new", F_OK) == 0 || access("inner/new", F_OK) == 0)
        return 11;
    if (access("folder", F_OK) == 0)
        return 12;
    switch (arguments[1][0]) {
    case 'n': return !(writes("new") && writes("inner/new"));
    case 'f': return mkdir("folder", 0700) || !writes("folder/new");
    case 'c': return !writes("inner/old");
    case 'r': return unlink("inner/old");
    case 'd': return unlink("inner/old") || mkdir("inner/old", 0700);
    case 't': return tmpfile() == NULL;
    }
    return 0;
}
"""


@pytest.fixture(scope="module", params=[None, "/var/tmp"], ids=["in /tmp, which is copied", "where /tmp is another"])
def folder(request: pytest.FixtureRequest) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=request.param) as name:
        yield Path(name)


@pytest.fixture(scope="module")
def session(folder: Path) -> Iterator[Session]:
    source, program = folder / "writes.c", folder / "writes"
    source.write_text(SOURCE)
    subprocess.run([sys.executable, "-m", "untaken", "cc", str(source), "-o", str(program)], check=True)
    (folder / "inner").mkdir()
    (folder / "inner" / "old").write_text("as ")
    declared = (Source(SourceKind.ARGUMENT, 2, index=1),)
    with contextlib.chdir(folder), Session(program, SessionSettings(sources=declared, timeout=20)) as session:
        if session.notes:
            pytest.skip(f"this system refuses the sandbox: {session.notes[0]}")
        yield session


@pytest.mark.parametrize("what", ["n", "f", "c", "r", "d", "t", "n"])
def test_each_run_finds_what_was_there_before(session: Session, what: str) -> None:
    for _ in range(2):
        exit = session.run(what.encode()).exit
        if exit.code == 1 and session.run(b"n").exit.code == 1:
            pytest.skip("this kernel does not allow overlays to an ordinary user")
        assert exit.code == 0
    assert session.run(b"-").exit.code == 0
    assert session.counters.restarts == 0


def test_nothing_is_kept(session: Session) -> None:
    program = session._command.program
    session.run(b"c")
    session.run(b"n")
    assert sorted(path.name for path in program.parent.iterdir()) == ["inner", "writes", "writes.c"]
    assert [path.name for path in (program.parent / "inner").iterdir()] == ["old"]
    assert (program.parent / "inner" / "old").read_text() == "as "
