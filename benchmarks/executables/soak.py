"""Random programs of csmith on a processor, lifted and in a simulator: memory must be the same at the end.

python -m benchmarks.executables.soak 8051 --programs 300
python -m benchmarks.executables.soak 8051 --programs 20 --instructions    of instructions one by one, with their flags
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.executables.avr import AvrMachine
from benchmarks.executables.i8051 import I8051Machine
from benchmarks.executables.instructions import random_instructions
from benchmarks.executables.machines import Failed, Machine, differences, lifted_memory
from benchmarks.executables.msp430 import Msp430Machine
from benchmarks.executables.user_mode import PowerPCMachine, ThumbMachine, X8664Machine
from untaken.errors import UntakenError

KINDS = (I8051Machine, AvrMachine, Msp430Machine, PowerPCMachine, ThumbMachine, X8664Machine)
MACHINES: dict[str, type[Machine]] = {machine.name: machine for machine in KINDS}
Make = Callable[[Machine, int, Path], Path]  # a program's source, from a seed
LEVELS = ("0", "1", "2", "s")
SMALL = (
    "--no-argc --no-float --no-longlong --no-math64 --max-funcs 3 --max-block-depth 2 --max-block-size 3 "
    "--max-expr-complexity 4 --max-array-dim 1 --max-array-len-per-dim 4 --max-struct-fields 3 --no-packed-struct "
    "--no-bitfields --no-unions --math-notmp --concise"
).split()


def random_program(machine: Machine, seed: int, folder: Path) -> Path:
    words = ["csmith", "--seed", str(seed), *SMALL, *machine.csmith]
    made = subprocess.run(words, capture_output=True, text=True, timeout=60)
    if made.returncode:
        raise Failed(made.stderr[:200])
    source = folder / "program.c"
    source.write_text(made.stdout.replace("int main (void)", "int random_main (void)") + machine.ending)
    return source


def instructions_program(machine: Machine, seed: int, folder: Path) -> Path:
    source = folder / "program.c"
    source.write_text(random_instructions(machine.name, seed) + machine.ending)
    return source


def check(machine: Machine, seed: int, folder: Path, make: Make = random_program) -> list[str]:
    """What differs; empty if nothing does."""
    source = make(machine, seed, folder)
    built = machine.build(source, LEVELS[seed % len(LEVELS)])
    expected = machine.simulate(built, folder)
    return differences(expected, lifted_memory(built, folder), machine.ranges_of(built))


def soak(machine: Machine, wanted: int, first: int, make: Make) -> int:
    """Checks so many programs; how many are wrong."""
    same = wrong = unfit = 0
    seed = first
    while same + wrong < wanted:
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = check(machine, seed, Path(folder), make)
            except Failed:
                unfit += 1
                found = None
            except (AssertionError, UntakenError) as error:
                found = [str(error)]
        seed += 1
        if found is None:
            continue
        same, wrong = same + (not found), wrong + bool(found)
        if found:
            print(f"{machine.name} seed {seed - 1}: {len(found)} differences, {'; '.join(found[:3])}", flush=True)
    print(
        f"{machine.name}: {same} programs the same, {wrong} wrong, {unfit} that cannot be compiled or run", flush=True
    )
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("machines", nargs="*", help=f"of {', '.join(MACHINES)} (default all)")
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--instructions", action="store_true", help="single ones with random values, not csmith")
    options = parser.parse_args()
    make = instructions_program if options.instructions else random_program
    wrong = 0
    for name in options.machines or MACHINES:
        machine = MACHINES[name]()
        if machine.missing:
            print(f"{name}: {machine.missing}")
            continue
        wrong += soak(machine, options.programs, options.first, make)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
