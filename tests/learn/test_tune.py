"""`untaken tune` on a compiled program: its file, going on after an end, what it refuses, what it explains."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.commands import PATIENCE, Answer, command, untaken
from untaken.cli.main import guarded, run
from untaken.search.heuristics.features.table import NAMES

PROGRAM = Path(__file__).parent / "program.c"
BRANCHES = 22
SETTINGS = ("--method", "random", "--samples", 4, "--iterations", 12, "--seed", 3, "--jobs", 2)


def tuned(out: Path, *words: object) -> Answer:
    """A small tuning: 4 + 10 campaigns."""
    return untaken("tune", PROGRAM, *SETTINGS, "--out", out, *words)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Answer]:
    """A tuning that nobody changes."""
    out = tmp_path_factory.mktemp("done") / "learned.json"
    return out, tuned(out)


def known(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out.read_text())
    return found


def test_the_file_says_where_it_comes_from(done: tuple[Path, Answer]) -> None:
    out, answer = done
    assert answer.code == 0, answer.said
    found = known(out)
    assert tuple(found["weights"]) == NAMES
    assert found["program"]["name"] == "program.c" and found["program"]["branches"] == BRANCHES
    figures = found["figures"]
    assert (figures["method"], figures["iterations"], figures["trials"], figures["seed"]) == ("random", 12, 10, 3)
    assert 0 < figures["checked_average"] <= BRANCHES
    assert 0 < figures["executions"] <= 14 * 12
    assert f"{figures['checked_average']:.1f} of {BRANCHES} branches on average" in answer.printed
    assert found["rounds"][-1]["weights"] == list(found["weights"].values())


def test_run_and_compare_take_it(done: tuple[Path, Answer], tmp_path: Path) -> None:
    out, _ = done
    words = ("--heuristic", out, "--iterations", 12, "--out", tmp_path / "out")
    answer = untaken("run", PROGRAM, "--strategy", "parametric", "--json", *words)
    assert answer.code == 0, answer.said
    assert answer.summary["iterations"] <= 12
    answer = untaken(
        "compare", PROGRAM, "--strategies", "parametric,dfs", "--trials", 1, *words[:-1], tmp_path / "both"
    )
    assert answer.code == 0, answer.said
    assert {path.name for path in (tmp_path / "both" / "trials").iterdir()} == {"parametric.1.json", "dfs.1.json"}


def test_the_same_again_runs_nothing(done: tuple[Path, Answer]) -> None:
    out, _ = done
    before, trials = out.read_bytes(), sorted(trial_times(out).items())
    assert tuned(out).code == 0
    assert (out.read_bytes(), sorted(trial_times(out).items())) == (before, trials)


def trial_times(out: Path) -> dict[str, int]:
    folder = out.with_name(f"{out.name}.tuning") / "trials"
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*.json")}


@pytest.mark.parametrize("request_to_end", [signal.SIGINT, signal.SIGKILL])
def test_what_was_ended_goes_on(done: tuple[Path, Answer], tmp_path: Path, request_to_end: signal.Signals) -> None:
    """Ended when some campaigns are done: those are kept, and the result is that of a tuning nobody ended."""
    out = tmp_path / "learned.json"
    words = command("tune", PROGRAM, *SETTINGS, "--jobs", 1, "--out", out)
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + PATIENCE
    while len(trial_times(out)) < 3 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(request_to_end)
    code = process.wait(PATIENCE)
    kept = trial_times(out)
    assert len(kept) >= 3
    if len(kept) < 14:
        assert code == (130 if request_to_end is signal.SIGINT else -signal.SIGKILL)
        assert not out.exists()
    assert tuned(out).code == 0
    assert {name: stamp for name, stamp in trial_times(out).items() if name in kept} == kept
    assert out.read_bytes() == done[0].read_bytes()


# ---- what does not fit is refused


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What a command that is refused says: one sentence."""
    assert guarded(run, [str(word) for word in words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def changed(out: Path, folder: Path, **fields: object) -> Path:
    place = folder / "changed.json"
    place.write_text(json.dumps(known(out) | fields))
    return place


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"weights": {"brand-new": 1.0}}, "other features: it has a weight for brand-new, which is no feature here"),
        ({"weights": {NAMES[0]: 1.0}}, f"other features: it has no weight for {NAMES[1]}"),
        ({"weights": dict.fromkeys(reversed(NAMES), 1.0)}, "another order"),
        ({"features_version": 99}, "version 99 of the features"),
        ({"format": 77}, "it has format 77"),
        ({"weights": dict.fromkeys(NAMES, 11.0)}, "weights lie from -10 to 10"),
        ({"weights": dict.fromkeys(NAMES, "much")}, "no heuristic that `untaken tune` wrote"),
        ({"figures": {"luck": 3}}, "no heuristic that `untaken tune` wrote"),
    ],
)
def test_a_heuristic_that_does_not_fit_is_refused(
    done: tuple[Path, Answer],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    fields: dict[str, object],
    said: str,
) -> None:
    place = changed(done[0], tmp_path, **fields)
    told = refused(capsys, "run", PROGRAM, "--heuristic", place, "--out", tmp_path / "out")
    assert said in told and str(place) in told


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', "\x00"])
def test_what_is_no_heuristic_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    place = tmp_path / "broken.json"
    place.write_text(text)
    assert "no heuristic that `untaken tune` wrote" in refused(capsys, "tune", "--explain", place)


