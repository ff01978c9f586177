"""A campaign that ended, in whatever way, goes on where it stopped."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.campaign.commands import PATIENCE, campaign, command, files_of, untaken, written
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Watcher
from untaken.errors import CampaignError

# Many branches, each a little harder to get at, so that it can be disturbed at any moment.
LOCKS = """
#include <stdlib.h>
#include <untaken.h>
#define LOCK(i) \\
    if (key[i] == (unsigned char)(key[i + 1] * 7 + i)) opened++; \\
    if (key[i] > 200 && key[i + 1] < 20) opened += 2;
int main(void) {
    unsigned char key[16];
    int opened = 0;
    untaken_input(key, sizeof key, "key");
    LOCK(0) LOCK(1) LOCK(2) LOCK(3) LOCK(4) LOCK(5) LOCK(6) LOCK(7) LOCK(8) LOCK(9) LOCK(10) LOCK(11) LOCK(12)
    if (opened == 21) abort();
    return opened == 1000;
}
"""
CRASHING = """
#include <stdlib.h>
#include <untaken.h>
int main(void) {
    int x;
    untaken_input_int(&x, "x");
    if (x == 1234) abort();
    return x > 7;
}
"""


def test_a_second_run_goes_on(tmp_path: Path) -> None:
    program, out = written(tmp_path, LOCKS), tmp_path / "out"
    first = campaign(program, "--iterations", 30, "--out", out)
    kept = files_of(out / "tests")
    second = campaign(program, "--iterations", 200, "--out", out)
    assert second.totals.iterations == 230
    assert second.covered >= first.covered
    assert second.totals.seconds > first.totals.seconds
    assert kept.items() <= files_of(out / "tests").items()
    third = campaign(program, "--iterations", 1, "--out", out)
    assert third.covered >= second.covered


def test_findings_are_not_found_twice(tmp_path: Path) -> None:
    program, out = written(tmp_path, CRASHING), tmp_path / "out"
    for _ in range(2):
        summary = campaign(program, "--iterations", 50, "--out", out)
        assert [finding.name for finding in summary.findings] == ["0001-sigabrt"]
    assert len(list((out / "crashes").iterdir())) == 1


def test_a_changed_program_is_noticed(tmp_path: Path) -> None:
    program, out = written(tmp_path, CRASHING), tmp_path / "out"
    campaign(program, "--iterations", 50, "--out", out)
    written(tmp_path, CRASHING.replace("int x;", "int x, y = 0;").replace("return", "y++; return"))
    answer = untaken("run", program, "--iterations", 1, "--out", out)
    assert "the program has changed" in answer.printed
    assert answer.code == 1
    assert [crash["name"] for crash in json.loads((out / "summary.json").read_text())["crashes"]] == ["0001-sigabrt"]


def test_findings_keep_their_names_when_the_program_changes(tmp_path: Path) -> None:
    """The test that showed one first has a longer input than the one that is kept of it."""
    text = """
    #include <stdio.h>
    #include <stdlib.h>
    int main(void) { int c = getchar(); if (c == 'x') abort(); return c == 'y' ? 3 : 0; }
    """
    out = tmp_path / "out"
    for change in range(3):
        source = written(tmp_path, text + f"int unused{change};\n")
        summary = campaign(source, "--stdin", 3, "--iterations", 50, "--out", out)
        assert [finding.name for finding in summary.findings] == ["0001-sigabrt"]
    assert [each.name for each in (out / "crashes").iterdir()] == ["0001-sigabrt"]


def test_findings_that_part_have_names_of_their_own(tmp_path: Path) -> None:
    """Since the program has changed, the test and the finding's own input end in two places."""
    text = """
    #include <stdio.h>
    #include <stdlib.h>
    int main(void) { int c = getchar(), d = getchar(); if (c == 'x') CHANGE abort(); return 0; }
    """
    out = tmp_path / "out"
    words = ["--stdin", 3, "--iterations", 50, "--out", out]
    campaign(written(tmp_path, text.replace("CHANGE", "")), *words)
    summary = campaign(written(tmp_path, text.replace("CHANGE", "{ if (d < 0)\n abort(); }\n if (c == 'x')")), *words)
    assert [finding.name for finding in summary.findings] == ["0001-sigabrt", "0002-sigabrt"]


