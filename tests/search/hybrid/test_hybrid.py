"""`--strategy hybrid` as users run it: what it finds that others do not, and that its tests hold by themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.campaign.commands import EXAMPLES, campaign, files_of, untaken, written
from tests.search.hybrid.programs import LOCK, READER
from untaken.campaign.option_text import range_bias, values_bias
from untaken.campaign.watcher import Watcher
from untaken.errors import UsageError
from untaken.model.input import Bias

RESET = EXAMPLES / "reset.c"  # figure 1 of the paper


class Notes(Watcher):
    """Keeps what users are told."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def note(self, text: str) -> None:
        self.texts.append(text)


def explored(source: Path, out: Path, *words: object) -> dict[str, bytes]:
    campaign(source, "--strategy", "hybrid", *words, "--out", out)
    return files_of(out / "tests") | files_of(out / "crashes")


@pytest.mark.parametrize("seed", range(5))
def test_the_error_of_figure_1_is_reached(seed: int, tmp_path: Path) -> None:
    words = ("--seed", seed, "--first-finding", "--iterations", 5000, "--out", tmp_path)
    summary = campaign(RESET, "--strategy", "hybrid", *words)
    assert [finding.what for finding in summary.findings] == ["SIGABRT"]
    assert summary.ended_by == "first finding"


@pytest.mark.parametrize("words", [("random", "--inputs", 300), ("dfs", "--inputs", 20)], ids=["random", "dfs"])
def test_others_do_not_reach_it(words: tuple[object, ...], tmp_path: Path) -> None:
    summary = campaign(RESET, "--strategy", *words, "--iterations", 500, "--first-finding", "--out", tmp_path)
    assert summary.findings == ()


def test_auto_reaches_it_too(tmp_path: Path) -> None:
    """A matter of luck: it takes 400 to 13,000 iterations on most seeds, and once more than 20,000."""

    def is_reached(seed: int) -> bool:
        words = (
            "--inputs",
            20,
            "--iterations",
            15_000,
            "--first-finding",
            "--seed",
            seed,
            "--out",
            tmp_path / str(seed),
        )
        return len(campaign(RESET, *words).findings) == 1

    assert any(map(is_reached, (1, 2, 3)))


def test_a_program_without_end_is_given_one(tmp_path: Path) -> None:
    notes = Notes()
    words = ("--strategy", "dfs", "--timeout", 0.3, "--iterations", 3, "--out", tmp_path / "out")
    summary = campaign(written(tmp_path, LOCK), *words, watcher=notes)
    assert summary.findings == (), "asking for input is no hang"
    assert [text for text in notes.texts if "without end" in text]


def test_the_same_seed_gives_the_same_tests(tmp_path: Path) -> None:
    source = written(tmp_path, LOCK)
    first = explored(source, tmp_path / "one", "--iterations", 150, "--seed", 3)
    assert first == explored(source, tmp_path / "two", "--iterations", 150, "--seed", 3)
    assert first != explored(source, tmp_path / "three", "--iterations", 150, "--seed", 4)


def test_tests_hold_without_snapshots_and_can_be_shortened(tmp_path: Path) -> None:
    out = tmp_path / "out"
    notes = Notes()
    words = ("--strategy", "hybrid", "--first-finding", "--minimise", "--iterations", 2000, "--out", out)
    summary = campaign(RESET, *words, watcher=notes)
    (finding,) = summary.findings
    found = (out / "crashes" / finding.name / "input.bin").read_bytes()
    # Nine rounds of a character and six bytes; in the last the word.
    assert len(found) == 63 and found[::7] == b"[({~ax})]" and found.endswith(b"reset\0")
    assert any(text.startswith("the tests had ") for text in notes.texts)
    for which in (("--instrumented",), ("1",), (f"crashes/{finding.name}",)):
        answer = untaken("replay", out, "--json", *which)
        replays = json.loads(answer.printed)
        assert replays and all(replay["same"] for replay in replays), answer.printed


def test_a_second_run_knows_what_the_first_covered(tmp_path: Path) -> None:
    source = written(tmp_path, LOCK)
    first = campaign(source, "--strategy", "hybrid", "--iterations", 60, "--out", tmp_path / "out")
    notes = Notes()
    again = campaign(source, "--strategy", "hybrid", "--iterations", 1, "--out", tmp_path / "out", watcher=notes)
    assert again.covered >= first.covered
    assert not any("without end" in text for text in notes.texts)


def test_stdin_is_searched_read_by_read(tmp_path: Path) -> None:
    source = written(tmp_path, READER)
    words = ("--stdin", 1000, "--range", "stdin=97..99", "--saturation", 200, "--iterations", 40)
    summary = campaign(source, "--strategy", "hybrid", *words, "--coverage", 100, "--out", tmp_path / "out")
    assert (summary.covered, summary.ended_by) == (summary.total, "enough coverage")


@pytest.mark.parametrize("inside", ["bfs", "random-branch", "generational"])
def test_the_strategy_inside_can_be_chosen(inside: str, tmp_path: Path) -> None:
    source = written(tmp_path, LOCK)
    words = ("--range", "&c=0..9", "--saturation", 100, "--iterations", 400, "--first-finding")
    summary = campaign(source, "--strategy", f"hybrid:inside={inside}", *words, "--out", tmp_path / "out")
    assert len(summary.findings) == 1


def test_ranges_and_values_are_read() -> None:
    assert range_bias("toss=-3..0x10") == Bias("toss", -3, 16)
    assert values_bias("key=a,27,-1,:,5") == Bias("key", values=(97, 27, -1, 58, 5))


@pytest.mark.parametrize("text", ["toss", "toss=1", "toss=5..1", "=1..2", "toss=a..b", f"toss=0..{1 << 63}"])
def test_a_range_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--range wants NAME="):
        range_bias(text)


@pytest.mark.parametrize("text", ["key", "key=", "key=ab", "=a"])
def test_values_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--values wants NAME=A,B,C"):
        values_bias(text)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--strategy", "dfs", "--saturation", "5"), "strategy dfs has no option 'saturation'"),
        (("--strategy", "hybrid", "--range", "a=1..2", "--values", "a=1"), "the same name has two"),
        (("--strategy", "dfs", "--range", "a=1..2"), "are for the strategies auto and hybrid, not for dfs"),
        (("--strategy", "random", "--printable"), "are for the strategies auto and hybrid, not for random"),
        (("--strategy", "hybrid:inside=magic"), "has no search 'magic' inside"),
        (("--coverage", "200"), "--coverage wants a percentage"),
    ],
)
def test_what_does_not_fit_is_said(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    answer = untaken("run", written(tmp_path, LOCK), *words, "--out", tmp_path / "out")
    assert answer.code == 2 and said in answer.said and answer.said.count("\n") == 1
