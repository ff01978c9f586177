"""Programs that attack the fork server, its descriptors and its memory: each costs little."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
from tests.execute.test_session import compile_c, processes_of
from untaken.build.driver import build_program
from untaken.execute.memory import RunLimits
from untaken.execute.sandbox import Sandbox
from untaken.execute.session import GRACE_SECONDS, Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.path import Exit, ExitKind
from untaken.suite.replay.confined import ConfinedRun, run_confined

SOURCE = Path(__file__).with_name("hostile.c")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("hostile") / "hostile"
    build_program([SOURCE], program)
    return program


@pytest.fixture
def session(hostile: Path, tmp_path: Path) -> Iterator[Session]:
    with (
        chdir(tmp_path),
        Session(hostile, SessionSettings(timeout=5, run_limits=RunLimits(memory=150 << 20))) as session,
    ):
        if session.notes:
            pytest.skip(f"this system refuses namespaces: {session.notes[0]}")
        yield session


def is_as_ever(session: Session) -> bool:
    path = session.run(b"a\x00")
    return path.exit.code == 1 and len(path) > 0 and not path.lost and session.run(b"a\xf0").exit.code == 2


@pytest.mark.parametrize(
    "attack", [b"k", b"s", b"p", b"w", b"n", b"c"], ids=["kill", "stop", "trace", "descriptors", "nested", "children"]
)
def test_an_attack_costs_little(session: Session, attack: bytes) -> None:
    assert is_as_ever(session)
    begun = time.monotonic()
    for _ in range(3):
        path = session.run(attack)
        assert path.exit.kind is ExitKind.CODE and path.exit.code == 0 and not path.lost
        assert is_as_ever(session)
    assert session.counters.restarts == session.counters.damaged == 0
    assert time.monotonic() - begun < GRACE_SECONDS


def test_nothing_that_a_run_started_outlives_it(session: Session) -> None:
    for _ in range(3):
        session.run(b"c")
    assert is_as_ever(session)
    at_hand = 2
    assert len(processes_of(session._server.pid)) <= 1 + at_hand


def test_a_program_that_kills_itself_has_not_run_out_of_memory(session: Session) -> None:
    exit = session.run(b"g").exit
    assert (exit.kind, exit.code) == (ExitKind.SIGNAL, signal.SIGKILL)


def test_the_memory_of_all_processes_of_a_run_is_limited(session: Session) -> None:
    """Each of the four has less than the limit."""
    begun = time.monotonic()
    exit = session.run(b"m").exit
    assert exit.kind is ExitKind.MEMORY and "together" in exit.message
    assert time.monotonic() - begun < 5
    assert is_as_ever(session)


def test_deep_folders_are_removed(hostile: Path, tmp_path: Path) -> None:
    with chdir(tmp_path), Session(hostile) as session:
        for _ in range(2):
            session.run(b"n")
        assert list(tmp_path.iterdir()) == []
        assert os.listdir(f"/proc/{session._server.pid}/root{tmp_path}") == []


@pytest.mark.parametrize("attack", [b"h", b"e", b"x"], ids=["header", "everywhere", "and leaves"])
def test_wild_writes_damage_one_run(hostile: Path, tmp_path: Path, attack: bytes) -> None:
    with chdir(tmp_path), Session(hostile, SessionSettings(timeout=2)) as session:
        for seed in range(12):
            session.run(attack + bytes([seed]))
            session.expressions.nearly_full  # noqa: B018 - numbers of the header are believed here
        while not is_as_ever(session):  # what lies where nobody looks is found out when it is used
            session.begin_afresh()
        assert attack == b"e" or session.counters.damaged + session.counters.restarts > 0


SCRIBBLES = """
int main(void) {
    unsigned char what, how;
    untaken_uchar(&what);
    untaken_uchar(&how);
    if (what > 200) scribble(how, %s);
    if (what == 77) return how == 5 ? 3 : 4;
    return 0;
}
"""


@pytest.mark.parametrize("where", ["160, 0", "0, 5000"], ids=["header", "everywhere"])
def test_a_campaign_survives_wild_writes(where: str, tmp_path: Path) -> None:
    head = SOURCE.read_text().partition("int main(void)")[0]
    source = written(tmp_path, head + SCRIBBLES % where)
    words = ("--iterations", 120, "--timeout", 0.5, "--out", tmp_path / "out")  # many hang
    summary = campaign(source, *words)
    main = next(function for function in summary.functions if function.name == "main")
    assert main.covered == main.total
    assert where.endswith("5000") or summary.limits.damaged + summary.limits.server_restarts > 0
    assert (tmp_path / "out" / "summary.json").exists()


NATIVE = """
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
char *kept;
int main(int count, char **words) {
    size_t bytes = (size_t)atoi(words[count - 1]) << 20;
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            memset(kept = malloc(bytes), 1, bytes);
            sleep(1);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    return 0;
}
"""


@pytest.mark.parametrize(("mebibytes", "kind"), [(60, ExitKind.SIGNAL), (20, ExitKind.CODE)])
def test_the_plain_program_has_the_same_limit(tmp_path: Path, mebibytes: int, kind: ExitKind) -> None:
    program = compile_c(written(tmp_path, NATIVE), tmp_path / "plain")
    argv, limits = ("plain", str(mebibytes)), RunLimits(memory=150 << 20)
    job = ConfinedRun(program, argv, tmp_path, Path(os.devnull), dict(os.environ), seconds=20, limits=limits)
    assert run_confined(job, Sandbox()).exit.kind is kind


TRACES_ITS_PARENT = """
#include <signal.h>
#include <sys/ptrace.h>
#include <unistd.h>
int main(void) {
    return ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0 ? 7 : 8;
}
"""


def test_who_waits_for_the_plain_program_cannot_be_traced(tmp_path: Path) -> None:
    """It says how the program ended: nobody else must."""
    program = compile_c(written(tmp_path, TRACES_ITS_PARENT), tmp_path / "plain")
    job = ConfinedRun(program, ("plain",), tmp_path, Path(os.devnull), dict(os.environ), 20, RunLimits())
    assert run_confined(job, Sandbox()).exit == Exit(ExitKind.CODE, 8)
