"""Programs of campaigns that somebody else began, built inside the sandbox: outside, only what comes out is looked at.

Options that are not known to be safe are refused, by name. The build has a cache of its own in a temporary folder,
the only one that it can write to, so that nothing of it gets into what this user builds; the compiled runtime is linked
into it. `foreign_build.py` is what runs there.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import untaken
from untaken.build.library.runtime import runtime_library
from untaken.build.plain import Variant
from untaken.build.storage import cache_root
from untaken.build.toolchain.compilers import front_end
from untaken.build.toolchain.safe_options import unsafe_option
from untaken.errors import CampaignError, CompileError, PlainBuildError
from untaken.execute.memory import RunLimits
from untaken.execute.sandbox import Sandbox, program_environment
from untaken.suite.corpus import RECIPE
from untaken.suite.records import read_record
from untaken.suite.replay.confined import ConfinedRun, run_confined
from untaken.suite.tests import Suite

BUILD_SECONDS = 600.0
LIMITS = RunLimits(memory=8 << 30, file=1 << 30)
INSIDE = "untaken.suite.replay.foreign_build"
ANSWER = "answer.json"
KEPT_VARIABLES = ("PATH", "UNTAKEN_CLANG", "CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH")
_PACKAGE = Path(untaken.__file__).parent.parent
_built: dict[tuple[Path, Variant | None], Path] = {}  # a build lasts as long as this process


@dataclass(frozen=True, slots=True)
class BuildAnswer:
    """What came of a build: the program, or why there is none. `plain`: only the plain program is at fault."""

    program: str = ""
    error: str = ""
    plain: bool = False


def build_foreign(suite: Suite, variant: Variant | None, name: str) -> Path:
    """The instrumented program of a campaign, or with a variant the plain one."""
    key = (suite.folder, variant)
    if key not in _built:
        _check_options(suite)
        _built[key] = _build(suite, variant, name)
    return _built[key]


def _check_options(suite: Suite) -> None:
    if (word := unsafe_option(suite.recipe.cflags)) is not None:
        raise CampaignError(
            f"{suite.folder / RECIPE} asks for the compiler option {word}, which is not known to be safe, and this "
            "campaign was not begun here: look at it, and give --trust if it may be used"
        )


def _build(suite: Suite, variant: Variant | None, name: str) -> Path:
    home = Path(tempfile.mkdtemp(prefix="untaken-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    _lend_runtime(home / "untaken")
    ended = run_confined(_job(suite, variant, name, home), Sandbox(writable=(home,)))
    if not (home / ANSWER).is_file():
        said = ended.output.decode(errors="replace").strip().splitlines()[-1:]
        raise CampaignError(f"the program of {suite.folder} cannot be built in the sandbox{_told(said)}")
    return _program(read_record(home / ANSWER, BuildAnswer, "try again"), home, suite, ended.output)


def _told(lines: list[str]) -> str:
    return f" ({lines[0]})" if lines else ""


def _program(answer: BuildAnswer, home: Path, suite: Suite, printed: bytes) -> Path:
    """Only a file of the folder that was written to, or the one that the campaign names."""
    if answer.plain:
        raise PlainBuildError(answer.error)
    if answer.error:
        sys.stderr.write(printed.decode(errors="replace"))
        raise CompileError(answer.error, 2)
    found = Path(answer.program)
    if found.resolve() != suite.program.resolve() and not (
        found.is_file() and found.resolve().is_relative_to(home.resolve())
    ):
        raise CampaignError(f"the build of {suite.folder} gave no program")
    return found.resolve()


def _lend_runtime(cache: Path) -> None:
    """Ours, which the sandbox can read and not write."""
    runtime = Path(runtime_library(front_end()).archive).parent
    cache.mkdir(parents=True)
    for path in (runtime, *Path(cache_root()).glob("runtime-known-*")):
        with suppress(OSError):
            (cache / path.name).symlink_to(path)


def _job(suite: Suite, variant: Variant | None, name: str, home: Path) -> ConfinedRun:
    variables = {key: os.environ[key] for key in KEPT_VARIABLES if key in os.environ}
    order = {
        "environment": {**variables, "XDG_CACHE_HOME": str(home)},
        "answer": str(home / ANSWER),
        "sources": [str(source) for source in suite.sources if source.exists()],
        "cflags": suite.recipe.cflags,
        "program": str(suite.program),
        "name": name,
        "variant": None if variant is None else [variant.title, variant.options, variant.compiler],
    }
    start = f"import sys; sys.path[:] = {sys.path!r}; from {INSIDE} import main; main()"
    return ConfinedRun(
        program=Path(sys.executable),
        argv=(sys.executable, "-I", "-c", start, json.dumps(order)),
        directory=suite.directory,
        stdin=Path("/dev/null"),
        environment=program_environment(Sandbox()),
        seconds=BUILD_SECONDS,
        limits=LIMITS,
        reads=(_PACKAGE, Path(cache_root()), home, suite.program, *suite.sources),
    )
