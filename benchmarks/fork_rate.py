"""Round trips a second of `Session.run` against a fork server whose driver is C too.

Both servers fork and wait; the session's also has its trace read into a Path. Alternating rounds, medians of each,
so that a busy machine disturbs both alike.

    python benchmarks/fork_rate.py [ROUNDS]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import untaken
from untaken.execute.sandbox import Sandbox
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings

HERE = Path(__file__).parent
RUNTIME = Path(untaken.__file__).parent / "runtime"
RUNS = 1000


def build(source: Path, folder: Path) -> Path:
    program = folder / source.stem
    subprocess.run(["cc", "-O2", f"-I{RUNTIME}", source, "-o", program], check=True)
    return program


def bare_seconds(program: Path) -> float:
    """Seconds of one run, as the C driver measured them."""
    return float(subprocess.run([program, str(RUNS)], check=True, capture_output=True, text=True).stdout) / RUNS


def session_seconds(session: Session, data: bytes) -> float:
    start = time.perf_counter()
    for _ in range(RUNS):
        session.run(data)
    return (time.perf_counter() - start) / RUNS


def reading_seconds(session: Session, data: bytes) -> float:
    """The share of `run` that is Python's alone: decoding one result, again and again."""
    session.run(data)
    start = time.perf_counter()
    for _ in range(RUNS):
        session.read_path(data)
    return (time.perf_counter() - start) / RUNS


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as name:
        bare = build(HERE / "bare_fork_server.c", Path(name))
        served = build(HERE.parent / "tests" / "execute" / "fake_server.c", Path(name))
        with Session(served) as inside, Session(served, SessionSettings(sandbox=Sandbox(enabled=False))) as outside:
            samples = [
                (bare_seconds(bare), session_seconds(inside, b"A"), session_seconds(outside, b"A"))
                for _ in range(rounds)
            ]
            reading = reading_seconds(inside, b"A")
    bare_time, inside_time, outside_time = (median(column) for column in zip(*samples, strict=True))
    print(f"bare fork server, driver in C   {1 / bare_time:8.0f} runs/s  {bare_time * 1e6:6.0f} us")
    print(f"Session.run, no sandbox         {1 / outside_time:8.0f} runs/s  {bare_time / outside_time:6.2f} of it")
    print(f"Session.run, sandbox            {1 / inside_time:8.0f} runs/s  {bare_time / inside_time:6.2f} of it")
    print(f"reading the result into a Path  {reading * 1e6:8.1f} us")


if __name__ == "__main__":
    main()
