"""The OSMOSE paper's programs as images for its two processors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.executables.machines import HERE, run
from untaken.executables.machine_code.control_flow import Learnt
from untaken.executables.options import ImageOptions
from untaken.executables.target import build_target
from untaken.execute.target import Target

INCLUDE = HERE / "osmose"
PROCESSORS = ("8051", "ppc")
TOP = ("fn_main",)


def image_target(source: Path, flags: Sequence[str], cpu: str, folder: Path) -> Target:
    """Compiles one, lifts it, and builds what was lifted."""
    options = _for_8051(source, flags, folder) if cpu == "8051" else _for_powerpc(source, flags, folder)
    target, _ = build_target(options, Learnt(), folder / "out", print)
    return target


def own_functions(target: Target) -> tuple[str, ...]:
    """All but those of the compiler's library, which reach memories that the program does not use."""
    return tuple(each.name for each in target.map.functions if not each.name.startswith("fn__"))


def _for_8051(source: Path, flags: Sequence[str], folder: Path) -> ImageOptions:
    run(["sdcc", "-mmcs51", "-I", str(INCLUDE), *flags, str(source), "-o", "image.ihx"], folder)
    symbols = folder / "image.map"
    return ImageOptions(folder / "image.ihx", "8051", entry="_main", symbols=symbols, ports=("sfr:0x90",))


def _for_powerpc(source: Path, flags: Sequence[str], folder: Path) -> ImageOptions:
    words = ["powerpc-linux-gnu-gcc", "-w", "-ffreestanding", "-fno-builtin", "-nostdlib", "-static", "-fno-pic"]
    words += ["-fno-inline", "-fno-stack-protector", "-fno-asynchronous-unwind-tables", "-Wl,--build-id=none,-e,main"]
    run([*words, "-I", str(INCLUDE), *flags, str(source), "-o", "image.elf", "-lgcc"], folder)
    return ImageOptions(folder / "image.elf", "ppc", entry="main", ports=("0x9000",))
