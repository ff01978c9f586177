"""What functions of thousands of lines take to compile: `python -m benchmarks.large_functions [FILE.c ...]`

Made-up programs of growing size, or the files that are named, are compiled to an object file by clang -O2 and by
`untaken cc -O2`. Processor seconds, so that a busy machine spoils little, and the most memory that was in use.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.workloads import plain_compiler, untaken_compiler
from untaken.cli.resident.meeting import SWITCH

VARIABLES = 30
MOST_SECONDS = 1_800


def reactive(size: int) -> str:
    """A step function of a reactive system: conditions over globals and the input, as in the ECA programs."""
    rng = random.Random(size)
    lines = [f"static int a{i} = {rng.randrange(8)};" for i in range(VARIABLES)] + ["int step(int input) {"]
    for _ in range(size):
        tests = [f"a{rng.randrange(VARIABLES)} == {rng.randrange(12)}" for _ in range(rng.randrange(1, 4))]
        to, of = rng.randrange(VARIABLES), rng.randrange(VARIABLES)
        condition = " && ".join([*tests, f"input == {rng.randrange(1, 7)}"])
        lines.append(f"    if ({condition}) a{to} = (a{of} * {rng.randrange(2, 9)} + {rng.randrange(9)}) % 14;")
    return "\n".join([*lines, "    return a0;", "}"]) + "\n"


def unrolled(size: int) -> str:
    """Rounds of a cipher, written out, with a condition in each."""
    lines = ["unsigned mix(unsigned a, unsigned b, unsigned *m) {"]
    for i in range(size):
        shift = 1 + i % 31
        lines.append(f"    a += m[{i % 64}] ^ b; b = b << {shift} | a >> {32 - shift}; m[{i * 7 % 64}] = a * b;")
        lines.append(f"    if (a == {i}) m[0]++;")
    return "\n".join([*lines, "    return a ^ b;", "}"]) + "\n"


def machine(size: int) -> str:
    """A state machine in one switch."""
    rng = random.Random(size)
    lines = ["int next(int state, int c) {", "    switch (state) {"]
    for state in range(size):
        lines.append(f"    case {state}: if (c == {rng.randrange(256)}) return {rng.randrange(size)};")
        lines.append(f"        if (c > {rng.randrange(256)}) return {rng.randrange(size)}; break;")
    return "\n".join([*lines, "    }", "    return 0;", "}"]) + "\n"


SHAPES: dict[str, Callable[[int], str]] = {"reactive": reactive, "unrolled": unrolled, "machine": machine}
SIZES = (250, 500, 1_000, 2_000, 4_000)


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one compilation."""

    seconds: float
    megabytes: float


def cost(command: list[str], source: Path, flags: list[str], output: Path) -> Cost:
    """Runs a compiler and asks the kernel what it and its children took; a resident one would be none of these."""
    words = ["timeout", str(MOST_SECONDS), *command, "-O2", "-w", *flags, "-c", str(source), "-o", str(output)]
    child = os.posix_spawnp(words[0], words, {**os.environ, SWITCH: "0"})
    _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(f"{' '.join(words)} failed")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def row(name: str, source: Path, flags: list[str], folder: Path) -> str:
    plain = cost(list(plain_compiler()), source, flags, folder / "plain.o")
    ours = cost(list(untaken_compiler()), source, flags, folder / "ours.o")
    return (
        f"{name:<16}{plain.seconds:>9.1f} s{ours.seconds:>9.1f} s{ours.seconds / plain.seconds:>8.1f}x"
        f"{plain.megabytes:>9.0f} MB{ours.megabytes:>9.0f} MB"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="of the made-up functions")
    parser.add_argument("--flag", action="append", default=[], help="for the compilers, as in --flag=-DNAME")
    parser.add_argument("files", type=Path, nargs="*", help="C files to compile instead")
    options = parser.parse_args()
    print(f"{'':<16}{'clang -O2':>11}{'untaken':>11}{'':>9}{'clang -O2':>12}{'untaken':>12}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for file in options.files:
            print(row(file.name, file, options.flag, folder), flush=True)
        for name, shape in SHAPES.items() if not options.files else ():
            for size in options.sizes:
                source = folder / f"{name}.c"
                source.write_text(shape(size))
                print(row(f"{name} {size}", source, options.flag, folder), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
