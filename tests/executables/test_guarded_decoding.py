"""A decoder that crashes costs the instruction, not the process."""

from __future__ import annotations

import os
import signal

import pytest

from untaken.errors import UsageError
from untaken.executables.machine_code.control_flow import Learnt
from untaken.executables.machine_code.guarded import MOST_CRASHES, NAME, Fetch, recover_guarded
from untaken.executables.machine_code.operations import MachineInstruction


def crashing_at(*addresses: int) -> Fetch:
    def fetch(address: int) -> MachineInstruction | None:
        if address in addresses:
            os.kill(os.getpid(), signal.SIGSEGV)
        return MachineInstruction(address, 1, "NOP", ()) if address < 100 else None

    return fetch


def test_where_it_crashes_nothing_is_followed() -> None:
    program = recover_guarded(crashing_at(5), [0], Learnt())
    assert sorted(program.instructions) == [0, 1, 2, 3, 4, 5]
    assert program.instructions[5].operations[0].name == NAME
    assert not program.invalid


def test_all_else_is_as_without_a_process() -> None:
    program = recover_guarded(crashing_at(), [3], Learnt())
    assert sorted(program.instructions) == list(range(3, 100)) and program.invalid == {100}


def test_one_that_crashes_everywhere_is_one_sentence() -> None:
    with pytest.raises(UsageError, match=f"crashes at {MOST_CRASHES} addresses, such as 0x0, 0x1, 0x2: is --cpu"):
        recover_guarded(crashing_at(*range(100)), range(50), Learnt())


def test_errors_come_back() -> None:
    def fetch(address: int) -> MachineInstruction | None:
        raise UsageError(f"no {address}")

    with pytest.raises(UsageError, match="no 7"):
        recover_guarded(fetch, [7], Learnt())
