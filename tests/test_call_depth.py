"""The call depth of each constraint, found after a run from its events (runtime/trace.c)."""

from __future__ import annotations

from pathlib import Path

from untaken.build.driver import build_program
from untaken.execute.session import Session, Settings

DEEPEST = 60
# A decision in each call, with many short calls between them. The calls are left at once, from the innermost; what
# comes after that is as deep as if they were open, until the function returns that called the first of them.
DESCENDS = """
#include <setjmp.h>
#include <untaken.h>
static jmp_buf start;
static unsigned char data[DEEPEST + 2];
static int is_odd(int i) { return i & 1; }
static void descend(int depth) {
    for (int i = 0; i < 40; i++) if (is_odd(i)) is_odd(depth);
    if (data[depth] == 200) data[depth]++;
    if (depth + 1 == DEEPEST) longjmp(start, 1);
    descend(depth + 1);
}
static void jump(void) {
    if (!setjmp(start)) descend(0);
    if (data[DEEPEST] == 200) data[0]++;
}
int main(void) {
    for (int i = 0; i < DEEPEST + 2; i++) untaken_input_uchar(&data[i], "x");
    jump();
    return data[DEEPEST + 1] == 200 ? 1 : 0;
}
"""


def test_depth_of_each_constraint(tmp_path: Path) -> None:
    source, program = tmp_path / "descends.c", tmp_path / "descends"
    source.write_text(DESCENDS)
    build_program([source], program, [f"-DDEEPEST={DEEPEST}"])
    with Session(program, Settings()) as session:
        path = session.run(bytes(DEEPEST + 2))
    assert len(path.events) > 5000
    innermost = DEEPEST + 1
    assert path.constraints["depth"].tolist() == [*range(2, innermost + 1), innermost, 0]
