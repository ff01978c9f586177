"""A resident compiler: calls come out as without it, whatever happens to it, and it leaves nothing behind."""

from __future__ import annotations

import fcntl
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import untaken
from untaken.build.toolchain.compilers import Kind, front_end
from untaken.cli import doctor
from untaken.cli.resident import meeting

PACKAGE = Path(untaken.__file__).parent
SOURCE = '#include <stdio.h>\nint main(void) { return printf("hello\\n") < 0; }\n'
COMPILE = ("-c", "main.c", "-o", "main.o")
PATIENCE = 20.0

pytestmark = pytest.mark.skipif(front_end().kind is Kind.ZIG, reason="clang is replaced by a script that calls it")

# Says which process had it started, waits if it is told to, and is clang then.
FRONT_END = """#!/bin/sh
case $* in *--version*) ;; *)
    read -r line < /proc/$PPID/stat
    echo "$$ $line" >> {log}
    [ -n "$SLOWLY" ] && exec sleep 30 ;;
esac
exec {clang} "$@"
"""
COMMAND = """#!{python}
import sys
sys.path.insert(0, {path!r})
from untaken.cli.start import untaken
sys.exit(untaken())
"""


@dataclass
class Workshop:
    """A folder with a source and with commands of its own; what is started here works for nobody else."""

    path: Path
    package: Path = PACKAGE
    settings: dict[str, str] = field(default_factory=dict)
    first: int = 0  # the resident compiler that was begun first

    def __post_init__(self) -> None:
        (self.path / "main.c").write_text(SOURCE)
        (self.path / "bin").mkdir()
        self._program("untaken", COMMAND.format(python=sys.executable, path=str(self.package.parent)))
        self._program("untaken-cc", (PACKAGE / "cli" / "resident" / "untaken-cc").read_text())
        self._program("clang", FRONT_END.format(log=self.path / "calls", clang=front_end().command[0]))

    def _program(self, name: str, text: str) -> None:
        place = self.path / "bin" / name
        place.write_text(text)
        place.chmod(0o755)

    @property
    def environment(self) -> dict[str, str]:
        own = {"XDG_CACHE_HOME": str(self.path / "cache"), "UNTAKEN_CLANG": str(self.path / "bin" / "clang")}
        return {**os.environ, "UNTAKEN_RESIDENT": "60", **own, **self.settings}

    @property
    def folder(self) -> Path:
        return self.path / "cache" / "untaken" / "resident"

    def start(self, *words: str, command: str = "untaken-cc", **more: object) -> subprocess.Popen[str]:
        given = {"cwd": self.path, "env": self.environment, "stdin": subprocess.DEVNULL, **more}
        place = [str(self.path / "bin" / command), *(["cc"] if command == "untaken" else [])]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen([*place, *words], **pipes, **given)  # type: ignore[call-overload,no-any-return]

    def call(self, *words: str, **more: object) -> tuple[int, str, str]:
        process = self.start(*(words or COMPILE), **more)  # type: ignore[arg-type]
        said, complained = process.communicate(timeout=PATIENCE)
        return process.returncode, said, complained

    def begin(self) -> int:
        """Calls until a resident compiler and its client are there; its process."""
        for _ in range(2):
            assert self.call() == (0, "", "")
        wait_for(lambda: any(self.folder.glob("clients/**/untaken-cc")) and bool(self.servers()))
        self.forget()
        self.first = self.servers()[0]
        return self.first

    def servers(self) -> list[int]:
        """Processes that wait at a socket of this folder."""
        numbers = [lock.read_text() for lock in self.folder.glob("*.lock") if lock.with_suffix("").is_socket()]
        return [int(number) for number in numbers if number.isdigit() and is_alive(int(number))]

    def parents(self) -> list[int]:
        """The processes that those belong to which started a front end."""
        with suppress(FileNotFoundError):
            return [int(line.split()[4]) for line in (self.path / "calls").read_text().splitlines()]
        return []

    def front_ends(self) -> list[int]:
        with suppress(FileNotFoundError):
            return [int(line.split()[0]) for line in (self.path / "calls").read_text().splitlines()]
        return []

    def forget(self) -> None:
        (self.path / "calls").unlink(missing_ok=True)

    def is_served(self, **more: object) -> bool:
        """Whether a call that must succeed is made by the resident compiler."""
        self.forget()
        assert self.call(**more) == (0, "", "")
        return bool(self.parents()) and set(self.parents()) <= set(self.servers())

    def is_served_by_first(self, **more: object) -> bool:
        """Calls that were started in another way may begin one of their own."""
        self.forget()
        assert self.call(**more) == (0, "", "")
        return self.first in self.parents()

    def close(self) -> None:
        for server in self.servers():
            os.kill(server, signal.SIGTERM)


