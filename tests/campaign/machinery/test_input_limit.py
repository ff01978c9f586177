"""Programs that ask for input without end: how many inputs a run has grows when what lies beyond is wanted."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, files_of, written
from untaken.campaign.folder.store import Store
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Watcher
from untaken.json_records import decoded
from untaken.search.registry import strategies
from untaken.suite.records import SavedTestRecord, read_fields

STATES = 30  # more than the inputs that a run has at first


def protocol(folder: Path) -> Path:
    """An automaton that only the right input takes to the next state, and that asks for ever."""
    cases = "\n".join(f"case {n}: if (in == {7 * n + 3}) state = {n + 1}; break;" for n in range(STATES))
    return written(
        folder,
        "extern int __VERIFIER_nondet_int(void);\nstatic int state;\n"
        f"static void step(int in) {{ switch (state) {{ {cases} }} }}\n"
        "int main(void) { for (;;) step(__VERIFIER_nondet_int()); }\n",
    )


def explored(folder: Path, *words: object, out: str = "out") -> Summary:
    return campaign(protocol(folder), "--timeout", 0.3, "--out", folder / out, *words)


def most_inputs(folder: Path) -> int:
    """Of any test."""
    return max(
        len(read_fields(decoded(path.read_bytes(), SavedTestRecord).fields))
        for path in (folder / "tests").glob("*.json")
    )


def test_states_beyond_the_first_limit_are_reached(tmp_path: Path) -> None:
    summary = explored(tmp_path, "--strategy", "dfs", "--iterations", 1000, "--after-coverage", 0)
    assert summary.covered == summary.total
    assert STATES <= most_inputs(tmp_path / "out") <= 80


@pytest.mark.parametrize("name", sorted(set(strategies()) - {"hybrid"}))
def test_the_limit_grows_in_every_strategy(tmp_path: Path, name: str) -> None:
    notes: list[str] = []
    watcher = type("Notes", (Watcher,), {"note": lambda self, text: notes.append(text)})()
    iterations = 1500 if name == "earliest" else 700  # it gets on by itself, a state at a time
    config = ("--strategy", name, "--iterations", iterations, "--timeout", 0.3)
    campaign(protocol(tmp_path), *config, "--out", tmp_path / "out", watcher=watcher)
    assert any("executions end after 40 from now on" in note for note in notes)


def test_a_campaign_that_goes_on_has_the_limit_that_it_had_come_to(tmp_path: Path) -> None:
    notes: list[str] = []
    watcher = type("Notes", (Watcher,), {"note": lambda self, text: notes.append(text)})()
    words = ("--timeout", 0.3, "--strategy", "dfs", "--out", tmp_path / "out")
    campaign(protocol(tmp_path), *words, "--iterations", 300)
    with closing(Store(tmp_path / "out")) as store:
        limit = store.endless_inputs
    assert limit >= 40
    campaign(protocol(tmp_path), *words, "--iterations", 1, watcher=watcher)
    assert not any("without end" in note for note in notes)
    with closing(Store(tmp_path / "out")) as store:
        assert store.endless_inputs == limit


def test_a_limit_that_is_given_stays(tmp_path: Path) -> None:
    summary = explored(tmp_path, "--strategy", "dfs", "--iterations", 1000, "--inputs", 20)
    assert most_inputs(tmp_path / "out") == 20
    assert summary.covered < summary.total


def test_same_seed_same_tests(tmp_path: Path) -> None:
    for name in ("one", "two"):
        explored(tmp_path, "--strategy", "random-branch", "--iterations", 700, "--seed", 5, out=name)
    assert files_of(tmp_path / "one" / "tests") == files_of(tmp_path / "two" / "tests")
    assert most_inputs(tmp_path / "one") > 20
