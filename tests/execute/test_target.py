"""What there is to explore, and one sentence where there is nothing."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path

import pytest

from untaken.errors import CampaignError, ExecutionError, NoProgramMap
from untaken.execute.layout import TraceLimits
from untaken.execute.memory import RunLimits, SharedMemory
from untaken.execute.target import Target, digest_of, find_target
from untaken.model.program import ProgramMap


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


def test_another_process_reads_the_map_from_the_program(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text("int main(int count, char **words) { return count > 1; }")
    target = find_target([str(source)])
    sent = pickle.loads(pickle.dumps(target.without_map()))
    assert not sent.map.functions and sent.with_map() == target


def test_a_program_that_was_built_anew_meanwhile_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"another one")
    target = Target(program, (), (), ProgramMap((), {}, 0), digest_of(b"what it was"), sanitized=False)
    with pytest.raises(CampaignError, match="another program now"):
        target.with_map()
    program.unlink()
    with pytest.raises(CampaignError, match="cannot read"):
        target.with_map()
