"""What a program says reaches the terminal as text, and nothing that a terminal obeys does."""

from __future__ import annotations

import io
import os
import pty
import re
from pathlib import Path

import pytest
from rich.text import Text

from tests.campaign.commands import command, written
from untaken.cli.main import guarded, run
from untaken.errors import UsageError
from untaken.report.console import VisibleConsole
from untaken.visible_text import visible

Captured = pytest.CaptureFixture[str]
# A title, a cleared screen, text over text, a paste into the clipboard, and eight-bit controls; as output and as names.
NOISY = r"""
#include <stdio.h>
#include <untaken.h>
void __assert_fail(const char *said, const char *file, unsigned line, const char *function);
int main(void) {
    int x;
    untaken_input_int(&x, "\033[2Jname\033]0;owned\007");
    fputs("\033[2J\033]0;owned\007over\rwritten \033]52;c;eA==\007 \xc2\x9b" "31m [/b] [red]\n", stderr);
    if (x == 77) __assert_fail("\033[2J[/b]owned\033]0;owned\007\033[8m", "\033[2J[/b].c", 3, "\033[2J");
    return 3;
}
"""
OURS = re.compile(r"\x1b\[[0-9;?]*[mKJAHhlG]|\r")  # rich's colours, and how it draws again


def on_a_terminal(*words: object) -> str:
    """What a command writes to a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.execv(command()[0], command(*words))
    said = b""
    while True:
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:
            break
        said += data
        if not data:
            break
    os.waitpid(child, 0)
    os.close(terminal)
    return said.decode(errors="surrogateescape")


def test_a_program_cannot_command_the_terminal(tmp_path: Path) -> None:
    out = tmp_path / "out"
    source = written(tmp_path, NOISY, "[b]noisy.c")
    for words in (("run", source, "--iterations", 60, "--out", out), ("replay", out)):
        said = on_a_terminal(*words)
        assert "owned" in said
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", OURS.sub("", said)), said
        assert "\033[2J" not in said and "\033[8m" not in said


def test_visible_text() -> None:
    assert visible("a\tb\nc") == "a\tb\nc"
    assert visible("\033[2J\r\x9b\u202e\udcff\0") == r"\x1b[2J\r\x9b\u202e\xff\x00"


def test_errors_are_text(capsys: Captured) -> None:
    def refused(_: object) -> int:
        raise UsageError("no \033[2J here")

    assert guarded(refused, []) == 2
    assert capsys.readouterr().err == "untaken: no \\x1b[2J here\n"
    assert guarded(run, ["report", "/nowhere/\033[2J"]) == 2
    assert "\033" not in capsys.readouterr().err


def test_markup_is_text() -> None:
    console = VisibleConsole(width=60)
    console.file = io.StringIO()
    console.print("[/b] [red]x", Text("[/i]\033[2J"))
    assert console.file.getvalue() == "[/b] [red]x [/i]\\x1b[2J\n"