def test_a_heuristic_is_for_strategies_that_score(
    done: tuple[Path, Answer], capsys: pytest.CaptureFixture[str]
) -> None:
    told = refused(capsys, "run", PROGRAM, "--strategy", "dfs", "--heuristic", done[0])
    assert "--heuristic is for the strategies auto and parametric" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--samples", "1"], "--samples wants a whole number from 2"),
        (["--method", "best"], "--method"),
        (["--strategy", "dfs"], "strategy dfs scores nothing: try parametric"),
        (["--strategy", "parametric:later=perhaps"], "later of parametric wants yes or no"),
        (["--iterations", "0"], "--iterations wants a whole number from 1"),
        (["--out", "."], "is a folder"),
        (["--time", "3"], "--time"),
        (["--ray", "127.0.0.1:1"], "ray"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert said in refused(capsys, "tune", PROGRAM, *SETTINGS, "--out", tmp_path / "out.json", *words)


def test_another_tuning_in_the_same_place_is_refused(
    done: tuple[Path, Answer], capsys: pytest.CaptureFixture[str]
) -> None:
    told = refused(capsys, "tune", PROGRAM, *SETTINGS, "--out", done[0], "--samples", 5)
    assert "holds a tuning with another samples" in told


# ---- explain


def test_explain_draws_every_weight(done: tuple[Path, Answer]) -> None:
    out, _ = done
    answer = untaken("tune", "--explain", out, environment={"COLUMNS": "100", **os.environ})
    assert answer.code == 0, answer.said
    lines = {line.split()[1]: line for line in answer.printed.splitlines() if "|" in line}
    weights = known(out)["weights"]
    assert set(lines) == set(NAMES)
    for name, line in lines.items():
        before, _, after = line.partition("|")
        assert f"{weights[name]:.2f}" in before
        assert ("█" in after) == (weights[name] > 0.25 and "█" in line)
        assert ("█" in before) == (weights[name] < -0.25 and "█" in line)
    order = [weights[line.split()[1]] for line in answer.printed.splitlines() if "|" in line]
    assert order == sorted(order, reverse=True)


def test_explain_writes_a_page(done: tuple[Path, Answer]) -> None:
    out, _ = done
    assert untaken("tune", "--explain", out).code == 0
    page = out.with_suffix(".html").read_text()
    assert all(f"<td>{name}<div" in page for name in NAMES)
    weights = known(out)["weights"].values()
    assert page.count('class="bar against"') == sum(weight < 0 for weight in weights)
    assert page.count('class="bar for"') == sum(weight >= 0 for weight in weights)
    assert "http" not in page  # nothing is fetched from elsewhere
