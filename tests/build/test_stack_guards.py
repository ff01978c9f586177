"""What -fstack-protector sees of a plain program, it sees of an instrumented one: nothing of ours is near the guard."""

from __future__ import annotations

import signal
import subprocess

import pytest

from tests.build.test_cc import Workshop, shop  # noqa: F401

# The array runs over whatever lies behind it. Other variables of ours are the copy of the variable arguments' labels.
OVERRUN = """
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) static int few(const char *text, int size) {
    long numbers[2] = {size, size};
    char part[4];
    strncpy(part, text, size);
    return part[0] + (int)numbers[1];
}
__attribute__((noinline)) static int some(int size, ...) {
    va_list list;
    char part[6];
    va_start(list, size);
    strncpy(part, va_arg(list, const char *), size);
    va_end(list);
    return part[0];
}
int main(int argc, char **argv) {
    char text[64];
    int size = (int)read(0, text, sizeof text);
    return (argc > 1 ? few(text, size) : some(size, text)) & 1;
}
"""


@pytest.mark.parametrize("words", [(), ("few",)], ids=["variable arguments", "slots"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_overruns_of_small_arrays_reach_the_guard(shop: Workshop, words: tuple[str, ...], level: str) -> None:  # noqa: F811
    shop.write("program.c", OVERRUN)
    shop.build(level, "-w", "-fstack-protector-all", "program.c", "-o", "program")
    run = subprocess.run([shop.path / "program", *words], input=b"A" * 60, capture_output=True, check=False)
    assert run.returncode == -signal.SIGABRT and b"stack smashing" in run.stderr
