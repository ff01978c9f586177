"""Sessions, sandbox and launcher against a hand-written program that speaks the protocol of runtime/abi.h."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import untaken
from tests.execute.evaluate import Disagreement, check
from untaken.build.driver import build_program
from untaken.errors import ExecutionError
from untaken.execute import sandbox as sandbox_module
from untaken.execute import server as server_module
from untaken.execute import session as session_module
from untaken.execute.layout import EVENT_BLOCK, TraceLimits
from untaken.execute.sandbox import LAUNCHER, Sandbox, private_tmp
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.structure import malformed
from untaken.model.expression import Expressions, Node, Op, ReadTable
from untaken.model.input import Field, FieldKind, Source, SourceKind
from untaken.model.path import CutOff, ExitKind

RUNTIME = Path(untaken.__file__).parent / "runtime"
FAKE = Path(__file__).with_name("fake_server.c")
SMALL = TraceLimits(input=4096, events=8192, constraints=100, nodes=1000, tables=4096, fields=100, coverage=1000)


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_c(FAKE, tmp_path_factory.mktemp("fake") / "fake_server")


def compile_c(source: Path, program: Path) -> Path:
    compiler = shutil.which("cc") or shutil.which("clang") or pytest.fail("a C compiler is needed: cc or clang")
    warnings = ["-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, "-O1", *warnings, f"-I{RUNTIME}", source, "-o", program], check=True)
    return program


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the module's session runs."""
    return tmp_path_factory.mktemp("here")


@pytest.fixture(scope="module")
def session(program: Path, folder: Path) -> Iterator[Session]:
    with contextlib.chdir(folder):
        session = Session(program, SessionSettings(limits=SMALL, capture=True))
    with session:
        yield session


def probe(session: Session) -> dict[str, int]:
    """What the program says that it can reach."""
    assert session.run(b"p").exit.code == 0
    words = session.output.decode().split()
    return {name: int(value) for name, value in (word.split("=") for word in words) if name != "argument"}


