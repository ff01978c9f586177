"""What the compilers of this machine can link with: clang's run-time libraries come in a package of their own."""

from __future__ import annotations

import os
import subprocess
from functools import cache

import pytest

from untaken.build.toolchain import front_end


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


NEEDS_SANITIZERS = pytest.mark.skipif(
    not has_runtime_library(front_end().command, "-fsanitize=address,undefined"),
    reason="needs clang with its sanitizer libraries: apt-get install clang libclang-rt-dev",
)
