"""The AVR: gcc's compiler, avr-libc's way to start, and simavr."""

from __future__ import annotations

from pathlib import Path

from benchmarks.executables.machines import HERE, INCLUDE, SIMULATED, Built, Machine, Memory, csmith_include, run
from untaken.executables.image_files.image import load
from untaken.executables.options import ImageOptions

REGISTERS = 0x100  # data memory begins with registers and ports
RAM_END = 0x1100  # of an atmega128: the stack is compared, too


class AvrMachine(Machine):
    """The whole program, from the reset on: variables are copied from flash by code of the library."""

    name = "avr"
    packages = "gcc-avr avr-libc libsimavr-dev libelf-dev"
    programs = ("avr-gcc", "gcc")
    ending = "__attribute__((noinline, used)) " + Machine.ending  # else its address is never reached

    @property
    def missing(self) -> str | None:
        absent = None if Path("/usr/include/simavr/sim_avr.h").exists() else "simavr's header"
        return super().missing or (f"{absent} is not here: apt-get install {self.packages}" if absent else None)

    def build(self, source: Path, level: str) -> Built:
        folder = source.parent
        words = ["avr-gcc", "-mmcu=atmega128", f"-O{level}", "-w", "-ffreestanding"]
        words += ["-I", str(INCLUDE), "-I", str(csmith_include()), source.name, "-o", "image.elf"]
        run(words, folder)
        names = load(folder / "image.elf", None).names
        options = ImageOptions(folder / "image.elf", exits=("finished",), limit=20_000_000)
        return Built(options, {"stop": names["finished"].address})

    def simulate(self, built: Built, folder: Path) -> Memory:
        run(["gcc", "-O2", "-w", str(HERE / "avr_simulator.c"), "-o", "simulator", "-lsimavr", "-lelf", "-lm"], folder)
        stop, end = built.symbols["stop"], RAM_END
        run(["./simulator", "image.elf", str(stop), str(REGISTERS), str(end), "memory"], folder, patience=SIMULATED)
        written = (folder / "memory").read_bytes()
        return {("data", REGISTERS + place): byte for place, byte in enumerate(written) if byte}

    def ranges_of(self, built: Built) -> list[tuple[str, int, int]]:
        return [("data", REGISTERS, RAM_END)]
