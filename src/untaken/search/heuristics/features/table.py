"""The 40 features in the order of the paper's table 1: name, sentence, and the function that says where it is true."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from untaken.search.heuristics.features import dynamic, static
from untaken.search.heuristics.features.dynamic import DynamicFeature
from untaken.search.heuristics.features.static import StaticFeature

# Of the meaning of the features: raised when one of them changes, so that weights learned for another are told.
VERSION = 1

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Feature(Generic[_Function]):
    """A property of a branch on a path. Its name is what heuristic files call it."""

    name: str
    sentence: str
    compute: _Function
    positional: bool = False  # a stretch of the path; else one flag for each kind of decision


def _named(compute: _Function, *, positional: bool = False) -> Feature[_Function]:
    """Name and sentence from the function."""
    return Feature(compute.__name__.replace("_", "-"), inspect.getdoc(compute) or "", compute, positional)


STATIC: tuple[Feature[StaticFeature], ...] = (
    _named(static.in_main),
    _named(static.loop_true),
    _named(static.loop_false),
    _named(static.nested),
    _named(static.external_call),
    _named(static.integer_constant),
    _named(static.character_constant),
    _named(static.pointer_access),
    _named(static.local_variable),
    _named(static.in_loop),
    _named(static.case_true),
    _named(static.case_false),
)

DYNAMIC: tuple[Feature[DynamicFeature], ...] = (
    _named(dynamic.first_tenth, positional=True),
    _named(dynamic.last_tenth, positional=True),
    _named(dynamic.most_frequent),
    _named(dynamic.least_frequent),
    _named(dynamic.newly_covered),
    _named(dynamic.after_negated, positional=True),
    *(
        Feature(f"context-{k}-known", f"Its context of length {k} was negated before.", dynamic.context_known(k))
        for k in dynamic.CONTEXT_LENGTHS
    ),
    *(
        Feature(f"negated-over-{times}", f"Negated more than {times} times.", dynamic.negated_more_than(times))
        for times in (10, 20, 30)
    ),
    _named(dynamic.near_negated, positional=True),
    _named(dynamic.failed),
    _named(dynamic.opposite_failed),
    _named(dynamic.opposite_uncovered),
    _named(dynamic.opposite_lonely),
    *(
        Feature(f"among-last-{count}", f"Among the last {count} negated branches.", dynamic.among_last_negated(count))
        for count in (10, 20, 30)
    ),
    _named(dynamic.least_covered_function),
    *(
        Feature(
            f"near-largest-{percent}",
            f"The opposite branch is within two steps of one of the largest {percent} % of the unreached functions.",
            dynamic.near_largest_unreached(percent),
        )
        for percent in (10, 20, 30)
    ),
    _named(dynamic.near_large_unreached),
    _named(dynamic.in_novel_function),
)

FEATURES: tuple[Feature[Any], ...] = (*STATIC, *DYNAMIC)
NAMES: tuple[str, ...] = tuple(feature.name for feature in FEATURES)
