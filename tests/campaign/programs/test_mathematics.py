"""Conditions on functions of libm are met, by asking the real function (solve/layers/descent.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign
from tests.execute.evaluate import check
from untaken.build.driver import build_program
from untaken.execute.session import Session

# One branch each; x and y are doubles, f is a float, i is an int.
CONDITIONS = {
    "periodic": "sin(x) > 0.9999 && x > 100",
    "steep": "fabs(cos(x)) < 1e-12 && x > 3",
    "growing": "exp(x) > 1000 && exp(x) < 1001",
    "inverse": "log(x) > 3.3 && log(x) < 3.3000001",
    "exact": "cbrt(x) == 3",
    "square": "pow(x, 2) == 144",
    "power": "pow(x, 3) == 27 && pow(2, y) == 1024",
    "of two": "hypot(x, y) == 5 && x == 3",
    "of three": "pow(x, 2) + pow(y, 2) == 25 && x > 1 && y > 1",
    "remainder": "fmod(x, 7) == 3 && x > 1000",
    "angle": "atan2(y, x) > 3.14 && x < -5",
    "pole": "tan(x) > 1000 && x > 10",
    "of floats": "sinf(f) > 0.9999f && expf(f) > 1000",
    "of integers": "(int)(100 * sin(i)) == 50 && i > 1000",
    "nested": "sin(cos(x)) > 0.84 && x > 50",
    "scaled": "ldexp(x, i) == 96 && i == 5",
    "said of an integer": "ldexp(x, i) == 4352 && i == 9",
    "said of a number": "hypot(x, y) == 130 && x == 50",
    "to an integer": "ilogb(x) == 77",
    "by a pointer": "pointer(x) > 0.9999 && x > 100",
}
PROGRAM = """
#include <math.h>
#include <untaken.h>
double (*volatile pointer)(double) = sin;
int main(void) {
    double x, y;
    float f;
    int i;
    untaken_double(&x); untaken_double(&y); untaken_float(&f); untaken_int(&i);
    if (CONDITION) return 1;
    return 0;
}
"""


def source(folder: Path, condition: str) -> Path:
    path = folder / "program.c"
    path.write_text(PROGRAM.replace("CONDITION", condition))
    return path


@pytest.mark.parametrize("condition", CONDITIONS.values(), ids=CONDITIONS)
def test_conditions_are_met(tmp_path: Path, condition: str) -> None:
    program = source(tmp_path, condition)
    found = campaign(program, "--iterations", 200, "--coverage", 100, "--out", tmp_path / "out")
    assert found.covered == found.total, condition


def test_numbers_that_are_read_as_text(tmp_path: Path) -> None:
    program = tmp_path / "text.c"
    program.write_text(
        '#include <math.h>\n#include <stdio.h>\nint main(void) { double x; if (scanf("%lf", &x) != 1) return 2;'
        "if (sin(x) > 0.9999 && x > 100) return 1; return 0; }"
    )
    found = campaign(program, "--stdin", 12, "--iterations", 400, "--coverage", 100, "--out", tmp_path / "out")
    assert found.covered == found.total


def test_bytes_that_have_no_farther_steps(tmp_path: Path) -> None:
    """One of the two is fixed by then, and of the other there is nothing left to try."""
    program = tmp_path / "bytes.c"
    program.write_text(
        "#include <math.h>\n#include <unistd.h>\nint main(void) { unsigned char b[2] = {0}; read(0, b, 2);"
        "if (hypot(b[0], b[1]) == 5 && b[0] && b[1]) return 1; return 0; }"
    )
    found = campaign(program, "--stdin", 2, "--iterations", 100, "--coverage", 100, "--out", tmp_path / "out")
    assert found.covered == found.total


def test_what_cannot_be_is_not_called_exhausted(tmp_path: Path) -> None:
    found = campaign(source(tmp_path, "sin(x) > 2"), "--iterations", 40, "--out", tmp_path / "out")
    assert not found.exhausted


@pytest.mark.parametrize("options", [(), ("-fno-math-errno",), ("-O2", "-ffast-math")], ids=" ".join)
def test_results_are_what_libm_computes(tmp_path: Path, options: tuple[str, ...]) -> None:
    """What nodes are evaluated to is what the program got, wherever compilers call the function."""
    condition = "sin(x) + exp(y) + fmod(x, 3) + powf(f, 3) + ldexp(y, i) > 1"
    program = tmp_path / "program"
    build_program([source(tmp_path, condition)], program, options)
    with Session(program) as session:
        path = session.run(bytes(range(64, 88)))
        assert len(path) > 0
        if "-ffast-math" not in options:
            assert check(session.expressions, path) == []


def test_a_function_of_the_programs_own_is_followed(tmp_path: Path) -> None:
    """It has the name of one of libm, and is in another file."""
    own = tmp_path / "own.c"
    own.write_text("double cbrt(double x) { return x + 1; }")
    program = tmp_path / "program"
    build_program([source(tmp_path, "cbrt(x) == 3"), own], program)
    with Session(program) as session:
        path = session.run(bytes(24))
        assert [session.expressions.node(int(node)).op.name for node in path.constraints["node"]] == ["FEQ"]
        assert check(session.expressions, path) == []
