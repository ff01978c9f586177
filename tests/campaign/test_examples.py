"""The examples do what their `// expect:` lines say."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.campaign.commands import EXAMPLES, campaign
from untaken.campaign.watcher import Snapshot, Watcher

SEEDS = (0,)
SECONDS = 90  # at most: a campaign ends when all that is expected has come, and the machine may be busy
SOME_MORE = 100  # iterations that go on then, in case that there is more than expected
LINE = re.compile(r"// expect: (.*)")
SLOW = "calculator"  # the demonstration: its fault is deep


@dataclass(frozen=True, slots=True)
class Expected:
    """What an example says about itself."""

    branches: int | None
    total: int | None
    findings: int
    at_least: bool  # there may be more findings
    exhausted: bool
    iterations: int | None
    arguments: tuple[str, ...]


def expected(source: Path) -> Expected:
    match = LINE.search(source.read_text())
    assert match, f"{source} does not say what to expect"
    said = dict(word.partition("=")[::2] for word in shlex.split(match[1]))
    branches, _, total = said.get("branches", "").partition("/")
    return Expected(
        branches=int(branches) if branches else None,
        total=int(total) if total else None,
        findings=int(said["findings"].rstrip("+")),
        at_least=said["findings"].endswith("+"),
        exhausted=said.get("exhausted") == "yes",
        iterations=int(said["iterations"]) if "iterations" in said else None,
        arguments=tuple(shlex.split(said.get("args", ""))),
    )


class Enough(Watcher):
    """Interrupts a campaign some iterations after everything expected has come."""

    def __init__(self, wanted: Expected) -> None:
        self._wanted = wanted
        self._look: Callable[[], Snapshot] | None = None
        self._left = SOME_MORE

    def begin(self, title: str, look: Callable[[], Snapshot]) -> None:
        self._look = look

    def tick(self, runs: int = 1) -> None:
        assert self._look is not None
        now, wanted = self._look(), self._wanted
        if now.branches >= (wanted.branches or 0) and now.findings >= wanted.findings and not wanted.exhausted:
            self._left -= 1
            if self._left <= 0:
                raise KeyboardInterrupt


def examples() -> list[Path]:
    return sorted(EXAMPLES.glob("*.c"))


def test_there_are_at_least_ten() -> None:
    assert len(examples()) >= 10


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("source", [path for path in examples() if path.stem != SLOW], ids=lambda path: path.stem)
def test_example(source: Path, seed: int, tmp_path: Path) -> None:
    wanted = expected(source)
    words = [*wanted.arguments, "--seed", seed, "--time", SECONDS, "--out", tmp_path / "out"]
    summary = campaign(source, *words, watcher=Enough(wanted))
    assert (wanted.branches, wanted.total) in ((summary.covered, summary.total), (None, None))
    assert len(summary.findings) == wanted.findings or (wanted.at_least and len(summary.findings) > wanted.findings)
    assert summary.exhausted or not wanted.exhausted
    assert wanted.iterations in (None, summary.totals.iterations)


def test_the_demonstration_gets_deep(tmp_path: Path) -> None:
    summary = campaign(EXAMPLES / f"{SLOW}.c", "--stdin", 64, "--iterations", 1500, "--out", tmp_path / "out")
    assert summary.covered > summary.total // 2
