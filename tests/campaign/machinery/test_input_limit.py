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


@pytest.fixture(scope="module")
def protocol(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An automaton that only the right input takes to the next state, and that asks for ever; compiled once."""
    folder = tmp_path_factory.mktemp("protocol")
    cases = "\n".join(f"case {n}: if (in == {7 * n + 3}) state = {n + 1}; break;" for n in range(STATES))
    return written(
        folder,
        "extern int __VERIFIER_nondet_int(void);\nstatic int state;\n"
        f"static void step(int in) {{ switch (state) {{ {cases} }} }}\n"
        "int main(void) { for (;;) step(__VERIFIER_nondet_int()); }\n",
    )


def explored(program: Path, out: Path, *words: object) -> Summary:
    return campaign(program, "--timeout", 0.3, "--out", out, *words)


def most_inputs(folder: Path) -> int:
    """Of any test."""
    return max(
        len(read_fields(decoded(path.read_bytes(), SavedTestRecord).fields))
        for path in (folder / "tests").glob("*.json")
    )


def test_states_beyond_the_first_limit_are_reached(protocol: Path, tmp_path: Path) -> None:
    summary = explored(protocol, tmp_path / "out", "--strategy", "dfs", "--iterations", 1000, "--after-coverage", 0)
    assert summary.covered == summary.total
    assert STATES <= most_inputs(tmp_path / "out") <= 80


class Notes(Watcher):
    """What the campaign says; it ends when it has said what is waited for."""

    def __init__(self, awaited: str = "\n") -> None:
        self.said: list[str] = []
        self._awaited = awaited

    def note(self, text: str) -> None:
        self.said.append(text)

    def has_seen_enough(self) -> bool:
        return any(self._awaited in text for text in self.said)


@pytest.mark.parametrize("name", sorted(set(strategies()) - {"hybrid"}))
def test_the_limit_grows_in_every_strategy(protocol: Path, tmp_path: Path, name: str) -> None:
    notes = Notes("executions end after 40 from now on")
    iterations = 1500 if name == "earliest" else 700  # it gets on by itself, a state at a time
    config = ("--strategy", name, "--iterations", iterations, "--timeout", 0.3)
    campaign(protocol, *config, "--out", tmp_path / "out", watcher=notes)
    assert notes.has_seen_enough()


def test_a_campaign_that_goes_on_has_the_limit_that_it_had_come_to(protocol: Path, tmp_path: Path) -> None:
    notes = Notes()
    words = ("--timeout", 0.3, "--strategy", "dfs", "--out", tmp_path / "out")
    campaign(protocol, *words, "--iterations", 300)
    with closing(Store(tmp_path / "out")) as store:
        limit = store.endless_inputs
    assert limit >= 40
    campaign(protocol, *words, "--iterations", 1, watcher=notes)
    assert not any("without end" in note for note in notes.said)
    with closing(Store(tmp_path / "out")) as store:
        assert store.endless_inputs == limit


def test_a_limit_that_is_given_stays(protocol: Path, tmp_path: Path) -> None:
    summary = explored(protocol, tmp_path / "out", "--strategy", "dfs", "--iterations", 1000, "--inputs", 20)
    assert most_inputs(tmp_path / "out") == 20
    assert summary.covered < summary.total


def test_what_is_counted_after_all_is_covered_is_counted_exactly(tmp_path: Path) -> None:
    """Also where runs come many at once."""
    body = "char c; untaken_char(&c); if (c > 5) return 1; return 0;"
    program = written(tmp_path, f"#include <untaken.h>\nint main(void) {{ {body} }}")
    words = ("--strategy", "havoc", "--iterations", 5000, "--after-coverage", 777)
    summary = campaign(program, *words, "--out", tmp_path / "out")
    assert summary.ended_by == "full coverage" and summary.since_new.iterations == 777


def test_same_seed_same_tests(protocol: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        explored(protocol, tmp_path / name, "--strategy", "random-branch", "--iterations", 700, "--seed", 5)
    assert files_of(tmp_path / "one" / "tests") == files_of(tmp_path / "two" / "tests")
    assert most_inputs(tmp_path / "one") > 20
