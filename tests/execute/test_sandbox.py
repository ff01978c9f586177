"""What a program can reach from inside the sandbox: whole, where namespaces are refused, and where everything is."""

from __future__ import annotations

import errno
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from untaken.build.driver import build_program
from untaken.execute.sandbox import Sandbox, program_environment
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.trial import try_sandbox

REACHED = 0
NOBODY = 65534
# Refuses new namespaces, and if so also Landlock; then becomes an ordinary user, if so, and tries the ways given.
REFUSING = """
import ctypes, json, os, struct, sys
from untaken.execute.launcher import seccomp as s
from untaken.execute.launcher.kernel import LIBC, call
landlock, user, program, ways = json.loads(sys.argv[1])
lines = [*s.beginning()]
for number in (s.SYS_CLONE, s.SYS_UNSHARE):
    lines += s.refuse_if(number, 0, ((s.ANY_BIT, 0, 1, s.NEW_NAMESPACES),))
if landlock:
    lines += s.refuse(444, 38)
lines.append((s.RETURN, 0, 0, s.ALLOW))
text = b"".join(struct.pack("<HBBI", *line) for line in lines)
buffer = ctypes.create_string_buffer(text, len(text))
LIBC.prctl(38, 1, 0, 0, 0)
call("filter", LIBC.syscall(s.SYS_SECCOMP, 1, 0, struct.pack("<HxxxxxxQ", len(lines), ctypes.addressof(buffer))))
if user:
    os.setgid(user)
    os.setuid(user)
from untaken.errors import UntakenError
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.trial import try_sandbox
found, notes = {}, []
try:
    for way, what in ways:
        with Session(program, SessionSettings(arguments=(what,))) as session:
            notes = session.notes
            found[way] = session.run(way.encode()).exit.code
except UntakenError as error:
    notes = [type(error).__name__, str(error)]
trial = try_sandbox()
print(json.dumps([found, notes, [trial.note, trial.refused]]))
"""


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that everybody can read, outside of /tmp, which programs see a copy of."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.fixture(scope="module")
def reach(place: Path) -> Path:
    build_program([Path(__file__).with_name("reach.c")], place / "reach")
    os.chmod(place / "reach", 0o755)
    return place / "reach"


def tried(program: Path, way: str, what: object = "", sandbox: Sandbox | None = None) -> int:
    with Session(program, SessionSettings(arguments=(str(what),), sandbox=sandbox or Sandbox())) as session:
        if session.notes:
            pytest.skip(f"this system refuses namespaces: {session.notes[0]}")
        return session.run(way.encode()).exit.code


@pytest.mark.parametrize(("way", "kind"), [("s", socket.SOCK_STREAM), ("d", socket.SOCK_DGRAM)])
@pytest.mark.parametrize("where", ["/run", "/var/tmp"])
def test_sockets_of_others_are_out_of_reach(reach: Path, way: str, kind: socket.SocketKind, where: str) -> None:
    if not os.access(where, os.W_OK):
        pytest.skip(f"{where} cannot be written here")
    with tempfile.TemporaryDirectory(dir=where) as folder, socket.socket(socket.AF_UNIX, kind) as listener:
        name = f"{folder}/socket"
        listener.bind(name)
        if kind is socket.SOCK_STREAM:
            listener.listen()
        assert tried(reach, way, name) != REACHED
        assert tried(reach, way, name, Sandbox(enabled=False)) == REACHED


