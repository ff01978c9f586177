"""CMakeLists.txt for the written tests: CTest runs each by its name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from untaken.unit.driver import rest_text
from untaken.unit.export.frameworks import Framework
from untaken.unit.export.programs import REST, Workshop


def cmake_file(workshop: Workshop, framework: Framework, tests: Sequence[str], crashes: Sequence[str]) -> str:
    """Tests are registered one by one where the framework can run one by one."""
    function = workshop.plan.function
    target = f"test_{function}"
    languages = "C CXX" if framework.name == "gtest" else "C"
    sources = [f"{target}.c", *([f"{target}.cc"] if framework.name == "gtest" else [])]
    lines = [
        f"# Tests of {function}, written by untaken: cmake -B build && cmake --build build && ctest --test-dir build",
        "cmake_minimum_required(VERSION 3.13)",
        f"project({target} {languages})",
        "enable_testing()",
        *_executable(workshop, target, sources, framework.libraries),
    ]
    if framework.name == "assert":
        lines += [f"add_test(NAME {name} COMMAND {target} {name})" for name in tests]
    else:
        lines.append(f"add_test(NAME {target} COMMAND {target})")
    if crashes:
        lines += ["", "# Inputs with which the function does not return: built, not run."]
        lines += _executable(workshop, f"crashes_{function}", [f"crashes_{function}.c"], ())
        lines += [f"add_test(NAME {name} COMMAND crashes_{function} {name})" for name in crashes]
        lines.append(f"set_tests_properties({' '.join(crashes)} PROPERTIES DISABLED TRUE)")
    return "\n".join(lines) + "\n"


def _executable(workshop: Workshop, target: str, sources: list[str], libraries: Sequence[str]) -> list[str]:
    plan = workshop.plan
    others = [_relative(Path(path), workshop.folder) for path in plan.others]
    listed = [*sources, *others, *([REST] if rest_text(plan) else [])]
    folder = _relative(Path(plan.source).parent, workshop.folder)
    linked = [word for word in workshop.flags if word.startswith(("-l", "-L", "-Wl,"))]
    flags = [word for word in workshop.flags if word not in linked and word != "-w"]
    lines = [
        f"add_executable({target} {' '.join(map(quoted, listed))})",
        f"target_include_directories({target} PRIVATE {quoted(folder)})",
    ]
    if flags:
        listed_flags = " ".join(quoted(word) for word in grouped(flags))
        lines.append(f"target_compile_options({target} PRIVATE {listed_flags})")
    if libraries or linked:
        lines.append(f"target_link_libraries({target} PRIVATE {' '.join((*libraries, *map(quoted, linked)))})")
    return lines


def grouped(flags: list[str]) -> list[str]:
    """An option and its value stay together: CMake drops repeated words."""
    found: list[str] = []
    for word in flags:
        if found and not word.startswith("-") and found[-1].startswith("-"):
            found[-1] = f"SHELL:{found[-1]} {word}"
        else:
            found.append(word)
    return found


def _relative(path: Path, folder: Path) -> str:
    return os.path.relpath(path, folder)


def quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    return f'"{escaped}"'
