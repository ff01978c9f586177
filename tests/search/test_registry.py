"""Strategies by name, their options, and strategies that other packages bring."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from random import Random

import pytest

import untaken
from untaken.errors import UsageError
from untaken.search.budget import Budget, Ending
from untaken.search.driver import Driver
from untaken.search.registry import DEFAULT, strategies, strategy
from untaken.search.world import World

from .trees import Tree, full

NAMES = ["auto", "random", "dfs", "bfs", "random-branch", "uniform", "cfg", "cgs", "generational", "frontier"]


def test_ours_are_listed_with_a_line_each() -> None:
    known = strategies()
    assert set(NAMES) <= set(known)
    assert next(iter(known)) == DEFAULT
    for entry in known.values():
        assert 20 < len(entry.summary) < 110 and entry.summary.endswith((".", ";")), entry.summary


def test_options_are_read_by_their_types() -> None:
    options = {option.name: option for option in strategies()["dfs"].options}
    assert (options["depth"].type, options["depth"].default) == ("Count | None", None)
    bound = strategy("dfs:depth=12:deepen=yes")
    assert bound.keywords == {"depth": 12, "deepen": True}  # type: ignore[attr-defined]
    assert strategy("dfs:depth=none").keywords == {"depth": None}  # type: ignore[attr-defined]
    assert strategy("random:structured=0.25").keywords == {"structured": 0.25}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("dsf", "no strategy is called 'dsf'; there are: auto"),
        ("dfs:width=3", "strategy dfs has no option 'width'; it has: depth, deepen, last-first, shuffle"),
        ("dfs:depth=deep", "depth of dfs wants a whole number from 1 up to 2,147,483,647 or none, not 'deep'"),
        ("dfs:depth=0", "wants a whole number from 1"),
        ("auto:warmup=-1", "warmup of auto wants a whole number from 0"),
        ("hybrid:longest=99999999999", "longest of hybrid wants a whole number from 1 up to"),
        ("dfs:last-first=perhaps", "last-first of dfs wants yes or no, not 'perhaps'"),
        ("dfs:last-first=yes:shuffle=yes", "strategy dfs flips the last branch first, or any one: choose"),
        ("hybrid:inside=magic", "strategy hybrid has no search 'magic' inside; there are: dfs, ordered"),
        ("hybrid:paper=yes:longest=7", "strategy hybrid has no inside and no longest with paper"),
        ("uniform:x=1", "strategy uniform has no option 'x'; it has: none"),
    ],
)
def test_what_cannot_be_is_said(spec: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        strategy(spec)


@pytest.mark.parametrize(
    ("setting", "users"),
    [
        ("heuristic", {"auto", "parametric"}),
        ("range", {"auto", "hybrid"}),
        ("saturation", {"auto", "hybrid"}),
        ("max_path", set(strategies()) - {"random", "words", "records", "havoc"}),
        ("prune", set(strategies()) - {"random", "words", "records", "havoc", "hybrid"}),
    ],
)
def test_strategies_say_what_they_have_a_use_for(setting: str, users: set[str]) -> None:
    assert {name for name, entry in strategies().items() if entry.has_use_for(setting)} == users


@pytest.mark.parametrize("module", ["campaign/config.py", "search/pruning/registry.py"])
def test_nobody_else_lists_strategies(module: str) -> None:
    """One that is added declares itself, and is found by that."""
    text = (Path(untaken.__file__).parent / module).read_text()
    assert not [name for name in strategies() if f'"{name}"' in text]


PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-strategy.md"


def code_of_the_page(language: str) -> str:
    """The documentation's example is what is tested."""
    return PAGE.read_text().partition(f"```{language}\n")[2].partition("```")[0]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that brings a strategy, as pip would leave it."""
    (tmp_path / "lastbranch.py").write_text(code_of_the_page("python"))
    info = tmp_path / "lastbranch-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lastbranch\nVersion: 1.0\n")
    groups = tomllib.loads(code_of_the_page("toml"))["project"]["entry-points"]
    [(name, function)] = groups["untaken.strategies"].items()
    (info / "entry_points.txt").write_text(f"[untaken.strategies]\n{name} = {function}\ndfs = {function}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "lastbranch", raising=False)


def test_other_packages_add_strategies(installed: None) -> None:
    entry = strategies()["last-branch"]
    assert (entry.package, entry.summary) == ("lastbranch", "Flips the last branch that can be flipped, over and over.")
    tree = Tree(full(3))
    last_branch = strategy("last-branch:patience=2")
    driver = Driver(World(tree.program, tree, tree), last_branch, Random(0), Budget(iterations=9))
    assert driver.run() is Ending.ITERATIONS
    assert tree.runs[:2] == [b"", b"\0\0\1"]


def test_a_name_of_ours_cannot_be_taken_over(installed: None) -> None:
    assert strategies()["dfs"].package == ""
