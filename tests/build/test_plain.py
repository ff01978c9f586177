"""The plain program that an instrumented one says how to make: whole projects, built as their makefiles would."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from untaken.build.driver import build_program, compile_and_link
from untaken.build.objects.archive import archive
from untaken.build.plain import AS_GIVEN, UNOPTIMISED, build_plain, read_images
from untaken.build.toolchain.compilers import Kind, front_end, linker
from untaken.errors import PlainBuildError

MAIN = """
#include <stdio.h>
#include "numbers.h"
int from_archive(int x);
int from_library(int x);
int from_assembly(void);
int main(void) {
    printf("%s %d %d %d\\n", GREETING, from_archive(NUMBER), from_library(NUMBER), from_assembly());
    return getchar() == 'A';
}
"""
ASSEMBLY = """
    .globl from_assembly
from_assembly:
    movl $77, %eax
    ret
    .section .note.GNU-stack,"",@progbits
"""


def cc(*words: object) -> None:
    assert compile_and_link([str(word) for word in words]) == 0


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sources in one folder, headers in another, an archive, a shared library, an assembly file; built in a third."""
    files = {
        "source/main.c": MAIN,
        "source/archived.c": "int from_archive(int x) { return x + 1; }",
        "source/unused.c": "int unused(int x) { return x; }",
        "source/library.c": "int from_library(int x) { return x + 2; }",
        "source/fast.s": ASSEMBLY,
        "include/numbers.h": "#define NUMBER 40\nstruct number { int value; };\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    build = tmp_path / "build"
    build.mkdir()
    monkeypatch.chdir(build)
    cc("-O2", "-I../include", '-DGREETING="hello, world"', "-c", "../source/main.c", "-o", "main.o")
    for name in ("archived", "unused"):
        cc("-O2", "-c", f"../source/{name}.c", "-o", f"{name}.o")
    Path("libarchived.a").write_bytes(archive({name: Path(name).read_bytes() for name in ("archived.o", "unused.o")}))
    cc("-shared", "-fPIC", "../source/library.c", "-o", "liblibrary.so")
    words = ["-L.", "-Wl,--whole-archive", "libarchived.a", "-Wl,--no-whole-archive", "-llibrary", "-Wl,-rpath,$ORIGIN"]
    cc("main.o", "../source/fast.s", *words, "-o", "program")
    return build


def said(program: Path) -> str:
    return subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout


def test_a_project_is_built_again_without_us(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    plain = build_plain(project / "program")
    assert said(plain) == said(project / "program") == "hello, world 41 42 77\n"
    assert b"untaken_map" not in plain.read_bytes()
    library = next(plain.parent.glob("*.so"))
    assert b"untaken_map" not in library.read_bytes()
    assert not list(plain.parent.glob("*.o"))


def test_it_is_built_once(project: Path) -> None:
    first = build_plain(project / "program")
    built = first.stat().st_mtime_ns
    assert build_plain(project / "program") == first and first.stat().st_mtime_ns == built
    assert build_plain(project / "program", UNOPTIMISED) != first
    first.write_bytes(b"damaged")
    assert build_plain(project / "program").read_bytes() != b"damaged"
    assert read_images(project / "program")[0].optimised


@pytest.mark.parametrize("file", ["source/archived.c", "include/numbers.h", "source/library.c"])
def test_what_has_changed_is_not_taken_for_it(project: Path, file: str) -> None:
    changed = project.parent / file
    changed.write_text(changed.read_text() + "/* more */\n")
    with pytest.raises(PlainBuildError, match="has changed"):
        build_plain(project / "program")
    changed.unlink()
    with pytest.raises(PlainBuildError, match=r"is not there any more|cannot be built"):
        build_plain(project / "program")


def test_the_same_build_elsewhere_names_no_output(tmp_path: Path) -> None:
    """Where outputs go is no part of what they were made from: the same build gives the same bytes."""
    source = tmp_path / "program.c"
    source.write_text("int main(void) { return 0; }\n")
    for name in ("one", "other"):
        build_program([source], tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_a_plain_build_that_fails_is_told(tmp_path: Path) -> None:
    if front_end().kind is not Kind.CLANG and linker().kind is Kind.ZIG:
        pytest.skip("needs a system compiler beside zig: apt-get install gcc")
    source = tmp_path / "program.c"
    source.write_text("int other(void);\nint main(void) { return other(); }\n")
    (tmp_path / "other.c").write_text("int other(void) { return 3; }\n")
    cc("-c", tmp_path / "other.c", "-o", tmp_path / "other.o")
    cc(source, tmp_path / "other.o", "-o", tmp_path / "program")
    assert said_code(build_plain(tmp_path / "program", AS_GIVEN)) == 3
    (tmp_path / "plain.o").write_bytes((tmp_path / "other.o").read_bytes().replace(b"untaken_map", b"untaken_nap"))
    cc(source, tmp_path / "plain.o", "-o", tmp_path / "mixed")
    with pytest.raises(PlainBuildError, match="cannot be built without us"):
        build_plain(tmp_path / "mixed")


def said_code(program: Path) -> int:
    return subprocess.run([program], check=False).returncode
