"""What is damaged in a campaign's folder is told, saved as far as it can be, and renewed by the next run."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
from untaken.cli.main import guarded, run
from untaken.errors import CampaignError

PROGRAM = """
#include <stdlib.h>
#include <untaken.h>
int main(void) {
    int x;
    untaken_input_int(&x, "x");
    if (x == 77) abort();
    return x > 5;
}
"""
Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    campaign(written(folder, PROGRAM), "--iterations", 60, "--out", folder / "out")
    return folder / "out"


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "out"))


def sql(statement: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with closing(sqlite3.connect(path)) as database, database:
            database.executescript(statement)

    return change


def text(content: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        path.write_text(content)

    return change


DAMAGE = [
    ("campaign.sqlite", text("no database")),
    ("campaign.sqlite", text("")),
    ("campaign.sqlite", sql("UPDATE meta SET value = '[' WHERE key = 'totals'")),
    ("campaign.sqlite", sql("UPDATE findings SET data = '{}'")),
    ("campaign.sqlite", sql("UPDATE passed SET ids = x'00112233'")),
    ("campaign.sqlite", sql("UPDATE meta SET value = CAST(x'ff' AS TEXT) WHERE key = 'totals'")),
    ("campaign.sqlite", sql("DROP TABLE timeline; CREATE VIEW timeline AS SELECT 1 AS iteration")),
    ("campaign.sqlite", sql("ALTER TABLE tests RENAME COLUMN covers TO other")),
    ("campaign.sqlite", sql("CREATE TRIGGER t AFTER INSERT ON tests BEGIN DELETE FROM tests; END")),
    ("campaign.sqlite", sql("UPDATE findings SET name = '../../elsewhere'")),
    ("campaign.sqlite", sql("UPDATE findings SET name = '0001-sig' || char(0)")),
    ("campaign.sqlite", sql("UPDATE meta SET value = '18446744073709551616' WHERE key = 'endless_inputs'")),
    ("campaign.json", text('{"program": 3}')),
    ("tests/000001.json", text("[")),
    ("tests/000001.json", Path.unlink),
    ("tests/000001.bin", text("another input")),
    ("crashes/0001-sigabrt/finding.json", text('{"kind": []}')),
    ("summary.json", text("NaN")),
]


@pytest.mark.parametrize(("name", "damage"), DAMAGE, ids=[str(number) for number in range(len(DAMAGE))])
def test_damage_is_told_and_mended(
    name: str, damage: Callable[[Path], None], copy: Path, made: Path, capsys: Captured
) -> None:
    damage(copy / name)
    kept = [path for path in copy.rglob("*.bin") if path != copy / name]
    before = [path.read_bytes() for path in kept]
    assert guarded(run, ["doctor", str(copy)]) == 2
    told = name.replace(".bin", ".json")  # it does not fit its input, then
    assert f"damaged  {copy / told} " in capsys.readouterr().out
    assert guarded(run, ["doctor", str(copy), "--repair"]) == 0
    campaign(made.parent / "program.c", "--iterations", 2, "--out", copy)
    capsys.readouterr()
    assert guarded(run, ["doctor", str(copy)]) == 0
    assert "is whole" in capsys.readouterr().out
    assert [path.read_bytes() for path in kept] == before
    assert [path.name for path in (copy / "crashes").iterdir()] == ["0001-sigabrt"]


@pytest.mark.parametrize("name", ["tests", "tests/000001.bin", "crashes", "crashes/0001-sigabrt/input.bin"])
def test_what_is_gone_is_told_and_found_again(name: str, copy: Path, made: Path, capsys: Captured) -> None:
    path = copy / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    lost = "crashes/0001-sigabrt/input.bin" if name == "crashes" else name
    assert guarded(run, ["doctor", str(copy)]) == 2
    assert f"damaged  {copy / lost} is missing" in capsys.readouterr().out
    campaign(made.parent / "program.c", "--iterations", 100, "--out", copy)
    capsys.readouterr()
    assert guarded(run, ["doctor", str(copy)]) == 0
    assert [path.name for path in (copy / "crashes").iterdir()] == ["0001-sigabrt"]
    tests = [json.loads(path.read_bytes()) for path in sorted((copy / "tests").glob("*.json"))]
    before = [json.loads(path.read_bytes()) for path in sorted((made / "tests").glob("*.json"))]
    assert {str(each["covers"]) for each in tests if each["covers"]} == {
        str(each["covers"]) for each in before if each["covers"]
    }


def test_the_recipe_is_saved_from_the_database(copy: Path, made: Path, capsys: Captured) -> None:
    (copy / "campaign.json").write_text("{")
    assert guarded(run, ["doctor", str(copy)]) == 2
    assert "--repair writes it anew from the database" in capsys.readouterr().out
    assert guarded(run, ["doctor", str(copy), "--repair"]) == 0
    assert json.loads((copy / "campaign.json").read_text()) == json.loads((made / "campaign.json").read_text())


def test_a_damaged_database_is_set_aside(copy: Path, made: Path) -> None:
    (copy / "campaign.sqlite").write_bytes(b"x" * 5000)
    with pytest.raises(CampaignError, match=f"is damaged .*untaken doctor {copy} --repair"):
        campaign(made.parent / "program.c", "--iterations", 2, "--out", copy)
    assert guarded(run, ["doctor", str(copy), "--repair"]) == 0
    assert (copy / "campaign.sqlite.damaged.1").read_bytes() == b"x" * 5000


def test_a_whole_folder_is_whole(made: Path, capsys: Captured) -> None:
    assert guarded(run, ["doctor", str(made)]) == 0
    assert guarded(run, ["doctor", str(made), "--json"]) == 0
    assert guarded(run, ["doctor", str(made.parent / "none")]) == 2
    assert "holds no campaign" in capsys.readouterr().err
