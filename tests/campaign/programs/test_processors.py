"""A program that asks which processors it may use has all that we may: it would behave otherwise on one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, untaken, written
from untaken.execute import own_processor

ALLOWED = len(os.sched_getaffinity(0))
pytestmark = pytest.mark.skipif(ALLOWED < 2, reason="needs two processors")
PROGRAM = f"""
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {{
    static unsigned char mask[128];
    int count = 0;
    if (sched_getaffinity(0, sizeof mask, (cpu_set_t *)mask)) return 2;
    for (unsigned bit = 0; bit < 8 * sizeof mask; bit++) count += mask[bit / 8] >> bit % 8 & 1;
    if (count != {ALLOWED}) abort();
    return getchar() == 'x';
}}
"""


def test_a_campaign_leaves_them_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_processor, "NAME", f"\0untaken/test/{os.getpid()}/")  # none is taken
    program = written(tmp_path, PROGRAM)
    summary = campaign(program, "--stdin", 1, "--iterations", 5, "--out", tmp_path / "out")
    assert not summary.findings


def test_so_do_workers(tmp_path: Path) -> None:
    program = written(tmp_path, PROGRAM)
    words = ("--stdin", 1, "--iterations", 5, "--jobs", 2, "--json", "--out", tmp_path / "out")
    assert not untaken("run", program, *words).summary["crashes"]
