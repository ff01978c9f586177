"""Handlers of signals that jump out of the runtime, or run in the middle of a model (runtime/tracking/longjmp.c)."""

from __future__ import annotations

from pathlib import Path

from tests.campaign.commands import campaign, written
from untaken.build.driver import build_program
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.input import Source, SourceKind
from untaken.search.doubts import Doubt

HEAD = """
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
static sigjmp_buf place;
static void jump(int number) { siglongjmp(place, number); }
"""
# The model reads what it is to copy, and that is where the fault is.
FAULT = (
    HEAD
    + """
int main(void) {
    char text[16];
    signal(SIGSEGV, jump);
    if (sigsetjmp(place, 1) == 0) strcpy(text, (char *)8);
    if (getchar() == 'a') if (getchar() == 'b') abort();
    return 0;
}
"""
)
# Wherever the program is when the time is over.
TIMER = (
    HEAD
    + """
int main(void) {
    char text[32] = "";
    volatile unsigned sum = 0;
    if (!fgets(text, sizeof text, stdin)) return 1;
    signal(SIGALRM, jump);
    if (sigsetjmp(place, 1) == 0) {
        struct itimerval soon = {{0, 0}, {0, 2000}};
        setitimer(ITIMER_REAL, &soon, NULL);
        for (;;) for (int i = 0; i < 32; i++) sum += (unsigned)text[i] * 3 + (unsigned)strlen(text);
    }
    if (text[0] == 'q') return 2;
    return 0;
}
"""
)
HANDLES = (
    HEAD
    + """
static char text[16];
static volatile int found;
static void look(int number) {
    if (text[0] == 'x') found = number;
    siglongjmp(place, 1);
}
int main(void) {
    char copy[16];
    if (!fgets(text, sizeof text, stdin)) return 1;
    signal(SIGSEGV, look);
    if (sigsetjmp(place, 1) == 0) strcpy(copy, (char *)8);
    return found != 0;
}
"""
)


def test_what_comes_after_a_jump_out_of_a_model_is_followed(tmp_path: Path) -> None:
    words = ("--stdin", 4, "--strategy", "dfs", "--iterations", 40, "--out", tmp_path / "out")
    summary = campaign(written(tmp_path, FAULT), *words)
    assert [finding.kind for finding in summary.findings] == ["signal"]
    assert summary.covered == summary.total
    assert not summary.exhausted  # no claim about all paths: a model was not completed


def test_a_timer_ends_a_loop_over_the_input(tmp_path: Path) -> None:
    source, program = tmp_path / "timer.c", tmp_path / "timer"
    source.write_text(TIMER)
    build_program([source], program)
    with Session(program, SessionSettings(sources=(Source(SourceKind.STDIN, 8),))) as session:
        for _ in range(10):
            path = session.run(b"\x08\0\0\0" + b"abcdefg\n")
            decided = path.constraints["id"][path.constraints["kind"] == 0]
            assert decided.size
            assert decided[-1] in path.events[-3:]


def test_what_a_handler_does_within_a_model_is_named(tmp_path: Path) -> None:
    words = ("--stdin", 4, "--strategy", "dfs", "--iterations", 10, "--out", tmp_path / "out")
    summary = campaign(written(tmp_path, HANDLES), *words)
    assert not summary.exhausted
    assert Doubt.HANDLERS in summary.doubts