def is_alive(process: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Workshop]:
    workshop = Workshop(tmp_path)
    yield workshop
    workshop.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    """With a resident compiler that stays."""
    workshop = Workshop(tmp_path_factory.mktemp("resident"))
    workshop.begin()
    yield workshop
    workshop.close()


def test_second_call_begins_one(shop: Workshop) -> None:
    assert shop.call() == (0, "", "")
    assert shop.servers() == [] and not list(shop.folder.glob("clients/*"))
    assert shop.is_served(), "and is made by it"
    servers = shop.servers()
    assert len(servers) == 1 and shop.is_served() and shop.is_served(command="untaken")
    assert shop.servers() == servers


def test_calls_at_once_begin_one(shop: Workshop) -> None:
    assert shop.call() == (0, "", "")
    shop.forget()
    calls = [shop.start("-c", "main.c", "-o", f"{number}.o") for number in range(4)]
    assert [call.communicate(timeout=PATIENCE) for call in calls] == [("", "")] * 4
    assert shop.parents() == shop.servers() * 4


def test_one_that_cannot_begin_is_not_waited_for(shop: Workshop) -> None:
    assert shop.call() == (0, "", "")
    lock = next(shop.folder.glob("*.lock"))
    lock.with_suffix("").mkdir()  # where its socket would be
    for _ in range(3):
        assert shop.call() == (0, "", "")
    assert shop.servers() == []


def test_one_that_cannot_begin_is_not_tried_by_each_call(tmp_path: Path) -> None:
    package = tmp_path / "other" / "untaken"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    with (package / "cli" / "resident" / "server.py").open("a") as module:
        module.write(f"\nwith open({str(tmp_path / 'tried')!r}, 'a') as file:\n    file.write('x')\nsys.exit(1)\n")
    shop = Workshop(tmp_path, package)
    for _ in range(4):
        assert shop.call() == (0, "", "")
    assert (tmp_path / "tried").read_text() == "x"


def test_ends_by_itself(shop: Workshop) -> None:
    shop.settings["UNTAKEN_RESIDENT"] = "1"
    server = shop.begin()
    wait_for(lambda: not is_alive(server))
    assert not [path for path in shop.folder.iterdir() if path.is_socket()]
    assert shop.call() == (0, "", "")


@pytest.mark.parametrize("value", ["0", "no", ""])
def test_is_switched_off(shared: Workshop, value: str) -> None:
    assert not shared.is_served(env={**shared.environment, "UNTAKEN_RESIDENT": value})


CALLS = {
    "object": COMPILE,
    "warning": ("-Wall", "-c", "warned.c"),
    "wrong source": ("-c", "wrong.c"),
    "no such file": ("-c", "missing.c"),
    "unknown option": ("--no-such-option", "main.c"),
    "foreign target": ("-m32", "main.c"),
    "preprocessed": ("-E", "-P", "empty.c"),
    "dependencies": ("-MM", "main.c"),
    "dependency file": ("-MMD", "-c", "main.c"),
    "version": ("--version",),
    "machine": ("-dumpmachine",),
    "nothing": (),
    "assembly to standard output": ("-S", "empty.c", "-o", "-"),
    "from standard input": ("-E", "-P", "-x", "c", "-"),
    "response file": ("@words",),
    "odd name": ("-c", "odd \udcff'name.c"),
    "two outputs": ("-c", "main.c", "empty.c", "-o", "both.o"),
    "folder that is not there": ("-c", "main.c", "-o", "nowhere/main.o"),
}


FILES = {
    "main.c": SOURCE,
    "empty.c": "int f(void);\nint f(void) { return 7; }\n",
    "warned.c": "int f(int a) { int b; return 0; }\n",
    "wrong.c": "int f( { return; }\n",
    "odd \udcff'name.c": "int f(void) { return 7; }\n",
    "words": "-c main.c -o 'by words.o'",
    "input": "int x;\n",
}


@pytest.mark.parametrize("command", ["untaken-cc", "untaken"])
@pytest.mark.parametrize("words", CALLS.values(), ids=CALLS.keys())
def test_calls_come_out_as_without_it(shared: Workshop, tmp_path: Path, words: tuple[str, ...], command: str) -> None:
    results = []
    folder = tmp_path / "work"
    for seconds in ("60", "0"):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, text in FILES.items():
            (folder / name).write_text(text)
        environment = {**shared.environment, "UNTAKEN_RESIDENT": seconds, "PWD": str(folder)}
        with (folder / "input").open() as given:
            call = shared.start(*words, command=command, cwd=folder, env=environment, stdin=given, umask=0o027)
            said = call.communicate(timeout=PATIENCE)
        made = {os.fsencode(path.name): (path.stat().st_mode, path.read_bytes()) for path in folder.iterdir()}
        results.append((call.returncode, said, made))
    assert results[0] == results[1]


