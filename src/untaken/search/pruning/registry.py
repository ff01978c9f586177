"""Pruning rules by name, as `--prune lookahead,call-depth=0` has them, in the order in which they are asked.

The cheap ones come first: a flip that one forbids is no matter for the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from untaken.errors import UsageError
from untaken.model.path import Path
from untaken.search.declaration import Declaration
from untaken.search.pruning.bounds import CallDepth, PathLength
from untaken.search.pruning.lookahead import LookAhead
from untaken.search.pruning.preparation import Preparation
from untaken.search.view import SearchView
from untaken.search.world import Filter

MAX_PATH = "max-path"
PREPARATION = "preparation"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that can be asked for by name; `make` is given the text after "=", if any."""

    name: str
    usage: str
    summary: str
    make: Callable[[str | None], Filter]


class Pruning:
    """Several rules as one: all must allow a flip. Counts what each skipped."""

    def __init__(self, rules: dict[str, Filter]) -> None:
        self._rules = rules
        self.skipped: Counter[str] = Counter()

    @property
    def filters(self) -> tuple[Filter, ...]:
        """What the search is to ask: nothing if there are no rules."""
        return (self,) if self._rules else ()

    @property
    def lossless(self) -> bool:
        return all(rule.lossless for name, rule in self._rules.items() if self.skipped[name])

    def allows(self, search: SearchView, path: Path, index: int) -> bool:
        for name, rule in self._rules.items():
            if not rule.allows(search, path, index):
                self.skipped[name] += 1
                return False
        return True

    def rules_out(self, search: SearchView, path: Path, index: int) -> bool:
        return any(rule.rules_out(search, path, index) for rule in self._rules.values())


def pruning(spec: str, *, max_path: int | None = None, prepares: bool = False) -> Pruning:
    """The rules that NAME[=VALUE],... asks for; `prepares`: some functions only make arguments for the tested one."""
    asked = dict(_read(spec))
    rules: dict[str, Filter] = {} if max_path is None else {MAX_PATH: PathLength(max_path)}
    if prepares:
        rules[PREPARATION] = Preparation()
    for name, rule in RULES.items():
        if name in asked:
            rules[name] = rule.make(asked[name])
    return Pruning(rules)


def check_pruning(spec: str, max_path: int | None, strategy: str, declared: Declaration) -> None:
    """Refuses what makes no sense with a strategy, with the reason."""
    pruning(spec, max_path=max_path)
    flag = "--prune" if spec else "--max-path"
    if (spec or max_path is not None) and not declared.flips:
        raise UsageError(f"{flag} is about branches to flip, and strategy {strategy} flips none: choose another one")
    if spec and not declared.from_start:
        why = f"and runs of strategy {strategy} begin in the middle"
        raise UsageError(f"--prune looks at the calls that led to a branch, {why}: choose another one")


def _read(spec: str) -> list[tuple[str, str | None]]:
    asked: list[tuple[str, str | None]] = []
    for text in spec.split(",") if spec else []:
        name, equals, value = text.strip().partition("=")
        if name not in RULES:
            raise UsageError(f"no pruning rule is called {name!r}; there are: {offered()}")
        if any(name == earlier for earlier, _ in asked):
            raise UsageError(f"--prune names {name} twice")
        asked.append((name, value if equals else None))
    return asked


def offered() -> str:
    """All rules, as they are written."""
    return ", ".join(rule.usage for rule in RULES.values())


def _lookahead(value: str | None) -> Filter:
    if value not in (None, "flips", "branches"):
        raise UsageError(f"lookahead asks at flips (the default) or at all branches of a path, not at {value!r}")
    return LookAhead(each=value == "branches")


def _call_depth(value: str | None) -> Filter:
    if value is None or not (value.isascii() and value.isdigit()):
        raise UsageError(f"call-depth wants a whole number from 0, such as call-depth=0, not {value or 'nothing'!r}")
    return CallDepth(int(value))


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule("call-depth", "call-depth=N", "no flip in calls deeper than N; may cost coverage", _call_depth),
        Rule("lookahead", "lookahead", "no flip that leads to nothing uncovered; costs no coverage", _lookahead),
    )
}
