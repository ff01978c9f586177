"""Names of tests, from what they cover: the condition as the source has it, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from untaken.model.program import Branch

LONGEST = 48  # characters of a condition
WORDS = (
    (r"!=\s*(?:NULL|0)\b", " given "),
    (r"==\s*NULL\b", " is_null "),
    ("&&", " and "),
    (r"\|\|", " or "),
    ("==", " is "),
    ("!=", " is_not "),
    ("<=", " at_most "),
    (">=", " at_least "),
    (r"->|\.", " "),
    ("<", " below "),
    (">", " above "),
    ("!", " no "),
    (r"-(?=\d)", " minus_"),
)
CONDITION = re.compile(r"\b(?:if|while|switch)\s*\(")
CASE = re.compile(r"\b(case\s+[^:]+|default)\s*:")


class TestNames:
    """Gives names that are not taken yet."""

    __test__ = False  # for pytest

    def __init__(self, function: str, taken: set[str]) -> None:
        self._function = function
        self._taken = taken

    def of(self, branches: Sequence[Branch]) -> str:
        """After the first branch that the test is the first to cover."""
        return self.fresh(f"test_{self._function}{_about(branches[0]) if branches else ''}")

    def fresh(self, wanted: str) -> str:
        name, count = wanted, 1
        while name in self._taken:
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        return name


def _about(branch: Branch) -> str:
    text = _line(branch)
    if found := CASE.search(text):
        side = "" if branch.side else "not_"
        return f"_{side}{_words(found[1])}"
    words = _words(_condition(text))
    if not words:
        return f"_line_{branch.location.line}_{'taken' if branch.side else 'not_taken'}"
    return f"_{words}" if branch.side else f"_not_{words}"


def _line(branch: Branch) -> str:
    try:
        lines = Path(branch.location.file).read_text(errors="replace").splitlines()
    except OSError:
        return ""
    place = branch.location.line - 1
    return lines[place].strip() if 0 <= place < len(lines) else ""


def _condition(line: str) -> str:
    """What stands in the brackets of an if or while that is whole on its line."""
    found = CONDITION.search(line)
    if found is None:
        return ""
    depth, start = 1, found.end()
    for place in range(start, len(line)):
        depth += {"(": 1, ")": -1}.get(line[place], 0)
        if depth == 0:
            return line[start:place]
    return ""


def _words(condition: str) -> str:
    for pattern, word in WORDS:
        condition = re.sub(pattern, word, condition)
    words = re.sub(r"\W+", "_", condition).strip("_").lower()
    return words if len(words) <= LONGEST else words[:LONGEST].rpartition("_")[0]
