"""A limit of time is a limit: whatever a campaign does when its time is over, it ends, and what it found is there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.campaign.commands import PATIENCE, campaign, command, written
from untaken.model.path import Path as Run
from untaken.search.attempts import Steps
from untaken.search.view import SearchView

NEVER_ENDING = """
#include <untaken.h>
int main(void) {
    int x;
    untaken_int(&x);
    for (int i = 0; i < 8; i++)
        if (x >> i & 1) x *= 7;
    return x == 4711;
}
"""
# Each decision depends on all the input before it: what is computed of a path must not grow with the product of both.
SUMS = """
#include <untaken.h>
#define N 40000
int a[N];
int main(void) {
    for (int i = 0; i < N; i++) untaken_int(&a[i]);
    long sum = 0;
    for (int i = 0; i < N; i++) {
        sum += a[i];
        if (sum == 1234) return 1;
    }
    return 0;
}
"""
MUCH_LATER = 30  # seconds; a machine may be busy, but nothing here ends by itself


def test_a_choice_that_takes_for_ever_ends_with_the_time(tmp_path: Path, monkeypatch: Any) -> None:
    def ponders(search: SearchView) -> Steps:
        """Never comes to a decision."""
        path: Run = yield search.initial()
        while path:
            pass
        return None

    monkeypatch.setattr("untaken.campaign.campaign.strategy", lambda _: ponders)
    program, out = written(tmp_path, NEVER_ENDING), tmp_path / "out"
    summary = campaign(program, "--time", 1, "--out", out)
    assert summary.ended_by == "time" and summary.totals.iterations == 1
    assert (out / "tests" / "000001.bin").exists()


def test_constraints_on_all_of_a_large_input_end_with_the_time(tmp_path: Path) -> None:
    begun = time.monotonic()
    summary = campaign(written(tmp_path, SUMS), "--time", 1, "--out", tmp_path / "out")
    assert summary.ended_by == "time"
    assert time.monotonic() - begun < MUCH_LATER


def test_minimising_ends_with_the_time(tmp_path: Path) -> None:
    source = """
    #include <untaken.h>
    #include <unistd.h>
    int main(void) {
        int longest = 0;
        for (int i = 0; i < 64; i++) {
            char c;
            untaken_char(&c);
            usleep(2000);
            longest += c == 'x';
        }
        return longest > 3;
    }
    """
    begun = time.monotonic()
    campaign(written(tmp_path, source), "--time", 2, "--minimise", "--out", tmp_path / "out")
    assert time.monotonic() - begun < MUCH_LATER


def test_a_campaign_that_is_killed_leaves_a_summary(tmp_path: Path) -> None:
    out = tmp_path / "out"
    running = subprocess.Popen(
        command("run", written(tmp_path, NEVER_ENDING), "--after-coverage", 10**9, "--out", out, "--quiet"),
        start_new_session=True,
    )
    deadline = time.monotonic() + PATIENCE
    while not (out / "summary.json").exists():
        assert time.monotonic() < deadline and running.poll() is None
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    summary = json.loads((out / "summary.json").read_text())
    assert summary["ended_by"] == "running" and summary["iterations"] >= 1 and summary["tests"] >= 1
