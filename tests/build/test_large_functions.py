"""A label that is asked for all over a large function: veiled from LLVM, and the same as ever."""

from __future__ import annotations

from pathlib import Path

from untaken.build.driver import build_program
from untaken.execute.evaluate import check
from untaken.execute.session import Session

IFS = 300
SOURCE = """
#include <untaken.h>
static unsigned sum;
static void decide(unsigned char value, unsigned char *seen) {
%s
}
int main(void) {
    unsigned char value, seen[%d] = {0};
    untaken_input_uchar(&value, "value");
    decide(value, seen);
    return sum == 7;
}
"""


def test_all_decisions_of_a_large_function_are_seen(tmp_path: Path) -> None:
    lines = [f"    if ((value ^ {i % 256}) + {i} == {i + 60}) {{ seen[{i}] = value; sum += {i}; }}" for i in range(IFS)]
    source, program = tmp_path / "large.c", tmp_path / "large"
    source.write_text(SOURCE % ("\n".join(lines), IFS))
    build_program([source], program, ["-O2"])
    with Session(program) as session:
        for first in (0, 100, 255):
            path = session.run(bytes([60 ^ first]))
            entered = [i for i, branch in enumerate(path.constraints["id"].tolist()) if branch % 2 == 0]
            assert entered == [first], "of a pair of branches the even one is that of the condition"
            assert len(path.symbolic) == 256, "what was decided before is not decided again"
            assert check(session.expressions, path) == []
