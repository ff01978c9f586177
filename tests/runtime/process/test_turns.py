"""Of the processes at hand one takes all requests, as long as it can be used again (runtime/process/turns.c)."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from untaken.build.driver import build_program
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.input import Source, SourceKind
from untaken.model.path import ExitKind

STDIN = (Source(SourceKind.STDIN, 16),)
GIVEN_OUT = 40  # the first lines may be of two processes, one of which is parked then
# One byte of the input says what this run does: it goes on, dies, or leaves what cannot be put back.
TELLS = r"""
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    int first = getchar();
    printf("%d\n", (int)getpid());
    fflush(stdout);
    if (first == 'x') raise(SIGSEGV);
    if (first == 't') alarm(1000);
    return first == 'a';
}
"""
# What runs share with their server is a mapping of zero's device: each run writes over all of them.
SCRIBBLES = r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long begin, end;
    char line[512], rights[8];
    if (getchar() != 's') return 7;
    while (maps != NULL && fgets(line, sizeof line, maps))
        if (strstr(line, "/dev/zero") && sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3 && rights[1] == 'w')
            memset((void *)begin, 0x5a, 128);
    return 0;
}
"""


@pytest.fixture(scope="module")
def tells(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("tells"), TELLS)


def build(folder: Path, text: str) -> Path:
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    build_program([source], program)
    return program


def session_of(program: Path) -> Session:
    return Session(program, SessionSettings(sources=STDIN, most_runs=1000, capture=True))


def text(data: bytes) -> bytes:
    return len(data).to_bytes(4, "little") + data


def process_of(session: Session, data: bytes) -> int:
    session.run(text(data))
    return int(session.output or b"0")


def test_one_process_takes_all_requests(tells: Path) -> None:
    with session_of(tells) as session:
        processes = [process_of(session, b"a") for _ in range(GIVEN_OUT)]
        if len(set(processes)) == GIVEN_OUT:
            pytest.skip("the kernel does not tell which pages a process has written to")
        assert len(set(processes[-GIVEN_OUT // 2 :])) == 1


@pytest.mark.parametrize("last", [b"x", b"t"])
def test_the_other_process_goes_on_where_that_one_ends(tells: Path, last: bytes) -> None:
    with session_of(tells) as session:
        for _ in range(10):
            for _ in range(6):
                session.run(text(b"a"))
            ended = process_of(session, last)
            begun = time.monotonic()
            assert session.run(text(b"b")).exit.kind is ExitKind.CODE
            assert time.monotonic() - begun < 5
            assert process_of(session, b"b") != ended


def test_a_process_that_is_killed_while_it_waits_keeps_nobody_waiting(tells: Path) -> None:
    with session_of(tells) as session:
        for _ in range(5):
            taken = [process_of(session, b"a") for _ in range(6)][-1]
            for process in descendants(os.getpid()):
                if status_of(process).get("NSpid", "").split()[-1:] == [str(taken)]:
                    os.kill(process, signal.SIGKILL)
            begun = time.monotonic()
            assert session.run(text(b"b")).exit.kind is ExitKind.CODE
            assert time.monotonic() - begun < 5


def test_a_run_that_writes_over_whose_turn_it_is_holds_nobody_up(tmp_path: Path) -> None:
    with session_of(build(tmp_path, SCRIBBLES)) as session:
        begun = time.monotonic()
        for _ in range(8):
            session.run(text(b"s"))
            assert session.run(text(b"b")).exit.code == 7
        assert time.monotonic() - begun < 10


def descendants(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [each for child in children for each in (int(child), *descendants(int(child)))]


def status_of(process: int) -> dict[str, str]:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
