"""What the compilers of this machine can link with: clang's run-time libraries come in a package of their own."""

from __future__ import annotations

import os
import subprocess
from functools import cache

import pytest

from untaken.build.toolchain.compilers import Kind, front_end, linker


@cache
def has_runtime_library(compiler: tuple[str, ...], option: str) -> bool:
    """Whether this compiler links a program under an option such as `-fsanitize=address`."""
    command = [*compiler, option, "-x", "c", "-", "-o", os.devnull]
    program = "int main(void) { return 0; }"
    try:
        subprocess.run(command, input=program, capture_output=True, text=True, timeout=120, check=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        return False
    return True


def sanitizing_compiler() -> tuple[str, ...]:
    """Who links instrumented programs with sanitizers: clang itself, and gcc where the front end is zig's."""
    compiler = front_end()
    return compiler.command if compiler.kind is Kind.CLANG else linker().command


NEEDS_SANITIZERS = pytest.mark.skipif(
    not has_runtime_library(sanitizing_compiler(), "-fsanitize=address,undefined"),
    reason="needs a compiler's sanitizer libraries: apt-get install gcc, or clang libclang-rt-dev",
)
