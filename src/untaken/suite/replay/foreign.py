"""Programs of somebody else, built inside the sandbox: outside, only what comes out is looked at.

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
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import untaken
from untaken.build.library.runtime import runtime_library
from untaken.build.plain import Image, Stopped, Variant
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
from untaken.visible_text import visible

BUILD_SECONDS = 600.0
LIMITS = RunLimits(memory=8 << 30, file=1 << 30)
INSIDE = "untaken.suite.replay.foreign_build"
ANSWER = "answer.json"
KEPT_VARIABLES = ("PATH", "UNTAKEN_CLANG", "CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH")
_PACKAGE = Path(untaken.__file__).parent.parent


@dataclass(frozen=True, slots=True)
class BuildAnswer:
    """What came of a build: the program, or why there is none. `plain`: only the plain program is at fault."""

    program: str = ""
    error: str = ""
    plain: bool = False


@dataclass(frozen=True, slots=True)
class ForeignBuild:
    """What is to be built, and where: from these sources, or else as the program says. `asked_by` is for messages."""

    directory: Path
    program: Path
    asked_by: Path
    sources: tuple[Path, ...] = ()
    cflags: tuple[str, ...] = ()
    reads: tuple[Path, ...] = ()  # what it must find, besides

    @classmethod
    def of_suite(cls, suite: Suite) -> ForeignBuild:
        """What campaign.json says, as far as its sources are there."""
        sources = tuple(source for source in suite.sources if source.exists())
        return cls(suite.directory, suite.program, suite.folder / RECIPE, sources, suite.recipe.cflags, suite.sources)

    @classmethod
    def of_program(cls, program: Path, images: Sequence[Image]) -> ForeignBuild:
        """What the program and its libraries say of themselves."""
        files = [file for image in images for unit in image.units for file in unit["files"]]
        folders = [image.linkage["directory"] for image in images]
        reads = (*(image.path for image in images), *map(Path, (*files, *folders)))
        return cls(Path.cwd(), program.absolute(), program, reads=reads)


_built: dict[tuple[ForeignBuild, Variant | None], Path] = {}  # a build lasts as long as this process


def build_foreign(
    order: ForeignBuild, variant: Variant | None, name: str, stopped: Callable[[], bool] = lambda: False
) -> Path:
    """The instrumented program, or with a variant the plain one."""
    key = (order, variant)
    if key not in _built:
        _check_options(order)
        _built[key] = _build(order, variant, name, stopped)
    return _built[key]


def _check_options(order: ForeignBuild) -> None:
    if (word := unsafe_option(order.cflags)) is not None:
        raise CampaignError(
            f"{order.asked_by} asks for the compiler option {word}, which is not known to be safe, and this "
            "campaign was not begun here: look at it, and give --trust if it may be used"
        )


def _build(order: ForeignBuild, variant: Variant | None, name: str, stopped: Callable[[], bool]) -> Path:
    home = Path(tempfile.mkdtemp(prefix="untaken-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    lend_runtime(home / "untaken")
    ended = run_confined(_job(order, variant, name, home, stopped), Sandbox(writable=(home,)))
    if ended.cut and stopped():
        raise Stopped
    if not (home / ANSWER).is_file():
        said = ended.output.decode(errors="replace").strip().splitlines()[-1:]
        raise CampaignError(f"the program that {order.asked_by} names cannot be built in the sandbox{_told(said)}")
    return _program(read_record(home / ANSWER, BuildAnswer, "try again"), home, order, ended.output)


def _told(lines: list[str]) -> str:
    return f" ({lines[0]})" if lines else ""


def _program(answer: BuildAnswer, home: Path, order: ForeignBuild, printed: bytes) -> Path:
    """Only a file of the folder that was written to, or the one that was asked for."""
    if answer.plain:
        raise PlainBuildError(answer.error)
    if answer.error:
        sys.stderr.write(visible(printed.decode(errors="replace")))
        raise CompileError(answer.error, 2)
    found = Path(answer.program)
    if found.resolve() != order.program.resolve() and not (
        found.is_file() and found.resolve().is_relative_to(home.resolve())
    ):
        raise CampaignError(f"the build that {order.asked_by} asks for gave no program")
    return found.resolve()


def lend_runtime(cache: Path) -> None:
    """Ours, which the sandbox can read and not write."""
    runtime = Path(runtime_library(front_end()).archive).parent
    cache.mkdir(parents=True)
    for path in (runtime, *Path(cache_root()).glob("runtime-known-*")):
        with suppress(OSError):
            (cache / path.name).symlink_to(path)


def _job(
    order: ForeignBuild, variant: Variant | None, name: str, home: Path, stopped: Callable[[], bool]
) -> ConfinedRun:
    variables = {key: os.environ[key] for key in KEPT_VARIABLES if key in os.environ}
    settings = {
        "environment": {**variables, "XDG_CACHE_HOME": str(home)},
        "answer": str(home / ANSWER),
        "sources": [str(source) for source in order.sources],
        "cflags": order.cflags,
        "program": str(order.program),
        "name": name,
        "variant": None if variant is None else [variant.title, variant.options, variant.compiler],
    }
    start = f"import sys; sys.path[:] = {sys.path!r}; from {INSIDE} import main; main()"
    return ConfinedRun(
        program=Path(sys.executable),
        argv=(sys.executable, "-I", "-c", start, json.dumps(settings)),
        directory=order.directory,
        stdin=Path("/dev/null"),
        environment=program_environment(Sandbox()),
        seconds=BUILD_SECONDS,
        limits=LIMITS,
        reads=(_PACKAGE, Path(cache_root()), home, order.program, *order.reads),
        stopped=stopped,
    )
