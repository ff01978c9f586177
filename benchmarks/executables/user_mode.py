"""Processors that qemu's user mode knows, and our own: the program writes its variables out at the end, by system calls
that the lifted program never gets to."""

from __future__ import annotations

import platform
from pathlib import Path

from benchmarks.executables.machines import INCLUDE, SIMULATED, Built, Machine, Memory, csmith_include, run
from untaken.executables.image_files.image import load
from untaken.executables.options import ImageOptions

SCRIPT = """
ENTRY(_start)
SECTIONS {
    . = 0x10000;
    .text : { *(.text*) *(.rodata*) *(.got*) *(.eh_frame*) }
    . = 0x40000;
    .data : {
        first = .; *(.data*) *(.sdata*) *(.bss*) *(.sbss*) *(COMMON) last = .;
        . = ALIGN(16); . += 0x10000; top = .; . += 0x100;
    }
    /DISCARD/ : { *(.comment) }
}
"""


class UserMode(Machine):
    """`start` is the assembly that calls the program, writes its variables and ends."""

    compiler = ""
    flags: tuple[str, ...] = ()
    emulator: tuple[str, ...] = ()
    start = ""
    ending = ""
    memory = "ram"
    csmith = ("--max-funcs", "5", "--max-block-size", "4", "--max-expr-complexity", "8", "--max-array-dim", "2")

    def build(self, source: Path, level: str) -> Built:
        folder = source.parent
        (folder / "start.s").write_text(self.start)
        (folder / "script").write_text(SCRIPT)
        words = [
            self.compiler,
            *self.flags,
            f"-O{level}",
            "-w",
            "-ffreestanding",
            "-fno-builtin",
            "-nostdlib",
            "-static",
        ]
        words += ["-fno-pic", "-fno-stack-protector", "-fno-asynchronous-unwind-tables", "-Wl,--build-id=none"]
        words += ["-I", str(INCLUDE), "-I", str(csmith_include()), "-T", "script", "start.s", source.name]
        run([*words, "-o", "image.elf", "-lgcc"], folder)
        image = load(folder / "image.elf", None)
        options = ImageOptions(
            folder / "image.elf", entry="random_main", stack=image.names["top"].address, limit=20_000_000
        )
        return Built(options, {name: image.names[name].address for name in ("first", "last")})

    def simulate(self, built: Built, folder: Path) -> Memory:
        written = run([*self.emulator, "./image.elf"], folder, patience=SIMULATED)
        first = built.symbols["first"]
        return {(self.memory, first + place): byte for place, byte in enumerate(written) if byte}

    def ranges_of(self, built: Built) -> list[tuple[str, int, int]]:
        return [(self.memory, built.symbols["first"], built.symbols["last"])]


class PowerPCMachine(UserMode):
    name = "ppc"
    packages = "gcc-powerpc-linux-gnu qemu-user"
    programs = ("powerpc-linux-gnu-gcc", "qemu-ppc")
    compiler = "powerpc-linux-gnu-gcc"
    flags = ("-msoft-float",)
    emulator = ("qemu-ppc",)
    start = """
        .globl _start
_start: lis 1, top@ha
        addi 1, 1, top@l
        bl random_main
        lis 4, first@ha
        addi 4, 4, first@l
        lis 5, last@ha
        addi 5, 5, last@l
        subf 5, 4, 5
        li 3, 1
        li 0, 4
        sc
        li 3, 0
        li 0, 1
        sc
"""


class ThumbMachine(UserMode):
    name = "arm"
    packages = "gcc-arm-none-eabi qemu-user"
    programs = ("arm-none-eabi-gcc", "qemu-arm")
    compiler = "arm-none-eabi-gcc"
    flags = ("-mthumb", "-mcpu=cortex-m3")
    emulator = ("qemu-arm",)
    start = """
        .syntax unified
        .thumb
        .globl _start
        .thumb_func
        .type _start, %function
_start: ldr sp, =top
        bl random_main
        ldr r1, =first
        ldr r2, =last
        subs r2, r2, r1
        movs r0, #1
        movs r7, #4
        svc #0
        movs r0, #0
        movs r7, #1
        svc #0
"""


class X8664Machine(UserMode):
    name = "x86-64"
    packages = "gcc"
    programs = ("gcc",)
    compiler = "gcc"
    flags = ("-mno-sse", "-mno-mmx", "-mno-80387")
    start = """
        .globl _start
_start: mov $top, %rsp
        call random_main
        mov $first, %rsi
        mov $last, %rdx
        sub %rsi, %rdx
        mov $1, %rdi
        mov $1, %rax
        syscall
        xor %rdi, %rdi
        mov $60, %rax
        syscall
"""

    @property
    def missing(self) -> str | None:
        return super().missing if platform.machine() == "x86_64" else "x86-64 is checked on x86-64 only"
