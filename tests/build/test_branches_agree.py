"""Same branches: coverage of a set of inputs agrees with what llvm-cov says of the same program.

The metric is condition edges: each operand of && and || counts, each `if`, loop and `?:`, and each `case`, with two
edges each (taken and not). Programs are preprocessed first, so that both sides speak of the same lines and columns.

Where the two differ, and what is done about it here:
- llvm-cov names a condition by the whole of its text, we by the place that the debug information gives (usually the
  operator). A branch of ours belongs to the smallest region of llvm-cov's that holds its place.
- llvm-cov also lists conditions that are never evaluated (inside sizeof, as glibc's assert has one) and a switch that
  has no default; those have no branches in our map. No other condition may be missing there.
- A value `a && !(b && c)` has, for us, its second operand as one more condition besides b and c.
- llvm-cov counts `default` as one more case; for us it is the false side of all the others. We know only the place of
  the switch, so cases are compared as the number of them that were taken in each function. A range of values is one
  case for llvm-cov, but several or a comparison in the compiler's output, so programs with ranges are left out.
- A program that dies writes no profile, so only inputs on which it ends by itself are used. And llvm-cov derives some
  counts from others, which goes wrong where longjmp leaves a function: there, inputs without an error are used.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.collection import PATIENCE, PROGRAMS, build_instrumented
from tests.compilers import has_runtime_library
from untaken.build.objects.program_map import read_program_map
from untaken.build.toolchain.compilers import front_end
from untaken.build.toolchain.front_end import INCLUDE
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.input import Source, SourceKind
from untaken.model.path import ExitKind
from untaken.model.program import BranchKind, ProgramMap

EXAMPLES = Path(__file__).parents[2] / "examples"
RUNTIME = Path(INCLUDE).parent
NATIVE = RUNTIME / "interfaces" / "native.c"
INPUTS = 40
LABELS = ("case ", "default")
NO_COUNTERPART = {"logical": 1}  # conditions of ours that llvm-cov does not list
STATEMENTS = [
    *("a = [1, 2, 30]", "print a[0] + 2 * 3", "a[1] = 7", 'print "text"', "b = 5 - 3", "print sort([3, 1, 2])"),
    *("if 1 < 2 then print a", "if (2 > 3) then b = 9", "print range(1, 4)", "print len(a) / 2 % 3", "print sum(a)"),
    *('print "a" ~ "b"', "c = [] < a", "print abs(-4)", "print a[-1]", " ", "print [[1], 2]", "_x9 = -(-3)"),
]
Place = tuple[int, int]  # line and column
Sides = tuple[bool, bool]  # ever true, ever false


@dataclass(frozen=True, slots=True)
class Region:
    """A condition as llvm-cov has it."""

    start: Place
    end: Place
    taken: Sides

    @property
    def extent(self) -> Place:
        return self.end[0] - self.start[0], self.end[1] - self.start[1]


@dataclass(frozen=True, slots=True)
class Tools:
    """llvm-cov of the front end's own version: profiles have no other readers."""

    clang: tuple[str, ...]
    profdata: str
    cov: str


def tools() -> Tools | None:
    compiler = front_end()
    profdata, cov = (of_version(name, compiler.version) for name in ("llvm-profdata", "llvm-cov"))
    if profdata is None or cov is None or not has_runtime_library(compiler.command, "-fprofile-instr-generate"):
        return None
    return Tools(compiler.command, profdata, cov)


def of_version(name: str, version: int) -> str | None:
    """A tool under its versioned name, or without if it is of the right version."""
    if path := shutil.which(f"{name}-{version}"):
        return path
    path = shutil.which(name)
    if path is None:
        return None
    answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout
    return path if f"version {version}." in answer else None


pytestmark = pytest.mark.skipif(
    tools() is None, reason="needs clang with its run-time libraries: apt-get install clang llvm libclang-rt-dev"
)


@dataclass(frozen=True, slots=True)
class Subject:
    """A program and how large its stdin is, or 0 if it calls for its input itself."""

    source: Path
    stdin: int

    def __str__(self) -> str:
        return self.source.stem


