"""Damaged files: everything that a campaign keeps, and everything that it reads, with something done to it."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.soaking.commands import forked, prepared
from benchmarks.soaking.mutations import mutate
from benchmarks.soaking.outcomes import SoakTrial
from benchmarks.soaking.processes import processes_left

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
MENDED_SHARE = 0.2  # of the damaged campaigns are repaired, and go on


def damaged_files(folder: Path, random: Random, deadline: float, most: int) -> Iterator[SoakTrial]:
    """One after the other, until there is no time left."""
    files = DamagedFiles(folder, random)
    for _ in range(most):
        if time.monotonic() > deadline:
            return
        yield from files.trial()


class DamagedFiles:
    """A campaign and a program, copied and damaged again and again."""

    def __init__(self, folder: Path, random: Random) -> None:
        self._folder = folder
        self._random = random
        self._base = folder / "base"
        self._base.mkdir()
        self._program = prepared(self._base, SOURCE, "--iterations", "40", "--seed", "1")
        self._build()

    def _build(self) -> None:
        """A program that is built by hand, its object file and an archive of it; a heuristic."""
        for words in (["-c", "-o", "unit.o"], ["-o", "built"]):
            said = forked(["cc", "-g", str(self._program), *words[:-1], str(self._base / words[-1])])
            if said.code:
                raise SystemExit(said.text)
        os.system(f"ar rcs {self._base}/libunit.a {self._base}/unit.o")
        shipped = Path(__file__).parents[2] / "src/untaken/search/heuristics/general.json"
        shutil.copy(shipped, self._base / "weights.json")

    def trial(self) -> Iterator[SoakTrial]:
        """One file of a copy is damaged, and a command reads it."""
        work = self._folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(self._base, work)
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
        if fault is None and name.startswith("out/") and self._random.random() < MENDED_SHARE:
            fault = self._mending(work)
        yield SoakTrial("damaged files", told, f"exit {said.code}", fault)

    def _mending(self, work: Path) -> str | None:
        """A repaired campaign goes on."""
        out = str(work / "out")
        for command in (["doctor", out, "--repair"], self._again(work), ["doctor", out]):
            said = forked(command)
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
            "weights.json": [[*heuristic, "--iterations", "2", "--quiet", "--out", str(work / "weighed")]],
        }
