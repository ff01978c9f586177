"""The OSMOSE paper's programs as images: for its two processors, and for the others that we lift."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.executables.machines import HERE, run
from untaken.executables.machine_code.control_flow import Learnt
from untaken.executables.options import ImageOptions
from untaken.executables.target import build_target
from untaken.execute.target import Target

INCLUDE = HERE / "osmose"
PAPERS = ("8051", "ppc")
BARE: tuple[str, ...] = ("-w", "-ffreestanding", "-fno-builtin", "-nostdlib", "-static", "-fno-pic", "-fno-inline")
BARE += ("-fno-stack-protector", "-fno-asynchronous-unwind-tables", "-Wl,--build-id=none,-e,main")
MSP430_SCRIPT = """
ENTRY(main)
SECTIONS {
    . = 0x1000;
    .data : { *(.data*) *(.bss*) *(COMMON) }
    . = 0x4000;
    .text : { *(.text*) *(.rodata*) }
    . = ALIGN(2);
}
"""
Compile = Callable[[Path, Sequence[str], Path], ImageOptions]


def image_target(source: Path, flags: Sequence[str], cpu: str, folder: Path) -> Target:
    """Compiles one, lifts it, and builds what was lifted."""
    target, _ = build_target(COMPILERS[cpu](source, flags, folder), Learnt(), folder / "out", print)
    return target


def own_functions(target: Target) -> tuple[str, ...]:
    """All but those of the compiler's library, which reach memories that the program does not use."""
    return tuple(each.name for each in target.map.functions if not each.name.startswith("fn__"))


def _for_8051(source: Path, flags: Sequence[str], folder: Path) -> ImageOptions:
    run(["sdcc", "-mmcs51", "-I", str(INCLUDE), *flags, str(source), "-o", "image.ihx"], folder)
    symbols = folder / "image.map"
    return ImageOptions(folder / "image.ihx", "8051", entry="_main", symbols=symbols, ports=("sfr:0x90",))


def _for_avr(source: Path, flags: Sequence[str], folder: Path) -> ImageOptions:
    words = ["avr-gcc", "-mmcu=atmega128", "-w", "-fno-inline", "-I", str(INCLUDE), *flags, str(source)]
    run([*words, "-o", "image.elf"], folder)
    return ImageOptions(folder / "image.elf", entry="main", ports=("data:0x39",))


def _for_msp430(source: Path, flags: Sequence[str], folder: Path) -> ImageOptions:
    (folder / "script").write_text(MSP430_SCRIPT)
    words = ["clang", "--target=msp430", "-w", "-ffreestanding", "-fno-builtin", "-I", str(INCLUDE), "-c"]
    run([*words, *flags, str(source), "-o", "program.o"], folder)
    run([*words, str(HERE / "msp430_library.c"), "-o", "library.o"], folder)
    run(["ld.lld", "-T", "script", "program.o", "library.o", "-o", "image.elf"], folder)
    return ImageOptions(folder / "image.elf", entry="main", stack=0x3FF0, ports=("0x20",))


def _bare(compiler: str, *own: str) -> Compile:
    """Of a gcc, for a processor without an operating system."""

    def compile_it(source: Path, flags: Sequence[str], folder: Path) -> ImageOptions:
        run([compiler, *BARE, *own, "-I", str(INCLUDE), *flags, str(source), "-o", "image.elf", "-lgcc"], folder)
        return ImageOptions(folder / "image.elf", entry="main", ports=("0x9000",))

    return compile_it


COMPILERS: dict[str, Compile] = {
    "8051": _for_8051,
    "ppc": _bare("powerpc-linux-gnu-gcc"),
    "avr": _for_avr,
    "msp430": _for_msp430,
    "arm": _bare("arm-none-eabi-gcc", "-mthumb", "-mcpu=cortex-m3"),
    "x86-64": _bare("gcc", "-mno-sse", "-mno-mmx", "-mno-80387"),
}
