"""The words that a program looks for in its input, as a dictionary for fuzzers."""

from __future__ import annotations

from pathlib import Path

from untaken.errors import CampaignError
from untaken.suite.dictionary import WORDS, dictionary_text, read_dictionary
from untaken.suite.tests import Suite


def write_dictionary(suite: Suite, target: Path) -> int:
    """One file; how many words are in it."""
    known = suite.folder / WORDS
    words = read_dictionary(str(known)) if known.exists() else ()
    if not words:
        raise CampaignError(
            f"the campaign in {suite.folder} met no words: its input was compared with no text or long number, or "
            "the strategy was one that does not look for them (auto and words do)"
        )
    (target / WORDS).write_bytes(dictionary_text(words))
    return len(words)
