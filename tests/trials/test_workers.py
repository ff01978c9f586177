"""Workers of comparisons on this machine."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from untaken.trials.workers import PRELOADED


@pytest.mark.parametrize("name", PRELOADED)
def test_what_the_fork_server_imports_is_there(name: str) -> None:
    """It would pass over a wrong name, and Ctrl-C would print a traceback for each worker that is just being set up."""
    assert find_spec(name) is not None
