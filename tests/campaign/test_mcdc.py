"""`--goal mcdc` on compiled programs: pairs are found, shown, kept, and what has none is told why."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.commands import untaken, written

# Branch coverage of `masked` needs three tests, and its pairs four. A search for branches alone ends too early.
PROGRAM = """
#include <untaken.h>
static int deep(int v) { return v == 77 || v == 78; }
static int masked(int a, int b, int c, int d) { return (a == 1000 && b == 2000) || (c == 3000 && deep(d)); }
int main(void) {
    int a, b, c, d;
    untaken_int(&a);
    untaken_int(&b);
    untaken_int(&c);
    untaken_int(&d);
    if (a == 5) return 3;
    return masked(a, b, c, d);
}
"""
DEAD = "int dead(int x) { return x > 5 && x > 3; }\n"
ODD = "int odd(int a, int b, int c) { if (a == 3 && (b ? (c ? 4 : a) > 3 : a > 2)) return 1; return 2; }\n"
REACHED = "Conditions that are shown to decide on their own: "


def evaluated(values: str) -> tuple[bool | None, ...]:
    return tuple({"T": True, "F": False, "-": None}[letter] for letter in values)


def check_pairs(found: dict[str, Any]) -> None:
    """Each pair is what it says: the condition differs, and so do the outcomes of the tests."""
    for decision in found["decisions"]:
        outcomes = {(each["test"], each["values"]): each["outcome"] for each in decision["evaluations"]}
        for place, condition in enumerate(decision["conditions"]):
            if (pair := condition["pair"]) is None:
                assert condition["why"]
                continue
            one, other = pair["true"], pair["false"]
            assert evaluated(one["values"])[place] is True
            assert evaluated(other["values"])[place] is False
            if len(decision["conditions"]) > 1:
                assert outcomes[one["test"], one["values"]] is pair["outcome_when_true"]
                assert outcomes[other["test"], other["values"]] is not pair["outcome_when_true"]


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("mcdc")
    program = written(folder, PROGRAM)
    words = ("--goal", "mcdc", "--iterations", 3000, "--after-coverage", 0, "--json", "--out", folder / "out")
    return folder / "out", untaken("run", program, *words).summary


def test_every_condition_gets_its_pair(explored: tuple[Path, dict[str, Any]]) -> None:
    _, summary = explored
    found = summary["mcdc"]
    assert (found["conditions"], found["shown"]) == (7, 7)
    assert (summary["goal"], summary["goal_covered"], summary["goal_total"]) == ("mcdc", 7, 7)
    assert summary["ended_by"] == "full coverage"
    check_pairs(found)


def test_pairs_are_in_the_closing_words_and_on_the_page(explored: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    out, _ = explored
    assert '"mcdc":{"kind":"masking"' in (out / "report.html").read_text()
    program = written(tmp_path, DEAD)
    said = untaken("unit", program, "dead", "--goal", "mcdc", "--out", tmp_path / "out").printed
    assert "The goal: 1 of 2 conditions (MC/DC) of dead covered (50%)" in said
    assert "condition 2 of 2  no input can: every path was tried" in said
    pair = next(line for line in said.splitlines() if "condition 1 of 2" in line)
    assert "  000002 (TT) and 000001 (F-)  " in pair and pair.endswith("  x > 5")


def test_the_table_is_measured_on_the_tests(explored: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    out, summary = explored
    target = tmp_path / "table"
    assert untaken("export", out, "--format", "mcdc", "--out", target).code == 0
    rows = list(csv.DictReader((target / "mcdc.csv").read_text().splitlines()))
    conditions = [each for decision in summary["mcdc"]["decisions"] for each in decision["conditions"]]
    assert [row["test_when_true"] for row in rows] == [each["pair"]["true"]["test"] for each in conditions]
    assert [row["values_when_false"] for row in rows] == [each["pair"]["false"]["values"] for each in conditions]
    assert REACHED + "7 of 7 (100.0 %)" in (target / "mcdc.md").read_text()
    texts = ["a == 1000", "b == 2000", "c == 3000", "deep(d)", "v == 77", "v == 78", "a == 5"]
    assert sorted(row["text"] for row in rows) == sorted(texts)
    assert "| 2: `b == 2000` |" in (target / "mcdc.md").read_text()


def test_the_table_of_other_campaigns_says_what_is_missing(tmp_path: Path) -> None:
    program = written(tmp_path, PROGRAM)
    untaken("run", program, "--iterations", 1, "--out", tmp_path / "out")
    assert untaken("export", tmp_path / "out", "--format", "mcdc").code == 0
    text = (tmp_path / "out" / "export-mcdc" / "mcdc.md").read_text()
    assert REACHED + "0 of 7" in text
    assert "not found: it was never true" in text
    assert "not found: the decision was never evaluated" in text  # deep was not called


def test_tests_of_a_program_that_asks_without_end_are_measured(tmp_path: Path) -> None:
    reads = "int a, b = 0; for (;;) { untaken_int(&a); if (a == 7 && b == 3) return 1; b = a; }"
    program = written(tmp_path, f"#include <untaken.h>\nint main(void) {{ {reads} }}\n")
    untaken("run", program, "--iterations", 200, "--out", tmp_path / "out")
    assert untaken("export", tmp_path / "out", "--format", "mcdc").code == 0
    assert REACHED + "2 of 2" in (tmp_path / "out" / "export-mcdc" / "mcdc.md").read_text()


@pytest.mark.parametrize("words", [("--jobs", 2), ("--minimise",), ("--strategy", "dfs")])
def test_pairs_are_found_and_kept_whoever_searches(words: tuple[object, ...], tmp_path: Path) -> None:
    program = written(tmp_path, PROGRAM)
    budget = ("--iterations", 3000, "--after-coverage", 0, "--json", "--out", tmp_path / "out")
    found = untaken("run", program, "--goal", "mcdc", *budget, *words).summary["mcdc"]
    assert found["shown"] == 7
    check_pairs(found)


def test_a_campaign_that_goes_on_has_the_pairs_of_its_tests(explored: tuple[Path, dict[str, Any]]) -> None:
    out, summary = explored
    program = json.loads((out / "campaign.json").read_text())["sources"][0]
    again = untaken("run", program, "--goal", "mcdc", "--iterations", 1, "--json", "--out", out).summary
    assert again["mcdc"] == summary["mcdc"]


def test_exported_tests_keep_the_pairs(tmp_path: Path) -> None:
    text = "int pick(int a, int b, int c) { if ((a == 7 && b) || c == 9) return 1; return 2; }\n"
    program = written(tmp_path, text)
    budget = ("--iterations", 400, "--out", tmp_path / "out")
    assert untaken("unit", program, "pick", "--goal", "mcdc", *budget).code == 0
    assert untaken("export", tmp_path / "out", "--format", "c").code == 0
    tests = (tmp_path / "out" / "export-c" / "test_pick.c").read_text()
    # TT-, F-F, TFF and one with c: branches alone need three.
    assert tests.count("static void test_") == 4


def test_what_is_not_analysed_is_said_and_does_not_count_as_shown(tmp_path: Path) -> None:
    program = written(tmp_path, ODD)
    budget = ("--iterations", 300, "--json", "--out", tmp_path / "out")
    summary = untaken("unit", program, "odd", "--goal", "mcdc", *budget).summary
    whys = [each["why"] for decision in summary["mcdc"]["decisions"] for each in decision["conditions"]]
    assert "not analysed: the control flow of the decision was not understood" in whys
    assert summary["mcdc"]["shown"] < summary["mcdc"]["conditions"] == summary["goal_total"]


def test_recursion_and_calls_inside_operands_do_not_mix_evaluations(tmp_path: Path) -> None:
    text = """
#include <untaken.h>
static int down(int n, int k) { return n > 0 && (down(n - 1, k) || k == n); }
int main(void) { int n, k; untaken_int(&n); untaken_int(&k); if (n > 3) return 9; return down(n, k); }
"""
    program = written(tmp_path, text)
    budget = ("--iterations", 600, "--json", "--out", tmp_path / "out")
    found = untaken("run", program, "--goal", "mcdc", *budget).summary["mcdc"]
    check_pairs(found)
    values = {each["values"] for decision in found["decisions"] for each in decision["evaluations"]}
    assert {"F--", "TT-", "TFT", "TFF"} <= values
    assert found["shown"] == found["conditions"] == 4


def test_all_functions_of_a_file_are_summed_up(tmp_path: Path) -> None:
    program = written(tmp_path, DEAD + "int both(int a, int b) { return a && b; }\n")
    words = ("--all", "--goal", "mcdc", "--iterations", 100, "--out", tmp_path / "out")
    printed = untaken("unit", program, *words).printed
    assert "The goal: 3 of 4 conditions (MC/DC) covered (75%)" in printed
    assert "dead (program): 1 of 2; why: " in printed
