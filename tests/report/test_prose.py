"""What is said on a terminal is wrapped between words; in pipes and logs nothing is."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console
from rich.text import Text

from untaken.report.columns import TextColumns
from untaken.report.prose import say

ROWS = [
    ("a.c:1", "never true", "no input takes it", "if (first_of_all_words(text))"),
    ("long.c:20", "never false", "", ""),
]


def said(part: object, width: int, *, terminal: bool = True) -> list[str]:
    text = StringIO()
    say(Console(file=text, width=width, force_terminal=terminal, no_color=True, _environ={}), part)  # type: ignore[arg-type]
    return text.getvalue().splitlines()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one sentence of several words", ["one sentence of", "several words"]),
        ("  an item of several words", ["  an item of several", "    words"]),
        ("short", ["short"]),
        ("", [""]),
    ],
)
def test_sentences_are_wrapped_between_words(text: str, lines: list[str]) -> None:
    assert said(Text(text), 24 if text.startswith(" ") else 20) == lines


def test_what_is_to_be_copied_stays_whole() -> None:
    command = "    see it again: untaken replay out crashes/0001-sigabrt"
    assert said(Text(command, no_wrap=True), 30) == [command]


def test_pipes_get_whole_lines() -> None:
    text = "  " + "word " * 40 + "end"
    assert said(Text(text), 30, terminal=False) == [text]
    assert len(said(TextColumns(ROWS), 30, terminal=False)) == 2


def test_columns_that_do_not_fit_give_their_last_one_a_line() -> None:
    wide = said(TextColumns(ROWS), 120)
    assert wide[0] == "  a.c:1      never true   no input takes it  if (first_of_all_words(text))"
    narrow = said(TextColumns(ROWS), 50)
    assert narrow == [
        "  a.c:1      never true   no input takes it",
        "      if (first_of_all_words(text))",
        "  long.c:20  never false",
    ]
