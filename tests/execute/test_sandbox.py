"""What a program can reach from inside the sandbox: whole, where namespaces are refused, and where everything is."""

from __future__ import annotations

import errno
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from untaken.build.driver import build_program
from untaken.execute.launcher import landlock
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
refuse_landlock, user, program, ways = json.loads(sys.argv[1])
lines = [*s.beginning()]
for number in (s.SYS_CLONE, s.SYS_UNSHARE):
    lines += s.refuse_if(number, 0, ((s.ANY_BIT, 0, 1, s.NEW_NAMESPACES),))
if refuse_landlock:
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


WAYS = [("s", socket.SOCK_STREAM), ("d", socket.SOCK_DGRAM), ("D", socket.SOCK_DGRAM)]


@pytest.mark.parametrize(("way", "kind"), WAYS)
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


@pytest.mark.parametrize("way", ["n", "y", "l"], ids=["own namespaces", "keys", "limits of process 1"])
def test_calls_that_are_refused(reach: Path, way: str) -> None:
    assert tried(reach, way) == errno.EPERM


def test_families_of_sockets_that_no_namespace_holds(reach: Path) -> None:
    assert tried(reach, "v") == errno.EAFNOSUPPORT


def test_core_dumps_cannot_be_allowed_again(reach: Path) -> None:
    """The kernel hands them to a program outside of the sandbox (core_pattern): not at 1."""
    if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
        pytest.skip("they are forbidden here")
    assert tried(reach, "C") == 1


def test_what_is_counted_for_the_user_is_not_used_up(reach: Path) -> None:
    assert tried(reach, "i") < 40


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


# Sets the sandbox up as on a system without namespaces whose Landlock is of this version, and tries to do harm.
OLDER_LANDLOCK = """
import json, os, signal, sys
version, folder, host = json.loads(sys.argv[1])
from untaken.execute.launcher import landlock, namespaces
landlock.version = lambda: version
scratch, file = os.path.join(folder, "scratch"), os.path.join(folder, "file")
namespaces.drop_privileges()
namespaces.restrict_without_namespaces([scratch], [])
attempts = {
    "write": lambda: os.open(file, os.O_WRONLY),
    "append": lambda: os.open(file, os.O_WRONLY | os.O_APPEND),
    "make": lambda: os.open(file + "2", os.O_CREAT | os.O_WRONLY),
    "truncate": lambda: os.truncate(file, 0),
    "truncate while opening": lambda: os.open(file, os.O_RDONLY | os.O_TRUNC),
    "truncate while opening oddly": lambda: os.open(file, 3 | os.O_TRUNC),
    "remove": lambda: os.unlink(file),
    "rename": lambda: os.rename(file, file + "3"),
    "move away": lambda: os.rename(file, os.path.join(scratch, "moved")),
    "link": lambda: os.link(file, os.path.join(scratch, "linked")),
    "change the mode": lambda: os.chmod(file, 0o777),
    "change the mode of what is open": lambda: os.fchmod(os.open(file, os.O_RDONLY), 0o777),
    "change the owner": lambda: os.chown(file, os.getuid(), os.getgid()),
    "change times": lambda: os.utime(file),
    "change attributes": lambda: os.setxattr(file, "user.x", b"y"),
    "another folder's mode": lambda: os.chmod(folder, 0o777),
    "a terminal": lambda: os.open("/dev/ptmx", os.O_RDONLY | os.O_NOCTTY),
    "limit another process": lambda: __import__("resource").prlimit(host, 7, (9, 9)),
    "everybody": lambda: os.kill(-1, 0),
    "a socket": lambda: __import__("socket").socket(),
    "datagrams": lambda: __import__("socket").socketpair(type=__import__("socket").SOCK_DGRAM),
}
if version >= 6:
    attempts["a signal"] = lambda: os.kill(host, 0)
allowed = {
    "read": lambda: os.open(file, os.O_RDONLY),
    "scratch": lambda: os.open(os.path.join(scratch, "new"), os.O_CREAT | os.O_WRONLY | os.O_TRUNC),
    "null": lambda: os.open(os.devnull, os.O_RDWR | os.O_TRUNC),
    "fork": lambda: os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0),
    "threads": lambda: __import__("threading").Thread(target=int).start(),
    "a pair": lambda: __import__("socket").socketpair(),
    "its own limits": lambda: __import__("resource").setrlimit(7, (50, 60)),
}
def succeeds(attempt):
    try:
        attempt()
        return True
    except OSError:
        return False
done = [name for name, attempt in attempts.items() if succeeds(attempt)]
refused = [name for name, attempt in allowed.items() if not succeeds(attempt)]
print(json.dumps([done, refused]))
"""


@pytest.mark.parametrize("version", range(1, 8))
def test_files_are_safe_with_each_version_of_landlock(version: int, place: Path) -> None:
    """Older versions cannot keep a program from truncating, and none from changing modes and times: others must."""
    if landlock.version() < version:
        pytest.skip("the kernel's Landlock is older")
    folder = place / f"landlock-{version}"
    (folder / "scratch").mkdir(parents=True)
    (folder / "file").write_text("precious")
    before = state_of(folder / "file")
    words = [sys.executable, "-c", OLDER_LANDLOCK, json.dumps([version, str(folder), os.getpid()])]
    done = subprocess.run(words, capture_output=True, text=True, env=readable_python(), check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [[], []]
    assert state_of(folder / "file") == before


def state_of(path: Path) -> tuple[str, int, int]:
    status = path.stat()
    return path.read_text(), status.st_mode, status.st_mtime_ns