def processes_of(pid: int) -> list[int]:
    """A process and all that descend from it."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(found for child in children for found in processes_of(int(child)))]


def await_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 5
    while any(alive(pid) for pid in pids):
        assert time.monotonic() < deadline, f"still there: {[pid for pid in pids if alive(pid)]}"
        time.sleep(0.01)


def alive(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


# ---- what a run gives back


def test_a_path_holds_what_the_program_recorded(session: Session) -> None:
    path = session.run(b"A")
    assert path.events.tolist() == [18, 16]
    assert path.constraints["id"].tolist() == [16]
    assert path.constraints["taken"].tolist() == [1]
    assert path.symbolic.tolist() == [0]
    assert path.exit.kind is ExitKind.CODE and path.exit.code == 0
    assert path.fields == (Field("what", FieldKind.CHARACTER, 0, 1),)
    assert path.input == b"A" and path.input_used == 1
    assert path.cut_off == CutOff(0)


def test_paths_survive_the_next_run(session: Session) -> None:
    first = session.run(b"A")
    second = session.run(b"\xf0")
    assert first.events.tolist() == [18, 16] and second.events.tolist() == [18, 17]
    assert first.constraints["taken"].tolist() == [1] and second.constraints["taken"].tolist() == [0]
    assert first.constraints["node"].tolist() == second.constraints["node"].tolist()


def test_coverage_is_kept_and_new_ids_are_counted(program: Path) -> None:
    with Session(program, SessionSettings(limits=SMALL)) as session:
        assert session.id_count == 20 and len(session.coverage) == 20
        assert [session.run(data).new_ids for data in (b"A", b"A", b"\xf0")] == [2, 0, 1]
        assert np.flatnonzero(session.coverage).tolist() == [16, 17, 18]


@pytest.mark.parametrize(
    ("data", "kind", "code", "message"),
    [
        (b"x", ExitKind.CODE, 7, ""),
        (b"s", ExitKind.SIGNAL, signal.SIGSEGV, ""),
        (b"e", ExitKind.ERROR, 0, "failed: here"),
        (b"A", ExitKind.CODE, 0, ""),
    ],
)
def test_exits(session: Session, data: bytes, kind: ExitKind, code: int, message: str) -> None:
    exit = session.run(data).exit
    assert (exit.kind, exit.code, exit.message) == (kind, code, message)


def test_a_message_is_not_carried_over(session: Session) -> None:
    assert session.run(b"e").exit.message
    assert not session.run(b"x").exit.message


def test_fields_are_decoded_when_they_change(session: Session) -> None:
    one = session.run(b"A").fields
    assert session.run(b"\x01").fields is one
    assert session.run(b"f\x04").fields == (*one, Field("rest", FieldKind.SIGNED, 1, 4))
    assert session.run(b"f\x07").fields[1].size == 7
    assert session.run(b"A").fields == one
    assert session.run(b"q").fields == ()


def test_an_input_may_be_empty_and_may_be_too_long(session: Session) -> None:
    assert session.run(b"").input == b""
    with pytest.raises(ExecutionError, match="longer than the limit of 4096"):
        session.run(bytes(4097))


def test_a_program_that_asks_for_nothing(session: Session) -> None:
    assert session.run(b"q").input_used == 0


def test_a_concrete_run_records_no_expressions(program: Path) -> None:
    with Session(program, SessionSettings(limits=SMALL)) as session:
        path = session.run(b"A", concrete=True)
        assert len(path) == 0 and len(session.expressions) == 1


def test_counters(program: Path) -> None:
    with Session(program, SessionSettings(limits=SMALL)) as session:
        assert session.run(b"c").concretised == (0, 0, 0, 2, 0, 0, 0)
        session.run(b"c")
        session.run(b"A")
        assert session.counters.runs == 3 and session.counters.pins == 6
        assert session.counters.concretised["asm"] == 4 and session.counters.concretised["float"] == 0
        assert session.externals == {}


def test_a_cut_off_trace_is_told(session: Session) -> None:
    assert session.run(b"u").cut_off == CutOff.NODES | CutOff.EVENTS


def test_output_of_the_last_run(session: Session) -> None:
    session.run(b"p")
    assert b"pid=" in session.output
    session.run(b"A")
    assert session.output == b""


# ---- expressions


def test_nodes_are_kept_from_run_to_run(program: Path) -> None:
    with Session(program, SessionSettings(limits=SMALL)) as session:
        session.run(b"A")
        expressions: Expressions = session.expressions
        assert len(expressions) == 6
        assert expressions.node(1) == Node(Op.INPUT, 8, 0, 0, 0)
        assert expressions.node(4).constant == 200
        assert expressions.node(5) == Node(Op.ULT, 1, 3, 4, 0)
        session.run(b"B")
        assert len(expressions) == 6
        assert session.expressions.columns()["op"].tolist() == [0, Op.INPUT, Op.CONST, Op.ADD, Op.CONST, Op.ULT]


def test_tables(program: Path) -> None:
    with Session(program, SessionSettings(limits=SMALL)) as session:
        session.run(b"t")
        session.run(b"t")
        assert session.expressions.table(0) == ReadTable(8, (10, 20, 30), (0, 0, 1))
        assert session.expressions.table(56) == session.expressions.table(0)


def test_clearing_starts_a_new_table(program: Path) -> None:
    with Session(program, SessionSettings(limits=SMALL)) as session:
        session.run(b"t")
        session.run(b"A")
        assert session.expressions.generation == 0 and not session.expressions.nearly_full
        session.clear_expressions()
        assert session.expressions.generation == 1 and len(session.expressions) == 1
        session.run(b"A")
        assert session.expressions.node(1) == Node(Op.INPUT, 8, 0, 0, 0)
        assert not malformed(session.expressions.columns())


def test_a_table_that_fills_up_says_so(program: Path) -> None:
    limits = TraceLimits(input=4096, events=8192, constraints=100, nodes=7, tables=4096, fields=100, coverage=1000)
    with Session(program, SessionSettings(limits=limits)) as session:
        assert not session.expressions.nearly_full
        session.run(b"A")
        assert session.expressions.nearly_full


def test_recorded_values_are_checked(program: Path) -> None:
    with Session(program, SessionSettings(limits=SMALL)) as session:
        path = session.run(b"A")
        assert check(session.expressions, path) == []
        other = session.run(b"\xf0")
        assert check(session.expressions, other) == []
        assert check(session.expressions, path) == [
            Disagreement(1, Op.INPUT, 0x41, 0xF0),
            Disagreement(3, Op.ADD, 0x42, 0xF1),
            Disagreement(5, Op.ULT, 1, 0),
        ]
        constraints = path.constraints.copy()
        constraints["taken"] = 0
        assert Disagreement(5, Op.ULT, 1, 0) in check(session.expressions, replace(path, constraints=constraints))


# ---- arguments and declared inputs


def arguments_seen(program: Path, settings: SessionSettings) -> list[str]:
    with Session(program, settings) as session:
        session.run(b"p")
        return [line.removeprefix("argument=") for line in session.output.decode().splitlines()[1:]]


def test_arguments_and_placeholders(program: Path) -> None:
    sources = (Source(SourceKind.ARGUMENT, 3, index=2), Source(SourceKind.STDIN, 10), Source(SourceKind.ARGUMENT, 2))
    settings = SessionSettings(("-x", "y z"), sources, limits=SMALL, capture=True)
    assert arguments_seen(program, settings) == ["fake_server", "-x", "?", "y z", "?"]


def test_sources_reach_the_program(program: Path) -> None:
    sources = (Source(SourceKind.ARGUMENT, 3), Source(SourceKind.FILE, 12, "in.txt"))
    with Session(program, SessionSettings(sources=sources, limits=SMALL)) as session:
        rows = session.memory.view("sources")[:2].tolist()
        assert rows == [(SourceKind.ARGUMENT, 1, 3, b""), (SourceKind.FILE, 0, 12, b"in.txt")]


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        ((Source(SourceKind.ARGUMENT, 3, index=4),), "has no place"),
        ((Source(SourceKind.FILE, 3, "x" * 240),), "too long"),
        ((Source(SourceKind.STDIN, 3),) * 300, "only 256"),
    ],
)
def test_impossible_sources_are_refused(program: Path, sources: tuple[Source, ...], message: str) -> None:
    with pytest.raises(ExecutionError, match=message):
        Session(program, SessionSettings(sources=sources, limits=SMALL))


# ---- programs that cannot be run


def test_a_plain_program_is_refused() -> None:
    with pytest.raises(ExecutionError, match=r'not built with untaken.*CC="untaken cc"'):
        Session(sys.executable)


def test_a_script_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "wrapper"
    script.write_text("#!/bin/sh\n")
    with pytest.raises(ExecutionError, match="is a script"):
        Session(script)


def test_missing_and_unusable_files_are_refused(program: Path, tmp_path: Path) -> None:
    with pytest.raises(ExecutionError, match="No such file"):
        Session(tmp_path / "nothing")
    copy = tmp_path / "copy"
    copy.write_bytes(program.read_bytes())
    with pytest.raises(ExecutionError, match="not executable"):
        Session(copy)


def test_a_server_that_does_not_come_up(program: Path) -> None:
    environment = {**os.environ, "FAIL_TO_START": "1"}
    with pytest.raises(ExecutionError, match="exit code 3; it printed:\nnothing works today\n"):
        Session(program, SessionSettings(limits=SMALL, environment=environment))


def test_a_program_without_a_fork_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "START_SECONDS", 0.3)
    source = tmp_path / "hang.c"
    source.write_text('#include <unistd.h>\nchar *name = "UNTAKEN_FDS";\nint main(void) { for (;;) pause(); }\n')
    with pytest.raises(ExecutionError, match=r"did not get ready within 0\.3 seconds"):
        Session(compile_c(source, tmp_path / "hang"), SessionSettings(limits=SMALL))


# ---- runs that misbehave


def test_a_hanging_run_is_ended_by_the_server(program: Path) -> None:
    with Session(program, SessionSettings(limits=SMALL, timeout=0.5)) as session:
        assert session.run(b"h").exit.kind is ExitKind.TIMEOUT
        assert session.run(b"A").exit.kind is ExitKind.CODE
        assert session.counters.restarts == 0


def test_a_hanging_server_is_replaced(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "GRACE_SECONDS", 0.2)
    with Session(program, SessionSettings(limits=SMALL, timeout=0.2)) as session:
        session.run(b"A")
        path = session.run(b"S")
        assert path.exit.kind is ExitKind.CODE and "hangs" in path.exit.message and path.lost
        assert len(session.run(b"A")) == 1
        assert session.counters.restarts == 1
        assert len(session.expressions) == 6, "the expressions of before are still there"


def test_a_server_that_ends_is_replaced(program: Path) -> None:
    with Session(program, SessionSettings(limits=SMALL)) as session:
        path = session.run(b"E")
        assert path.exit.kind is ExitKind.SIGNAL and "exit code 5" in path.exit.message
        assert len(session.run(b"A")) == 1


def test_a_server_that_always_ends_is_given_up(program: Path) -> None:
    with (
        Session(program, SessionSettings(limits=SMALL)) as session,
        pytest.raises(ExecutionError, match="fails on every run"),
    ):
        for _ in range(10):
            session.run(b"E")


def test_without_a_sandbox_a_run_can_kill_the_server(program: Path) -> None:
    with Session(program, SessionSettings(limits=SMALL, sandbox=Sandbox(enabled=False))) as session:
        path = session.run(b"K")
        assert path.exit.kind is ExitKind.SIGNAL and path.exit.code == signal.SIGKILL
        assert len(session.run(b"A")) == 1


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("data", [b"A", b"l"], ids=["nothing", "a child"])
def test_closing_ends_everything(program: Path, enabled: bool, data: bytes) -> None:
    session = Session(program, SessionSettings(limits=SMALL, sandbox=Sandbox(enabled)))
    session.run(data)
    below = processes_of(session._server._process.pid)
    scratch = session._server._scratch
    assert len(below) >= 2 and scratch.exists()
    session.close()
    await_gone(below)
    assert not scratch.exists()


def test_nothing_is_left_when_the_driver_is_killed(program: Path) -> None:
    script = (
        "import sys, time\nfrom untaken.execute.session import Session\n"
        f"session = Session({str(program)!r})\nsession.run(b'l')\n"
        "print(session._server._process.pid, session._server._scratch, flush=True)\ntime.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    driver = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=environment)
    assert driver.stdout is not None
    pid, scratch = driver.stdout.readline().split()
    below = processes_of(int(pid))
    assert len(below) >= 2 and Path(scratch).exists()
    driver.kill()
    driver.wait()
    driver.stdout.close()
    await_gone(below)
    assert not Path(scratch).exists()


def test_a_session_outlives_the_thread_that_made_it(program: Path) -> None:
    made: list[Session] = []
    thread = threading.Thread(target=lambda: made.append(Session(program, SessionSettings(limits=SMALL))))
    thread.start()
    thread.join()
    with made[0] as session:
        time.sleep(0.05)
        assert len(session.run(b"A")) == 1
        assert session.counters.restarts == 0


def test_two_sessions_side_by_side(program: Path) -> None:
    with Session(program, SessionSettings(limits=SMALL)) as one, Session(program, SessionSettings(limits=SMALL)) as two:
        assert one.run(b"A").events.tolist() == [18, 16]
        assert two.run(b"\xf0").events.tolist() == [18, 17]
        assert one.coverage.sum() == 2


# ---- the sandbox


@pytest.fixture
def sandboxed(session: Session) -> Session:
    if session.notes:
        pytest.skip(f"this system refuses the sandbox: {session.notes[0]}")
    return session


def test_the_server_is_process_one(sandboxed: Session) -> None:
    seen = probe(sandboxed)
    assert seen["parent"] == 1 and seen["uid"] == os.getuid() and seen["proc"] == 0


def test_descriptors_start_where_programs_expect_them(sandboxed: Session) -> None:
    assert probe(sandboxed)["descriptor"] == 4  # after one socket


def test_what_is_written_to_the_programs_directory_is_not_kept(sandboxed: Session, folder: Path) -> None:
    for _ in range(2):
        seen = probe(sandboxed)
        assert seen["here"] == 0, "a new file can be made in each run"
        assert seen["null"] == 1, "/dev/null works"
    assert list(folder.iterdir()) == []


def test_kernels_without_overlays(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sandboxed: Session
) -> None:
    altered_launcher(monkeypatch, tmp_path, '"overlay"', '"no-such-file-system"')
    with Session(program, SessionSettings(limits=SMALL, capture=True)) as session:
        assert session.notes == sandboxed.notes == ()
        for _ in range(2):
            seen = probe(session)
            assert seen["here"] == -errno.EROFS and seen["scratch"] == 0


def test_scratch_is_private_and_empty_for_each_run(sandboxed: Session) -> None:
    for _ in range(2):
        seen = probe(sandboxed)
        assert seen["left"] == 0 and seen["scratch"] == 0
    assert not Path("/tmp/left-behind").exists()


def test_tmp_is_replaced_where_nothing_in_it_is_needed(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program and the working directory must lie elsewhere for that."""
    monkeypatch.chdir("/")
    with tempfile.TemporaryDirectory(dir="/var/tmp", ignore_cleanup_errors=True) as folder:
        copy = shutil.copy(program, folder)
        environment = {**os.environ, "ALLOWED": "/tmp"}
        with Session(copy, SessionSettings(limits=SMALL, capture=True, environment=environment)) as session:
            if session.notes:
                pytest.skip(f"this system refuses the sandbox: {session.notes[0]}")
            for _ in range(2):
                seen = probe(session)
                assert seen["left"] == 0 and seen["scratch"] == 0 and seen["allowed"] == 0
    assert not Path("/tmp/kept").exists()


