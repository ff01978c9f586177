"""Files that untaken reads: seeds, heuristics, campaign folders, program maps."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from elftools.elf.elffile import ELFFile

from benchmarks.malforming.desk import KEPT, Desk
from benchmarks.soaking.commands import Said, forked
from benchmarks.soaking.mutations import BYTES, mutate
from benchmarks.soaking.outcomes import SoakTrial
from benchmarks.soaking.processes import processes_left

SEEDS_TOGETHER = 20  # in one folder; each counts
SHORT_RUN = ["--iterations", "2", "--time", "5", "--quiet"]
INPUTS: tuple[list[str], ...] = (["--stdin", "8"], ["--file", "a=8"], ["--arg", "3"], [])
MAP_SECTIONS = ("untaken_map", "untaken_ids", "untaken_globals", ".untaken.link")
FORMATS = "dict files testcomp ktest junit sarif script c".split()
# Names of files as only programs make them.
NAMES = (
    "a\nb",
    "-o",
    "--out",
    b"\xff\xfe".decode(errors="surrogateescape"),
    "é",
    "x" * 255,
    "a b",
    "%n",
    ".hidden",
    "id:0,src",
)


def seeds(desk: Desk, random: Random, most: int) -> Iterator[SoakTrial]:
    """Folders of seeds: of any size, name and kind of file; dictionaries too."""
    folder = desk.folder
    for number in range(0, most, SEEDS_TOGETHER):
        place = folder / "given"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        for each in range(SEEDS_TOGETHER):
            one_seed(place, each, random)
        words = _run(folder, random.choice(INPUTS), ["--seeds", str(place)])
        if random.random() < 0.3:
            (folder / "words.dict").write_bytes(dictionary(random))
            words += ["--dict", str(folder / "words.dict")]
        yield from [_tried("seeds", f"folder {number // SEEDS_TOGETHER}", forked(words), desk)] * SEEDS_TOGETHER


def one_seed(place: Path, number: int, random: Random) -> None:
    """A file that may be anything."""
    path = place / (random.choice(NAMES) if random.random() < 0.2 else f"seed{number}")
    if os.path.lexists(path):
        return
    match random.randrange(14):
        case 0:
            os.mkfifo(path)
        case 1:
            path.symlink_to(random.choice(("nowhere", path.name, "/dev/zero", "/dev/tty", "..", "/proc/self/mem")))
        case 2:
            path.mkdir()
            (path / "inner").write_bytes(b"x")
        case 3:
            with path.open("wb") as file:
                file.truncate(random.choice((1 << 20, 1 << 31, 1 << 40)))
        case 4:
            path.write_bytes(b"x")
            path.chmod(0)
        case 5:
            with socket.socket(socket.AF_UNIX) as made, suppress(OSError):
                made.bind(str(path))
        case _:
            size = random.choice((0, 1, 3, 4, 5, 8, 9, 100, 65536))
            path.write_bytes(
                random.choice((random.randbytes(size), b"\xff" * size, b"\0" * size, b"stop" * (size // 4)))
            )


def dictionary(random: Random) -> bytes:
    """A dictionary as fuzzers have them, with something wrong in it."""
    parts = (
        'word="stop"',
        '"\\x41\\xg"',
        'a="',
        '="x"',
        "# only words",
        'x@9="y"',
        "\\",
        '"' + "a" * 9000 + '"',
        "\0",
        '"\\',
        'é="é"',
    )
    return "\n".join(random.choices(parts, k=random.randrange(8))).encode() + random.randbytes(random.choice((0, 0, 9)))


def heuristics(desk: Desk, random: Random, most: int) -> Iterator[SoakTrial]:
    """Files of weights."""
    folder = desk.folder
    torn = folder / "torn.json"
    for _ in range(most):
        shutil.copy(folder / "weights.json", torn)
        how = mutate(torn, random)
        words = _run(folder, INPUTS[0], ["--strategy", "parametric", "--heuristic", str(torn)])
        words = ["tune", "--explain", str(torn)] if random.random() < 0.3 else words
        yield _tried("heuristics", f"{how}, untaken {words[0]}", forked(words), desk)


def campaign_folders(desk: Desk, random: Random, most: int) -> Iterator[SoakTrial]:
    """One file of a campaign's folder is torn, gone, or no file; then a command reads it or goes on."""
    folder = desk.folder
    out = folder / KEPT
    whole = folder / "whole"
    shutil.copytree(out, whole)
    again = ["run", str(folder / "program.c"), *SHORT_RUN, "--out", str(out)]
    for _ in range(most):
        shutil.rmtree(out)
        shutil.copytree(whole, out)
        file = random.choice(sorted(path for path in out.rglob("*") if path.is_file() and path.name != "report.html"))
        how = replaced(file, random) if random.random() < 0.2 else mutate(file, random)
        read = [[name, str(out)] for name in ("report", "status", "doctor", "replay")]
        exports = [["export", str(out), "--format", name, "--out", str(folder / "exported")] for name in FORMATS]
        baseline = [*_run(folder, INPUTS[0], ["--baseline", str(out)])]
        words = random.choice([*read, [*read[2], "--repair"], random.choice(exports), again, baseline])
        what = f"{file.relative_to(out)} ({how}), untaken {words[0]}"
        yield _tried("campaign folders", what, forked(words), desk, file)
        shutil.rmtree(folder / "exported", ignore_errors=True)
    shutil.rmtree(out)
    whole.rename(out)


def replaced(file: Path, random: Random) -> str:
    """Something else where a file was."""
    file.unlink()
    match random.randrange(4):
        case 0:
            return "gone"
        case 1:
            file.mkdir()
            return "a folder"
        case 2:
            file.symlink_to(random.choice(("nowhere", file.name, "/dev/zero", "..")))
            return "a link"
        case _:
            os.mkfifo(file)
            return "a pipe"


def program_maps(desk: Desk, random: Random, most: int) -> Iterator[SoakTrial]:
    """What of ours is inside a program: its map, its ids, its objects, how it was linked."""
    folder = desk.folder
    built, torn = folder / "built", folder / "torn-program"
    with built.open("rb") as file:
        found = [ELFFile(file).get_section_by_name(name) for name in MAP_SECTIONS]
        places = [(each["sh_offset"], each["sh_size"], each.name) for each in found if each is not None]
    data = built.read_bytes()
    for _ in range(most):
        start, size, name = random.choice([places[0], places[0], *places])
        change: Callable[[bytes, Random], bytes] = random.choice(BYTES)
        changed = change(data[start : start + size], random)[:size].ljust(size, random.choice((b"\0", b"\xff")))
        torn.write_bytes(data[:start] + changed + data[start + size :])
        torn.chmod(0o755)
        words = _run(folder, INPUTS[0], [], torn)
        yield _tried("program maps", f"{name} ({change.__name__})", forked(words), desk)


def _run(folder: Path, inputs: list[str], options: list[str], program: Path | None = None) -> list[str]:
    shutil.rmtree(folder / "new", ignore_errors=True)
    return ["run", str(program or folder / "built"), *inputs, *options, *SHORT_RUN, "--out", str(folder / "new")]


def _tried(part: str, what: str, said: Said, desk: Desk, but: Path | None = None) -> SoakTrial:
    fault = said.fault or processes_left() or desk.lost(but)
    return SoakTrial(part, what, f"exit {said.code}", fault)
