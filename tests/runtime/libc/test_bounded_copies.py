"""The size that bounds a copy of a string is pinned: what was copied depends on it (runtime/libc/string/copy.c)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from untaken.build.driver import build_program
from untaken.build.toolchain.compilers import linker
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.path import ConstraintKind

BOUNDED = r"""
#include <stddef.h>
#include <string.h>
#include <untaken.h>
size_t strlcpy(char *to, const char *from, size_t room);
size_t strlcat(char *to, const char *from, size_t room);
int main(void) {
    unsigned char size;
    char to[300] = "ab";
    untaken_input_uchar(&size, "size");
    CALL(to, "a text of some length", size % 64);
    return to[9] == 0;
}
"""
# As BSD's library and newer C libraries have them.
BOUNDING = r"""
#include <string.h>
size_t strlcpy(char *to, const char *from, size_t room) {
    size_t length = strlen(from), copied = length < room ? length : room - 1;
    if (room > 0) { memcpy(to, from, copied); to[copied] = 0; }
    return length;
}
size_t strlcat(char *to, const char *from, size_t room) {
    size_t before = strnlen(to, room);
    return before + (before < room ? strlcpy(to + before, from, room - before) : strlen(from));
}
"""


@pytest.mark.parametrize("function", ["strlcpy", "strlcat"])
def test_a_size_that_bounds_a_copy_is_pinned(function: str, tmp_path: Path) -> None:
    source, other, library = tmp_path / "bounded.c", tmp_path / "bounding.c", tmp_path / "libbounding.so"
    source.write_text(BOUNDED.replace("CALL", function))
    other.write_text(BOUNDING)
    subprocess.run([*linker().command, "-w", "-fno-builtin", "-shared", "-fPIC", other, "-o", library], check=True)
    build_program([source], tmp_path / "bounded", ["-w", str(library), f"-Wl,-rpath,{tmp_path}"])
    with Session(tmp_path / "bounded", SessionSettings()) as session:
        path = session.run(b"\x08")
    assert ConstraintKind.PIN in path.constraints["kind"].tolist()