def subjects() -> list[Subject]:
    """The examples that take their input from stdin or through calls, and programs about control flow."""
    found = []
    for source in sorted(EXAMPLES.glob("*.c")):
        text = source.read_text()
        stated = re.search(r"--stdin (\d+)", text)
        unsuited = ("LLVMFuzzerTestOneInput(", "--file", "--arg ", "never ends")
        if not any(word in text for word in unsuited):
            found.append(Subject(source, int(stated[1]) if stated else 0))
    names = (
        "switch_dense switch_sparse switch_fallthrough switch_wide logical negations conditional goto_maze loops duff"
    )
    return found + [Subject(PROGRAMS / f"{name}.c", 64) for name in names.split()]


def inputs(subject: Subject) -> Iterator[bytes]:
    """Text that is nearly right now and then, and noise; for the calculator, programs without a mistake."""
    rng = random.Random(subject.source.stem)
    if subject.source.stem == "calculator":
        chosen = [["a = [4, 5]", *rng.choices(STATEMENTS, k=rng.randrange(5))] for _ in range(INPUTS)]
        texts = [rng.choice([";", "\n", "; "]).join(statements).encode() for statements in chosen]
        yield from (text for text in texts if len(text) <= subject.stdin)
        return
    words = re.findall(r'"([^"\\]+)"', subject.source.read_text()) + list("([{}])=<>+-*/;:!0123456789abcxyz, \n")
    size = subject.stdin or 64
    for index in range(INPUTS):
        if index % 2:
            yield "".join(rng.choice(words) for _ in range(rng.randrange(24))).encode()[:size]
        else:
            yield bytes(rng.choice((rng.randrange(256), rng.randrange(10), 0)) for _ in range(size))


def preprocessed(subject: Subject, folder: Path) -> Path:
    result = folder / f"{subject}.i"
    command = [*front_end().command, "-E", "-P", "-idirafter", str(INCLUDE), str(subject.source), "-o", str(result)]
    subprocess.run(command, check=True)
    return result


def our_coverage(subject: Subject, program: Path, data: list[bytes]) -> tuple[set[int], list[bytes]]:
    """Ids of the branches taken, and the inputs on which the program ended by itself."""
    sources = (Source(SourceKind.STDIN, subject.stdin),) if subject.stdin else ()
    taken: set[int] = set()
    usable = []
    with Session(program, SessionSettings(sources=sources, timeout=PATIENCE)) as session:
        for item in data:
            length = len(item).to_bytes(4, "little") if subject.stdin else b""
            path = session.run(length + item)
            if path.exit.kind is ExitKind.CODE:
                usable.append(item)
                taken |= set(path.events.tolist())
    return taken, usable


def profiles(subject: Subject, source: Path, data: list[bytes], folder: Path, using: Tools) -> Path:
    """Runs the program built for llvm-cov on all inputs; the program."""
    program, native = folder / "covered", folder / "native.o"
    subprocess.run([*using.clang, "-w", "-c", "-I", str(RUNTIME), str(NATIVE), "-o", str(native)], check=True)
    flags = ["-O0", "-g", "-w", "-fprofile-instr-generate", "-fcoverage-mapping"]
    subprocess.run([*using.clang, *flags, str(source), str(native), "-o", str(program), "-lm"], check=True)
    named = folder / "input"
    for index, item in enumerate(data):
        named.write_bytes(item)
        environment = {**os.environ, "LLVM_PROFILE_FILE": f"{folder}/{index}.profraw", "UNTAKEN_INPUT": str(named)}
        stdin = item if subject.stdin else b""
        subprocess.run([program], input=stdin, env=environment, capture_output=True, timeout=PATIENCE, check=False)
    return program


