"""The call depth of each constraint, found after a run from its events (runtime/trace/finish.c)."""

from __future__ import annotations

from pathlib import Path

from tests.campaign.commands import campaign, written
from untaken.build.driver import build_program
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings

DEEPEST = 60
# A decision in each call, with many short calls between them. The calls are left at once, from the innermost; then
# the function that called the first of them decides something, and returns.
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
    with Session(program, SessionSettings()) as session:
        path = session.run(bytes(DEEPEST + 2))
    assert len(path.events) > 5000
    innermost = DEEPEST + 1
    assert path.constraints["depth"].tolist() == [*range(2, innermost + 1), 1, 0]


# The function that is jumped back to is open four times, and the second of them is meant.
RECURSION = """
#include <setjmp.h>
#include <untaken.h>
static jmp_buf places[4];
static unsigned char data[4];
static void jump(int to) { if (data[0] == 200) data[0]++; longjmp(places[to], 1); }
static void descend(int depth) {
    if (setjmp(places[depth])) { if (data[1] == 200) data[1]++; return; }
    if (depth == 3) jump(1);
    descend(depth + 1);
    if (data[2] == 200) data[2]++;
}
int main(void) {
    for (int i = 0; i < 4; i++) untaken_input_uchar(&data[i], "x");
    descend(0);
    if (data[3] == 200) return 1;
    return 0;
}
"""


def test_a_jump_goes_to_the_frame_that_set_it(tmp_path: Path) -> None:
    source, program = tmp_path / "recursion.c", tmp_path / "recursion"
    source.write_text(RECURSION)
    build_program([source], program)
    with Session(program, SessionSettings()) as session:
        path = session.run(bytes(4))
    assert path.constraints["depth"].tolist() == [5, 2, 1, 0]


ROUNDS = """
#include <setjmp.h>
#include <untaken.h>
static jmp_buf start;
static void deep(int depth) { if (depth == 0) longjmp(start, 1); deep(depth - 1); }
int main(void) {
    unsigned char x[3];
    volatile int rounds = 0;
    for (int i = 0; i < 3; i++) untaken_input_uchar(&x[i], "x");
    setjmp(start);
    if (rounds++ < 5) deep(4);
    for (int i = 0; i < 3; i++) if (x[i] == 7) rounds++;
    return rounds == 9;
}
"""


def test_nothing_is_pruned_for_the_depth_of_calls_that_are_over(tmp_path: Path) -> None:
    words = ("--prune", "call-depth=2", "--strategy", "dfs", "--iterations", 100, "--out", tmp_path / "out")
    summary = campaign(written(tmp_path, ROUNDS), *words)
    assert summary.pruned == {}
    assert summary.exhausted
