"""Requests to end are heard at once, later, or not at all, as the code around them wants; and never lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from tests.campaign.commands import PATIENCE, command, written
from untaken.interrupts import REQUESTS, OutOfTime, deaf, interruptible, time_limit, undisturbed

EACH = pytest.mark.parametrize("number", REQUESTS, ids=lambda number: number.name)


@EACH
def test_a_request_raises_and_stops(number: signal.Signals) -> None:
    stopped: list[bool] = []
    with pytest.raises(KeyboardInterrupt), interruptible(lambda: stopped.append(True)):
        signal.raise_signal(number)
    assert stopped


def test_a_request_stops_even_where_the_exception_is_dropped() -> None:
    stopped: list[bool] = []
    with interruptible(lambda: stopped.append(True)), suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert stopped


@EACH
def test_a_request_waits_for_what_must_not_be_disturbed(number: signal.Signals) -> None:
    done = False
    with pytest.raises(KeyboardInterrupt), interruptible(), undisturbed() as asked:
        signal.raise_signal(number)
        done = asked == [number]
    assert done


@EACH
def test_the_deaf_hear_nothing(number: signal.Signals) -> None:
    with interruptible(), deaf():
        signal.raise_signal(number)


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interruptible(), undisturbed() as asked:
            signal.raise_signal(signal.SIGINT)
        assert not asked
    finally:
        signal.signal(signal.SIGINT, before)


def test_handlers_are_put_back() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with interruptible(), undisturbed(), deaf():
        pass
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


@EACH
def test_a_compiler_that_is_ended_removes_what_it_was_writing(number: signal.Signals, tmp_path: Path) -> None:
    many = "".join(f"int f{i}(int x) {{ return x % {i + 2} ? x * {i} : x - {i}; }}\n" for i in range(3000))
    source, folder = written(tmp_path, many), tmp_path / "temporary"
    folder.mkdir()
    words = command("cc", "-O2", "-c", source, "-o", tmp_path / "many.o")
    running = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(folder)})
    deadline = time.monotonic() + PATIENCE
    while not any(folder.iterdir()):
        assert time.monotonic() < deadline, "nothing is written"
        time.sleep(0.01)
    running.send_signal(number)
    _, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert said.splitlines()[-1] == "untaken: interrupted" and "Traceback" not in said
    assert not any(folder.iterdir())


def test_the_end_of_the_time_raises_wherever_the_code_is() -> None:
    with pytest.raises(OutOfTime), time_limit(0.01):
        while True:
            pass


def test_the_end_of_the_time_comes_again_where_the_exception_is_dropped() -> None:
    with pytest.raises(OutOfTime), time_limit(0.01):
        with suppress(OutOfTime):
            time.sleep(PATIENCE)
        time.sleep(PATIENCE)


@pytest.mark.parametrize("around", [interruptible, nullcontext])
def test_the_end_of_the_time_waits_for_what_must_not_be_disturbed(around: type[nullcontext[None]]) -> None:
    done = False
    with pytest.raises(OutOfTime), around(), time_limit(0.01), undisturbed() as asked:
        while not asked:
            pass
        done = True
    assert done


def test_what_ends_in_time_hears_nothing_later() -> None:
    with time_limit(0.05), time_limit(None):
        pass
    time.sleep(0.1)


INTERRUPTED_IMPORT = """
import os, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {number})
sys.meta_path.insert(0, Interrupting())
sys.argv[:] = {words!r}
from untaken.cli.start import {command}
sys.exit({command}())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
@pytest.mark.parametrize(
    ("command", "module"),
    [
        ("untaken", "untaken.errors"),
        ("untaken", "numpy"),
        ("untaken", "untaken.campaign.campaign"),
        ("untaken_cc", "untaken.errors"),
        ("untaken_cc", "untaken.build.llvm"),
        ("untaken_cc", "llvmlite"),
    ],
)
def test_a_request_during_imports_is_no_traceback(
    command: str, module: str, number: signal.Signals, tmp_path: Path
) -> None:
    source = str(written(tmp_path, "int main(void) { return 0; }"))
    words = ["untaken", "run", source] if command == "untaken" else ["untaken-cc", "-c", source]
    script = INTERRUPTED_IMPORT.format(module=module, number=int(number), words=words, command=command)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (130, "untaken: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == [Path(source).name]
