"""Same branches: coverage of a set of inputs agrees with what llvm-cov says of the same program.

The metric is condition edges: each operand of && and || counts, each `if`, loop and `?:`, and each `case`, with two
edges each (taken and not). Programs are preprocessed first, so that both sides speak of the same lines and columns.

Where the two differ, and what is done about it here:
- llvm-cov names a condition by the whole of its text, we by the place that the debug information gives (usually the
  operator). A branch of ours belongs to the smallest region of llvm-cov's that holds its place.
- llvm-cov lists conditions that are constant; they have no branches in our map, so regions without one are left out.
  But there must not be more conditions that went both ways than we have.
- `case` labels: llvm-cov counts `default` as one more case, for us it is the false side of all the others; a range of
  values is one case for it, and several or a comparison for us. So cases are compared as the lines whose label was
  reached from the switch.
- A program that dies writes no profile, so only inputs on which it ends by itself are used.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from collection import PATIENCE, PROGRAMS
from untaken.build.driver import build_program
from untaken.build.front_end import INCLUDE
from untaken.build.program_map import read_program_map
from untaken.build.toolchain import Kind, front_end
from untaken.execute.session import Session, Settings
from untaken.model.input import Source, SourceKind
from untaken.model.path import ExitKind
from untaken.model.program import BranchKind, ProgramMap

EXAMPLES = Path(__file__).parent.parent / "examples"
NATIVE = Path(INCLUDE).parent / "native.c"
INPUTS = 40
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
    if compiler.kind is Kind.ZIG or profdata is None or cov is None:
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


pytestmark = pytest.mark.skipif(tools() is None, reason="needs clang with llvm-cov and llvm-profdata of its version")


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
        if "LLVMFuzzerTestOneInput(" not in text and "--file" not in text and "--arg " not in text:
            found.append(Subject(source, int(stated[1]) if stated else 0))
    control = [*sorted(PROGRAMS.glob("switch_*.c")), PROGRAMS / "logical.c", PROGRAMS / "conditional.c"]
    return found + [Subject(source, 64) for source in [*control, PROGRAMS / "goto_maze.c", PROGRAMS / "loops.c"]]


def inputs(subject: Subject) -> Iterator[bytes]:
    """Text that is nearly right now and then, and noise."""
    rng = random.Random(subject.source.stem)
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
    with Session(program, Settings(sources=sources, timeout=PATIENCE)) as session:
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
    subprocess.run([*using.clang, "-w", "-c", str(NATIVE), "-o", str(native)], check=True)
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


def region_of(place: Place, regions: list[Region]) -> Region | None:
    holding = [region for region in regions if region.start <= place <= region.end]
    return min(holding, key=lambda region: region.extent, default=None)


def compared_conditions(
    program_map: ProgramMap, taken: set[int], regions: dict[str, list[Region]]
) -> Iterator[tuple[str, Sides, Sides | None]]:
    """For each condition of ours that is no case: where it is, what we saw of it, and what llvm-cov did."""
    for branch in program_map:
        if not branch.side or branch.kind is BranchKind.CASE:
            continue
        name = program_map.functions[branch.function].name
        region = region_of((branch.location.line, branch.location.column), regions.get(name, []))
        ours = branch.id in taken, branch.id ^ 1 in taken
        yield f"{name} {branch.location}", ours, region.taken if region else None


def our_cases(program_map: ProgramMap, taken: set[int]) -> set[int]:
    """Lines of the case labels that were reached."""
    cases = [branch for branch in program_map if branch.kind is BranchKind.CASE and branch.side]
    return {branch.location.line for branch in cases if branch.id in taken}


def llvm_cases(source: Path, regions: dict[str, list[Region]]) -> set[int]:
    lines = source.read_text().splitlines()
    return {
        region.start[0]
        for found in regions.values()
        for region in found
        if region.taken[0] and lines[region.start[0] - 1][region.start[1] - 1 :].startswith("case ")
    }


@pytest.mark.parametrize("subject", subjects(), ids=str)
def test_same_branches(subject: Subject, tmp_path: Path) -> None:
    using = tools()
    assert using is not None
    source, program = preprocessed(subject, tmp_path), tmp_path / "instrumented"
    build_program([source], program, ["-w", "-lm"])
    program_map = read_program_map(program)
    taken, usable = our_coverage(subject, program, list(inputs(subject)))
    assert usable, "the program never ends by itself"
    regions = llvm_regions(profiles(subject, source, usable, tmp_path, using), tmp_path, using)
    compared = list(compared_conditions(program_map, taken, regions))
    assert [entry for entry in compared if entry[1] != entry[2]] == []
    assert our_cases(program_map, taken) == llvm_cases(source, regions)
    both_ways = sum(region.taken == (True, True) for found in regions.values() for region in found)
    assert len(program_map.branches) // 2 >= both_ways, "llvm-cov saw more conditions go both ways than we have"
