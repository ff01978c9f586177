"""Windows of constraints as runs bring them (runtime/trace/window_hashes.c) are those that the search computes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from untaken.build.driver import build_program
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.wanderer import Wanderer, WanderManner
from untaken.model import path as paths
from untaken.model.input import Source, SourceKind
from untaken.search.contexts.hashes import Decisions
from untaken.search.contexts.recent_events import Windows

LINE = SessionSettings(sources=(Source(SourceKind.STDIN, 20),))
# The first decisions come after fewer events than a window has; some are inside of library functions.
DECIDES = """
#include <string.h>
#include <unistd.h>
static char line[21];
static int length;
static int vowels(void) {
    int count = 0;
    for (int i = 0; i < length; i++) if (strchr("aeiou", line[i])) count++;
    return count;
}
int main(void) {
    length = (int)read(0, line, 20);
    if (length < 3) return 3;
    if (!strcmp(line, "untaken") || !strncmp(line, "un", 2)) return vowels();
    return vowels() > 2;
}
"""
ASKS = """
#include <untaken.h>
int main(void) {
    unsigned char command, sum = 0;
    for (int i = 0; i < 5000; i++) {
        untaken_input_uchar(&command, "command");
        if (command == 7) sum++;
        else if (command > 250 && sum > 3) return 1;
    }
    return 0;
}
"""


def _built(folder: Path, text: str) -> Path:
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    build_program([source], program, [])
    return program


def _computed(path: paths.Path, id_count: int) -> list[int]:
    decisions = Decisions.of(path, np.arange(len(path.constraints)), id_count)
    hashes: list[int] = Windows(paths.WINDOW_EVENTS).of(decisions).tolist()
    return hashes


@pytest.mark.parametrize("input", [b"", b"unt", b"untaken\0\0", b"a quick brown fox in"])
def test_windows_of_a_run(tmp_path: Path, input: bytes) -> None:
    with Session(_built(tmp_path, DECIDES), LINE) as session:
        session.windows = True
        path = session.run(input)
        assert path.windows is not None and len(path.windows) == len(path.constraints) > 0
        assert path.windows.tolist() == _computed(path, session.id_count)


def test_windows_are_brought_only_if_they_are_wanted(tmp_path: Path) -> None:
    with Session(_built(tmp_path, DECIDES), LINE) as session:
        assert session.run(b"untaken").windows is None


def test_windows_of_a_run_from_a_snapshot(tmp_path: Path) -> None:
    with Session(_built(tmp_path, ASKS)) as session:
        session.windows = True
        wanderer = Wanderer(session)
        stretch = wanderer.start(WanderManner(seed=1, saturation=50, limit=1000))
        path = wanderer.run(stretch.snapshot, bytes([7, 7, 0, 251]), 12)
        wanderer.close()
        assert path.windows is not None and len(path.windows) == len(path.constraints) > 3
        assert path.windows.tolist() == _computed(path, session.id_count)
