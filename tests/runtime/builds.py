"""The runtime's objects, plain and under sanitizers, for programs of the tests that are linked with it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.compilers import has_runtime_library
from tests.shared import made_once, shared_folder
from untaken.build.library.runtime import SOURCES

RUNTIME = Path(SOURCES)
HERE = Path(__file__).parent
BUILDS: Mapping[str, tuple[str, ...]] = {
    "plain": ("-O2",),
    "sanitized": ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
}
SANITIZERS = BUILDS["sanitized"][1]
COMPILER = next((each for each in ("clang", "cc") if has_runtime_library((each,), SANITIZERS)), "cc")
WARNINGS = ("-Wall", "-Wextra", "-Werror")


def compile_c(output: Path, *words: str | Path) -> Path:
    """Compiles as the builds are compiled; a warning is an error."""
    flags = ("-std=gnu11", "-g1", *WARNINGS, f"-I{RUNTIME}", f"-I{HERE}")
    command = [COMPILER, *flags, *map(str, words), "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return output


def runtime_sources() -> list[str]:
    """By their paths below the runtime's folder."""
    return [path.relative_to(RUNTIME).as_posix() for path in sorted(RUNTIME.rglob("*.c"))]


def runtime_objects(build: str, factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The object of each source, compiled once for all tests that want it."""
    if build == "sanitized" and not has_runtime_library((COMPILER,), SANITIZERS):
        pytest.skip("needs a compiler's sanitizer libraries: apt-get install gcc, or clang libclang-rt-dev")

    def compile_all(folder: Path) -> None:
        folder.mkdir()
        for source in runtime_sources():
            compile_c(folder / _object_of(source), *BUILDS[build], "-c", RUNTIME / source)

    folder = made_once(shared_folder(factory) / f"runtime-{build}", compile_all)
    return {source: folder / _object_of(source) for source in runtime_sources()}


def _object_of(source: str) -> str:
    return f"{source.replace('/', '-')}.o"
