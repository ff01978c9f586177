"""untaken_assume: what it rules out is solved for, however many there are one after another."""

from __future__ import annotations

from pathlib import Path

from tests.campaign.commands import campaign, written

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
