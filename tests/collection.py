"""The C programs that the tests build twice, plain and instrumented, and run side by side.

`tests/programs` holds them; each says in its first line what it checks, and optionally its compiler flags. They read
up to 64 bytes of stdin, fold them into all that they compute, and have no undefined behaviour for any input.
"""

from __future__ import annotations

import random
import shlex
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.shared import made_once, shared_folder
from untaken.build.driver import compile_and_link
from untaken.build.toolchain.compilers import front_end
from untaken.execute.session_settings import SessionSettings
from untaken.model.input import Source, SourceKind

PROGRAMS = Path(__file__).parent / "programs"
STDIN_SIZE = 64
PATIENCE = 20.0  # seconds; these programs take milliseconds, but the machine may be busy


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a program did, as far as anyone outside can see."""

    printed: bytes
    code: int


@dataclass(frozen=True, slots=True)
class Pair:
    """One program, built both ways."""

    plain: Path
    instrumented: Path


def collection() -> list[Path]:
    """All programs, by name."""
    return sorted(PROGRAMS.glob("*.c"))


def flags_of(source: Path) -> list[str]:
    """The compiler flags that a program asks for in its second line."""
    lines = source.read_text().splitlines()[:3]
    return [word for line in lines if line.startswith("// flags: ") for word in shlex.split(line[10:])]


def build_plain(source: Path, output: Path, flags: list[str]) -> Path:
    """Builds with the front end's own compiler, so that both builds know the same extensions."""
    command = [*front_end().command, "-w", str(source), *flags, "-o", str(output)]
    subprocess.run(command, check=True, timeout=120)
    return output


def build_instrumented(source: Path, output: Path, flags: list[str]) -> Path:
    """Builds with `untaken cc`; libraries come after the source, as linkers want it."""
    assert compile_and_link(["-w", "-O2", str(source), *flags, "-o", str(output)]) == 0
    return output


def instrumented(source: Path, factory: pytest.TempPathFactory) -> Path:
    """A program of the collection, instrumented: once for all tests that want it."""
    place = shared_folder(factory) / f"{source.stem}.instrumented"
    return made_once(place, lambda output: build_instrumented(source, output, flags_of(source)))


def run_by_hand(program: Path, stdin: bytes, arguments: tuple[str, ...] = ()) -> Outcome:
    """Runs a program as a user would, without a driver."""
    done = subprocess.run([program, *arguments], input=stdin, capture_output=True, timeout=PATIENCE, check=False)
    return Outcome(done.stdout + done.stderr, done.returncode)


def stdin_settings(size: int = STDIN_SIZE, arguments: tuple[str, ...] = (), capture: bool = True) -> SessionSettings:
    """A session whose stdin is symbolic."""
    source = Source(SourceKind.STDIN, size)
    return SessionSettings(arguments=arguments, sources=(source,), timeout=PATIENCE, capture=capture)


def stdin_input(data: bytes) -> bytes:
    """Data on stdin as an input: how much there is, then the bytes."""
    return len(data).to_bytes(4, "little") + data


def random_stdins(seed: str, count: int, size: int = STDIN_SIZE) -> Iterator[bytes]:
    """Contents of many kinds: nothing, too little, extreme bytes, small numbers, text, noise."""
    rng = random.Random(seed)
    kinds: list[Callable[[], bytes]] = [
        lambda: rng.randbytes(size),
        lambda: bytes(rng.choice(b"\x00\x01\x7f\x80\xff") for _ in range(size)),
        lambda: bytes(rng.choice(b"abcxyzABC019 -+,;\n\\OK!?") for _ in range(size)),
        lambda: bytes(rng.randrange(8) for _ in range(size)),
        lambda: rng.randbytes(rng.randrange(size)),
        lambda: b"",
    ]
    for index in range(count):
        yield kinds[index % len(kinds)]()
