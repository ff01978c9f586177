"""Finding a front end and a linker, with stand-ins on PATH."""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding
import pytest

from untaken.build.toolchain import compilers as toolchain
from untaken.build.toolchain.compilers import Kind
from untaken.errors import ToolchainError


class Machine:
    """A PATH and a cache of one's own."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bin = root / "bin"
        self.bin.mkdir()
        self.log = root / "log"
        self.log.touch()
        monkeypatch.setenv("PATH", str(self.bin))
        monkeypatch.setenv("XDG_CACHE_HOME", str(root / "cache"))
        monkeypatch.delenv("UNTAKEN_CLANG", raising=False)

    def add(self, name: str, answer: str = "") -> str:
        """A program that prints an answer and notes that it was asked."""
        program = self.bin / name
        program.write_text(f"#!/bin/sh\necho asked >> {self.log}\necho '{answer}'\n")
        program.chmod(0o755)
        return str(program)

    def asked(self) -> int:
        return len(self.log.read_text().splitlines())


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def test_newest_clang_is_the_llvm_that_reads_it() -> None:
    assert llvmlite.binding.llvm_version_info[0] == toolchain.NEWEST_CLANG


def test_clang_on_path_comes_first(machine: Machine) -> None:
    plain = machine.add("clang", "Debian clang version 14.0.6")
    machine.add("clang-19", "clang version 19.1.7")
    found = toolchain.front_end()
    assert (found.kind, found.command, found.version) == (Kind.CLANG, (plain,), 14)


@pytest.mark.parametrize("answer", ["clang version 23.0.0", "clang version 9.0.1", "gcc (Debian) 12.2.0", ""])
def test_the_next_candidate_if_one_cannot_be_used(machine: Machine, answer: str) -> None:
    machine.add("clang", answer)
    older = machine.add("clang-16", "clang version 16.0.6")
    newer = machine.add("clang-19", "clang version 19.1.7")
    assert toolchain.front_end().command == (newer,)
    assert [candidate.path for candidate in toolchain.candidates()][1:] == [newer, older]


def test_zig_if_there_is_no_clang(machine: Machine) -> None:
    found = toolchain.front_end()
    assert found.kind is Kind.ZIG
    assert Path(found.command[0]).name == "zig"


def test_zig_by_name(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.add("clang", "clang version 19.1.7")
    monkeypatch.setenv("UNTAKEN_CLANG", "zig")
    assert toolchain.front_end().kind is Kind.ZIG


def test_the_named_clang(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.add("clang", "clang version 14.0.0")
    named = machine.add("my-clang", "clang version 18.1.3")
    for name in (named, "my-clang"):
        monkeypatch.setenv("UNTAKEN_CLANG", name)
        assert toolchain.front_end().command == (named,)


@pytest.mark.parametrize("named", ["nowhere", "too-new"])
def test_a_named_clang_that_cannot_be_used_is_an_error(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    machine.add("clang", "clang version 19.1.7")
    machine.add("too-new", "clang version 99.0.0")
    monkeypatch.setenv("UNTAKEN_CLANG", named)
    with pytest.raises(ToolchainError, match=f"UNTAKEN_CLANG: .*{named}"):
        toolchain.front_end()


def test_nothing_at_all(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "zig_path", lambda: None)
    with pytest.raises(ToolchainError, match="no C front end: install clang"):
        toolchain.front_end()
    with pytest.raises(ToolchainError, match="no linker: install gcc"):
        toolchain.linker()


def test_a_clang_is_asked_once_until_it_changes(machine: Machine) -> None:
    machine.add("clang", "clang version 14.0.6")
    for _ in range(3):
        assert toolchain.front_end().version == 14
    assert machine.asked() == 1
    machine.add("clang", "clang version 19.1.7, another")
    assert toolchain.front_end().version == 19
    assert machine.asked() == 2


def test_a_damaged_memory_is_no_problem(machine: Machine, tmp_path: Path) -> None:
    machine.add("clang", "clang version 14.0.6")
    toolchain.front_end()
    (tmp_path / "cache" / "untaken" / "known-front-ends").write_bytes(b"\xff\n\t\t\t\n")
    assert toolchain.front_end().version == 14


def test_without_a_writable_cache(machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    machine.add("clang", "clang version 14.0.6")
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert toolchain.front_end().version == 14


def test_the_linker_is_the_systems(machine: Machine) -> None:
    assert toolchain.linker().kind is Kind.ZIG
    newest = machine.add("clang-19", "clang version 19.1.7")
    assert toolchain.linker().command == (newest,)
    gcc = machine.add("gcc")
    assert toolchain.linker().command == (gcc,)
    system = machine.add("cc")
    assert toolchain.linker().command == (system,)


def test_we_are_not_our_own_linker(machine: Machine) -> None:
    ourselves = machine.add("untaken-cc")
    (machine.bin / "cc").symlink_to(ourselves)
    gcc = machine.add("gcc")
    assert toolchain.linker().command == (gcc,)