def test_all_that_come_at_once_are_served(shared: Workshop) -> None:
    shared.forget()
    calls = [shared.start("-c", "main.c", "-o", f"{number}.o") for number in range(8)]
    assert [call.communicate(timeout=PATIENCE) for call in calls] == [("", "")] * 8
    assert all((shared.path / f"{number}.o").stat().st_size for number in range(8))
    assert shared.parents() == [shared.first] * 8


def lower_limit() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


CIRCUMSTANCES: dict[str, Callable[[], object]] = {
    "a limit": lower_limit,
    "priority": lambda: os.nice(1),
    "an ignored signal": lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    "a closed stream": lambda: os.close(0),
    "processors": lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
}


@pytest.mark.parametrize("change", CIRCUMSTANCES.values(), ids=CIRCUMSTANCES.keys())
@pytest.mark.parametrize("command", ["untaken-cc", "untaken"])
def test_what_a_copy_cannot_take_over_is_done_here(
    shared: Workshop, command: str, change: Callable[[], object]
) -> None:
    if len(os.sched_getaffinity(0)) == 1 and change is CIRCUMSTANCES["processors"]:
        pytest.skip("there is only one processor")
    assert not shared.is_served_by_first(command=command, preexec_fn=change)


@pytest.mark.parametrize("variable", ["LD_PRELOAD", "LC_MESSAGES", "PYTHONPATH"])
def test_variables_that_processes_read_as_they_start(shared: Workshop, variable: str) -> None:
    value = "libm.so.6" if variable == "LD_PRELOAD" else "C"
    assert not shared.is_served_by_first(env={**shared.environment, variable: value})
    assert shared.is_served_by_first(env={**shared.environment, "ANY_OTHER": value})


def test_what_a_call_reads_from_its_environment_is_its_own(shared: Workshop) -> None:
    wanted = {**shared.environment, "CPATH": str(shared.path / "headers")}
    (shared.path / "headers").mkdir()
    (shared.path / "headers" / "own.h").write_text("#define OWN 1\n")
    (shared.path / "own.c").write_text("#include <own.h>\nint own = OWN;\n")
    assert shared.call("-c", "own.c", env=wanted)[0] == 0
    assert shared.call("-c", "own.c")[0] == 1


def test_killed_one_is_not_missed(shop: Workshop) -> None:
    os.kill(shop.begin(), signal.SIGKILL)
    assert not shop.is_served() and (shop.path / "main.o").exists()


@pytest.mark.parametrize("command", ["untaken-cc", "untaken"])
def test_killed_while_it_works(shop: Workshop, command: str) -> None:
    server = shop.begin()
    call = shop.start(*COMPILE, command=command, env={**shop.environment, "SLOWLY": "yes"})
    wait_for(lambda: len(shop.front_ends()) == 1)
    first = shop.front_ends()[0]
    os.kill(server, signal.SIGKILL)
    wait_for(lambda: not is_alive(first))
    wait_for(lambda: len(shop.front_ends()) == 2)  # the call is made again, where it came from
    call.send_signal(signal.SIGINT)
    assert call.wait(PATIENCE) == 130


