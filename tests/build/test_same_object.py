"""What a process compiled before has no say in what it compiles."""

from __future__ import annotations

from untaken.build import llvm


def test_each_module_has_a_machine_of_its_own() -> None:
    """One that was used before names sections after the addresses of variables that are gone: rarely, and never twice
    alike."""
    assert llvm._target_machine(2, True) is not llvm._target_machine(2, True)
