"""What of a campaign's folder is damaged, what can be saved, and how: for `untaken doctor DIR`.

A campaign that goes on renews by itself what follows from its tests and its database: descriptions, the timeline, the
summary. What it cannot go on from is repaired here. Nothing is thrown away: a damaged file is set aside.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from untaken.campaign.folder.store import DATABASE, DamagedStore, Store
from untaken.errors import CampaignError
from untaken.given_files import read_whole
from untaken.json_records import DamagedRecord, decoded
from untaken.suite.corpus import CRASHES, INPUT, RECIPE, TESTS, UNCONFIRMED, write_json
from untaken.suite.links import check_inside
from untaken.suite.records import RecipeRecord, fault_of_finding, fault_of_test

SUMMARY = "summary.json"
RENEWED = "the next `untaken run` in this folder writes it anew"
FOUND_AGAIN = "the next `untaken run` in this folder looks for what it showed"
NO_TESTS_LOST = "tests and findings are kept, and counts begin anew"


@dataclass(frozen=True, slots=True)
class DamagedFile:
    """One file, what is wrong with it, what becomes of it; `repairable`: --repair does that."""

    path: Path
    what: str
    saved: str
    repairable: bool = False


def examined(folder: Path) -> list[DamagedFile]:
    """All that is damaged, in a folder that is a campaign's."""
    if not any((folder / name).exists() for name in (RECIPE, DATABASE, TESTS)):
        raise CampaignError(f"{folder} holds no campaign: name the --out folder of an `untaken run`")
    check_inside(folder)
    described = [*_tests(folder), *_findings(folder)]
    return [*_database(folder), *_recipe(folder), *_lost(folder), *described, *_summary(folder)]


def repaired(folder: Path) -> list[str]:
    """Saves what can be saved; what was done, a sentence each."""
    return [_repair(folder, each) for each in examined(folder) if each.repairable]


def _repair(folder: Path, damaged: DamagedFile) -> str:
    if damaged.path.name == RECIPE:
        write_json(damaged.path, _settings(folder))
        return f"{damaged.path} was written anew from the database"
    names = [f"{DATABASE}{ending}" for ending in ("", "-wal", "-shm", "-journal")]
    places = [set_aside(folder / name) for name in names if (folder / name).exists()]
    return f"{damaged.path} is {places[0]} now: the next `untaken run` makes a new one of the tests and findings"


def set_aside(path: Path) -> Path:
    """Under the first name that is free."""
    numbered = (path.with_name(f"{path.name}.damaged.{number}") for number in count(1))
    try:
        return path.rename(next(each for each in numbered if not each.exists()))
    except OSError as error:
        raise CampaignError(f"cannot set {path} aside: {error.strerror}") from error


# ---- one kind of file after the other


def _database(folder: Path) -> Iterator[DamagedFile]:
    path = folder / DATABASE
    if not _has_database(folder):
        yield DamagedFile(path, "is empty" if path.exists() else "is missing", f"{RENEWED}: {NO_TESTS_LOST}")
        return
    try:
        with closing(Store(folder)) as store:
            store.check()
    except DamagedStore as error:
        saved = f"--repair sets it aside: {NO_TESTS_LOST}"
        yield DamagedFile(path, f"cannot be used ({error.what})", saved, repairable=True)


def _has_database(folder: Path) -> bool:
    """An empty file is none: to open it would make a new one of it, and what was lost would not be said."""
    path = folder / DATABASE
    return path.exists() and path.stat().st_size > 0


def _recipe(folder: Path) -> Iterator[DamagedFile]:
    path = folder / RECIPE
    try:
        decoded(read_whole(path), RecipeRecord)
    except (OSError, DamagedRecord) as error:
        known = _settings(folder) is not None
        saved = "--repair writes it anew from the database" if known else RENEWED
        yield DamagedFile(path, _said(error), saved, repairable=known)


def _settings(folder: Path) -> object | None:
    """What the database knows of campaign.json."""
    if not _has_database(folder):
        return None
    try:
        with closing(Store(folder)) as store:
            known: object = store.raw("settings", RecipeRecord)
            return known
    except (DamagedStore, DamagedRecord):
        return None


def _lost(folder: Path) -> Iterator[DamagedFile]:
    """Tests and findings that the database knows, and whose files are not there."""
    if not _has_database(folder):
        return
    try:
        with closing(Store(folder)) as store:
            tests = [folder / TESTS / f"{number:06}.bin" for number in store.test_numbers()]
            findings = [finding.name for finding in store.findings().values()]
    except DamagedStore:
        return
    inputs = [(kind, name) for kind in (CRASHES, UNCONFIRMED) for name in findings]
    there = {name for kind, name in inputs if (folder / kind / name / INPUT).exists()}
    lost = [path for path in tests if not path.exists()]
    if lost and not (folder / TESTS).exists():
        yield DamagedFile(folder / TESTS, f"is missing, with the tests that were in it: {len(lost)}", FOUND_AGAIN)
    else:
        yield from (DamagedFile(path, "is missing", FOUND_AGAIN) for path in lost)
    yield from (
        DamagedFile(folder / CRASHES / name / INPUT, "is missing", FOUND_AGAIN)
        for name in findings
        if name not in there
    )


def _tests(folder: Path) -> Iterator[DamagedFile]:
    for path in sorted((folder / TESTS).glob("*.bin")):
        if path.stem.isdecimal() and (what := fault_of_test(path)) is not None:
            yield DamagedFile(path.with_suffix(".json"), what, f"the input is kept; {RENEWED}")


def _findings(folder: Path) -> Iterator[DamagedFile]:
    for kind in (CRASHES, UNCONFIRMED):
        for path in sorted((folder / kind).glob(f"*/{INPUT}")):
            if (what := fault_of_finding(path)) is not None:
                yield DamagedFile(path.with_name("finding.json"), what, f"the input is kept; {RENEWED}")


def _summary(folder: Path) -> Iterator[DamagedFile]:
    path = folder / SUMMARY
    if path.exists():
        try:
            decoded(read_whole(path), dict[str, object])
        except (OSError, DamagedRecord) as error:
            yield DamagedFile(path, _said(error), RENEWED)


def _said(error: Exception) -> str:
    return f"cannot be read ({error.strerror if isinstance(error, OSError) else error})"