@pytest.mark.parametrize("command", ["untaken-cc", "untaken"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_who_ends_a_call_ends_its_work(shared: Workshop, command: str, number: signal.Signals) -> None:
    shared.forget()
    call = shared.start(*COMPILE, command=command, env={**shared.environment, "SLOWLY": "yes"})
    wait_for(lambda: bool(shared.front_ends()))
    call.send_signal(number)
    said = call.communicate(timeout=PATIENCE)
    wait_for(lambda: not any(map(is_alive, shared.front_ends())))
    assert len(shared.front_ends()) == 1
    if number is signal.SIGKILL:
        assert call.returncode == -signal.SIGKILL
    else:
        assert (call.returncode, said) == (130, ("", "untaken: interrupted\n"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_what_a_tool_has_started_ends_with_the_call(shared: Workshop, number: signal.Signals) -> None:
    script, child = shared.path / "bin" / "slow-clang", shared.path / f"child-{number}"
    ask = f'case $* in *--version*) exec {front_end().command[0]} "$@" ;; esac'
    script.write_text(f"#!/bin/sh\n{ask}\nsh -c 'echo $$ > {child}~; mv {child}~ {child}; exec sleep 30'\nexit 1\n")
    script.chmod(0o755)
    call = shared.start(*COMPILE, env={**shared.environment, "UNTAKEN_CLANG": str(script)})
    wait_for(child.exists)
    call.send_signal(number)
    call.communicate(timeout=PATIENCE)
    wait_for(lambda: not is_alive(int(child.read_text())))


def few_descriptors() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (34, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def test_more_calls_than_there_are_descriptors_for(shop: Workshop) -> None:
    for _ in range(2):
        assert shop.call(preexec_fn=few_descriptors) == (0, "", "")
    assert shop.is_served(preexec_fn=few_descriptors)
    slow = shop.start(*COMPILE, env={**shop.environment, "SLOWLY": "yes"}, preexec_fn=few_descriptors)
    wait_for(lambda: len(shop.parents()) == 2)
    assert not shop.is_served(preexec_fn=few_descriptors)
    slow.send_signal(signal.SIGINT)
    slow.communicate(timeout=PATIENCE)
    assert shop.is_served(preexec_fn=few_descriptors)


def test_another_version_is_not_asked(tmp_path: Path) -> None:
    package = tmp_path / "package" / "untaken"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("executables", "search", "report"))
    shop = Workshop(tmp_path, package)
    try:
        server = shop.begin()
        assert shop.is_served()
        slow = shop.start(*COMPILE, env={**shop.environment, "SLOWLY": "yes"})
        wait_for(lambda: len(shop.front_ends()) == 2)
        with (package / "build" / "driver.py").open("a") as module:
            module.write("\n")
        assert not shop.is_served()
        with next(shop.folder.glob("*.lock")).open() as lock:  # while it works on, another may begin
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        assert is_alive(server)
        slow.send_signal(signal.SIGINT)
        slow.communicate(timeout=PATIENCE)
        wait_for(lambda: not is_alive(server))
    finally:
        shop.close()


@pytest.mark.parametrize("command", ["untaken-cc", "untaken"])
def test_folder_that_others_may_enter_is_not_used(shop: Workshop, command: str) -> None:
    server = shop.begin()
    shop.folder.chmod(0o755)
    assert shop.call(command=command) == (0, "", "")
    assert server not in shop.parents()


def test_folder_that_cannot_be_made(shop: Workshop) -> None:
    shop.folder.parent.mkdir(parents=True)
    shop.folder.write_text("")
    for _ in range(3):
        assert shop.call() == (0, "", "")


def test_folder_that_is_somebody_elses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    os.close(meeting.meeting_folder())
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(meeting.Unfit):
        meeting.meeting_folder()


def test_folder_that_is_another_one_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    with pytest.raises(meeting.Unfit):
        meeting.meeting_folder()


@pytest.mark.parametrize(("given", "seconds"), [("007", 7), ("9" * 5000, 86_400), ("86401", 86_400), ("0" * 5000, 0)])
def test_seconds(monkeypatch: pytest.MonkeyPatch, given: str, seconds: int) -> None:
    monkeypatch.setenv("UNTAKEN_RESIDENT", given)
    assert meeting.seconds_to_stay() == seconds


def test_doctor_tells(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def told() -> tuple[doctor.State, str]:
        finding = next(finding for finding in doctor.examine() if finding.name == "resident")
        return finding.state, finding.detail

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("UNTAKEN_RESIDENT", "7")
    assert told() == (doctor.State.GOOD, "a compiler stays for 7 s after the last of several calls")
    (tmp_path / "untaken" / "resident").chmod(0o777)
    assert told() == (doctor.State.WARNING, f"{tmp_path}/untaken/resident cannot be used")
    monkeypatch.setenv("UNTAKEN_RESIDENT", "0")
    assert told() == (doctor.State.GOOD, "no compiler stays: UNTAKEN_RESIDENT says so")


def test_python_that_keeps_no_modules(shop: Workshop) -> None:
    shop.settings["PYTHONDONTWRITEBYTECODE"] = "1"
    shop.begin()
    assert shop.is_served() and shop.is_served(command="untaken")


def test_script_is_found_through_links(shop: Workshop) -> None:
    shop.begin()
    (shop.path / "bin" / "renamed").symlink_to("untaken-cc")
    assert shop.is_served(command="renamed")
    shop.forget()
    done = subprocess.run(["bin/untaken-cc", *COMPILE], cwd=shop.path, env=shop.environment, check=True)
    assert done.returncode == 0 and shop.parents() == shop.servers()


def test_client_needs_no_library(shared: Workshop) -> None:
    """Another system that shares the folder may have another one."""
    client = next(shared.folder.glob("clients/**/untaken-cc"))
    told = subprocess.run(["readelf", "--program-headers", client], capture_output=True, text=True, check=True)
    assert "LOAD" in told.stdout and "INTERP" not in told.stdout


def test_client_compiles_without_a_warning(tmp_path: Path) -> None:
    told = ['-DUNTAKEN_INSTALLATION="x"', '-DUNTAKEN_FOLDER="y"', "-Wall", "-Wextra", "-Werror", "-std=gnu11", "-O2"]
    source = PACKAGE / "cli" / "resident" / "client.c"
    subprocess.run(["cc", *told, str(source), "-o", str(tmp_path / "client")], check=True)
