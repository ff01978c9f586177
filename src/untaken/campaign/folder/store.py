"""The book-keeping of a campaign: one SQLite file in the output folder, so that a second run can go on from there.

    campaign.sqlite
        meta      key, value (JSON): format, digest of the program, settings, totals (see rows.py), obstacles
                  (see `Obstacles.as_json`), and after how many inputs runs without end are cut
        tests     number, iteration, seconds, exit, covers (branch ids, JSON), finding
        findings  name, place, data (JSON, as in finding.json), live, nonzero, times, gone
        passed    number of a test, ids that it passes (see passed_ids.py)
        timeline  iteration, seconds, branches

The files under tests/ and crashes/ (see suite/corpus.py) are written before their rows, each row in a transaction of
its own: whatever kills us, at most the test being written is lost. A lock on the folder keeps a second campaign out.
"""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from untaken.campaign.folder.passed_ids import check_packed
from untaken.campaign.folder.rows import FindingRow, InputCount, ObstaclesRecord, Totals
from untaken.errors import CampaignError
from untaken.json_records import AnyRecord, checked, checked_json, decoded
from untaken.suite.findings import Finding

DATABASE = "campaign.sqlite"
LOCK = ".lock"
OBSTACLES = "obstacles"  # a key of meta
_ENDLESS_INPUTS = "endless_inputs"  # another
FORMAT = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tests (
    number INTEGER PRIMARY KEY, iteration INTEGER, seconds REAL, exit TEXT, covers TEXT, finding TEXT);
CREATE TABLE IF NOT EXISTS findings (
    name TEXT PRIMARY KEY, place TEXT, data TEXT, live INTEGER, nonzero INTEGER, times INTEGER, gone INTEGER);
