"""The steps that a package is built in: each with its output in a log, and with the time that it took."""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from benchmarks.workloads import untaken_compiler

SECONDS = 3600.0  # for each step
PR_SET_CHILD_SUBREAPER = 36


class BuildFailed(Exception):
    """A step went wrong; the end of its log says why."""


def log_of(name: str, folder: Path) -> Path:
    return folder / f"{name}.log-of-ours"


def code_of_step(
    name: str, command: Sequence[str], folder: Path, environment: Mapping[str, str], seconds: float = SECONDS
) -> int:
    """Runs a step with its output in a log. What takes too long is ended with all that it has started."""
    with (
        log_of(name, folder).open("wb") as output,
        subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # test suites send signals to their group
        ) as process,
    ):
        try:
            return process.wait(seconds)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise


def step(
    name: str, command: Sequence[str], folder: Path, environment: Mapping[str, str], may_fail: bool = False
) -> float:
    """Runs a step; seconds taken."""
    start = time.perf_counter()
    code = code_of_step(name, command, folder, environment)
    if code and not may_fail:
        tail = "\n".join(log_of(name, folder).read_text(errors="replace").splitlines()[-25:])
        raise BuildFailed(f"{name} failed with {code} in {folder}:\n{tail}")
    return time.perf_counter() - start


def configure(options: Sequence[str], top: Path, environment: Mapping[str, str]) -> float:
    """Makes the configure script where there is none, and runs it; seconds that this took.

    What made one that is there may be another version than is here, and is not to be asked for what looks outdated.
    """
    if (top / "configure").exists():
        environment = {**environment, **dict.fromkeys(("ACLOCAL", "AUTOCONF", "AUTOMAKE", "AUTOHEADER"), ":")}
    else:
        if shutil.which("autoreconf") is None or shutil.which("libtoolize") is None:
            raise BuildFailed(f"{top} comes without configure: install autoconf, automake and libtool")
        step("autoconf", ["autoreconf", "-fi"], top, environment)
    return step("configure", ["./configure", *options], top, environment)


def compiler_of_one_word(work: Path) -> Path:
    """`untaken cc` as an executable, also where the package is not installed."""
    command = untaken_compiler()
    if len(command) == 1:
        return Path(command[0])
    script = work / "untaken-cc"
    paths = os.pathsep.join(path for path in sys.path if path)
    lines = ["import sys", f"sys.path[:0] = {paths.split(os.pathsep)!r}", "from untaken.cli.cc import main"]
    script.write_text("\n".join([f"#!{sys.executable}", *lines, "sys.exit(main())", ""]))
    script.chmod(0o755)
    return script


def adopt_orphans() -> None:
    """From now on, processes whose parent ends are ours to wait for."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "cannot adopt orphaned processes")


def processor_seconds(work: Callable[[], object]) -> float:
    """Of everything that was started by this, and has ended then; a resident compiler is one that we adopted."""
    earlier, before = children(), resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    end_orphans(earlier)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def children() -> set[int]:
    """The processes that are this one's to wait for."""
    return set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))


def end_orphans(earlier: Collection[int]) -> None:
    """Ends what a step left behind, and waits for it; other children are somebody else's business."""
    while left := children().difference(earlier):
        for child in left:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)
            with suppress(ChildProcessError):
                os.waitpid(child, 0)
