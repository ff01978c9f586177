"""A campaign's tests, read back from its folder: what replays and exports work on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from untaken.errors import CampaignError, UsageError
from untaken.execute.arguments import numbered
from untaken.given_files import read_whole
from untaken.json_records import DamagedRecord
from untaken.model.input import Field, Source
from untaken.model.path import Exit, ExitKind
from untaken.suite.corpus import CRASHES, INPUT, RENEWED, TESTS, UNCONFIRMED, Recipe
from untaken.suite.delivery import field_bytes, process_choices
from untaken.suite.records import FindingDescription, SavedTestRecord, read_fields, read_record
from untaken.suite.trust import Trust, is_own


@dataclass(frozen=True, slots=True)
class CrashPlace:
    """What goes wrong in a crash, and where: as finding.json says."""

    kind: str
    what: str
    frames: tuple[str, ...]  # innermost first, "FUNCTION (FILE:LINE)"
    confirmed_on: str = ""  # the program that showed it in a run of its own, in words
    shows: str | None = None  # and what it showed


@dataclass(frozen=True, slots=True)
class SavedTest:
    """One test or crash. `covers` are the branches that it was first to cover; `place` is given for crashes."""

    name: str
    file: Path
    input: bytes
    fields: tuple[Field, ...]
    exit: Exit
    covers: tuple[int, ...] = ()
    place: CrashPlace | None = None
    finding: str | None = None  # the name of the crash that this test shows, too
    unconfirmed: bool = False  # a crash that was seen only while exploring

    @property
    def is_of_child(self) -> bool:
        """Whether its trace is that of a process that the program forked."""
        return any(any(field_bytes(self.input, field)) for field in process_choices(self.fields))

    @property
    def fails_assumption(self) -> bool:
        """It is no test of what the program does, but takes branches that no other takes."""
        return self.exit.kind is ExitKind.ASSUME


@dataclass(frozen=True, slots=True)
class Suite:
    """All tests of a campaign, then its crashes, and what is needed to run them again."""

    folder: Path
    recipe: Recipe
    tests: tuple[SavedTest, ...]
    unconfirmed: tuple[SavedTest, ...] = ()  # crashes that were seen only while exploring
    trust: Trust = Trust.USER

    @property
    def proper_tests(self) -> tuple[SavedTest, ...]:
        """Without those that fail an assumption of the program."""
        return tuple(test for test in self.tests if not test.fails_assumption)

    @property
    def declared(self) -> tuple[Source, ...]:
        """The declared inputs, each argument with its position."""
        return numbered(self.recipe.declared, self.recipe.arguments)

    @property
    def directory(self) -> Path:
        """Where the program ran, and what relative names mean."""
        return Path(self.recipe.directory)

    @property
    def program(self) -> Path:
        return self.directory / self.recipe.program

    @property
    def sources(self) -> tuple[Path, ...]:
        return tuple(self.directory / source for source in self.recipe.sources)


def read_suite(folder: Path, *, trusted: bool = False) -> Suite:
    """All tests and findings of an output folder; `trusted`: whoever wrote it."""
    recipe = Recipe.read(folder)
    if not Path(recipe.directory).is_dir():
        raise CampaignError(f"{recipe.directory}, where the campaign in {folder} was started, is gone")
    folder = folder.resolve()
    tests = (*_tests(folder), *_crashes(folder / CRASHES))
    trust = Trust.EVERYBODY if trusted else Trust.USER if is_own(recipe) else Trust.NOBODY
    return Suite(folder, recipe, tests, tuple(_crashes(folder / UNCONFIRMED)), trust)


def selected(suite: Suite, name: str) -> SavedTest:
    """A test by its number, its name, or a file or folder of it, as people type or paste it."""
    for test in (*suite.tests, *suite.unconfirmed):
        if name in _names(suite, test) or Path(name).resolve() in _paths(test):
            return test
    raise UsageError(f"{suite.folder} has no test {name}: see {suite.folder / TESTS} and {suite.folder / CRASHES}")


def _names(suite: Suite, test: SavedTest) -> set[str]:
    relative = {path.relative_to(suite.folder).as_posix() for path in _paths(test)}
    return {test.name, test.name.lstrip("0"), *relative, *(name.removesuffix(".bin") for name in relative)}


def _paths(test: SavedTest) -> set[Path]:
    file = test.file.resolve()
    return {file, file.parent} if test.place else {file, file.with_suffix(".json")}


def _tests(folder: Path) -> Iterator[SavedTest]:
    for file in sorted((folder / TESTS).glob("*.bin")):
        if file.stem.isdecimal():
            description = file.with_suffix(".json")
            about = read_record(description, SavedTestRecord, RENEWED)
            with _readable(description):
                covers = tuple(entry.branch for entry in about.covers)
                fields = read_fields(about.fields)
                test = SavedTest(file.stem, file, read_whole(file), fields, about.exit.exit(), covers)
            yield replace(test, finding=about.finding)


def _crashes(folder: Path) -> Iterator[SavedTest]:
    for file in sorted(folder.glob(f"*/{INPUT}")):
        description = file.with_name("finding.json")
        about = read_record(description, FindingDescription, RENEWED)
        frames = tuple(f"{frame.function} ({frame.file}:{frame.line})" for frame in about.frames)
        place = CrashPlace(about.kind, about.what, frames, about.confirmed_on, about.shows)
        with _readable(description):
            fields = read_fields(about.fields)
            test = SavedTest(file.parent.name, file, read_whole(file), fields, about.exit.exit(), place=place)
        yield replace(test, unconfirmed=folder.name == UNCONFIRMED)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """What is in a description may mean nothing, and its input may be gone."""
    try:
        yield
    except (OSError, DamagedRecord) as error:
        raise CampaignError(f"{path} cannot be read ({error}): {RENEWED}") from None
