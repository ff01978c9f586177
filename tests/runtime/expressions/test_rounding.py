"""Numbers are followed while they are rounded as expressions say (runtime/expressions/floats.c)."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest

from untaken.build.driver import build_program
from untaken.build.toolchain.compilers import linker
from untaken.execute.session import Session

ADDS = """
#include <untaken.h>
#include <xmmintrin.h>
int main(void) {
    float x;
    untaken_input(&x, sizeof x, "x");
    _mm_setcsr(_mm_getcsr() | STATUS);
    if (x + 0.1f > 3.0f) return 1;
    return 0;
}
"""


def decisions(folder: Path, status: int) -> tuple[int, int]:
    """How many the run made on its input, and how many values lost what was known of them."""
    source, program = folder / f"{status}.c", folder / str(status)
    source.write_text(ADDS.replace("STATUS", str(status)))
    build_program([source], program)
    with Session(program) as session:
        path = session.run(struct.pack("<f", 5.0))
        assert path.exit.code == 1
        return len(path), session.counters.concretised["float"]


def test_labels_are_dropped_while_a_program_rounds_otherwise(tmp_path: Path) -> None:
    followed, lost = decisions(tmp_path, 0)
    assert followed > 0
    assert lost == 0
    for status in (0x2000, 0x4000, 0x6000, 0x8000):
        assert decisions(tmp_path, status) == (0, 1)


# Through pointers, so that no compiler has an instruction for it.
PRINTS = r"""
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
double (*volatile of_double[])(double) = {round, floor, ceil, trunc, sqrt, rint, nearbyint};
float (*volatile of_float[])(float) = {roundf, floorf, ceilf, truncf, sqrtf, rintf, nearbyintf};
static uint64_t bits(double value) { uint64_t bits; memcpy(&bits, &value, 8); return bits; }
static uint32_t bits_of_float(float value) { uint32_t bits; memcpy(&bits, &value, 4); return bits; }
static void print(double value) {
    for (int i = 0; i < MOST; i++) {
        errno = 0;
        double result = of_double[i](value);
        printf("%d %a %lx %d", i, value, bits(result), errno);
        errno = 0;
        float small = of_float[i]((float)value);
        printf(" %x %d\n", bits_of_float(small), errno);
    }
}
int main(void) {
    double values[] = {0.0, 0.49999999999999994, 0.5, 1.5, 2.5, 0.1, 4503599627370495.5, 4503599627370497.0,
                       9007199254740993.0, 8388607.5, 1e300, 4.9e-324, INFINITY, NAN};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        for (int step = -1; step <= 1; step++) {
            double value = step == 0 ? values[i] : nextafter(values[i], step * 1e308);
            print(value);
            print(-value);
        }
    }
    return 0;
}
"""


@pytest.mark.parametrize("library", [["-lm"], []], ids=["with libm", "without"])
def test_programs_get_the_results_of_the_real_functions(library: list[str], tmp_path: Path) -> None:
    """Without libm the models compute them: then only those that have a model can be asked."""
    text, most = PRINTS, 7
    if not library:
        text = text.replace("nextafter(values[i], step * 1e308)", "values[i] * (1 + step * 0x1p-52)")
        text, most = text.replace(", rint, nearbyint", "").replace(", rintf, nearbyintf", ""), 5
    source, plain, program = tmp_path / "prints.c", tmp_path / "plain", tmp_path / "program"
    source.write_text(text)
    flags = ["-fno-builtin", f"-DMOST={most}"]
    subprocess.run([*linker().command, *flags, source, "-lm", "-o", plain], check=True)
    build_program([source], program, [*flags, *library])
    expected = subprocess.run([plain], capture_output=True, check=True).stdout
    assert expected.count(b"\n") > 400
    assert subprocess.run([program], capture_output=True, check=True).stdout == expected
