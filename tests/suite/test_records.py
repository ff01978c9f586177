"""Damaged files of a campaign's folder: one sentence each, whatever is wrong with them."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.commands import campaign, written
from untaken.campaign.folder.resume import resumed
from untaken.campaign.folder.store import DATABASE, Store
from untaken.errors import CampaignError, UsageError
from untaken.execute.target import find_target
from untaken.json_records import DamagedRecord, decoded
from untaken.search.heuristics.features.table import NAMES, VERSION
from untaken.search.heuristics.heuristic import parsed
from untaken.search.heuristics.heuristic_files import of_weights
from untaken.suite.corpus import Corpus
from untaken.suite.records import FieldRecord, RecipeRecord, read_fields
from untaken.suite.tests import read_suite
from untaken.trials.trial import Growth, Trial, read_trial, write_trial

PROGRAM = """
#include <untaken.h>
#include <stdlib.h>
int main(void) {
    int number;
    untaken_int(&number);
    if (number == 77) abort();
    return number > 3;
}
"""
WRONG: tuple[Any, ...] = (None, 7, -1, 1.5, True, "x", "\ud800", [], [3], {}, {"x": 1})


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    campaign(written(folder, PROGRAM), "--strategy", "dfs", "--out", folder / "out")
    assert list((folder / "out" / "crashes").iterdir())
    return folder


def damaged(known: Any) -> Iterator[Any]:
    """The value with each of its parts left out, and with each put in the place of something else."""
    yield from WRONG
    parts = list(known.items()) if isinstance(known, dict) else list(enumerate(known)) if known else []
    for key, part in parts if isinstance(known, dict | list) else []:
        if isinstance(known, dict):
            yield {name: value for name, value in known.items() if name != key}
        for other in damaged(part) if isinstance(part, dict | list) else WRONG:
            copy = known.copy()
            copy[key] = other
            yield copy


def check_all(file: Path, read: Callable[[], object]) -> int:
    """However the file is damaged, it is read, or one sentence says where it lies; how many of these."""
    good = file.read_bytes()
    refused = 0
    values = [json.dumps(value).encode() for value in damaged(json.loads(good))]
    for data in (*values, b"", b"{", b"\xff\xfe", b"[" * 100_000, good[: len(good) // 2]):
        file.write_bytes(data)
        try:
            read()
        except CampaignError as error:
            refused += 1
            said = str(error).replace(str(file.parent), "HERE").replace(str(file.parents[2]), "HERE")
            assert "HERE" in said and "\n" not in said
        finally:
            file.write_bytes(good)
    read()
    return refused


@pytest.mark.parametrize("name", ["campaign.json", "tests/000001.json", "crashes/*/finding.json"])
def test_damaged_descriptions(finished: Path, name: str) -> None:
    (file,) = (finished / "out").glob(name)
    assert check_all(file, lambda: read_suite(finished / "out")) > 50


@pytest.mark.parametrize(("field", "value"), [("size", 2**62), ("size", 1e30), ("timeout", 2**62), ("timeout", 1e308)])
def test_numbers_that_no_campaign_writes(finished: Path, tmp_path: Path, field: str, value: float) -> None:
    out = shutil.copytree(finished / "out", tmp_path / "out")
    recipe = json.loads((out / "campaign.json").read_text())
    recipe["declared"] = [{"kind": "stdin", "size": 1, field: value}]
    (out / "campaign.json").write_text(json.dumps({**recipe, **({field: value} if field in recipe else {})}))
    with pytest.raises(CampaignError, match=rf"{out}.*at `\$.*{field}"):
        read_suite(out)


def test_damaged_trials(tmp_path: Path) -> None:
    trial = Trial("dfs", 1, 2, 3, 4.0, "iterations", 5, (1, 2), {"f": 1}, (Growth(1, 0.5, 2),), 6, 7.0, 8, 9)
    write_trial(tmp_path / "dfs.1.json", trial)
    assert read_trial(tmp_path / "dfs.1.json") == trial
    assert check_all(tmp_path / "dfs.1.json", lambda: read_trial(tmp_path / "dfs.1.json")) > 50


def test_damaged_heuristics() -> None:
    known = of_weights([0.5] * len(NAMES)).as_json()
    assert parsed(json.dumps(known), NAMES, VERSION).as_json() == known
    for value in damaged({**known, "weights": dict(list(known["weights"].items())[:2])}):
        with pytest.raises(UsageError):
            parsed(json.dumps(value), NAMES, VERSION)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meta SET value = '[1]' WHERE key = 'totals'",
        "UPDATE meta SET value = '{\"iterations\": \"many\"}' WHERE key = 'totals'",
        "UPDATE meta SET value = '{' WHERE key = 'digest'",
        "UPDATE findings SET data = '{}'",
        "UPDATE findings SET data = '[]'",
        "UPDATE findings SET times = 'often'",
        "UPDATE tests SET covers = '[\"x\"]'",
        "UPDATE timeline SET seconds = 'late'",
    ],
)
def test_damaged_rows(finished: Path, tmp_path: Path, statement: str) -> None:
    out = shutil.copytree(finished / "out", tmp_path / "out")
    with closing(sqlite3.connect(out / DATABASE)) as database:
        database.execute(statement)
        database.commit()
    target = find_target([str(finished / "program.c")])
    with closing(Store(out)) as store, pytest.raises(CampaignError, match="is damaged"):
        resumed(store, Corpus(out, target.map), target.digest, lambda text: None)
        store.timeline()
        store.covered()


def test_older_and_newer_files_are_read() -> None:
    """Words that are no text stay what they are, fields of newer versions are passed over."""
    known = {"program": "p", "sources": [], "cflags": [], "arguments": ["\udc80"], "declared": [], "strategy": "auto"}
    more = {"seed": 0, "timeout": 1, "directory": "/", "version": "0.1", "later": {"x": 1}}
    assert decoded(json.dumps(known | more), RecipeRecord).arguments == ("\udc80",)


def test_a_pattern_that_repeats_for_ever_is_refused() -> None:
    field = FieldRecord("x", "signed", 0, 4)
    with pytest.raises(DamagedRecord):
        read_fields((FieldRecord(repeats=1 << 60, bytes=4, fields=(field,)),))
