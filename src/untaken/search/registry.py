"""Strategies by name, ours and those that other packages add through the entry point group "untaken.strategies".

A strategy is named with its options as NAME[:OPTION=VALUE]..., for instance `dfs:depth=12:deepen=yes`. Options are the
keyword arguments of the strategy's function, with their types taken from its annotations.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import entry_points

from untaken.errors import UsageError
from untaken.search.attempts import Steps, Strategy
from untaken.search.declaration import Declaration, declaration_of
from untaken.search.strategies.auto import auto
from untaken.search.strategies.bfs import bfs
from untaken.search.strategies.causes import causes
from untaken.search.strategies.cfg import cfg
from untaken.search.strategies.cgs import cgs
from untaken.search.strategies.dfs import dfs
from untaken.search.strategies.earliest import earliest
from untaken.search.strategies.frequencies import frequencies
from untaken.search.strategies.frontier import frontier
from untaken.search.strategies.generational import generational
from untaken.search.strategies.havoc import havoc
from untaken.search.strategies.hybrid.algorithm import hybrid
from untaken.search.strategies.openings import openings
from untaken.search.strategies.parametric import parametric
from untaken.search.strategies.pieces import pieces
from untaken.search.strategies.random_branch import random_branch
from untaken.search.strategies.random_input import random_input
from untaken.search.strategies.records import records
from untaken.search.strategies.solve_first import solve_first
from untaken.search.strategies.stores import stores
from untaken.search.strategies.uniform import uniform
from untaken.search.strategies.words import words
from untaken.search.view import SearchView

DEFAULT = "auto"
ENTRY_POINT_GROUP = "untaken.strategies"

_OURS: dict[str, Strategy] = {
    "auto": auto,
    "random": random_input,
    "dfs": dfs,
    "bfs": bfs,
    "random-branch": random_branch,
    "uniform": uniform,
    "cfg": cfg,
    "cgs": cgs,
    "generational": generational,
    "frontier": frontier,
    "earliest": earliest,
    "words": words,
    "pieces": pieces,
    "records": records,
    "openings": openings,
    "causes": causes,
    "stores": stores,
    "havoc": havoc,
    "frequencies": frequencies,
    "solve-first": solve_first,
    "hybrid": hybrid,
    "parametric": parametric,
}

_ADDED: dict[str, Strategy] = {}  # by this process
_Value = bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class StrategyOption:
    """An option of a strategy; `type` is as annotated, such as "int | None"."""

    name: str
    type: str
    default: _Value

    @property
    def flag(self) -> str:
        """The option's name as users type it."""
        return self.name.replace("_", "-")

    @property
    def shown_default(self) -> str:
        """As it is typed, too."""
        if isinstance(self.default, bool):
            return "yes" if self.default else "no"
        return "none" if self.default is None else str(self.default)


@dataclass(frozen=True, slots=True)
class StrategyEntry:
    """A strategy that can be asked for by name."""

    name: str
    make: Strategy
    package: str = ""  # the distribution that brings it; empty: ours

    @property
    def declaration(self) -> Declaration:
        """What it makes use of."""
        return declaration_of(self.make)

    def has_use_for(self, setting: str) -> bool:
        """Whether a setting of a campaign makes sense with it; those that all have a use for are not asked about."""
        declared = self.declaration
        match setting:
            case "heuristic":
                return declared.scores
            case "range" | "values" | "printable":
                return declared.wanders
            case "dictionary":
                return declared.asks_for_words
            case "max_path":
                return declared.flips
            case "prune":
                return declared.flips and declared.from_start
        return setting in {option.name for option in self.options}

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return (inspect.getdoc(self.make) or "").partition("\n")[0]

    @property
    def options(self) -> tuple[StrategyOption, ...]:
        """The options of a strategy: the keyword-only arguments of its function."""
        return tuple(
            StrategyOption(parameter.name, _type(parameter.annotation), parameter.default)
            for parameter in inspect.signature(self.make).parameters.values()
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY
        )


def _type(annotation: object) -> str:
    """As written in the source, whether or not the module postpones its annotations."""
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def strategies() -> Mapping[str, StrategyEntry]:
    """All that are installed, ours first; a name of ours cannot be taken over."""
    known = {name: StrategyEntry(name, make) for name, make in _OURS.items()}
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name):
        if point.name not in known:
            package = point.dist.name if point.dist else "?"
            known[point.name] = StrategyEntry(point.name, point.load(), package)
    return known | {name: StrategyEntry(name, make) for name, make in _ADDED.items()}


def register(name: str, make: Strategy) -> None:
    """Adds a strategy until this process ends; it may take the place of one that was added before, not of others."""
    if name in strategies() and name not in _ADDED:
        raise UsageError(f"there is a strategy {name!r} already: choose another name")
    if not name or any(character in name for character in ":=, "):
        raise UsageError(f"{name!r} is no name for a strategy: options come after a colon")
    _ADDED[name] = make


def strategy(spec: str) -> Callable[[SearchView], Steps]:
    """The strategy that NAME[:OPTION=VALUE]... asks for."""
    name, *settings = spec.split(":")
    known = strategies()
    if name not in known:
        raise UsageError(f"no strategy is called {name!r}; there are: {', '.join(known)}")
    entry = known[name]
    options = dict(_setting(entry, setting) for setting in settings)
    if wrong := entry.declaration.refuses(options):
        raise UsageError(f"strategy {name} {wrong}")
    return partial(entry.make, **options)


def _setting(entry: StrategyEntry, setting: str) -> tuple[str, _Value]:
    name, _, text = setting.partition("=")
    for option in entry.options:
        if name.replace("-", "_") == option.name:
            return option.name, _value(entry, option, text)
    offered = ", ".join(option.flag for option in entry.options) or "none"
    raise UsageError(f"strategy {entry.name} has no option {name!r}; it has: {offered}")


def _value(entry: StrategyEntry, option: StrategyOption, text: str) -> _Value:
    kind, *others = [kind.strip() for kind in option.type.split("|")]
    if text.lower() == "none" and "None" in others:
        return None
    try:
        return _READERS[kind](text)
    except (KeyError, ValueError):
        wanted = " or ".join([_WANTED.get(kind, kind), *map(str.lower, others)])
        raise UsageError(f"option {option.flag} of {entry.name} wants {wanted}, not {text!r}") from None


def _read_bool(text: str) -> bool:
    return {"yes": True, "true": True, "1": True, "": True, "no": False, "false": False, "0": False}[text.lower()]


def _read_whole(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = int(text)
        if not least <= value <= _LARGEST:
            raise ValueError
        return value

    return read


_LARGEST = (1 << 31) - 1  # the running program is told some of them
_READERS: dict[str, Callable[[str], _Value]] = {
    "bool": _read_bool,
    "int": _read_whole(0),
    "Count": _read_whole(1),
    "float": float,
    "str": str,
}
_WANTED = {
    "bool": "yes or no",
    "int": f"a whole number from 0 up to {_LARGEST:,}",
    "Count": f"a whole number from 1 up to {_LARGEST:,}",
    "float": "a number",
    "str": "a word",
}
