"""Numbers are followed while they are rounded as expressions say (runtime/floats.c)."""

from __future__ import annotations

import struct
from pathlib import Path

from untaken.build.driver import build_program
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
