"""Assumptions: what they rule out is solved for, however many there are, and what lies behind them is reached."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.commands import campaign, untaken, written
from untaken.campaign.summary import Summary

TWO = """
#include <untaken.h>
int main(void) {
    int x, y;
    untaken_int(&x);
    untaken_assume((x == 3) | (x == 500));
    untaken_int(&y);
    untaken_assume(y == 70000);
    if (x == 500) return 1;
    return 0;
}
"""


def test_assumptions_one_after_another_are_all_met(tmp_path: Path) -> None:
    summary = campaign(written(tmp_path, TWO), "--iterations", 300, "--out", tmp_path / "out")
    assert summary.covered == summary.total == 2
    assert summary.exhausted
    assert summary.totals.divergences == 0


DECLARED = """
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
extern void reach_error(void);
"""


def reaches_error(summary: Summary) -> bool:
    return any(finding.what == "reach_error" for finding in summary.findings)


def test_an_error_behind_many_assumptions_is_reached(tmp_path: Path) -> None:
    """Nothing but assumptions: no branch is left to cover from the start."""
    body = "".join(f"x = __VERIFIER_nondet_int(); __VERIFIER_assume(x == {7 * n + 1});\n" for n in range(70))
    program = written(tmp_path, f"{DECLARED}int main(void) {{ int x; {body} reach_error(); }}")
    assert reaches_error(campaign(program, "--iterations", 1500, "--out", tmp_path / "out"))


@pytest.mark.parametrize("body", ["", "abort();", "exit(1);"])
def test_an_error_function_of_the_program_is_an_error_whatever_it_does(tmp_path: Path, body: str) -> None:
    text = f"#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {{ {body} }}\n"
    program = written(tmp_path, text + "int main(void) { if (__VERIFIER_nondet_int() == 12345) reach_error(); }\n")
    answer = untaken("run", program, "--iterations", 100, "--json", "--out", tmp_path / "out")
    assert answer.code == 1
    (found,) = answer.summary["crashes"]
    assert (found["what"], found["confirmed"]) == ("reach_error", True)
    assert (tmp_path / "out" / "report.html").exists()


ABORTING = """
static void assume_abort_if_not(int condition) { if (!condition) abort(); }
static void assume(int condition) { assume_abort_if_not(condition); }
int main(void) {
    int sum = 0;
    for (int i = 0; i < 20; i++) {
        int x = __VERIFIER_nondet_int();
        assume(x > sum + i);
        assume(x < sum + i + 5);
        sum = x & 0xffff;
    }
    assume(sum == 230);
    reach_error();
}
"""


@pytest.mark.parametrize("strategy", ["auto", "random-branch"])
def test_a_function_that_aborts_is_an_assumption(tmp_path: Path, strategy: str) -> None:
    """Its two branches are covered soon, and say nothing of what lies behind each of its calls."""
    program = written(tmp_path, DECLARED + ABORTING)
    config = ("--strategy", strategy, "--iterations", 800, "--after-coverage", 100, "--out", tmp_path / "out")
    summary = campaign(program, *config)
    assert reaches_error(summary)
    assert summary.covered == summary.total == 4
    assert summary.ended_by in ("full coverage", "path space exhausted")


NEVER_MET = """
int main(void) {
    int x = __VERIFIER_nondet_int();
    __asm__ volatile("" : "+r"(x)); /* what comes of it is concrete */
    __VERIFIER_assume(x == 123456789);
    reach_error();
}
"""


def test_full_coverage_is_not_the_end_before_an_assumption_that_no_run_passed(tmp_path: Path) -> None:
    program = written(tmp_path, DECLARED + NEVER_MET)
    summary = campaign(program, "--iterations", 60, "--after-coverage", 20, "--out", tmp_path / "out")
    assert summary.ended_by == "iterations"
    met = written(tmp_path, DECLARED + NEVER_MET.replace("==", "!="), "met.c")
    summary = campaign(met, "--iterations", 60, "--after-coverage", 20, "--out", tmp_path / "met")
    assert summary.ended_by == "full coverage"


BOTH = """
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    __VERIFIER_assume(a > 5 && b > 7);
    return a == b;
}
"""


def described(out: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted((out / "tests").glob("*.json"))]


def test_branches_that_only_failing_runs_take_have_tests_of_their_own_kind(tmp_path: Path) -> None:
    out = tmp_path / "out"
    config = (written(tmp_path, DECLARED + BOTH), "--iterations", 200, "--out", out)
    summary = campaign(*config)
    failing = [test for test in described(out) if test["exit"]["kind"] == "assume"]
    assert [entry["side"] for test in failing for entry in test["takes"]] == [False, False], "past each condition"
    assert all(test["covers"] == [] for test in failing)
    assert summary.failing_tests == len(failing) == summary.as_json()["tests_that_fail_an_assumption"]
    assert summary.covered == summary.total - 2, "they are not counted"
    again = campaign(*config)
    assert len(described(out)) == again.tests == summary.tests, "a second run keeps no others for the same"


def test_tests_that_fail_an_assumption_can_be_shortened_and_replayed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    program = written(tmp_path, DECLARED + BOTH)
    summary = campaign(program, "--iterations", 200, "--minimise", "--out", out)
    assert summary.failing_tests == len([test for test in described(out) if test["exit"]["kind"] == "assume"])
    assert untaken("replay", out, "--instrumented").code == 0
    assert untaken("replay", out).code == 0


def test_if_every_run_fails_the_one_that_came_furthest_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "out"
    text = "int main(void) { int a = __VERIFIER_nondet_int(); __VERIFIER_assume(a > 3); __VERIFIER_assume(a < 3); }"
    campaign(written(tmp_path, DECLARED + text), "--iterations", 50, "--out", out)
    (test,) = described(out)
    assert test["exit"]["kind"] == "assume" and test["takes"] == []
    assert test["fields"][0]["value"] > 3
