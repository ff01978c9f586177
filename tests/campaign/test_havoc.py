"""Campaigns that change inputs at random, and read only the paths that show something."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.campaign.commands import campaign, written

# What the last condition looks at is counted by the input, in a table: no constraint reaches it.
COUNTS = """
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned char b[8];
    int count[4] = {0};
    if (fread(b, 1, 8, stdin) != 8) return 1;
    for (int i = 0; i < 8; i++) count[b[i] & 3]++;
    if (count[3] == 4 && count[2] == 2) abort();
    return 0;
}
"""
HANGS = """
#include <stdio.h>
int main(void) {
    int c = getchar(), d = getchar();
    if (c > 200) for (unsigned i = 0;; i++) if (i == 77) d++;
    if ((c * d) % 251 == 77) return 3;
    return c == 'a';
}
"""


def summary(folder: Path, source: str, *words: str) -> dict[str, Any]:
    out = folder / "out"
    campaign(written(folder, source), "--out", out, *words)
    found: dict[str, Any] = json.loads((out / "summary.json").read_text())
    return found


def test_what_no_constraint_reaches_is_found_by_chance(tmp_path: Path) -> None:
    found = summary(tmp_path, COUNTS, "--stdin", "8", "--strategy", "havoc", "--iterations", "3000")
    assert found["ended_by"] == "full coverage"
    assert found["branches_covered"] == found["branches_total"]
    assert [(crash["what"], crash["confirmed"]) for crash in found["crashes"]] == [("SIGABRT", True)]
    tests = sorted((tmp_path / "out" / "tests").glob("*.bin"))
    assert len(tests) == found["tests"] < 10, "only what covers something is kept"


def test_the_same_seed_gives_the_same_tests(tmp_path: Path) -> None:
    def tests(name: str) -> list[bytes]:
        (tmp_path / name).mkdir()
        summary(tmp_path / name, COUNTS, "--stdin", "8", "--strategy", "havoc", "--iterations", "500", "--seed", "9")
        return [path.read_bytes() for path in sorted((tmp_path / name / "out" / "tests").glob("*.bin"))]

    assert tests("one") == tests("two") != []


def test_runs_that_hang_cost_little_and_do_not_end_it(tmp_path: Path) -> None:
    found = summary(
        tmp_path,
        HANGS,
        "--stdin",
        "2",
        "--strategy",
        "havoc",
        "--iterations",
        "300",
        "--timeout",
        "0.2",
        "--time",
        "60",
    )
    assert found["iterations"] == 300
    assert found["ended_by"] == "iterations"


def test_a_run_that_hangs_without_a_branch_is_known_by_where_it_stands(tmp_path: Path) -> None:
    source = HANGS.replace("for (unsigned i = 0;; i++) if (i == 77) d++;", "for (;;) ;")
    words = ("--stdin", "2", "--strategy", "havoc", "--iterations", "40", "--timeout", "0.6", "--time", "60")
    found = summary(tmp_path, source, *words)
    assert found["ended_by"] == "iterations" and found["seconds"] < 20, "few take all the time"
    assert [crash["kind"] for crash in found["crashes"]] == ["timeout"]


def test_workers_count_them_too(tmp_path: Path) -> None:
    words = ("--stdin", "8", "--strategy", "havoc", "--iterations", "600", "--jobs", "2")
    assert 600 <= summary(tmp_path, COUNTS, *words)["iterations"] < 700
