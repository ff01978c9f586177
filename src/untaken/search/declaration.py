"""What a strategy says of itself: what it makes use of, and which of its options contradict each other.

Settings that are for something which a strategy does not do are refused, in one sentence. So nobody else lists
strategies by name: a new one, of ours or of another package, is told apart by what it declares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

Options = Mapping[str, Any]  # those that were given, by name
_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Declaration:
    """Of a strategy that declares nothing: it flips decisions of paths that begin at the program's start."""

    flips: bool = True  # decisions; so it matters which are worth it (--prune, --max-path)
    from_start: bool = True  # its runs begin there; so call depth and calls under way are known (--prune)
    scores: bool = False  # branches, by a heuristic (--heuristic)
    wanders: bool = False  # the program draws random inputs itself (--range, --values, --printable)
    asks_for_words: bool = False  # and puts them into inputs (--dict)
    refuses: Callable[[Options], str | None] = lambda options: (
        None
    )  # what is wrong with options, as the end of a sentence


def declares(**properties: Any) -> Callable[[_Function], _Function]:
    """A decorator for strategies that are not as `Declaration` has it."""

    def decorate(strategy: _Function) -> _Function:
        strategy.declaration = Declaration(**properties)  # type: ignore[attr-defined]
        return strategy

    return decorate


def declaration_of(strategy: Callable[..., Any]) -> Declaration:
    """What a strategy declares of itself; nothing special, if it says nothing."""
    found: Declaration = getattr(strategy, "declaration", Declaration())
    return found
