"""`untaken status`: a campaign seen from outside."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

from tests.campaign.commands import PATIENCE, untaken, written
from tests.team.test_jobs import ENDLESS, ON, started


def status(out: Path) -> dict[str, Any]:
    answer = untaken("status", out, "--json")
    assert answer.code == 0, answer.said
    found: dict[str, Any] = json.loads(answer.printed)
    return found


def test_a_campaign_that_runs_is_seen_and_one_that_has_ended(tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = started(written(tmp_path, ENDLESS), "--stdin", 8, *ON, "--time", 60, "--jobs", 2, "--out", out)
    deadline = time.monotonic() + PATIENCE
    while not (out / "summary.json").exists() or json.loads((out / "summary.json").read_text())["tests"] < 3:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.1)
    seen = status(out)
    assert seen["running"] and seen["state"] == "running"
    assert seen["iterations"] > 0 and seen["tests"] >= 3 and seen["branches_covered"] > 0
    assert [worker["number"] for worker in seen["workers"]] == [1, 2]
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    seen = status(out)
    assert not seen["running"] and seen["state"] == "stopped"
    said = untaken("status", out).printed
    assert "worker 2  stopped" in said and "stopped, 0:" in said


def test_a_campaign_that_was_killed_is_not_said_to_run(tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = started(written(tmp_path, ENDLESS), "--stdin", 8, *ON, "--time", 60, "--out", out)
    while not (out / "summary.json").exists():
        time.sleep(0.05)
    process.kill()
    process.communicate()
    assert status(out)["state"] == "killed"


def test_a_folder_without_a_campaign_is_one_sentence(tmp_path: Path) -> None:
    answer = untaken("status", tmp_path)
    assert answer.code == 2 and "holds no campaign" in answer.said