def test_a_fault_that_was_mended_is_gone(tmp_path: Path) -> None:
    program, out = written(tmp_path, CRASHING), tmp_path / "out"
    campaign(program, "--iterations", 50, "--out", out)
    written(tmp_path, CRASHING.replace("abort()", "exit(3)"))
    summary = campaign(program, "--iterations", 50, "--out", out)
    assert summary.findings == ()
    assert (out / "crashes" / "0001-sigabrt" / "input.bin").exists()


def start(program: Path, out: Path) -> subprocess.Popen[str]:
    words = command("run", program, "--time", PATIENCE, "--after-coverage", 10**9, "--out", out)
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for_tests(out: Path, count: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while len(list((out / "tests").glob("*.bin"))) < count:
        assert time.monotonic() < deadline, "no tests are written"
        time.sleep(0.01)


@pytest.mark.parametrize("tests", [1, 4])
def test_killed_in_the_middle_it_goes_on(tests: int, tmp_path: Path) -> None:
    program, out = written(tmp_path, LOCKS), tmp_path / "out"
    running = start(program, out)
    wait_for_tests(out, tests)
    running.kill()
    running.communicate()
    left = files_of(out / "tests")
    for name in left:
        if name.endswith(".bin"):
            assert json.loads(left[name.replace(".bin", ".json")])["bytes"] == len(left[name])
    summary = campaign(program, "--iterations", 20, "--out", out)
    whole = {name: data for name, data in left.items() if name.endswith(".bin")}
    assert whole.items() <= files_of(out / "tests").items()
    assert summary.tests >= len(whole)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_interrupted_it_says_what_it_has(number: signal.Signals, tmp_path: Path) -> None:
    program, out = written(tmp_path, LOCKS), tmp_path / "out"
    running = start(program, out)
    wait_for_tests(out, 3)
    running.send_signal(number)
    begun = time.monotonic()
    printed, _ = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert time.monotonic() - begun < 10
    assert "interrupted" in printed
    assert "Traceback" not in printed
    summary = json.loads((out / "summary.json").read_text())
    assert summary["interrupted"]
    assert summary["tests"] == len(list((out / "tests").glob("*.bin"))) >= 3


def test_two_campaigns_in_one_folder_are_refused(tmp_path: Path) -> None:
    program, out = written(tmp_path, LOCKS), tmp_path / "out"
    running = start(program, out)
    try:
        wait_for_tests(out, 1)
        with pytest.raises(CampaignError, match="another campaign is running"):
            campaign(program, "--iterations", 1, "--out", out)
        campaign(program, "--iterations", 1, "--out", tmp_path / "beside")
    finally:
        running.kill()
        running.communicate()


def test_a_damaged_store_is_told(tmp_path: Path) -> None:
    program, out = written(tmp_path, LOCKS), tmp_path / "out"
    campaign(program, "--iterations", 3, "--out", out)
    (out / "campaign.sqlite").write_bytes(b"no database" * 100)
    answer = untaken("run", program, "--iterations", 3, "--out", out)
    assert answer.code == 2
    assert "is damaged" in answer.said
    assert "Traceback" not in answer.said


def test_another_program_keeps_away_from_the_tests(tmp_path: Path) -> None:
    out = tmp_path / "out"
    campaign(written(tmp_path, LOCKS), "--iterations", 30, "--out", out)
    before = files_of(out / "tests")
    other = tmp_path / "other.c"
    other.write_text(CRASHING)
    answer = untaken("run", other, "--iterations", 30, "--out", out)
    assert answer.code == 2
    assert "holds tests of program.c: choose another --out for other.c" in answer.said
    assert files_of(out / "tests") == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--stdin", 10, "--", "-v"), "for --stdin 10 -- -v"),
        (("--arg", 3, "--file", "x=4"), "for --arg 3 --file x=4"),
        ((), "for no declared inputs"),
    ],
)
def test_other_inputs_would_give_tests_another_meaning(words: tuple[object, ...], said: str, tmp_path: Path) -> None:
    program, out = written(tmp_path, LOCKS), tmp_path / "out"
    campaign(program, "--stdin", 10, "--iterations", 30, "--out", out)
    before = files_of(out / "tests")
    with pytest.raises(CampaignError, match=f"made with --stdin 10: choose another --out {re.escape(said)}, or"):
        campaign(program, "--iterations", 30, "--out", out, *words)
    assert files_of(out / "tests") == before


