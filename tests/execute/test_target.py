"""What there is to explore, and one sentence where there is nothing."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from untaken.errors import ExecutionError, NoProgramMap
from untaken.execute.layout import TraceLimits
from untaken.execute.memory import RunLimits, SharedMemory
from untaken.execute.target import find_target


def test_a_program_of_which_nothing_can_be_instrumented_is_told_as_such(tmp_path: Path) -> None:
    source = tmp_path / "jump.c"
    source.write_text('int main(void) { __asm__ goto("" : : : : out); return 1; out: return 0; }\n')
    with pytest.raises(NoProgramMap, match=r"no function of .*jump.c can be instrumented"):
        find_target([str(source)])


@pytest.mark.parametrize(("number", "limit"), [(errno.EFBIG, "ulimit -f"), (errno.ENOMEM, "ulimit -v")])
def test_the_limit_that_is_in_the_way_is_named(monkeypatch: pytest.MonkeyPatch, number: int, limit: str) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "ftruncate", refuse)
    with pytest.raises(ExecutionError, match=limit):
        SharedMemory(TraceLimits(), (), RunLimits())
