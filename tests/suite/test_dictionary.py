"""Dictionaries of AFL and libFuzzer."""

from __future__ import annotations

from pathlib import Path

import pytest

from untaken.errors import UsageError
from untaken.suite.dictionary import dictionary_text, read_dictionary


def test_words_come_back_as_they_were(tmp_path: Path) -> None:
    words = (b"GET", b'quote"d', b"back\\slash", b"\x89PNG\r\n\0", bytes(range(128, 160)), b"#no comment", b" ")
    (tmp_path / "words").write_bytes(dictionary_text(words))
    assert read_dictionary(str(tmp_path / "words")) == words


def test_names_levels_and_comments_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "words").write_text('# words\n\n  kw_if="if"\nkw_else@2 = "el\\x73e"\r\n"if"\n')
    assert read_dictionary(str(tmp_path / "words")) == (b"if", b"else")


@pytest.mark.parametrize("line", ["word", '"', '""', '"a', '"a\\q"', '"a\\x1"', 'name="a" b'])
def test_what_is_no_word_is_said_with_its_line(line: str, tmp_path: Path) -> None:
    (tmp_path / "words").write_text(f'"good"\n{line}\n')
    with pytest.raises(UsageError, match=r"line 2 of .*words is no word"):
        read_dictionary(str(tmp_path / "words"))


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read the dictionary"):
        read_dictionary(str(tmp_path / "none"))
