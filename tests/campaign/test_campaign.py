"""Whole campaigns: budgets, exhaustion, determinism, what is left on disk."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.campaign.commands import EXAMPLES, campaign, files_of, untaken, written

ARITHMETIC = EXAMPLES / "arithmetic.c"
SUMMARY_KEYS = {
    *("branches_covered", "branches_total", "branches_reachable", "iterations", "seconds", "solver", "divergences"),
    *("tests", "crashes", "strategy", "seed", "exhausted"),
}
# Each bit of the input decides one branch, all of them feasible.
LADDER = """
#include <untaken.h>
int main(void) {
    unsigned char bits;
    int found = 0;
    untaken_input(&bits, 1, "bits");
    for (int i = 0; i < 8; i++)
        if (bits >> i & 1)
            found++;
    return found == 9;
}
"""
MAZE = """
#include <stdio.h>
int main(void) {
    char text[9] = {0};
    int score = 0;
    if (!fgets(text, sizeof text, stdin))
        return 1;
    if (text[0] == 'm') score++;
    if (text[1] > text[2]) score++;
    if (text[3] * 3 == 'c') score++;
    switch (text[4]) { case 'x': score++; break; case 'y': score += 2; break; default: break; }
    if (score > 3) puts("deep");
    return 0;
}
"""


def test_dfs_exhausts_nested_comparisons_in_five_executions(tmp_path: Path) -> None:
    summary = campaign(ARITHMETIC, "--strategy", "dfs", "--out", tmp_path)
    assert summary.exhausted
    assert summary.totals.iterations == 5
    assert (summary.covered, summary.total) == (8, 8)
    assert summary.ended_by == "path space exhausted"


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_bounded_depth_forces_all_combinations(depth: int, tmp_path: Path) -> None:
    program = written(tmp_path, LADDER)
    words = ["--strategy", f"dfs:depth={depth}", "--no-new", 300, "--after-coverage", 300, "--iterations", 2**depth]
    summary = campaign(program, *words, "--out", tmp_path / "out")
    # One execution to begin with, and then each of 2^depth - 1 forced branches is one more.
    assert summary.totals.iterations == 2**depth
    assert summary.totals.sat == 2**depth - 1


def test_every_budget_says_that_it_ended_the_campaign(tmp_path: Path) -> None:
    program = written(tmp_path, MAZE)
    endings = {
        "iterations": ["--iterations", 7],
        "time": ["--time", 0.3, "--after-coverage", 10**9],
        "no new branch": ["--no-new", 40, "--strategy", "random", "--after-coverage", 10**9],
    }
    for index, (ending, words) in enumerate(endings.items()):
        summary = campaign(program, *words, "--stdin", 8, "--out", tmp_path / str(index))
        assert summary.ended_by == ending
        assert not summary.exhausted


def test_full_coverage_ends_after_a_while(tmp_path: Path) -> None:
    words = ["--strategy", "random-branch", "--after-coverage", 50, "--out", tmp_path]
    summary = campaign(ARITHMETIC, *words)
    assert summary.ended_by == "full coverage"
    covered = int((tmp_path / "timeline.csv").read_text().splitlines()[-2].split(",")[0])
    assert summary.totals.iterations == covered + 50


def test_the_summary_has_what_is_promised(tmp_path: Path) -> None:
    answer = untaken("run", ARITHMETIC, "--json", "--out", tmp_path)
    assert answer.code == 0
    assert set(answer.summary) >= SUMMARY_KEYS
    assert set(answer.summary["solver"]) >= {"queries", "sat", "unsat", "unknown", "seconds"}
    assert answer.summary == json.loads((tmp_path / "summary.json").read_text())


def test_the_timeline_never_falls(tmp_path: Path) -> None:
    summary = campaign(written(tmp_path, MAZE), "--stdin", 8, "--iterations", 200, "--out", tmp_path / "out")
    with (tmp_path / "out" / "timeline.csv").open() as file:
        rows = [(int(row["iteration"]), float(row["seconds"]), int(row["branches"])) for row in csv.DictReader(file)]
    assert rows == sorted(rows)
    assert rows[-1][::2] == (summary.totals.iterations, summary.covered)


def test_tests_say_what_they_are(tmp_path: Path) -> None:
    campaign(ARITHMETIC, "--strategy", "dfs", "--out", tmp_path)
    described = [json.loads(path.read_text()) for path in sorted((tmp_path / "tests").glob("*.json"))]
    assert [[field["value"] for field in test["fields"]] for test in described][-1] == [5, 19, 7, 4]
    assert sorted(branch["branch"] for test in described for branch in test["covers"]) == sorted(
        {branch["branch"] for test in described for branch in test["covers"]}
    )
    assert len([branch for test in described for branch in test["covers"]]) == 8
    for number, test in enumerate(described, 1):
        data = (tmp_path / "tests" / f"{number:06}.bin").read_bytes()
        assert len(data) == test["bytes"] == 16
        assert [field["value"] for field in test["fields"]] == [
            int.from_bytes(data[place : place + 4], "little", signed=True) for place in range(0, 16, 4)
        ]


@pytest.mark.parametrize("strategy", ["auto", "random-branch"])
def test_the_same_seed_gives_the_same_bytes(strategy: str, tmp_path: Path) -> None:
    program = written(tmp_path, MAZE)
    words = ["run", program, "--stdin", 8, "--iterations", 400, "--strategy", strategy, "--seed", 7, "--quiet"]
    for hash_seed in ("1", "2"):
        untaken(*words, "--out", tmp_path / hash_seed, environment={"PYTHONHASHSEED": hash_seed})
    first, second = files_of(tmp_path / "1" / "tests"), files_of(tmp_path / "2" / "tests")
    assert len(first) >= 10
    assert first == second


def test_another_seed_searches_elsewhere(tmp_path: Path) -> None:
    program = written(tmp_path, MAZE)
    for seed in (1, 2):
        campaign(program, "--stdin", 8, "--iterations", 200, "--seed", seed, "--out", tmp_path / str(seed))
    assert files_of(tmp_path / "1" / "tests") != files_of(tmp_path / "2" / "tests")


def test_seeds_of_any_length_are_starting_points(tmp_path: Path) -> None:
    program = written(tmp_path, MAZE)
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    (seeds / "short").write_bytes(b"m")
    (seeds / "long").write_bytes(b"mba!x" * 100)
    summary = campaign(program, "--stdin", 8, "--seeds", seeds, "--iterations", 2, "--out", tmp_path / "out")
    assert summary.totals.iterations == 2
    values = [
        json.loads(path.read_text())["fields"][1]["value"] for path in sorted((tmp_path / "out/tests").glob("*.json"))
    ]
    assert values == ["mba!xmba", "m"]


def test_tests_of_a_campaign_are_seeds_of_another(tmp_path: Path) -> None:
    program = written(tmp_path, MAZE)
    first = campaign(program, "--stdin", 8, "--iterations", 300, "--out", tmp_path / "first")
    words = ["--seeds", tmp_path / "first" / "tests", "--iterations", first.tests]
    second = campaign(program, "--stdin", 8, *words, "--out", tmp_path / "second")
    assert second.covered == first.covered


def test_a_program_that_reads_nothing_is_told(tmp_path: Path) -> None:
    program = written(tmp_path, "int main(int argc, char **argv) { (void)argv; return argc > 3; }\n")
    answer = untaken("run", program, "--out", tmp_path / "out")
    assert answer.code == 0
    assert "asks for no input and reads nothing" in answer.printed
    assert "nothing to explore" in answer.printed
    assert [path.read_bytes() for path in (tmp_path / "out" / "tests").glob("*.bin")] == [b""]


def test_solving_beats_guessing_on_a_parser(tmp_path: Path) -> None:
    parser = EXAMPLES / "http_request.c"
    solved = campaign(
        parser, "--stdin", 64, "--strategy", "random-branch", "--iterations", 300, "--out", tmp_path / "solved"
    )
    guessed = campaign(
        parser, "--stdin", 64, "--strategy", "random", "--iterations", 5000, "--out", tmp_path / "guessed"
    )
    assert solved.covered > guessed.covered


# A run that divides by zero ends before the decision is told that it died of.
DIVISIONS = """
#include <untaken.h>
int main(void) {
    unsigned char a, b;
    int n = 0;
    untaken_input(&a, 1, "a");
    untaken_input(&b, 1, "b");
    for (int i = 0; i < 4; i++) {
        if (b == 77 + i) n++;
        n += a % b;
        if (n == 45 + i && a == 99) return 2;
    }
    return 0;
}
"""


def test_nothing_lies_beyond_a_flip_that_a_run_died_of(tmp_path: Path) -> None:
    summary = campaign(written(tmp_path, DIVISIONS), "--strategy", "cfg", "--iterations", 60, "--out", tmp_path / "out")
    assert [finding.what for finding in summary.findings] == ["SIGFPE"]
