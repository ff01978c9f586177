"""The programs that are measured: where they are, how they are built, and the data that they work on."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bare import SERVER_SOURCE
from untaken.build.toolchain.compilers import front_end

PROGRAMS = Path(__file__).parent / "programs"
STATED = "// bench: "
WORDS = "the cat and a dog of that House was in with rain SUN wind for every one to see is there".split()


@dataclass(frozen=True, slots=True)
class Workload:
    """`rounds` makes the plain program run for about 0.3 s."""

    source: Path
    rounds: int
    stdin: bytes

    @property
    def name(self) -> str:
        return self.source.stem


@dataclass(frozen=True, slots=True)
class Built:
    """The plain program has the bare fork server linked in, asleep unless it is asked for."""

    workload: Workload
    plain: Path
    instrumented: Path


def workloads() -> list[Workload]:
    """The programs that state a workload; others in the folder serve other benchmarks."""
    return [read_workload(source) for source in sorted(PROGRAMS.glob("*.c")) if STATED in source.read_text()]


def read_workload(source: Path) -> Workload:
    """A program states its size and its kind of data in a comment: bench: rounds=N stdin=N [data=KIND]."""
    stated = dict(re.findall(r"(\w+)=(\w+)", source.read_text().split(STATED, 1)[1].split("\n", 1)[0]))
    return Workload(source, int(stated["rounds"]), data_of(stated.get("data", "noise"), int(stated["stdin"])))


def data_of(kind: str, size: int) -> bytes:
    """Always the same data."""
    rng = random.Random(0)
    if kind == "text":
        return " ".join(rng.choice(WORDS) for _ in range(size)).encode()[:size]
    if kind == "json":
        return json_text(size)
    return rng.randbytes(size)


def json_text(size: int) -> bytes:
    """A document that is as long as possible."""
    items: list[dict[str, object]] = []
    text = "[]"
    while len(text) <= size:
        best = text
        number = len(items)
        items.append({"id": number * 37, "price": number * 1.25, "tags": ["a\n", "x" * number], "ok": number % 2 == 0})
        text = json.dumps(items)
    return best.encode()


def plain_compiler() -> list[str]:
    """clang if that is our front end, else the system's compiler."""
    clang = shutil.which("clang")
    return [clang] if clang else [shutil.which("cc") or front_end().command[0]]


def untaken_compiler() -> list[str]:
    """The installed command, or the package that is imported here."""
    installed = Path(sys.executable).parent / "untaken-cc"
    if installed.exists():
        return [str(installed)]
    return [sys.executable, "-c", "import sys; from untaken.cli.start import untaken_cc; sys.exit(untaken_cc())"]


def build(workload: Workload, folder: Path) -> Built:
    built = Built(workload, folder / f"{workload.name}.plain", folder / f"{workload.name}.instrumented")
    aligned = ["-O2", "-falign-functions=64"]  # else its speed depends on how long the server's code is
    compile_with(plain_compiler(), [*aligned, str(workload.source), str(SERVER_SOURCE), "-o", str(built.plain)])
    compile_with(untaken_compiler(), ["-O2", str(workload.source), "-o", str(built.instrumented)])
    return built


def compile_with(compiler: list[str], arguments: list[str]) -> None:
    subprocess.run([*compiler, *arguments], check=True, timeout=600)
