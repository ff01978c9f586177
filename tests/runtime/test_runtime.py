"""The C runtime: its own tests in C, built plainly and under sanitizers, and the public interfaces by hand."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from tests.runtime.builds import BUILDS, HERE, RUNTIME, compile_c, runtime_objects

ASIDE = ("interfaces/native.c", "interfaces/fuzzer_main.c", "libc/")  # what the core does not need


def run(program: Path, *words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1", **environment}
    command = [str(program), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=settings, timeout=120, check=False)


class Build:
    """The runtime's objects under one set of flags."""

    def __init__(self, name: str, factory: pytest.TempPathFactory) -> None:
        self.flags = BUILDS[name]
        found = runtime_objects(name, factory)
        self.folder = factory.mktemp(name)
        self.objects = [path for source, path in found.items() if not source.startswith(ASIDE)]
        self.harness = [
            compile_c(self.folder / f"{part}.o", *self.flags, "-c", HERE / f"{part}.c")
            for part in ("harness", "reference")
        ]

    def program(self, name: str, *sources: Path) -> Path:
        return compile_c(self.folder / name, *self.flags, *sources, *self.objects, "-lpthread")

    def test(self, source: str) -> Path:
        """A program of the tests that has a run in its own process; `source` is its path from here, without `.c`."""
        return self.program(Path(source).name, HERE / f"{source}.c", *self.harness)


@pytest.fixture(scope="module", params=BUILDS)
def build(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Build:
    return Build(request.param, tmp_path_factory)


@pytest.mark.parametrize("source", sorted(path.relative_to(HERE).as_posix() for path in HERE.rglob("test_*.c")))
def test_unit(build: Build, source: str) -> None:
    done = run(build.test(source.removesuffix(".c")))
    assert done.returncode == 0, done.stderr


def test_fork_server(build: Build) -> None:
    target = build.program("target", HERE / "process" / "target.c")
    done = run(build.test("process/driver"), target)
    assert done.returncode == 0, done.stderr
    assert run(target).returncode == 3  # by hand it is the plain program


def input_file(folder: Path, number: int = -7, wide: int = 1 << 40, crest: int = 11) -> Path:
    file = folder / "input"
    fields = struct.pack("<iqBi2s", number, wide, 0xFF, crest, b"ab")
    fields += struct.pack("<iiQ", -3, 1000, 42) + struct.pack("<iBB", -1, 2, 200)
    file.write_bytes(fields + struct.pack("<QQf", 1 << 63, 0x1234, 1.5))
    return file


EXPECTED = f"-7 {1 << 40} 1 11 .ab.\n-3 1000 42\n-1 0 200\n{1 << 63} 0x1234 1.5\n"


@pytest.fixture(params=["instrumented", "replay"])
def interfaces(request: pytest.FixtureRequest, build: Build) -> Path:
    if request.param == "instrumented":
        return build.program("interfaces", HERE / "interfaces" / "interfaces.c")
    native = RUNTIME / "interfaces" / "native.c"
    return compile_c(build.folder / "replayed", *build.flags, HERE / "interfaces" / "interfaces.c", native)


def test_interfaces_by_hand(interfaces: Path, tmp_path: Path) -> None:
    done = run(interfaces, UNTAKEN_INPUT=str(input_file(tmp_path)))
    assert (done.stdout, done.stderr, done.returncode) == (EXPECTED, "", 5)


def test_an_assumption_that_fails_ends_quietly(interfaces: Path, tmp_path: Path) -> None:
    for field in ({"number": 99}, {"number": 98}, {"crest": 99}):
        done = run(interfaces, UNTAKEN_INPUT=str(input_file(tmp_path, **field)))
        assert (done.stderr, done.returncode) == ("", 0)


def test_an_assertion_that_fails_aborts(interfaces: Path, tmp_path: Path) -> None:
    done = run(interfaces, UNTAKEN_INPUT=str(input_file(tmp_path, wide=99)))
    assert done.returncode == -6
    assert "ASSERTION FAIL: wide != 99" in done.stderr


def test_without_input_everything_is_zero(interfaces: Path) -> None:
    assert run(interfaces).stdout.startswith("0 0 0 0 .")


def test_a_fuzz_target_by_hand(build: Build, tmp_path: Path) -> None:
    program = build.program("fuzzed", HERE / "interfaces" / "fuzzed.c", RUNTIME / "interfaces" / "fuzzer_main.c")
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("hello")
    second.write_text("")
    assert run(program, first, second, "-runs=1").stdout == "5:hello\n0:\n"
    data = tmp_path / "data"
    data.write_bytes(struct.pack("<I", 3) + b"abcdef")
    assert run(program, UNTAKEN_INPUT=str(data)).stdout == "3:abc\n"


def test_refused_shadow_memory_is_said(build: Build) -> None:
    if "-O2" not in build.flags:
        pytest.skip("the sanitizer itself needs the address space")
    target = build.program("target", HERE / "process" / "target.c")
    command = f"ulimit -v 1000000; exec '{target}'"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("untaken: cannot reserve shadow memory") and done.stderr.count("\n") == 1


def test_headers_are_for_every_compiler(tmp_path: Path) -> None:
    source = tmp_path / "plain.c"
    source.write_text(
        "#include <crest.h>\n#include <klee/klee.h>\n#include <untaken.h>\n"
        "int main(void) { int x; untaken_int(&x); CREST_int(x); klee_assert(x != 7); return x; }\n"
    )
    for compiler in filter(None, map(shutil.which, ("gcc", "clang", "g++", "clang++"))):
        language = ("-x", "c++") if "++" in compiler else ()
        words = [compiler, "-Wall", "-Wextra", "-Werror", f"-I{RUNTIME / 'include'}", "-fsyntax-only", *language]
        assert subprocess.run([*words, str(source)], check=False).returncode == 0
