"""The 8051: sdcc's compiler and ucsim."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.executables.machines import INCLUDE, SIMULATED, Built, Failed, Machine, Memory, csmith_include, run
from untaken.executables.options import ImageOptions

_ROW = re.compile(r"^0x([0-9a-f]+) +((?:[0-9a-f]{2} )+)", re.MULTILINE)


class I8051Machine(Machine):
    """Variables are in external memory, so that random programs fit; locals and the stack are inside."""

    name = "8051"
    packages = "sdcc sdcc-ucsim"
    programs = ("sdcc", "s51")
    csmith = ("--no-structs",)  # the compiler cannot pass them
    ranges = (("iram", 0, 0x100), ("xram", 0, 0x1000))

    def build(self, source: Path, level: str) -> Built:
        flags = {"0": ["--nooverlay"], "1": ["--opt-code-speed"], "2": ["--opt-code-size"]}.get(level, [])
        words = ["sdcc", "-mmcs51", "--model-large", *flags, "-I", str(INCLUDE), "-I", str(csmith_include())]
        run([*words, source.name, "-o", "image.ihx"], source.parent)
        found = re.search(r"^C: +([0-9A-F]{8})  _finished", (source.parent / "image.map").read_text(), re.MULTILINE)
        if found is None:
            raise Failed("no end")
        stop = int(found[1], 16)
        options = ImageOptions(source.parent / "image.ihx", "8051", limit=20_000_000)
        return Built(options, {"stop": stop})

    def simulate(self, built: Built, folder: Path) -> Memory:
        commands = [
            'file "image.ihx"',
            "fill iram 0 0xff 0",
            "fill xram 0 0xffff 0",
            f"break {built.symbols['stop']:#x}",
            "run",
            "dump iram 0 0xff",
            "dump xram 0 0xfff",
            "quit",
        ]
        (folder / "commands").write_text("\n".join(commands) + "\n")
        printed = run(["s51", "-t", "52", "-b", "-C", "commands"], folder, patience=SIMULATED).decode(errors="replace")
        if f"Stop at {built.symbols['stop']:#08x}: (104) Breakpoint" not in printed or "dump xram" not in printed:
            raise Failed("the simulator did not get to the end")
        memory: Memory = {}
        for name in ("iram", "xram"):
            part = printed.split(f"dump {name}")[1].split("dump")[0]
            for row in _ROW.finditer(part):
                for place, byte in enumerate(row[2].split()):
                    if int(byte, 16):
                        memory[name, int(row[1], 16) + place] = int(byte, 16)
        return memory
