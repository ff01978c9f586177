"""What is known of a modelled function: its type."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Model:
    """The type of a modelled function, in LLVM's terms."""

    result: str
    parameters: tuple[str, ...]
    variadic: bool = False