def test_pipes_by_name_are_not_written_to(reach: Path, place: Path) -> None:
    os.mkfifo(place / "pipe")
    reader = os.open(place / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert tried(reach, "f", place / "pipe") == errno.EACCES
    assert tried(reach, "f", place / "pipe", Sandbox(enabled=False)) == REACHED
    os.close(reader)


def test_what_most_programs_do_is_allowed(reach: Path) -> None:
    assert [tried(reach, way) for way in "pto"] == [REACHED] * 3


@pytest.mark.parametrize("way", ["n", "y"], ids=["own namespaces", "keys"])
def test_calls_that_are_refused(reach: Path, way: str) -> None:
    assert tried(reach, way) == errno.EPERM


def test_folders_with_sockets_look_empty(reach: Path) -> None:
    with tempfile.NamedTemporaryFile(dir="/run") as file:
        assert tried(reach, "r", file.name) == REACHED, "what the command line names is needed"
        assert tried(reach, "r", f"/run/./x/../{Path(file.name).name}") == errno.ENOENT


def test_the_environment_is_reduced(reach: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "1")
    monkeypatch.setenv("LC_TIME", "C")
    hidden = 1
    assert tried(reach, "e", "SECRET_TOKEN") == hidden
    assert tried(reach, "e", "SECRET_TOKEN", Sandbox(keep_env=("SECRET_TOKEN",))) == 0
    assert tried(reach, "e", "SECRET_TOKEN", Sandbox(enabled=False)) == 0
    assert tried(reach, "e", "PATH") == tried(reach, "e", "LC_TIME") == 0
    assert "SECRET_TOKEN" not in program_environment(Sandbox())


# ---- systems that refuse namespaces


def can_become(user: int) -> bool:
    if os.geteuid() != 0:
        return False
    words = [sys.executable, "-c", "import fcntl, numpy, untaken"]
    try:
        done = subprocess.run(words, user=user, capture_output=True, cwd="/", env=readable_python(), check=False)
    except OSError:
        return False
    return done.returncode == 0


def readable_python() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"}


def refusing(
    reach: Path, ways: list[tuple[str, str]], *, landlock: bool, user: int
) -> tuple[dict[str, int], list[str], list[str]]:
    if user and not can_become(user):
        pytest.skip("another user cannot be tried: that takes root, and a Python that everybody can read")
    order = json.dumps([landlock, user, str(reach), ways])
    with chdir(reach.parent):
        done = subprocess.run(
            [sys.executable, "-c", REFUSING, order], capture_output=True, text=True, env=readable_python(), check=False
        )
    assert done.returncode == 0, done.stderr
    found: tuple[dict[str, int], list[str], list[str]] = json.loads(done.stdout)
    return found


USERS = pytest.mark.parametrize("user", [0, NOBODY], ids=["as we are", "nobody"])


@USERS
def test_without_namespaces_landlock_and_seccomp_hold(reach: Path, place: Path, user: int) -> None:
    folder = place / f"open-{user}"
    folder.mkdir()
    folder.chmod(0o777)
    host = subprocess.Popen(["sleep", "60"], user=user or None)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"{folder}/socket")
    listener.listen()
    os.chmod(f"{folder}/socket", 0o777)
    os.mkfifo(folder / "pipe")
    os.chmod(folder / "pipe", 0o777)
    reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    ways = {"c": f"{folder}/made", "f": f"{folder}/pipe", "s": f"{folder}/socket", "d": "/x", "n": "", "y": ""}
    ways |= {"k": str(host.pid), "t": "", "p": "", "r": "/etc/passwd", "o": ""}
    found, notes, trial = refusing(reach, list(ways.items()), landlock=False, user=user)
    host.kill()
    host.wait()
    listener.close()
    os.close(reader)
    assert all(found[way] != REACHED for way in "cfsdnyk"), found
    assert all(found[way] == REACHED for way in "tpro"), found
    assert not (folder / "made").exists()
    assert len(notes) == 1 and "namespaces" in notes[0] and "Landlock" in notes[0]
    assert "Landlock" in trial[0] and not trial[1]


@USERS
def test_without_any_protection_nothing_is_run(reach: Path, user: int) -> None:
    found, said, trial = refusing(reach, [("x", "")], landlock=True, user=user)
    assert not found and said[0] == "SandboxError"
    assert "was not started" in said[1] and "--no-sandbox" in said[1]
    assert "Landlock" in trial[1]


def test_the_trial_of_the_doctor() -> None:
    trial = try_sandbox()
    assert not trial.refused
    assert try_sandbox(Sandbox(enabled=False)) == type(trial)()
