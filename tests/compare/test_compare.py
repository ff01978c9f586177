"""`untaken compare` on a compiled program: what it writes, going on, stopping, and what it refuses."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.campaign.commands import MAIN, PATIENCE, Answer, command, untaken, written
from untaken.campaign.config import Config
from untaken.errors import CampaignError
from untaken.execute.target import find_target
from untaken.trials.plan import Plan, derived_seed
from untaken.trials.run_missing import run_plan

PROGRAM = """
#include <untaken.h>
static int never(int x) { return x > 3 ? 1 : 2; }
int main(int count, char **arguments) {
    char bytes[12];
    int right = 0;
    untaken_input(bytes, sizeof bytes, "bytes");
    for (int i = 0; i < 12; i++)
        if (bytes[i] == 'a' + i)
            right++;
        else if (bytes[i] == 'x')
            right--;
    if (right == 12)
        return 1;
    return count > 5 ? never(right) : 0;
}
"""
FILES = "comparison.html conditions.json growth.csv iterations.png iterations.svg results.json".split()
FILES += "seconds.png seconds.svg tables.md trials trials.csv".split()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("program"), PROGRAM)


def compared(program: Path, out: Path, *words: object) -> Answer:
    return untaken("compare", program, "--iterations", 40, "--seed", 3, "--jobs", 2, "--out", out, *words)


@pytest.fixture(scope="module")
def done(program: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Answer]:
    """A comparison that nobody changes."""
    out = tmp_path_factory.mktemp("done") / "out"
    return out, compared(program, out, "--strategies", "dfs,random", "--trials", 2)


def results(out: Path) -> dict[str, Any]:
    known: dict[str, Any] = json.loads((out / "results.json").read_text())
    return known


def trials(out: Path) -> dict[str, dict[str, Any]]:
    return {path.name: json.loads(path.read_text()) for path in sorted((out / "trials").iterdir())}


def test_everything_is_written(done: tuple[Path, Answer]) -> None:
    out, answer = done
    assert answer.code == 0, answer.said
    assert sorted(path.name for path in out.iterdir()) == sorted(FILES)
    assert list(trials(out)) == ["dfs.1.json", "dfs.2.json", "random.1.json", "random.2.json"]
    assert "random trial 2:" in answer.printed and "Mann-Whitney" in answer.printed
    assert (out / "iterations.png").read_bytes().startswith(b"\x89PNG")
    assert ElementTree.fromstring((out / "seconds.svg").read_text()).tag.endswith("svg")


def test_figures_are_those_of_the_trials(done: tuple[Path, Answer]) -> None:
    known, found = trials(done[0]), results(done[0])
    rows = {row["strategy"]: row for row in found["rows"]}
    # Depth-first gets everything but `never`, which four arguments more would call; random inputs see less.
    assert [row["strategy"] for row in found["rows"]] == ["dfs", "random"]
    assert (rows["dfs"]["mean"], rows["dfs"]["deviation"], found["total"]) == (9, 0, 12)
    assert found["reachable"] == 10
    assert rows["dfs"]["relative"] == pytest.approx(0.9)
    for trial in known.values():
        assert trial["iterations"] == 40
        assert trial["growth"][-1][2] == len(trial["covered"])
    assert {trial["seed"] for trial in known.values()} == {
        derived_seed(3, name, number) for name in ("dfs", "random") for number in (1, 2)
    }
    lines = (done[0] / "trials.csv").read_text().splitlines()
    assert len(lines) == 5 and lines[1].startswith("dfs,1,")


def test_the_page_needs_nothing_else(done: tuple[Path, Answer]) -> None:
    text = (done[0] / "comparison.html").read_text()
    assert text.count("<svg") == 2 and "<td>dfs</td>" in text
    assert not any(word in text for word in ('src="', "<link", "<script", "@import", 'href="http', "url(http"))
    # The one branch that depth-first alone covers, by name.
    assert "program.c" in text.partition("only one strategy")[2]


def test_the_same_seed_gives_the_same_trials(program: Path, done: tuple[Path, Answer], tmp_path: Path) -> None:
    compared(program, tmp_path, "--strategies", "random,dfs", "--trials", 1, "--jobs", 1)
    again = trials(tmp_path)
    for name, trial in again.items():
        known = trials(done[0])[name]
        assert (trial["seed"], trial["covered"]) == (known["seed"], known["covered"])
        assert [step[::2] for step in trial["growth"]] == [step[::2] for step in known["growth"]]


def test_only_what_is_missing_is_run(program: Path, tmp_path: Path) -> None:
    compared(program, tmp_path, "--strategies", "dfs", "--trials", 2)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "trials").iterdir()}
    next(iter(before)).unlink()
    answer = compared(program, tmp_path, "--strategies", "dfs,dfs:depth=2", "--trials", 2)
    assert "1 of 4 trials are done already" in answer.printed
    assert list(trials(tmp_path)) == ["dfs.1.json", "dfs.2.json", "dfs:depth=2.1.json", "dfs:depth=2.2.json"]
    kept = list(before)[1]
    assert kept.stat().st_mtime_ns == before[kept]
    assert [row["trials"] for row in results(tmp_path)["rows"]] == [2, 2]


def test_the_calling_script_runs_once(program: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"print('begun', flush=True)\n{MAIN}\n")
    words = ["compare", program, "--strategies", "random", "--trials", 2, "--iterations", 5, "--out", tmp_path / "out"]
    done = subprocess.run([sys.executable, script, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout.count("begun"), done.stderr) == (0, 1, "")


def test_ctrl_c_keeps_what_is_done(program: Path, tmp_path: Path) -> None:
    words = ["compare", program, "--strategies", "random", "--trials", 50, "--time", 1, "--jobs", 2, "--out", tmp_path]
    with subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        deadline = time.monotonic() + PATIENCE
        while not list(tmp_path.glob("trials/*.json")) and time.monotonic() < deadline:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        printed, said = running.communicate(timeout=PATIENCE)
    assert (running.returncode, said) == (130, "")
    assert "the same command goes on from there" in printed
    kept = trials(tmp_path)
    assert 1 <= len(kept) < 50
    assert all(trial["growth"] for trial in kept.values())


@pytest.mark.parametrize(
    "words, said",
    [
        (["--strategies", "dfs,dsf"], "no strategy is called 'dsf'"),
        (["--strategies", "dfs,,cfg"], "names with commas"),
        (["--strategies", "dfs,dfs"], "the same strategy twice"),
        (["--strategies", "dfs:width=2"], "has no option 'width'"),
        (["--strategies", "dfs", "--trials", "0"], "--trials wants a whole number from 1"),
        (["--strategies", "dfs", "--jobs", "many"], "--jobs wants a whole number"),
        (["--strategies", "dfs", "--iterations", "-1"], "--iterations wants a whole number"),
        (["--trials", "2"], "--strategies"),
        (["--strategies", "dfs", "--out", "/dev/null"], "choose another --out"),
        (["--strategies", "dfs", "--sideways"], "--sideways"),
        (["--strategies", "dfs,cfg", "--saturation", "5"], "strategy dfs has no option 'saturation'"),
        (["--strategies", "dfs,cfg", "--values", "x=1,2"], "--printable are for the strategies auto and hybrid"),
    ],
)
def test_what_cannot_be_is_one_sentence(program: Path, tmp_path: Path, words: list[str], said: str) -> None:
    answer = untaken("compare", program, "--iterations", 5, "--out", tmp_path, *words)
    assert answer.code == 2
    assert said in answer.said and answer.said.count("\n") == 1


def test_a_budget_is_wanted(program: Path, tmp_path: Path) -> None:
    answer = untaken("compare", program, "--strategies", "dfs", "--out", tmp_path)
    assert (answer.code, answer.said.count("\n")) == (2, 1)
    assert "--iterations" in answer.said


def test_a_folder_with_another_comparison_is_refused(program: Path, done: tuple[Path, Answer]) -> None:
    answer = compared(program, done[0], "--strategies", "dfs", "--trials", 1, "--timeout", 3)
    assert answer.code == 2
    assert "another timeout" in answer.said and answer.said.count("\n") == 1


def test_options_of_one_strategy_do_not_keep_others_from_being_compared(program: Path, tmp_path: Path) -> None:
    words = ("--trials", 1, "--inputs", 20, "--saturation", 5, "--inputs-per-search", 2, "--printable")
    answer = compared(program, tmp_path, "--strategies", "hybrid,dfs,random", *words)
    assert answer.code == 0, answer.said
    # Without them it would be another comparison.
    answer = compared(program, tmp_path, "--strategies", "hybrid", "--trials", 1)
    assert answer.code == 2 and "another --inputs" in answer.said


def test_a_trial_file_that_is_broken_is_named(program: Path, tmp_path: Path) -> None:
    compared(program, tmp_path, "--strategies", "dfs", "--trials", 1)
    (tmp_path / "trials" / "dfs.1.json").write_text("{}")
    answer = compared(program, tmp_path, "--strategies", "dfs", "--trials", 1)
    assert answer.code == 2
    assert "dfs.1.json cannot be read" in answer.said and answer.said.count("\n") == 1


def test_a_trial_that_fails_is_told(program: Path, tmp_path: Path) -> None:
    target = replace(find_target([str(program)]), program=tmp_path / "gone")
    plan = Plan(Config(targets=(), iterations=5, out=tmp_path / "out"), ("dfs",), trials=1, jobs=1)
    with pytest.raises(CampaignError, match=r"trial 1 of dfs failed: .*gone"):
        run_plan(plan, target, lambda done, missing: lambda trial, result: None)


def test_strategies_can_be_compared_under_pruning(program: Path, tmp_path: Path) -> None:
    rules = ("--prune", "lookahead", "--max-path", 9, "--goal", "statements")
    answer = compared(program, tmp_path / "out", "--strategies", "dfs", "--trials", 1, *rules)
    assert answer.code == 0, answer.said
    conditions = json.loads((tmp_path / "out" / "conditions.json").read_text())
    assert [conditions[name] for name in ("prune", "max_path", "goal")] == ["lookahead", 9, "statements"]
    assert "--prune lookahead, --max-path 9" in (tmp_path / "out" / "comparison.html").read_text()
    refused = compared(program, tmp_path / "no", "--strategies", "dfs,random", "--prune", "lookahead")
    assert refused.code == 2 and "strategy random flips none" in refused.said
