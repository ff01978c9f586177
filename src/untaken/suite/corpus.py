"""The part of an output folder that people and other tools read: tests, crashes, and what the campaign was.

    campaign.json            program, sources, cflags, arguments, declared inputs, strategy, seed, version: see Recipe
    tests/NNNNNN.bin         the input, raw: its fields in order of use; past its end everything reads as zero
    tests/NNNNNN.json        what is in it and what it was first to cover:
        number, iteration, bytes
        fields    [{name, kind, offset, size, value}]; kind is a name of model.input.FieldKind in lower case; value is
                  a number, true/false, or text with escapes as in C; of a stdin or file field only what is there
        exit      {kind, code, message}; kind is a name of model.path.ExitKind in lower case
                  "assume": the test fails an assumption of the program, and covers nothing
        covers    [{branch, function, at, side}]; at is FILE:LINE:COLUMN
        takes     the same, only where the test fails an assumption: branches that no other test takes
        finding   the name of the folder under crashes/ or unconfirmed/ if this test was the first to show it, else null
    crashes/NNNN-KIND/input.bin     the shortest input known to show the finding
    crashes/NNNN-KIND/finding.json  see findings.py
    unconfirmed/NNNN-KIND/          the same for what was seen only while exploring

Each file is written under another name and then renamed, so that it is whole or not there. Nothing in tests/ or
crashes/ depends on time or place: the same seed and iteration budget give the same bytes.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path as FilePath
from typing import Any

from untaken import __version__
from untaken.atomic_files import UNFINISHED, replace_file
from untaken.errors import CampaignError
from untaken.given_files import read_whole
from untaken.model.input import Source
from untaken.model.path import Exit, Path
from untaken.model.program import BranchId, ProgramMap
from untaken.suite.fields import canonical_input, described_fields
from untaken.suite.links import check_inside
from untaken.suite.records import RecipeRecord, SavedTestRecord, fault_of_finding, read_record

TESTS = "tests"
CRASHES = "crashes"
UNCONFIRMED = "unconfirmed"
RECIPE = "campaign.json"
INPUT = "input.bin"
RENEWED = "remove it and its input, or run again"  # what helps with a test that cannot be read


@dataclass(frozen=True, slots=True)
class Recipe:
    """campaign.json: all that is needed to build and run the program again."""

    program: str
    sources: tuple[str, ...]
    cflags: tuple[str, ...]
    arguments: tuple[str, ...]
    declared: tuple[Source, ...]
    strategy: str
    seed: int
    timeout: float
    directory: str  # where it was started: what relative names mean
    keep_env: tuple[str, ...] = ()  # variables of the environment that the program sees, too
    version: str = __version__

    def as_json(self) -> dict[str, Any]:
        declared = [{**asdict(source), "kind": source.kind.name.lower()} for source in self.declared]
        return {**asdict(self), "declared": declared}

    @classmethod
    def read(cls, folder: FilePath) -> Recipe:
        """The recipe of the campaign in an output folder."""
        if not folder.is_dir():
            what = "is no folder" if folder.exists() else "holds no campaign"
            raise CampaignError(f"{folder} {what}: name the --out folder of an `untaken run`")
        check_inside(folder)
        if not (folder / RECIPE).exists():
            raise CampaignError(f"{folder} holds no campaign: name the --out folder of an `untaken run`")
        known = read_record(folder / RECIPE, RecipeRecord, "the same `untaken run` renews it")
        content = {each.name: getattr(known, each.name) for each in fields(known)}
        return cls(**{**content, "declared": tuple(source.source() for source in known.declared)})


class Corpus:
    """Writes tests and crashes into an output folder."""

    def __init__(self, folder: FilePath, program: ProgramMap) -> None:
        self.folder = folder
        self._program = program
        with told(folder):
            for name in (TESTS, CRASHES):
                (folder / name).mkdir(parents=True, exist_ok=True)
                for left in (folder / name).rglob(UNFINISHED):
                    left.unlink()  # of a run that was killed while it wrote

    def write_recipe(self, recipe: Recipe) -> None:
        write_json(self.folder / RECIPE, recipe.as_json())

    def test_numbers(self) -> list[int]:
        """Of the tests that are there, in order."""
        return sorted(int(path.stem) for path in (self.folder / TESTS).glob("*.bin") if path.stem.isdecimal())

    def read_test(self, number: int) -> bytes:
        with told(self.folder):
            return read_whole(self.test_file(number))

    def test_file(self, number: int) -> FilePath:
        return self.folder / TESTS / f"{number:06}.bin"

    def write_test(self, number: int, path: Path, about: dict[str, Any]) -> None:
        """`about` says iteration, covers and finding, and of a test that fails an assumption what it takes."""
        input = canonical_input(path)
        description = {
            "number": number,
            "iteration": about["iteration"],
            "bytes": len(input),
            "fields": described_fields(path),
            "exit": described_exit(path.exit),
            "covers": about["covers"],
            **({"takes": about["takes"]} if "takes" in about else {}),
            "finding": about["finding"],
        }
        # The description first: where a .bin is, its .json is too.
        write_description(self.test_file(number).with_suffix(".json"), description)
        write_file(self.test_file(number), input)

    def exit_of(self, number: int) -> str:
        """How a kept test ends, in one word."""
        return self._description(number).exit.kind

    def rewrite_test(self, number: int, path: Path) -> None:
        """The same test with a shorter input."""
        known = self._description(number)
        takes = {} if known.takes is None else {"takes": [asdict(branch) for branch in known.takes]}
        covers = [asdict(branch) for branch in known.covers]
        about = {"iteration": known.iteration, "covers": covers, **takes, "finding": known.finding}
        self.write_test(number, path, about)

    def _description(self, number: int) -> SavedTestRecord:
        return read_record(self.test_file(number).with_suffix(".json"), SavedTestRecord, RENEWED)

    def write_finding(self, name: str, path: Path, about: dict[str, Any], *, confirmed: bool) -> None:
        """A new finding, or a shorter input for an old one, or one that was confirmed since."""
        here, there = (CRASHES, UNCONFIRMED) if confirmed else (UNCONFIRMED, CRASHES)
        folder = self.folder / here / name
        with told(self.folder):
            folder.mkdir(parents=True, exist_ok=True)
        write_file(folder / INPUT, canonical_input(path))
        write_description(folder / "finding.json", {**about, "fields": described_fields(path)})
        shutil.rmtree(self.folder / there / name, ignore_errors=True)
        with suppress(OSError):  # most campaigns have nothing unconfirmed
            (self.folder / UNCONFIRMED).rmdir()

    def finding_names(self) -> set[str]:
        """Of all folders that hold the input of a finding."""
        return {path.parent.name for kind in (CRASHES, UNCONFIRMED) for path in (self.folder / kind).glob(f"*/{INPUT}")}

    def fault_of_finding(self, name: str) -> str | None:
        """What is wrong with the description of a finding, if anything is."""
        places = [self.folder / kind / name / INPUT for kind in (CRASHES, UNCONFIRMED)]
        return next((fault_of_finding(place) for place in places if place.exists()), None)

    def crash_input(self, name: str) -> bytes | None:
        for folder in (CRASHES, UNCONFIRMED):
            with suppress(FileNotFoundError):
                return read_whole(self.folder / folder / name / INPUT)
        return None

    def covers(self, branches: Iterable[int]) -> list[dict[str, Any]]:
        """Branches as a reader wants them."""
        found = [self._program.branches[BranchId(int(branch))] for branch in branches]
        return [
            {
                "branch": int(branch.id),
                "function": self._program.functions[branch.function].name,
                "at": str(branch.location),
                "side": branch.side,
            }
            for branch in found
        ]


@contextmanager
def told(folder: FilePath) -> Iterator[None]:
    """Turns what the file system says into a sentence."""
    try:
        yield
    except OSError as error:
        raise CampaignError(f"cannot use {folder} as --out: {error.filename}: {error.strerror}") from error


def described_exit(exit: Exit) -> dict[str, Any]:
    return {"kind": exit.kind.name.lower(), "code": exit.code, "message": exit.message}


def write_json(path: FilePath, value: Any) -> None:
    write_file(path, (json.dumps(value, indent=1) + "\n").encode())


def write_description(path: FilePath, about: dict[str, Any]) -> None:
    """One line a member, and in lists one a record: there may be tens of thousands."""
    lines = ",\n".join(f" {json.dumps(name)}: {_described(value)}" for name, value in about.items())
    write_file(path, f"{{\n{lines}\n}}\n".encode())


def _described(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return json.dumps(value)
    return "[\n" + ",\n".join(f"  {json.dumps(record)}" for record in value) + "\n ]"


def write_file(path: FilePath, data: bytes) -> None:
    """Whole or not at all."""
    try:
        replace_file(path, data)
    except OSError as error:
        raise CampaignError(f"cannot write {path}: {error.strerror}; what was written before is kept") from error
