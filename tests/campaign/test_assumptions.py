"""Assumptions: what they rule out is solved for, however many there are, and what lies behind them is reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
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
