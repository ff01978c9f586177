"""Programs built on the fly and kept by content."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from untaken.build.cache import build_cached
from untaken.build.driver import build_program
from untaken.errors import CompileError, UsageError


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    # The programs go to a cache of their own; the runtime stays where it was compiled for the other tests.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own header.h").write_text("#define VALUE 3\n")
    main, part = tmp_path / "main.c", tmp_path / "part.c"
    main.write_text('#include "own header.h"\nint part(void);\nint main(void) { return VALUE * 10 + part(); }\n')
    part.write_text(f"/* {tmp_path} */\nint part(void) {{ return PART; }}\n")
    return [main, part]


def result(program: Path) -> int:
    return subprocess.run([program], check=False).returncode


def test_it_is_built_once(sources: list[Path]) -> None:
    program = build_cached(sources, ["-DPART=1"])
    assert result(program) == 31
    built = os.stat(program).st_mtime_ns
    os.utime(sources[0])
    assert build_cached(sources, ["-DPART=1"]) == program
    assert os.stat(program).st_mtime_ns == built


def test_flags_sources_and_headers_count(sources: list[Path]) -> None:
    first = build_cached(sources, ["-DPART=1"])
    assert result(build_cached(sources, ["-DPART=2"])) == 32
    sources[1].write_text("int part(void) { return 5; }\n")
    assert result(build_cached(sources, ["-DPART=1"])) == 35
    Path("own header.h").write_text("#define VALUE 4\n")
    assert result(build_cached(sources, ["-DPART=1"])) == 45
    assert result(first) == 31


@pytest.mark.parametrize("flags", [["-S"], ["-c"], ["-E"], ["--version"], ["-o", "x"], ["-shared"]], ids=" ".join)
def test_flags_that_ask_for_no_program_are_refused(sources: list[Path], flags: list[str]) -> None:
    with pytest.raises(UsageError, match=f"`-DPART=1 {' '.join(flags)}` ask .* for something else than a program"):
        build_cached(sources, ["-DPART=1", *flags])


def test_a_program_that_was_removed_is_built_again(sources: list[Path]) -> None:
    program = build_cached(sources, ["-DPART=1"])
    program.unlink()
    assert result(build_cached(sources, ["-DPART=1"])) == 31


@pytest.mark.parametrize("text", [b"", b"\x7fELF", b"\0" * 5000], ids=["empty", "cut", "zeros"])
def test_a_program_that_was_damaged_is_built_again(sources: list[Path], text: bytes) -> None:
    program = build_cached(sources, ["-DPART=1"])
    program.write_bytes(text)
    assert result(build_cached(sources, ["-DPART=1"])) == 31


@pytest.mark.parametrize("text", ["", "3", "[]", '{"program": "x", "digest": "", "files": 3}', "[" * 100_000])
def test_a_record_that_was_damaged_is_made_again(sources: list[Path], text: str) -> None:
    program = build_cached(sources, ["-DPART=1"])
    records = [path for path in program.parent.glob("*.json") if program.name in path.read_text()]
    records[0].write_text(text)
    assert build_cached(sources, ["-DPART=1"]) == program
    assert program.name in records[0].read_text()


@pytest.mark.parametrize("name", ["it's", 'a"b', "a#b", "a b", "a\\b", "a\nb"])
def test_names_that_rules_for_make_spell_in_their_own_way(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    header, source = folder / "value.h", folder / f"{name}.c"
    source.write_text('#include "value.h"\nint main(void) { return VALUE; }\n')
    for value in (3, 4):
        header.write_text(f"/* {tmp_path} */\n#define VALUE {value}\n".replace(name, "NAME"))
        assert result(build_cached([source])) == value


def test_preprocessed_sources(tmp_path: Path) -> None:
    source = tmp_path / "pre.i"
    for value in (3, 4):
        source.write_text(f'# 1 "{tmp_path}/pre.c"\nint main(void) {{ return {value}; }}\n')
        assert result(build_cached([source])) == value


def test_a_source_that_does_not_compile(sources: list[Path], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CompileError, match=r"part\.c could not be compiled") as failure:
        build_cached(sources)
    assert failure.value.exit_code == 1
    assert "PART" in capfd.readouterr().err


def test_a_program_that_does_not_link(sources: list[Path], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CompileError, match=r"main\.c could not be built"):
        build_program(sources[:1], Path("x"))
    assert "part" in capfd.readouterr().err
    assert not Path("x").exists()