def test_when_tmp_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/usr")
    assert private_tmp(Sandbox(), ["/usr/bin/env", "env", "-x"])
    assert not private_tmp(Sandbox(enabled=False), ["/usr/bin/env", "env"])
    assert not private_tmp(Sandbox(), ["/usr/bin/env", "env", "/tmp"])
    assert not private_tmp(Sandbox(writable=(Path("/tmp"),)), ["/usr/bin/env", "env"])
    monkeypatch.chdir("/tmp")
    assert not private_tmp(Sandbox(), ["/usr/bin/env", "env"])


def test_a_run_cannot_kill_the_server(sandboxed: Session) -> None:
    before = sandboxed.counters.restarts
    assert sandboxed.run(b"K").exit.kind is ExitKind.TIMEOUT
    assert sandboxed.counters.restarts == before


def test_a_fork_bomb_is_contained(sandboxed: Session) -> None:
    before = sandboxed.counters.restarts
    sandboxed.run(b"b")
    assert len(sandboxed.run(b"A")) == 1
    assert sandboxed.counters.restarts == before
    assert len(processes_of(sandboxed._server._process.pid)) < 5


def test_a_writable_directory(program: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp", ignore_cleanup_errors=True) as name:
        environment, folder = {**os.environ, "ALLOWED": name}, Path(name)
        for writable, expected in (((folder,), 0), ((), -errno.EROFS)):
            settings = SessionSettings(
                limits=SMALL, capture=True, environment=environment, sandbox=Sandbox(writable=writable)
            )
            with Session(program, settings) as session:
                if session.notes:
                    pytest.skip(f"this system refuses the sandbox: {session.notes[0]}")
                assert probe(session)["allowed"] == expected
            assert (folder / "kept").exists() == (expected == 0)
            (folder / "kept").unlink(missing_ok=True)


@pytest.mark.parametrize("name", ["plain", "with space", "Übung", "a,b:c\\d"])
def test_a_writable_directory_inside_a_copied_one(
    program: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here /tmp is copied, for the program lies there, and the working directory; this one in them is not."""
    (folder := tmp_path / name / "writable").mkdir(parents=True)
    monkeypatch.chdir(folder.parent)
    environment = {**os.environ, "ALLOWED": str(folder)}
    settings = SessionSettings(limits=SMALL, capture=True, environment=environment, sandbox=Sandbox(writable=(folder,)))
    with Session(program, settings) as session:
        if session.notes:
            pytest.skip(f"this system refuses the sandbox: {session.notes[0]}")
        seen = probe(session)
        assert seen["allowed"] == 0 and seen["here"] == 0
    assert (folder / "kept").exists()
    assert list(folder.parent.iterdir()) == [folder], "what was written here went to the copy"


def test_a_writable_directory_must_exist(program: Path, tmp_path: Path) -> None:
    with pytest.raises(ExecutionError, match="create it first"):
        Session(program, SessionSettings(sandbox=Sandbox(writable=(tmp_path / "none",))))


def test_without_a_sandbox_files_can_be_written(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    settings = SessionSettings(limits=SMALL, capture=True, environment=environment, sandbox=Sandbox(enabled=False))
    with Session(program, settings) as session:
        assert session.notes == ()
        assert probe(session)["here"] == 0
    assert (tmp_path / "written-here").exists()


# ---- systems that refuse some of it


def altered_launcher(monkeypatch: pytest.MonkeyPatch, folder: Path, old: str, new: str) -> None:
    """The launcher as it would meet a system that behaves otherwise."""
    package = folder / "untaken" / "execute" / "launcher"  # where it looks for its own modules
    shutil.copytree(LAUNCHER.parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    for parent in (package.parent, package.parent.parent):
        (parent / "__init__.py").touch()
    texts = {module: module.read_text() for module in package.iterdir()}
    (module,) = (module for module, text in texts.items() if old in text)
    assert texts[module].count(old) == 1
    module.write_text(texts[module].replace(old, new))
    monkeypatch.setattr(sandbox_module, "LAUNCHER", package / LAUNCHER.name)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("| 0x08000000 | 0x04000000", "| 0x08000000 | 0x00010000", "new namespaces: Invalid argument"),  # CLONE_THREAD
        (
            "    directory = os.getcwd()",
            '    raise Refused("mount /: Permission denied")',
            "mount /: Permission denied",
        ),
    ],
    ids=["namespaces", "mounts"],
)
def test_a_refused_sandbox_is_told_and_runs_go_on(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, reason: str
) -> None:
    altered_launcher(monkeypatch, tmp_path, old, new)
    with Session(program, SessionSettings(limits=SMALL, capture=True)) as session:
        assert len(session.notes) == 1 and session.notes[0].startswith(f"{reason}; Landlock")
        assert len(session.run(b"A")) == 1
        assert session.run(b"s").exit.code == signal.SIGSEGV


def test_kernels_without_mount_setattr(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sandboxed: Session
) -> None:
    altered_launcher(monkeypatch, tmp_path, "SYS_MOUNT_SETATTR = 442", "SYS_MOUNT_SETATTR = 9999")
    environment = {**os.environ, "ALLOWED": str(tmp_path)}
    settings = SessionSettings(
        limits=SMALL, capture=True, environment=environment, sandbox=Sandbox(writable=(tmp_path,))
    )
    with Session(program, settings) as session:
        assert session.notes == sandboxed.notes == ()
        seen = probe(session)
        assert seen["here"] == 0 and seen["null"] == 1
        assert seen["scratch"] == 0 and seen["allowed"] == 0


# ---- the real runtime


@pytest.fixture(scope="module")
def values_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("values") / "values"
    build_program([FAKE.with_name("values.c")], program)
    return program


def test_an_instrumented_program_computes_what_its_expressions_say(values_program: Path) -> None:
    rng = random.Random(7)
    interesting = [0, 1, 3, 9, 16, 17, 77, 128, 255]
    with Session(values_program) as session:
        for _ in range(100):
            data = bytes(rng.choice(interesting) if rng.random() < 0.7 else rng.randrange(256) for _ in range(8))
            session.clear_expressions()
            path = session.run(data)
            assert len(path) >= 7 and path.input_used == 8
            assert malformed(session.expressions.columns()) == []
            assert check(session.expressions, path) == [], data


def test_an_instrumented_program_ends_as_the_input_says(values_program: Path) -> None:
    with Session(values_program) as session:
        path = session.run((15).to_bytes(4, "little") + bytes([3, 5, 0, 3]))
        assert path.exit.code == 1 + 4 + 8 + 8
        assert [field.name for field in path.fields] == ["x", "s"]
        assert path.new_ids == np.count_nonzero(session.coverage) > 0


MANY_FIELDS = """
#include <untaken.h>
int main(void) {
    unsigned n, sum = 0;
    untaken_uint(&n);
    for (unsigned i = 0; i < n; i++) {
        unsigned char c;
        untaken_uchar(&c);
        sum += c;
    }
    return sum == 77;
}
"""


@pytest.fixture(scope="module")
def many_fields(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fields")
    (folder / "fields.c").write_text(MANY_FIELDS)
    build_program([folder / "fields.c"], folder / "fields")
    return folder / "fields"


def test_a_run_may_ask_for_as_much_as_memory_holds(many_fields: Path) -> None:
    """65,536 fields were all that was noted once."""
    with Session(many_fields, SessionSettings(timeout=60)) as session:
        lengths = []
        for count in (5, 100_000, 7, 100_001, 300_000):
            path = session.run(count.to_bytes(4, "little"))
            assert path.exit.kind is ExitKind.CODE and not path.cut_off
            assert path.fields[-1].offset + path.fields[-1].size == path.input_used == count + 4
            lengths.append(len(path.fields))
        assert lengths == [6, 100_001, 8, 100_002, 300_001]


EDGES = [
    # what there may be at most, the largest number that the program may read then, what is cut off beyond it
    (TraceLimits(fields=50), 49, CutOff.FIELDS),
    (TraceLimits(constraints=50), 49, CutOff.CONSTRAINTS),
]


@pytest.mark.parametrize(("limits", "most", "flag"), EDGES, ids=["fields", "constraints"])
def test_a_limit_is_met_exactly(many_fields: Path, limits: TraceLimits, most: int, flag: CutOff) -> None:
    with Session(many_fields, SessionSettings(limits=limits)) as session:
        assert session.run(most.to_bytes(4, "little")).cut_off == CutOff(0)
        beyond = session.run((most + 2).to_bytes(4, "little"))
        assert beyond.cut_off == flag and beyond.exit.kind is ExitKind.CODE


def test_all_nodes_and_events_that_there_may_be_are_used(many_fields: Path) -> None:
    with Session(many_fields) as session:
        whole = session.run((2_000).to_bytes(4, "little"))
        nodes, events = len(session.expressions), len(whole.events)
    blocks = -(-events // EVENT_BLOCK)
    for limits, flag in (
        (TraceLimits(nodes=nodes), CutOff(0)),
        (TraceLimits(nodes=nodes - 1), CutOff.NODES),
        (TraceLimits(events=(blocks + 1) * EVENT_BLOCK), CutOff(0)),  # one is for what comes after
        (TraceLimits(events=blocks * EVENT_BLOCK), CutOff.EVENTS),
    ):
        with Session(many_fields, SessionSettings(limits=limits)) as session:
            assert session.run((2_000).to_bytes(4, "little")).cut_off == flag