def llvm_regions(program: Path, folder: Path, using: Tools) -> dict[str, list[Region]]:
    """By function: the conditions, with what the inputs made of them."""
    raw = [str(path) for path in sorted(folder.glob("*.profraw"))]
    profile = str(folder / "merged.profdata")
    subprocess.run([using.profdata, "merge", *raw, "-o", profile], check=True)
    command = [using.cov, "export", "-instr-profile", profile, str(program)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    functions = json.loads(answer.stdout)["data"][0]["functions"]
    return {
        re.sub(r"^.*:", "", function["name"]): [
            Region((r[0], r[1]), (r[2], r[3]), (r[4] > 0, r[5] > 0)) for r in function["branches"]
        ]
        for function in functions
    }


def conditions(source: Path, regions: list[Region]) -> list[Region]:
    """The regions that are conditions, in order."""
    lines = source.read_text().splitlines()
    ordered = sorted(regions, key=lambda region: region.start)
    return [r for r in ordered if not lines[r.start[0] - 1][r.start[1] - 1 :].startswith(LABELS)]


def claim(place: Place, unclaimed: list[Region]) -> Region | None:
    """The smallest region that holds the place, else the first behind it; no region is claimed twice.

    The last operand of && and || is named by the place where the whole condition starts, and a loop by its first
    word: by then the regions of the earlier operands are taken.
    """
    holding = [region for region in unclaimed if region.start <= place <= region.end]
    behind = [region for region in unclaimed if region.start > place]
    found = min(holding, key=lambda r: r.extent) if holding else min(behind, key=lambda r: r.start, default=None)
    if found is not None:
        unclaimed.remove(found)
    return found


def compared_conditions(
    program_map: ProgramMap, taken: set[int], unclaimed: dict[str, list[Region]]
) -> Iterator[tuple[str, Sides, Sides | None]]:
    """For each condition of ours that is no case: where it is, what we saw of it, and what llvm-cov did."""
    for branch in sorted(program_map, key=lambda branch: branch.id):
        if not branch.side or branch.kind is BranchKind.CASE:
            continue
        name = program_map.functions[branch.function].name
        region = claim((branch.location.line, branch.location.column), unclaimed.get(name, []))
        ours = branch.id in taken, branch.id ^ 1 in taken
        yield f"{name} {branch.location}", ours, region.taken if region else None


def our_cases(program_map: ProgramMap, taken: set[int]) -> Counter[str]:
    """How many case labels were reached, by function."""
    cases = [branch for branch in program_map if branch.kind is BranchKind.CASE and branch.side]
    return Counter(program_map.functions[branch.function].name for branch in cases if branch.id in taken)


def llvm_cases(source: Path, regions: dict[str, list[Region]]) -> Counter[str]:
    lines = source.read_text().splitlines()
    return Counter(
        name
        for name, found in regions.items()
        for region in found
        if region.taken[0] and lines[region.start[0] - 1][region.start[1] - 1 :].startswith("case ")
    )


def missing(source: Path, unclaimed: dict[str, list[Region]]) -> Iterator[str]:
    """Conditions of llvm-cov's that we have no branch for, apart from those that are none."""
    lines = source.read_text().splitlines()
    for name, regions in unclaimed.items():
        for region in regions:
            line = lines[region.start[0] - 1]
            before = line[: region.start[1] - 1].rstrip()
            if not before.endswith("switch (") and "sizeof" not in before:
                yield f"{name}: {line[region.start[1] - 1 :]}"


@pytest.mark.parametrize("subject", subjects(), ids=str)
def test_same_branches(subject: Subject, tmp_path: Path) -> None:
    using = tools()
    assert using is not None
    source = preprocessed(subject, tmp_path)
    program = build_instrumented(source, tmp_path / "instrumented", ["-lm"])
    program_map = read_program_map(program)
    taken, usable = our_coverage(subject, program, list(inputs(subject)))
    assert usable, "the program never ends by itself"
    regions = llvm_regions(profiles(subject, source, usable, tmp_path, using), tmp_path, using)
    unclaimed = {name: conditions(source, found) for name, found in regions.items()}
    compared = list(compared_conditions(program_map, taken, unclaimed))
    assert [entry for entry in compared if entry[2] is not None and entry[1] != entry[2]] == []
    assert sum(entry[2] is None for entry in compared) == NO_COUNTERPART.get(str(subject), 0)
    assert list(missing(source, unclaimed)) == []
    assert our_cases(program_map, taken) == llvm_cases(source, regions)
