"""Strategies of one's own, in the same process."""

from __future__ import annotations

from untaken.search.attempts import Strategy
from untaken.search.registry import register


def add_strategy(strategy: Strategy, name: str | None = None) -> str:
    """Makes a strategy known under its name, or another one, until this process ends; returns that name."""
    chosen = name or strategy.__name__.replace("_", "-")
    register(chosen, strategy)
    return chosen
