"""Builds packages of the shelf, in copies of their sources, and runs the suites that they come with."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from benchmarks.real.packages import COMPILER, BuildSystem, Package
from benchmarks.real.steps import BuildFailed, configure, processor_seconds, step
from benchmarks.real.suites import suite_results

MADE = "made.json"  # what a build took; it is there once the build is whole
CMAKE_FOLDER = "build-of-ours"
UNTAKEN_CC = "untaken-cc"
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Made:
    """A build: processor seconds of `make`, and the program."""

    seconds: float
    program: Path


def make(
    package: Package, source: Path, folder: Path, compiler: str, settings: Mapping[str, str] = NOTHING, jobs: int = 0
) -> Made:
    """Builds in a copy of the sources, unless that was done before; `settings` are variables of the environment."""
    top = folder / package.subfolder
    note = folder / MADE
    if not note.exists():
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(source, folder, symlinks=True)
        environment = {**environment_of(compiler), **settings}
        note.write_text(json.dumps(built(package, top, compiler, environment, jobs or os.cpu_count() or 1)))
    program = place_of_make(package, top) / package.program
    if not program.is_file():
        raise BuildFailed(f"there is no {package.program} after make")
    return Made(float(json.loads(note.read_text())), program)


def environment_of(compiler: str) -> dict[str, str]:
    """C++ is not instrumented, but has to be linked with C that is."""
    settings = {
        "CC": compiler,
        "CFLAGS": "-O2 -g -Wno-error",
        "FORCE_UNSAFE_CONFIGURE": "1",
        "LC_ALL": "C",
        "USE_VALGRIND": "0",
    }
    if Path(compiler).name == UNTAKEN_CC:
        settings["CXX"] = f"{compiler} --driver-mode=g++"
    return {**os.environ, **settings}


def place_of_make(package: Package, top: Path) -> Path:
    return top / CMAKE_FOLDER if package.system is BuildSystem.CMAKE else top


def variables_of_make(package: Package, compiler: str) -> list[str]:
    """Where nothing comes before `make`, it has to be told."""
    return [f"CC={compiler}", f"LD={compiler}"] if package.system is BuildSystem.MAKE else []


def built(package: Package, top: Path, compiler: str, environment: Mapping[str, str], jobs: int) -> float:
    """Configures and makes; processor seconds of the latter."""
    command = ["make", f"-j{jobs}", *variables_of_make(package, compiler)]
    if package.system is BuildSystem.CONFIGURE:
        options = tuple(option.replace(COMPILER, compiler) for option in package.options)
        configure(options, top, environment)
    elif package.system is BuildSystem.CMAKE:
        step("cmake", ["cmake", "-S", ".", "-B", CMAKE_FOLDER, *package.options], top, environment)
    else:
        command += package.options
    # Documentation and the like may need tools that are not here: what counts is whether the program is there.
    place = place_of_make(package, top)
    return processor_seconds(lambda: step("make", [*command, "-k"], place, environment, may_fail=True))


def own_suite(package: Package, folder: Path, compiler: str, seconds: float) -> dict[str, str]:
    """What each test of the package's suite came to in this build."""
    place = place_of_make(package, folder / package.subfolder)
    words = [*variables_of_make(package, compiler), *package.suite]
    return suite_results(words, folder, place, environment_of(compiler), seconds)
