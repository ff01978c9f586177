"""Processors with their compilers and simulators, as Debian has them: what is in memory when a program has ended.

Each machine compiles a csmith program, runs it in a simulator that is not ours, and says which bytes of memory are to
be the same in the lifted program.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from untaken.executables.lifting import lift
from untaken.executables.machine_code.control_flow import Learnt
from untaken.executables.options import ImageOptions

HERE = Path(__file__).parent
INCLUDE = HERE / "include"
PATIENCE = 10.0  # of compilers
SIMULATED = 3.0  # a random program either ends within milliseconds or never
Memory = dict[tuple[str, int], int]  # bytes that are not 0, by memory and address
_NOT_LIFTED = re.compile(r"(jump|call|return) to (0x[0-9a-f]+) from (0x[0-9a-f]+), which is not lifted")


class Failed(Exception):
    """A compiler refused, or a program took too long: no program for this machine."""


def run(words: list[str], folder: Path, binary: bool = False, patience: float = PATIENCE) -> bytes:
    """The output of a command that must succeed."""
    try:
        done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience)
    except subprocess.TimeoutExpired:
        raise Failed(f"{words[0]} took too long") from None
    if done.returncode and not binary:
        raise Failed(f"{words[0]}: {done.stderr.decode(errors='replace')[:400]}")
    return done.stdout


@dataclass(frozen=True, slots=True)
class Built:
    """An image, how to lift it, and where its variables are."""

    options: ImageOptions
    symbols: dict[str, int]


class Machine(ABC):
    """A processor with its tools."""

    name = ""
    packages = ""
    programs: tuple[str, ...] = ()
    csmith: tuple[str, ...] = ()
    ending = "void finished(void) { for (;;); }\nint main(void) { random_main(); finished(); return 0; }\n"
    ranges: tuple[tuple[str, int, int], ...] = ()

    def ranges_of(self, built: Built) -> list[tuple[str, int, int]]:
        """The memory that is compared: name, first address, end."""
        return list(self.ranges)

    @property
    def missing(self) -> str | None:
        """What to install, if something is not there."""
        absent = [program for program in (*self.programs, "csmith") if shutil.which(program) is None]
        return (
            f"{', '.join(absent)} is not here: apt-get install {self.packages} csmith libcsmith-dev" if absent else None
        )

    @abstractmethod
    def build(self, source: Path, level: str) -> Built:
        """Compiles a program; raises `Failed` where the compiler cannot."""

    @abstractmethod
    def simulate(self, built: Built, folder: Path) -> Memory:
        """Runs it elsewhere."""


def csmith_include() -> Path:
    return next(path.parent for path in sorted(Path("/usr/include").glob("csmith*/safe_math.h")))


def lifted_memory(built: Built, folder: Path) -> Memory:
    """Runs the lifted C, compiled without us; computed jumps are learnt as in a campaign."""
    learnt = Learnt()
    for _ in range(200):
        lifted = lift(built.options, learnt, "lifted.untaken.c")
        (folder / "lifted.c").write_text(lifted.program_text)
        (folder / "lifted.untaken.c").write_text(lifted.support_text)
        words = ["clang", "-O1", "-w", "-DUNTAKEN_DUMP", "-I", str(header_folder()), "lifted.c", str(HERE / "plain.c")]
        run([*words, "-o", "lifted", "-lm"], folder)
        printed = run(["./lifted"], folder, binary=True).decode()
        found = _NOT_LIFTED.search(printed)
        if found is None:
            return _read_dump(printed)
        learnt = learnt.with_target(found[1], int(found[3], 16), int(found[2], 16))
    raise Failed("too many computed jumps")


def header_folder() -> Path:
    import untaken

    return Path(untaken.__file__).parent / "runtime" / "include"


def _read_dump(printed: str) -> Memory:
    memory: Memory = {}
    for line in printed.splitlines():
        if line.startswith("error: "):
            raise AssertionError(line)
        if line.startswith("memory "):
            _, name, address, data = line.split()
            memory.update(((name, int(address, 16) + place), byte) for place, byte in enumerate(bytes.fromhex(data)))
    return memory


def differences(expected: Memory, found: Memory, ranges: list[tuple[str, int, int]]) -> list[str]:
    """Bytes that are not the same, within some stretches of memory."""
    wrong = []
    for name, first, end in ranges:
        for address in range(first, end):
            wanted, got = expected.get((name, address), 0), found.get((name, address), 0)
            if wanted != got:
                wrong.append(f"{name}:{address:#x} is {got:#04x}, not {wanted:#04x}")
    return wrong
