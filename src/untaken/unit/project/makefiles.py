"""A Makefile and a CMakeLists.txt for the written tests. Paths are relative, so that the folder can be committed."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from untaken.build.library.failing_allocations import HEADER
from untaken.unit.driver import rest_text
from untaken.unit.export.cmake import grouped, quoted
from untaken.unit.probe import link_flags
from untaken.unit.project.objects import ProjectObject
from untaken.unit.project.sources import SourceFile
from untaken.unit.project.write import WrittenTests

ROOT = "ROOT"
CMAKE_FAILING = f'"SHELL:-include ${{CMAKE_CURRENT_SOURCE_DIR}}/{HEADER.name}"'

SCRATCH = "scratch"  # where tests run: what they write goes with it
IN_SCRATCH = f"(rm -rf {SCRATCH} && mkdir {SCRATCH} && cd {SCRATCH} && ../$$test)"


def write_makefiles(written: Sequence[WrittenTests], folder: Path) -> None:
    """For those files that have tests."""
    with_tests = [each for each in written if each.tests]
    root = _common_root([each.driven.source for each in with_tests], folder)
    if any(need.fails for need in _needed(with_tests)):
        (folder / HEADER.name).write_text(HEADER.read_text())
    (folder / "Makefile").write_text(makefile(with_tests, folder, root))
    (folder / "CMakeLists.txt").write_text(cmake_lists(with_tests, folder, root))


def _common_root(sources: Sequence[SourceFile], folder: Path) -> Path:
    paths = [str(source.path.parent) for source in sources]
    return Path(os.path.commonpath(paths)) if paths else folder


def _needed(written: Sequence[WrittenTests]) -> list[ProjectObject]:
    """The files that some tests are linked with."""
    return list(dict.fromkeys(need for each in written for need in each.driven.needs))


def _compile_flags(source: SourceFile) -> list[str]:
    linked = set(link_flags(source.flags))
    return [word for word in source.flags if word not in linked and word != "-w" and not word.startswith("-fsanitize")]


class _Paths:
    """Paths as the build files name them: below a variable for the project's folder."""

    def __init__(self, root: Path, variable: str) -> None:
        self._root = str(root)
        self._variable = variable

    def of(self, word: str) -> str:
        return word.replace(self._root, self._variable) if self._root != "/" else word


def makefile(written: Sequence[WrittenTests], folder: Path, root: Path) -> str:
    """`make check` builds and runs all; one that fails does not keep the others from being run."""
    paths = _Paths(root, f"$({ROOT})")
    programs = [Path(each.name).stem for each in written]
    lines = [
        "# Written by untaken: make check builds the tests and runs them; CFLAGS adds options, -fsanitize=address say.",
        f"{ROOT} ?= {os.path.relpath(root, folder)}",
        "CC ?= cc",
        "CFLAGS ?= -g",
        f"TESTS = {' '.join(programs)}",
        "",
        ".PHONY: all check clean",
        "all: $(TESTS)",
        "check: all",
        f'\t@failed=0; for test in $(TESTS); do echo "== $$test"; {IN_SCRATCH} || failed=1; done; '
        f"rm -rf {SCRATCH}; exit $$failed",
        "clean:",
        "\trm -f $(TESTS) *.o",
        "",
    ]
    for need in _needed(written):
        source = need.source
        failing = ["-include", HEADER.name] if need.fails else []
        words = " ".join(_make_word(paths.of(word)) for word in [*failing, *_compile_flags(source)])
        lines += [
            f"{source.name}.o: {paths.of(str(source.path))}",
            f"\t$(CC) {words} $(CFLAGS) -c $< -o $@",
        ]
    for each in written:
        lines += _make_test(each, paths)
    return "\n".join(lines) + "\n"


def _make_test(each: WrittenTests, paths: _Paths) -> list[str]:
    source = each.driven.source
    objects = [f"{need.source.name}.o" for need in each.driven.needs]
    rest = [f"rest_{source.name}.c"] if rest_text(each.driven.whole) else []
    words = [*_compile_flags(source), f"-I{source.path.parent}"]
    flags = " ".join(_make_word(paths.of(word)) for word in words)
    libraries = " ".join([*map(_make_word, link_flags(source.flags)), "-lm"])
    return [
        f"{Path(each.name).stem}: {' '.join([each.name, *rest, *objects, paths.of(str(source.path))])}",
        f"\t$(CC) {flags} $(CFLAGS) {' '.join([each.name, *rest, *objects])} {libraries} -o $@",
    ]


def _make_word(word: str) -> str:
    """Quoted for the shell, but for make's own variables."""
    marked = word.replace(f"$({ROOT})", "@root@")
    return shlex.quote(marked).replace("$", "$$").replace("@root@", f"$({ROOT})")


def cmake_lists(written: Sequence[WrittenTests], folder: Path, root: Path) -> str:
    """CTest runs each test by its name."""
    paths = _Paths(root, f"${{{ROOT}}}")
    lines = [
        "# Written by untaken: cmake -B build && cmake --build build && ctest --test-dir build",
        "cmake_minimum_required(VERSION 3.13)",
        "project(tests C)",
        "enable_testing()",
        f"get_filename_component({ROOT} {quoted(os.path.relpath(root, folder))} ABSOLUTE "
        "BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})",
    ]
    for need in _needed(written):
        source = need.source
        lines.append(f"add_library(code_{source.name} OBJECT {_cmake_path(paths, source.path)})")
        lines += _cmake_options(f"code_{source.name}", _compile_flags(source), paths)
        if need.fails:
            lines.append(f"target_compile_options(code_{source.name} PRIVATE {CMAKE_FAILING})")
    for each in written:
        lines += _cmake_test(each, paths)
    return "\n".join(lines) + "\n"


def _cmake_test(each: WrittenTests, paths: _Paths) -> list[str]:
    source, program = each.driven.source, Path(each.name).stem
    objects = [f"$<TARGET_OBJECTS:code_{need.source.name}>" for need in each.driven.needs]
    rest = [f"rest_{source.name}.c"] if rest_text(each.driven.whole) else []
    return [
        f"add_executable({' '.join([program, each.name, *rest, *objects])})",
        f"target_include_directories({program} PRIVATE {_cmake_path(paths, source.path.parent)})",
        *_cmake_options(program, _compile_flags(source), paths),
        f"target_link_libraries({program} PRIVATE {' '.join([*map(quoted, link_flags(source.flags)), 'm'])})",
        *(f"add_test(NAME {name} COMMAND {program} {name})" for _, name in each.tests),
    ]


def _cmake_options(target: str, flags: list[str], paths: _Paths) -> list[str]:
    words = [_with_root(quoted(word), paths) for word in grouped(flags)]
    return [f"target_compile_options({target} PRIVATE {' '.join(words)})"] if words else []


def _cmake_path(paths: _Paths, path: Path) -> str:
    return _with_root(quoted(str(path)), paths)


def _with_root(text: str, paths: _Paths) -> str:
    """After quoting, so that the variable stays one."""
    return paths.of(text)
