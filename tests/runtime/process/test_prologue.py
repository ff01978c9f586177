"""What a program does before it looks at its input is done once, and each run goes on from there as if it had done it
(runtime/process/prologue.c)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from untaken.build.driver import build_program
from untaken.campaign.machinery.lengths import LONG_PROLOGUE, RunLengths
from untaken.execute.sandbox import Sandbox
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import find_target
from untaken.model import path as paths
from untaken.model.input import Source, SourceKind

STDIN = (Source(SourceKind.STDIN, 16),)
INPUTS = [b"", b"abc!", b"abd", b"ax\nabc", b"zzzzzzzzzzzzzzzz", b"abc!", b"q\nabx\n"]
# It has a table in a block, a file that is read on, functions on the stack that longjmp comes back to, a call that is
# open at the end of the prologue, and asks for the size of its input first.
LONG = r"""
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
static jmp_buf out;
static unsigned mix(unsigned x) { return x & 1 ? x * 2654435761u : x ^ (x >> 3); }
static void fail(int why) { longjmp(out, why); }
static int word(const char *s, const unsigned char *classes, FILE *more) {
    if (s[0] != 'a') return 0;
    if (s[1] != 'b') fail(2);
    if (classes[(unsigned char)s[2]] == 'c') return s[3] == '!' ? fgetc(more) : 3;
    return 4;
}
static int lines(const unsigned char *classes, FILE *more) {
    struct stat status;
    int sum = 0;
    char line[16];
    if (setjmp(out)) return 77;
    if (fstat(0, &status) == 0 && status.st_size == 5) sum += 50;
    while (fgets(line, sizeof line, stdin)) sum += word(line, classes, more);
    return sum;
}
int main(void) {
    unsigned char *classes = malloc(256);
    FILE *more = fopen("/proc/self/cmdline", "r") ? fopen(__FILE__, "r") : NULL;
    if (classes == NULL || more == NULL || fgetc(more) != '\n') return 9;
    for (unsigned i = 0; i < 20000; i++) classes[i % 256] = mix(i) ? (unsigned char)(i % 256) : 0;
    return lines(classes, more);
}
"""
# The same with a file that is looked for, and read, by its name.
NAMED = r"""
#include <stdio.h>
#include <sys/stat.h>
int main(void) {
    struct stat status;
    unsigned sum = 0;
    for (unsigned i = 0; i < 20000; i++) sum += i & 1 ? i : 1;
    if (sum == 0 || stat("a.txt", &status) != 0) return 9;
    FILE *file = fopen("a.txt", "r");
    if (file == NULL || status.st_size == 0) return 8;
    return fgetc(file) == 'x' ? 3 : fgetc(file) == 'y' ? 4 : 5;
}
"""
# Each leaves something behind that a fork does not copy, or looks at its input where nobody sees it.
HINDRANCES = {
    "writes": 'FILE *made = fopen("/tmp/made", "w"); fputs("x", made); fflush(made);',
    "leaves a file": 'FILE *made = fopen("/tmp/made", "w"); fputs("x", made); fclose(made);',
    "timer": "struct itimerval soon = {{0, 0}, {1000, 0}}; setitimer(ITIMER_REAL, &soon, 0);",
    "unseen read": 'char c; long n; __asm__ volatile("syscall" : "=a"(n) : "a"(0), "D"(0), "S"(&c), "d"(1) : "rcx", '
    '"r11", "memory"); before += n;',
    "child": "if (fork() == 0) pause();",
}
HINDERED = r"""
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>
int main(void) {
    volatile long before = 0;
    %s
    for (int i = 0; i < 20000; i++) if (i & 1) before += 0;
    return getchar() == 'x' ? 3 : 4;
}
"""


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("long"), LONG)


def build(folder: Path, text: str) -> Path:
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    build_program([source], program)
    return program


def session_of(program: Path, sources: tuple[Source, ...] = STDIN) -> Session:
    return Session(program, SessionSettings(sources=sources, most_runs=1000))


def given(text: bytes) -> bytes:
    return len(text).to_bytes(4, "little") + text


def told(path: paths.Path) -> tuple[object, ...]:
    """Of the run from its first decision on, and all that it covered."""
    decided = path.constraints[["id", "kind", "taken", "depth"]].tolist()
    return path.exit, decided, path.events[path.start :].tolist(), sorted(set(path.events.tolist()))


@pytest.fixture
def session(long: Path) -> Iterator[Session]:
    with session_of(long) as session:
        yield session


def test_each_run_is_as_it_would_be_with_a_prologue_of_its_own(session: Session) -> None:
    usual = [told(session.run(given(text))) for text in INPUTS]
    assert session.do_prologue_once(wanted=True)
    assert [told(session.run(given(text))) for text in INPUTS * 3] == usual * 3
    assert len({exit.code for exit, *_ in usual}) >= 4  # type: ignore[attr-defined]


def test_runs_are_shorter_and_as_deep_in_calls(session: Session) -> None:
    usual = session.run(given(b"ab"))
    assert session.do_prologue_once(wanted=True)
    once = session.run(given(b"ab"))
    assert len(once.events) < 100 < LONG_PROLOGUE < len(usual.events)
    assert once.constraints["depth"].tolist() == usual.constraints["depth"].tolist()


def test_it_can_be_done_in_each_run_again(session: Session) -> None:
    usual = told(session.run(given(b"abc!")))
    assert session.do_prologue_once(wanted=True)
    assert not session.do_prologue_once(wanted=False)
    assert told(session.run(given(b"abc!"))) == usual


def test_a_server_that_is_lost_begins_there_again(session: Session) -> None:
    assert session.do_prologue_once(wanted=True)
    before = told(session.run(given(b"abd")))
    session.begin_afresh()
    assert told(session.run(given(b"abd"))) == before


def test_a_campaign_does_it_once_where_it_is_long(long: Path) -> None:
    with session_of(long) as session:
        lengths = RunLengths(session, find_target([str(long)]).map)
        first = lengths.run(given(b"abc"))
        assert len(first.events) < 100
        assert first.new_ids == len(set(first.events.tolist()))
        assert lengths.run(given(b"abc!")).exit.code == ord("#")


@pytest.mark.parametrize("hindrance", HINDRANCES)
def test_what_is_more_than_memory_keeps_it_from_that(hindrance: str, tmp_path: Path) -> None:
    with session_of(build(tmp_path, HINDERED % HINDRANCES[hindrance])) as session:
        usual = [session.run(given(text)).exit for text in (b"x", b"ax", b"b")]
        assert not session.do_prologue_once(wanted=True)
        assert [session.run(given(text)).exit for text in (b"x", b"ax", b"b")] == usual


def test_files_are_looked_at_by_their_names(tmp_path: Path) -> None:
    source = Source(SourceKind.FILE, 8, name="a.txt")
    with session_of(build(tmp_path, NAMED), (source,)) as session:
        usual = [told(session.run(given(text))) for text in (b"", b"x", b"ay", b"b")]
        assert session.do_prologue_once(wanted=True)
        assert [told(session.run(given(text))) for text in (b"", b"x", b"ay", b"b") * 2] == usual * 2


def test_arguments_are_looked_at_from_the_first(long: Path) -> None:
    with session_of(long, (Source(SourceKind.ARGUMENT, 4), *STDIN)) as session:
        assert not session.do_prologue_once(wanted=True)


def test_a_program_that_never_looks_at_its_input_is_run_as_usual(tmp_path: Path) -> None:
    program = build(tmp_path, "int main(void) { return 5; }")
    with Session(program, SessionSettings(sources=STDIN, most_runs=1000, sandbox=Sandbox())) as session:
        assert not session.do_prologue_once(wanted=True)
        assert session.run(given(b"x")).exit.code == 5
