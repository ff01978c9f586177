"""Damaged files: everything that a campaign keeps, and everything that it reads, with something done to it."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.soaking.commands import forked, prepared
from benchmarks.soaking.mutations import mutate
from benchmarks.soaking.outcomes import SoakTrial
from benchmarks.soaking.processes import in_child, processes_left
from untaken.build.library.runtime import EXPORTED, WHOLE, runtime_library
from untaken.build.toolchain.compilers import front_end

SOURCE = """
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int helper(int x) { return x > 4 ? x * 2 : x - 1; }
int main(int argc, char **argv) {
    char data[9] = {0};
    long size = read(0, data, 8);
    if (size > 3 && !memcmp(data, "stop", 4)) abort();
    if (size > 1 && data[0] == 'a') return helper(data[1]) == 9;
    switch (data[0]) { case 'x': return 1; case 'y': return 2; default: return argc > 1; }
}
"""
ANOTHER = "holds tests"  # of another program, or with other inputs
MENDED_SHARE = 0.2  # of the damaged campaigns are repaired, and go on


def damaged_files(folder: Path, random: Random, deadline: float, most: int) -> Iterator[SoakTrial]:
    """One after the other, until there is no time left; one in any case."""
    files = DamagedFiles(folder, random)
    for number in range(most):
        if number and time.monotonic() > deadline:
            return
        yield from files.trial()


def _copy_runtime(cache: Path) -> None:
    """What programs are linked with: it takes long to build."""
    library = runtime_library(front_end())
    folder = Path(library.archive).parent
    copied = cache / folder.name
    copied.mkdir(parents=True)
    for file in (*astuple(library), folder / EXPORTED, folder / WHOLE):
        shutil.copy(file, copied)
    for known in folder.parent.glob("runtime-known-*"):
        shutil.copy(known, cache)


class DamagedFiles:
    """A campaign and a program, copied and damaged again and again."""

    def __init__(self, folder: Path, random: Random) -> None:
        self._folder = folder
        self._random = random
        self._base, work = folder / "base", folder / "work"
        work.mkdir()
        in_child(partial(_copy_runtime, work / "cache" / "untaken"))  # else this process would remember the compiler
        with self._own_cache(work / "cache"):
            program = prepared(work, SOURCE, "--iterations", "40", "--seed", "1")
            self._build(work, program)
        work.rename(self._base)  # copies of it have the names under which everything was made

    @staticmethod
    def _build(work: Path, program: Path) -> None:
        """A program that is built by hand, its object file and an archive of it; a heuristic."""
        for words in (["-c", "-o", "unit.o"], ["-o", "built"]):
            said = forked(["cc", "-g", str(program), *words[:-1], str(work / words[-1])])
            if said.code:
                raise SystemExit(said.text)
        os.system(f"ar rcs {work}/libunit.a {work}/unit.o")
        shipped = Path(__file__).parents[2] / "src/untaken/search/heuristics/general.json"
        shutil.copy(shipped, work / "weights.json")

    @contextmanager
    def _own_cache(self, folder: Path) -> Iterator[None]:
        """Each copy has its own, so that what is damaged in one is damaged there alone."""
        before = os.environ.get("XDG_CACHE_HOME")
        os.environ["XDG_CACHE_HOME"] = str(folder)
        try:
            yield
        finally:
            os.environ.pop("XDG_CACHE_HOME")
            os.environ |= {} if before is None else {"XDG_CACHE_HOME": before}

    def trial(self) -> Iterator[SoakTrial]:
        """One file of a copy is damaged, and a command reads it."""
        work = self._folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(self._base, work)
        with self._own_cache(work / "cache"):
            yield from self._damaged(work)

    def _damaged(self, work: Path) -> Iterator[SoakTrial]:
        name, commands = self._random.choice(list(self._cases(work).items()))
        files = [path for path in sorted(work.glob(name)) if path.is_file()]
        if not files:
            return
        file = self._random.choice(files)
        how = mutate(file, self._random)
        command = self._random.choice(commands)
        said = forked(command)
        told = f"{file.relative_to(work)} ({how}), untaken {command[0]}"
        fault = said.fault or processes_left()
        if name.startswith("cache/") and said.code not in (0, 1):
            fault = f"not made anew: exit code {said.code}: {said.text[-800:]}"
        if fault is None and name.startswith("out/") and self._random.random() < MENDED_SHARE:
            fault = self._mending(work)
        yield SoakTrial("damaged files", told, f"exit {said.code}", fault)

    def _mending(self, work: Path) -> str | None:
        """A repaired campaign goes on."""
        out = str(work / "out")
        for command in (["doctor", out, "--repair"], self._again(work), ["doctor", out]):
            said = forked(command)
            if ANOTHER in said.text:
                return None  # what was changed says just that, and whose it is cannot be known
            if said.code not in (0, 1):
                return f"not mended: untaken {command[0]}: exit code {said.code}: {said.text[-500:]}"
        return None

    @staticmethod
    def _again(work: Path) -> list[str]:
        return ["run", str(work / "program.c"), "--iterations", "2", "--quiet", "--out", str(work / "out")]

    def _cases(self, work: Path) -> dict[str, list[list[str]]]:
        """What is damaged, and the commands that read it."""
        out, program = str(work / "out"), str(work / "program.c")
        again = self._again(work)
        reading = [
            ["report", out],
            ["doctor", out],
            ["replay", out, "1", "--gdb"],
            *(["export", out, "--format", name] for name in ("files", "testcomp", "ktest", "junit", "sarif")),
        ]
        built = ["run", str(work / "built"), "--iterations", "2", "--quiet", "--stdin", "4", "--out", str(work / "new")]
        linked = [["cc", str(work / name), "-o", str(work / "again")] for name in ("unit.o", "libunit.a")]
        heuristic = ["run", program, "--strategy", "parametric", "--heuristic", str(work / "weights.json")]
        return {
            "out/campaign.json": [*reading, again],
            "out/campaign.sqlite": [reading[0], reading[1], again, again],
            "out/tests/*.json": [*reading, again],
            "out/tests/*.bin": [*reading, again],
            "out/crashes/*/*": [*reading, again],
            "out/summary.json": [reading[0], reading[1], again],
            "out/timeline.csv": [reading[0], reading[1], again],
            "built": [built, built, ["report", out]],
            "unit.o": [linked[0]],
            "libunit.a": [linked[1]],
            # Not python/, compiled modules, which Python does not check.
            "cache/untaken/runtime-*/*": [linked[0], again],
            "cache/untaken/known-*": [linked[0], again],
            "cache/untaken/runtime-known*": [linked[0], again],
            "cache/untaken/programs/*": [again, again, reading[2]],
            "cache/untaken/plain/*/*": [["replay", out, "1"], again],
            "weights.json": [[*heuristic, "--iterations", "2", "--quiet", "--out", str(work / "weighed")]],
        }
