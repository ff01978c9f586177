"""A limit of time is a limit: whatever a campaign does when its time is over, it ends, and what it found is there."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.commands import PATIENCE, campaign, command, written
from untaken.campaign.clock import CampaignClock
from untaken.campaign.config import Config
from untaken.cli.start_up import timed_command, without_start_up
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


def switch(cases: int) -> str:
    listed = "\n".join(f"case {7 * each + 3}: return {each % 97};" for each in range(cases))
    body = f"unsigned x;\nuntaken_uint(&x);\nswitch (x) {{\n{listed}\n}}\nreturn 1;"
    return f"#include <untaken.h>\nint main(void) {{\n{body}\n}}\n"


def conditions(count: int) -> str:
    """Each about all of the input."""
    mixed = ((each * 2654435761 % 2**30, each % 89 + 3) for each in range(count))
    listed = "\n".join(f"if ((x ^ {number}) % {divisor} == y % 5) r += {divisor};" for number, divisor in mixed)
    return f"int mixed(unsigned x, unsigned y) {{\nint r = 0;\n{listed}\nreturn r;\n}}\n"


AUTOMATON = """
#include <untaken.h>
int main(void) {
    unsigned state = 1;
    for (;;) {
        unsigned char c;
        untaken_uchar(&c);
        if (c == 255) return state == 77;
        state = (state * 31 + (c > state % 200)) % 1009;
        if (state == 4) return 4;
    }
}
"""
COUNTING = """
unsigned rounds(unsigned n) {
    unsigned r = 0;
    for (unsigned i = 0; i < n; i++) {
        r = r * 31 + i;
        if (r == 99) return 1;
    }
    return r;
}
"""
LIMITED = {
    "run parametric": ("run", SUMS, "parametric"),
    "run generational": ("run", switch(1500), "generational"),
    "run hybrid": ("run", AUTOMATON, "hybrid"),
    "run auto": ("run", AUTOMATON, "auto"),
    "unit dfs": ("unit", conditions(200), "dfs"),
    "unit auto": ("unit", COUNTING, "auto"),
}
LATE_SECONDS = 0.8  # of processor time: a machine may be busy, and most take 0.2


@pytest.mark.parametrize(("kind", "source", "strategy"), LIMITED.values(), ids=LIMITED)
def test_what_comes_after_the_time_is_little(tmp_path: Path, kind: str, source: str, strategy: str) -> None:
    program, out = written(tmp_path, source), tmp_path / "out"
    function = re.findall(r"(\w+)\(unsigned", source)[:1] if kind == "unit" else []
    words = (kind, program, *function, "--strategy", strategy, "--time", 1, "--out", out, "--quiet")
    samples = processor_times(command(*words))
    begun = next(out.rglob("campaign.json")).stat().st_mtime
    until_then = max(seconds for moment, seconds in samples if moment <= begun + 1)
    assert samples[-1][1] - until_then < LATE_SECONDS


def processor_times(words: list[str]) -> list[tuple[float, float]]:
    """Runs a command: at which moments its process had used how many seconds, children left aside."""
    running = subprocess.Popen(words)
    samples: list[tuple[float, float]] = []
    last = time.time() + PATIENCE
    while running.poll() is None:
        if time.time() > last:
            running.kill()
        fields = Path(f"/proc/{running.pid}/stat").read_text().rpartition(")")[2].split()
        samples.append((time.time(), sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")))
        time.sleep(0.02)
    assert running.returncode in (0, 1)
    return samples


def test_what_it_takes_to_load_a_command_is_part_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("untaken.cli.start_up.time.monotonic", lambda: now)
    config = Config(targets=("a.c",), time=4.0)
    assert without_start_up(config).seconds == 4.0  # nobody has typed a command
    with timed_command():
        now += 1.5
        assert without_start_up(config).seconds == 2.5
        assert without_start_up(replace(config, time=2.0)).seconds == 1.0  # at least half of it is for the search
        assert without_start_up(replace(config, time=None, iterations=3)).seconds is None


def test_of_the_time_for_a_large_program_some_is_kept_for_summing_up() -> None:
    def searched(limit: float | None, branches: int, minimise: bool = False) -> float | None:
        return CampaignClock(limit, minimise=minimise, branches=branches).search_limit

    assert searched(None, 30_000) is None
    assert searched(60.0, 300) == pytest.approx(60.0, abs=0.01)
    assert searched(60.0, 30_000) == pytest.approx(59.55)
    assert searched(2.0, 1_000_000) == pytest.approx(1.8), "never more than a tenth"
    assert searched(60.0, 30_000, minimise=True) == pytest.approx(0.9 * 59.55)