def test_the_default_folder_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program = written(tmp_path, LOCKS)
    assert untaken("run", program, "--stdin", 10, "--iterations", 30).code == 0
    first = files_of(tmp_path / "untaken-out" / "tests")
    answer = untaken("run", program, "--stdin", 12, "--iterations", 30)
    assert answer.code == 0
    assert "untaken-out held tests that were made with --stdin 10: they are in untaken-out.1 now" in answer.printed
    assert files_of(tmp_path / "untaken-out.1" / "tests") == first
    (tmp_path / "other.c").write_text(CRASHING)
    answer = untaken("run", tmp_path / "other.c", "--iterations", 30)
    assert answer.code == 1 and "held tests of program.c: they are in untaken-out.2 now" in answer.printed
    assert "going on" in untaken("run", tmp_path / "other.c", "--iterations", 30).printed


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    (tests := tmp_path / "tests").mkdir()
    (tests / ".hidden").write_text("mine")
    with pytest.raises(CampaignError, match="tests is no campaign's: choose another --out"):
        campaign(written(tmp_path, LOCKS), "--iterations", 3, "--out", tmp_path)
    assert files_of(tests) == {".hidden": b"mine"}


def test_only_what_a_killed_run_was_writing_is_removed(tmp_path: Path) -> None:
    program, out = written(tmp_path, LOCKS), tmp_path / "out"
    campaign(program, "--iterations", 3, "--out", out)
    for name in (".000009.json.4711", ".gitignore"):
        (out / "tests" / name).write_text("")
    campaign(program, "--iterations", 3, "--out", out)
    assert [path.name for path in (out / "tests").glob(".*")] == [".gitignore"]


def test_counts_of_a_killed_campaign_are_no_fewer_than_its_rows_say(tmp_path: Path) -> None:
    program, out = written(tmp_path, LOCKS), tmp_path / "out"
    campaign(program, "--iterations", 60, "--out", out)
    with closing(sqlite3.connect(out / "campaign.sqlite")) as database, database:  # as if the last flush had been early
        database.execute("""UPDATE meta SET value = '{"iterations": 2, "seconds": 0.0}' WHERE key = 'totals'""")
    summary = campaign(program, "--iterations", 5, "--out", out)
    assert summary.totals.iterations == 65
    assert_forward(out)


def test_a_later_run_counts_on_from_no_less_than_was_shown(tmp_path: Path) -> None:
    class Comparing(Watcher):
        """Looks into the database, as a run after kill -9 would."""

        def summarised(self, summary: Summary) -> None:
            with closing(sqlite3.connect(tmp_path / "out" / "campaign.sqlite")) as database:
                ((written,),) = database.execute("SELECT value FROM meta WHERE key = 'totals'").fetchall()
            seen.append((json.loads(written)["seconds"], summary.totals.seconds))

    seen: list[tuple[float, float]] = []
    campaign(written(tmp_path, LOCKS), "--time", 1.5, "--out", tmp_path / "out", watcher=Comparing())
    assert seen and all(written >= shown for written, shown in seen)


def test_a_run_that_ends_while_it_repeats_tests_forgets_no_branches(tmp_path: Path) -> None:
    program, out = written(tmp_path, LOCKS), tmp_path / "out"
    first = campaign(program, "--iterations", 60, "--out", out)
    second = campaign(program, "--time", 0.001, "--out", out)
    assert second.covered == first.covered
    assert [each.covered for each in second.functions] == [each.covered for each in first.functions]
    assert_forward(out)


def assert_forward(out: Path) -> None:
    """Nothing in the timeline runs backwards."""
    lines = [tuple(map(float, line.split(","))) for line in (out / "timeline.csv").read_text().splitlines()[1:]]
    for column in zip(*lines, strict=True):
        assert list(column) == sorted(column)
