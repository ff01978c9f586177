"""Tests that are fine alone and not in a row: the one that is left out is the one that breaks something."""

from __future__ import annotations

from collections.abc import Sequence

from untaken.unit.project.write import disturbing


def fails(names: Sequence[str]) -> bool:
    """`use` after `break` does."""
    return "break" in names and any(name.startswith("use") for name in names[names.index("break") :])


def test_what_breaks_the_others_is_left_out() -> None:
    assert disturbing(["a", "break", "b", "use 1", "c", "use 2"], fails) == ["break"]
    assert disturbing(["break", "use 1"], fails) == ["break"]


def test_others_stay() -> None:
    assert disturbing(["use 1", "break", "a"], fails) == []
    assert disturbing([], fails) == []
