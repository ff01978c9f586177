"""Addresses that depend on the input: what they are, and what is read through them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written

HUGE_STEPS = """
#include <stdint.h>
#include <untaken.h>
int main(void) {
    INDEX i;
    char (*p)[SIZE] = (void *)0x1000;
    untaken_input(&i, sizeof i, "i");
    if ((uintptr_t)&p[i][3] == 0x1003 + 5 * SIZE) return 1;
    return 0;
}
"""


@pytest.mark.parametrize("size", ["(1UL << 32)", "((3UL << 40) + 16)"])
@pytest.mark.parametrize("index", ["unsigned char", "int", "long"])
def test_an_index_may_step_over_more_than_four_gigabytes(size: str, index: str, tmp_path: Path) -> None:
    source = written(tmp_path, HUGE_STEPS.replace("SIZE", size).replace("INDEX", index))
    summary = campaign(source, "--iterations", 5, "--strategy", "dfs", "--out", tmp_path / "out")
    assert summary.covered == summary.total
