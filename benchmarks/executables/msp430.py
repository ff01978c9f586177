"""The MSP430: clang's compiler, lld, and the simulator in mspdebug."""

from __future__ import annotations

from pathlib import Path

from benchmarks.executables.machines import (
    HERE,
    INCLUDE,
    SIMULATED,
    Built,
    Failed,
    Machine,
    Memory,
    csmith_include,
    run,
)
from untaken.executables.image_files.image import load
from untaken.executables.options import ImageOptions

SCRIPT = """
ENTRY(random_main)
SECTIONS {
    . = 0x1000;
    .data : { first = .; *(.data*) *(.bss*) *(COMMON) last = .; }
    . = 0x4000;
    .text : { *(.text*) *(.rodata*) }
    . = ALIGN(2);
}
"""
STACK = 0x3FF0


class Msp430Machine(Machine):
    """Debian has no gcc for it; clang's own code generator is as good a source of instructions."""

    name = "msp430"
    packages = "clang lld mspdebug"
    programs = ("clang", "ld.lld", "mspdebug")

    def build(self, source: Path, level: str) -> Built:
        folder = source.parent
        (folder / "script").write_text(SCRIPT)
        words = ["clang", "--target=msp430", f"-O{level}", "-w", "-ffreestanding", "-fno-builtin", "-c"]
        words += ["-I", str(INCLUDE), "-I", str(csmith_include())]
        run([*words, source.name, "-o", "program.o"], folder)
        run([*words, str(HERE / "msp430_library.c"), "-o", "library.o"], folder)
        run(["ld.lld", "-T", "script", "program.o", "library.o", "-o", "image.elf"], folder)
        names = load(folder / "image.elf", None).names
        if names["last"].address > STACK - 0x400:
            raise Failed("too much data")
        options = ImageOptions(folder / "image.elf", entry="random_main", stack=STACK, limit=20_000_000)
        return Built(options, {name: names[name].address for name in ("first", "last", "random_main", "finished")})

    def simulate(self, built: Built, folder: Path) -> Memory:
        """The stack holds the address of what comes after the end."""
        places = built.symbols
        commands = [
            "fill 0x1000 0x3000 0",
            f"load {built.options.path}",
            f"mw {STACK - 2:#x} {places['finished'] & 0xFF:#x} {places['finished'] >> 8:#x}",
            f"set 0 {places['random_main']:#x}",
            f"set 1 {STACK - 2:#x}",
            f"setbreak {places['finished']:#x}",
            "run",
            "regs",
            f"save_raw {places['first']:#x} {places['last'] - places['first']:#x} memory",
        ]
        printed = run(["mspdebug", "-q", "-n", "sim", *commands], folder, patience=SIMULATED).decode(errors="replace")
        if f"PC: {places['finished']:05x}" not in printed.replace("( ", "("):
            raise Failed("the simulator did not get to the end")
        written = (folder / "memory").read_bytes()
        return {("memory", places["first"] + place): byte for place, byte in enumerate(written) if byte}

    def ranges_of(self, built: Built) -> list[tuple[str, int, int]]:
        return [("memory", built.symbols["first"], built.symbols["last"])]
