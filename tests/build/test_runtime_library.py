"""The compiled runtime in its cache, on a made-up runtime of a few lines."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from untaken.build.library import runtime as library
from untaken.build.library.private_names import OWN_PREFIX
from untaken.build.objects.archive import archive, members
from untaken.build.objects.symbols import global_symbols
from untaken.build.toolchain.compilers import front_end
from untaken.errors import ToolchainError


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "runtime"
    (folder / "process").mkdir(parents=True)
    (folder / "interfaces").mkdir()
    (folder / "process" / "announce_image.c").write_text("int image_of;\n")
    startup = "static int startup_of;\n__attribute__((used)) static int *at = &startup_of;\n"
    (folder / "process" / "startup.c").write_text(startup)
    (folder / "interfaces" / "native.c").write_text("int native_of(void) { return 1; }\n")
    (folder / "a_rather_long_name_of_a_part.c").write_text("int __untaken_used(void) { return 2; }\n")
    (folder / "other.c").write_text("static int own(void) { return 3; }\nint untaken_model_x(void) { return own(); }\n")
    monkeypatch.setattr(library, "SOURCES", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


def test_one_folder_with_everything(sources: Path) -> None:
    made = library.runtime_library(front_end())
    assert b"image_of" in Path(made.image).read_bytes()
    whole = Path(made.archive).read_bytes()
    assert b"__untaken_used" in whole and b"untaken_model_x" in whole
    assert b"native_of" not in whole and b"image_of" not in whole
    assert b"startup_of" not in whole and b"startup_of" in Path(made.startup).read_bytes()
    assert b"native_of" in Path(made.native).read_bytes()
    assert "-Wl,-u,__untaken_used\n-Wl,-u,untaken_model_x" in Path(made.exports).read_text()


def test_linkers_take_only_the_members_that_are_needed(sources: Path, tmp_path: Path) -> None:
    made = library.runtime_library(front_end())
    source = tmp_path / "main.c"
    source.write_text("int untaken_model_x(void);\nint main(void) { return untaken_model_x(); }\n")
    program = tmp_path / "program"
    subprocess.run(["cc", source, made.archive, "-o", program], check=True)
    assert subprocess.run([program], check=False).returncode == 3
    assert b"__untaken_used" not in program.read_bytes()


@pytest.mark.parametrize("name", ["libuntaken.a", "exports", "whole", "libuntaken_native.a"])
def test_what_was_damaged_is_compiled_again(sources: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = library.runtime_library(front_end())
    before = Path(made.archive).read_bytes()
    damaged = Path(made.archive).with_name(name)
    damaged.write_bytes(b"damaged")
    monkeypatch.setattr(library, "_whole", set())  # as in another process
    assert library.runtime_library(front_end()) == made
    assert Path(made.archive).read_bytes() == before and damaged.read_bytes() != b"damaged"


@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"runtime-../..", b"x\0y"])
def test_a_name_that_was_damaged_is_found_again(sources: Path, text: bytes) -> None:
    made = library.runtime_library(front_end())
    known = next(Path(made.archive).parents[1].glob("runtime-known-*"))
    known.write_bytes(text)
    assert library.runtime_library(front_end()) == made


def test_it_is_compiled_once(sources: Path) -> None:
    first = library.runtime_library(front_end())
    before = os.stat(first.archive).st_mtime_ns
    assert library.runtime_library(front_end()) == first
    os.utime(sources / "other.c", (1, 1))
    assert library.runtime_library(front_end()) == first
    assert os.stat(first.archive).st_mtime_ns == before


def test_a_changed_source_makes_another(sources: Path) -> None:
    first = library.runtime_library(front_end())
    (sources / "other.c").write_text("int untaken_model_y(void) { return 4; }\n")
    second = library.runtime_library(front_end())
    assert second.archive != first.archive
    assert b"untaken_model_y" in Path(second.archive).read_bytes()


def test_a_source_that_does_not_compile(sources: Path, tmp_path: Path) -> None:
    (sources / "other.c").write_text("int broken = ;\n")
    with pytest.raises(ToolchainError, match=r"cannot compile the runtime \(other.c\)"):
        library.runtime_library(front_end())
    kept = [path for path in (tmp_path / "cache" / "untaken").iterdir() if path.is_dir()]
    assert kept == []


def test_symbols_are_those_that_others_see(sources: Path) -> None:
    made = library.runtime_library(front_end())
    data = (Path(made.archive).parent / "other.o").read_bytes()
    assert list(global_symbols(data)) == ["untaken_model_x"]


def test_ar_reads_what_we_write(sources: Path, tmp_path: Path) -> None:
    if not shutil.which("ar"):
        pytest.skip("needs ar: apt-get install binutils")
    made = library.runtime_library(front_end())
    listed = subprocess.run(["ar", "t", made.archive], capture_output=True, text=True, check=True).stdout.split()
    assert listed == ["a_rather_long_name_of_a_part.o", "other.o", "libc_calls.o"]
    subprocess.run(["ar", "x", made.archive], cwd=tmp_path, check=True)
    folder = Path(made.archive).parent
    assert all((tmp_path / name).read_bytes() == (folder / name).read_bytes() for name in listed)


def test_an_archive_of_nothing() -> None:
    assert archive({}).startswith(b"!<arch>\n/ ")


def test_programs_may_have_functions_of_any_name(tmp_path: Path) -> None:
    """All those that parts of the real runtime call of each other, and the C library's of its own."""
    made = library.runtime_library(front_end())
    names = {name for data in members(Path(made.archive).read_bytes()) for name in global_symbols(data)}
    interfaces = ("klee_", "__VERIFIER_", "__Crest")
    left = {name for name in names if "untaken" not in name and not name.startswith(interfaces)}
    assert left == {"main", "reach_error"}  # for programs that have none
    own = sorted(name.removeprefix(OWN_PREFIX) for name in names if name.startswith(OWN_PREFIX))
    assert len(own) > 50
    source, program = tmp_path / "program.c", tmp_path / "program"
    functions = [f"int {name}(void) {{ return 1; }}" for name in own]
    main = f"int main(void) {{ return {' + '.join(f'{name}()' for name in own)}; }}"
    source.write_text("\n".join([*functions, main, ""]))
    words = [sys.executable, "-m", "untaken", "cc", str(source), "-o", str(program)]
    subprocess.run(words, check=True)
    assert subprocess.run([program], check=False).returncode == len(own)
