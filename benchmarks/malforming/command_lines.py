"""Command lines: options of the option table with values that fit and values that do not, words lost, doubled, torn.

A budget comes last, so that what happens to be right ends soon. `--ray` is left out: it starts a cluster. So is any
number of workers that this machine would really start.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.malforming.desk import Desk
from benchmarks.soaking.commands import forked
from benchmarks.soaking.outcomes import SoakTrial
from benchmarks.soaking.processes import processes_left
from untaken.cli.manual.table import CommandEntry, OptionEntry, command_table

PATIENCE = 1800.0  # seconds: this is often run beside other work
SELDOM = {"tune": 0.2, "compare": 0.2}  # what takes seconds if the line happens to be right
LEFT_OUT = ("--ray", "--sync")
BUDGETS = {
    "run": ["--iterations", "2", "--time", "1", "--jobs", "1"],
    "unit": ["--iterations", "2", "--time", "1", "--jobs", "1"],
    "compare": ["--iterations", "2", "--trials", "1", "--strategies", "random", "--jobs", "1"],
    "tune": ["--iterations", "2", "--samples", "2", "--jobs", "1"],
}
WORDS = (
    *(
        "program.c",
        "built",
        "other.c",
        "kept",
        "seeds",
        "weights.json",
        "notes",
        "nothing",
        "new",
        "weigh",
        "main",
        "1",
    ),
    *("", "-", "--", "---", "-x", "--no-such", "@", "@file", "é", "\udcff", "a b", "a\nb", "%s%n", "$(id)", "'", '"'),
    *(
        "0",
        "-1",
        "1.5",
        "1e9",
        "nan",
        "inf",
        "-inf",
        "0x10",
        "١٢",
        "9" * 30,
        "9" * 5000,
        "1_000",
        " 1",
        "1,2",
        "a" * 5000,
    ),
    *("x=1", "=", "x=", "=1", "x=1..2", "x=2..1", "x=..", "x=a..b", "0:4", "0x0:4:x", ":::", "1@2", "HEAD", "..", "."),
)
COMPILER_WORDS = (
    *(
        "-c",
        "-E",
        "-S",
        "-o",
        "new",
        "-g",
        "-O2",
        "-O99",
        "-Wall",
        "-Werror",
        "-D",
        "-DX=1",
        "-I",
        "-I.",
        "-include",
        "-x",
    ),
    *(
        "c",
        "c++",
        "-std=c99",
        "-std=none",
        "-m32",
        "-shared",
        "-fPIC",
        "-static",
        "-l",
        "-lm",
        "-lnone",
        "-L",
        "-Wl,",
        "-Xlinker",
    ),
    *(
        "-M",
        "-MD",
        "-MF",
        "-pipe",
        "--version",
        "-v",
        "-###",
        "-save-temps",
        "-fsanitize=address",
        "-flto",
        "-march=none",
        "@x",
    ),
)


def command_lines(desk: Desk, random: Random, most: int) -> Iterator[SoakTrial]:
    """One after the other, in a folder of their own."""
    folder = desk.folder
    os.chdir(folder)
    lines = CommandLines(random)
    for _ in range(most):
        words = lines.next()
        said = forked(words, patience=PATIENCE)
        fault = said.fault or processes_left() or desk.lost()
        yield SoakTrial("command lines", " ".join(map(repr, words)), f"exit {said.code}", fault)
        tidy(folder)


def tidy(folder: Path) -> None:
    """Away with what commands have written."""
    known = {"program.c", "other.c", "built", "kept", "seeds", "weights.json", "notes"}
    for path in folder.iterdir():
        if path.name not in known:
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() and not path.is_symlink() else path.unlink()


class CommandLines:
    """Draws command lines."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._commands = command_table()
        self._weights = [SELDOM.get(entry.name, 1.0) for entry in self._commands]

    def next(self) -> list[str]:
        """A line, without `untaken`."""
        random = self._random
        entry = random.choices(self._commands, self._weights)[0]
        words = self._compiler() if entry.name == "cc" else [*self._targets(entry), *self._options(entry)]
        if random.random() < 0.3:
            words = self._torn(words)
        name = entry.name if random.random() < 0.97 else self._changed(entry.name)
        if "--" in words and name in BUDGETS:
            words.remove("--")
        return [name, *words, *BUDGETS.get(name, [])]

    def _targets(self, entry: CommandEntry) -> list[str]:
        likely = {"TARGET": "program.c", "FILE": "other.c", "FUNCTION": "weigh", "DIR": "kept", "[DIR]": "kept"}
        words = [likely.get(word.value, "1") for word in entry.words]
        return [word if self._random.random() < 0.75 else self._random.choice(WORDS) for word in words]

    def _options(self, entry: CommandEntry) -> list[str]:
        options = [option for option in entry.options if not set(option.flags) & set(LEFT_OUT)]
        chosen = self._random.sample(options, min(len(options), self._random.choice((0, 1, 1, 2, 3, 6))))
        return [word for option in chosen for word in self._option(option)]

    def _option(self, option: OptionEntry) -> list[str]:
        random = self._random
        flag = random.choice(option.flags)
        if not option.value:
            return [flag] if random.random() < 0.9 else [f"{flag}={random.choice(WORDS)}"]
        fits = option.words if option.words and random.random() < 0.5 else WORDS
        if random.random() < 0.05:
            return [flag]
        value = random.choice(fits)
        return [flag, value] if random.random() < 0.7 else [f"{flag}={value}"]

    def _compiler(self) -> list[str]:
        random = self._random
        words = [random.choice(COMPILER_WORDS) for _ in range(random.choice((0, 1, 2, 4)))]
        files = [random.choice(WORDS) for _ in range(random.choice((0, 1, 2)))]
        return [*words, *files]

    def _torn(self, words: list[str]) -> list[str]:
        random = self._random
        place = random.randrange(len(words) + 1)
        match random.randrange(5):
            case 0:
                return words[:place]
            case 1:
                return [*words[:place], random.choice(WORDS), *words[place:]]
            case 2:
                return [*words, *words]
            case 3:
                random.shuffle(words)
                return words
            case _:
                return [self._changed(word) if number == place else word for number, word in enumerate(words)]

    def _changed(self, word: str) -> str:
        place = self._random.randrange(len(word) + 1)
        return word[:place] + self._random.choice(("", "-", "x", "=", "\t", "é")) + word[place + 1 :]