CREATE TABLE IF NOT EXISTS passed (number INTEGER PRIMARY KEY, ids BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS timeline (iteration INTEGER, seconds REAL, branches INTEGER);
"""
LATEST = """SELECT max(iteration), max(seconds) FROM (
    SELECT iteration, seconds FROM tests UNION ALL SELECT iteration, seconds FROM timeline)"""


class Store:
    """The database of one output folder, and the lock on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = lock(folder)
        try:
            self._open(folder / DATABASE)
        except BaseException:
            os.close(self._lock)
            raise

    def _open(self, path: Path) -> None:
        with told(path):
            self._connection = sqlite3.connect(path, isolation_level=None)
            self._connection.execute("PRAGMA trusted_schema = OFF")
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(SCHEMA)
            check_schema(self._connection)
            known = self.get("format", int, FORMAT)
        if known != FORMAT:
            raise CampaignError(f"{self.folder} was written by another version of untaken: choose another --out")
        self.set("format", FORMAT)

    def check(self) -> None:
        """Reads all there is: whatever is damaged is told as with any other reading."""
        with told(self.folder / DATABASE):
            ((said,),) = self._connection.execute("PRAGMA quick_check(1)").fetchall()
            if said != "ok":
                raise ValueError(said)
            self.raw(OBSTACLES, ObstaclesRecord)
            for ids in self.passed().values():
                check_packed(ids)
        self.covered(), self.findings(), self.timeline(), self.totals, self.test_numbers(), self.endless_inputs

    def close(self) -> None:
        with told(self.folder / DATABASE):
            self._connection.close()
        os.close(self._lock)

    def get(self, key: str, kind: type[AnyRecord], default: AnyRecord) -> AnyRecord:
        """What meta has under a key, checked; `default` if that was never written."""
        with told(self.folder / DATABASE):
            known = meta(self._connection, key)
            return default if known is None else decoded(known, kind)

    def raw(self, key: str, kind: type[Any]) -> Any:
        """A value of meta that is such a record, with all its fields; None if there is none."""
        with told(self.folder / DATABASE):
            known = meta(self._connection, key)
            return None if known is None else checked_json(known, kind)

    def set(self, key: str, value: Any) -> None:
        self._write("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))

    @property
    def endless_inputs(self) -> int:
        """After how many inputs runs of a program that asks without end are cut; 0: it does not."""
        return self.get(_ENDLESS_INPUTS, InputCount, 0)

    @endless_inputs.setter
    def endless_inputs(self, count: int) -> None:
        self.set(_ENDLESS_INPUTS, count)

    @property
    def totals(self) -> Totals:
        """Counts are written down once a second, rows at once: those of a campaign that was killed may know more."""
        with told(self.folder / DATABASE):
            counted = self.get("totals", Totals, Totals())
            ((iterations, seconds),) = checked(self._all(LATEST), list[tuple[int | None, float | None]])
        counted.iterations = max(counted.iterations, iterations or 0)
        counted.seconds = max(counted.seconds, seconds or 0.0)
        return counted

    @totals.setter
    def totals(self, totals: Totals) -> None:
        self.set("totals", asdict(totals))

    # ---- tests

    def test_numbers(self) -> list[int]:
        return self._numbers("SELECT number FROM tests ORDER BY number")

    def add_test(self, number: int, iteration: int, seconds: float, about: tuple[str, list[int], str | None]) -> None:
        """`about`: how it ended, the branches it was first to cover, the finding it was first to show."""
        exit, covers, finding = about
        row = (number, iteration, round(seconds, 3), exit, json.dumps(covers), finding)
        self._write("INSERT OR REPLACE INTO tests VALUES (?, ?, ?, ?, ?, ?)", row)

    def forget_test(self, number: int) -> None:
        """What is known of a test whose files are gone."""
        self._write("DELETE FROM tests WHERE number = ?", (number,))
        self._write("DELETE FROM passed WHERE number = ?", (number,))

    def set_passed(self, number: int, ids: bytes) -> None:
        """What a test passes, as passed_ids.py packs it."""
        self._write("INSERT OR REPLACE INTO passed VALUES (?, ?)", (number, ids))

    def set_exit(self, number: int, exit: str) -> None:
        """How a test ends now."""
        self._write("UPDATE tests SET exit = ? WHERE number = ?", (exit, number))

    def passed(self) -> dict[int, bytes]:
        """What each test passes, by its number; as passed_ids.py packs it."""
        rows = self._all("SELECT number, ids FROM passed ORDER BY number")
        with told(self.folder / DATABASE):
            return dict(checked(rows, list[tuple[int, bytes]]))

    def tests_ended_by(self, exit: str) -> list[int]:
        """Numbers of the tests that ended so."""
        return self._numbers(f"SELECT number FROM tests WHERE exit = '{exit}' ORDER BY number")

    def findings_of_tests(self) -> dict[int, str]:
        """Names of the findings that tests were first to show."""
        rows = self._all("SELECT number, finding FROM tests WHERE finding IS NOT NULL ORDER BY number")
        with told(self.folder / DATABASE):
            return dict(checked(rows, list[tuple[int, str]]))

    def covered(self) -> frozenset[int]:
        """All branches that a test was first to cover."""
        rows = self._all("SELECT covers FROM tests")
        with told(self.folder / DATABASE):
            return frozenset(branch for (covers,) in rows for branch in decoded(covers, tuple[int, ...]))

    # ---- findings

    def add_finding(self, place: str, finding: Finding) -> None:
        """Also for what changes in one later."""
        row = (finding.name, place, json.dumps(finding.as_json()), *finding.length, finding.times)
        self._write("INSERT OR REPLACE INTO findings VALUES (?, ?, ?, ?, ?, ?, 0)", row)

    def findings(self) -> dict[str, Finding]:
        """By place, in order of discovery; without those that are gone."""
        rows = self._all("SELECT name, place, data, live, nonzero, times FROM findings WHERE NOT gone ORDER BY name")
        with told(self.folder / DATABASE):
            return {row.place: row.finding() for row in checked(rows, list[FindingRow])}

    def finding_names(self) -> frozenset[str]:
        """All that were ever given, also those of findings that are gone."""
        rows = self._all("SELECT name FROM findings")
        with told(self.folder / DATABASE):
            return frozenset(name for (name,) in checked(rows, list[tuple[str]]))

    def finding_count(self) -> int:
        """With those that are gone: their names stay taken."""
        row = self._one("SELECT count(*) FROM findings", ())
        return int(row[0]) if row else 0

    def forget_finding(self, name: str) -> None:
        """It is to be seen again, and written anew."""
        self._write("DELETE FROM findings WHERE name = ?", (name,))

    def forget_findings(self) -> None:
        """The program has changed: what no run shows again is gone."""
        self._write("UPDATE findings SET gone = 1", ())

    # ---- timeline

    def add_time(self, iteration: int, seconds: float, branches: int) -> None:
        self._write("INSERT INTO timeline VALUES (?, ?, ?)", (iteration, round(seconds, 3), branches))

    def timeline(self) -> list[tuple[int, float, int]]:
        rows = self._all("SELECT iteration, seconds, branches FROM timeline ORDER BY rowid")
        with told(self.folder / DATABASE):
            return checked(rows, list[tuple[int, float, int]])

    # ---- SQL

    def _write(self, statement: str, row: tuple[Any, ...]) -> None:
        with told(self.folder / DATABASE):
            self._connection.execute(statement, row)

    def _one(self, statement: str, row: tuple[Any, ...]) -> tuple[Any, ...] | None:
        with told(self.folder / DATABASE):
            found: tuple[Any, ...] | None = self._connection.execute(statement, row).fetchone()
            return found

    def _numbers(self, statement: str) -> list[int]:
        rows = self._all(statement)
        with told(self.folder / DATABASE):
            return [number for (number,) in checked(rows, list[tuple[int]])]

    def _all(self, statement: str) -> list[Any]:
        with told(self.folder / DATABASE):
            return self._connection.execute(statement).fetchall()


class DamagedStore(CampaignError):
    """The database does not hold what we wrote there."""

    def __init__(self, path: Path, what: str) -> None:
        repair = shlex.join(["untaken", "doctor", str(path.parent), "--repair"])
        super().__init__(f"{path} is damaged ({what}): `{repair}` saves what can be saved")
        self.what = what


def lock(folder: Path) -> int:
    """Makes the folder, and sure that no other campaign works in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise CampaignError(f"cannot write to {folder}: {error.strerror}; choose another --out") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise CampaignError(f"another campaign is running in {folder}: wait for it or choose another --out") from None
    return descriptor


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turns what SQLite says into a sentence."""
    try:
        yield
    except (sqlite3.DatabaseError, ValueError, TypeError, LookupError, AttributeError) as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)  # Python's own complaints have none
        if isinstance(error, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR:
            raise CampaignError(f"cannot write {path} ({error}); what was written before is kept") from error
        raise DamagedStore(path, str(error)) from error  # a table or a column that is not there is damage, too


def meta(connection: sqlite3.Connection, key: str) -> str | None:
    """The JSON of a key; a campaign that has just begun has not written all of them."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def check_schema(connection: sqlite3.Connection) -> None:
    """Views and triggers of somebody else would do whatever they like when a row is read or written."""
    strange = connection.execute("SELECT type, name FROM sqlite_master WHERE type IN ('view', 'trigger')").fetchone()
    if strange is not None:
        raise ValueError(f"it has a {strange[0]}, {strange[1]}")
