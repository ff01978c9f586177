"""Processes forked from a warm server."""

from __future__ import annotations

from importlib.util import find_spec

from untaken.pool.processes import DEAF


def test_what_the_fork_server_imports_is_there() -> None:
    """It would pass over a wrong name, and Ctrl-C would print a traceback for each worker that is just being set up."""
    assert find_spec(DEAF) is not None
