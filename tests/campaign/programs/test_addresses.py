"""Searches depend on addresses, so these depend on the program alone."""

from __future__ import annotations

import os
from pathlib import Path

from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import find_target

SOURCE = """
#include <stdio.h>
#include <untaken.h>
int main(void) { unsigned char c; untaken_uchar(&c); printf("%p", (void *)&c); return 0; }
"""


def stack_of(program: Path, more: dict[str, str]) -> bytes:
    with Session(program, SessionSettings(capture=True, environment={**os.environ, **more})) as session:
        session.run(b"x")
        return session.output


def test_the_stack_is_in_the_same_place_whatever_the_environment(tmp_path: Path) -> None:
    source = tmp_path / "where.c"
    source.write_text(SOURCE)
    program = find_target([str(source)]).program
    environments: list[dict[str, str]] = [{}, {"ONE": "1"}, {"ONE": "1", "TWO": "2"}]
    environments += [{"FILLER": "x" * size} for size in (7, 8, 1000, 4091)]
    assert len({stack_of(program, more) for more in environments}) == 1
