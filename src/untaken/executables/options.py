"""What is said of an image on the command line: where it begins and ends, and what its input is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DEFAULT_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class ImageOptions:
    """What the command line says of an image, as it was typed."""

    path: Path
    cpu: str | None = None
    base: int | None = None
    entry: str | None = None
    inputs: tuple[str, ...] = ()
    input_at: str | None = None
    ports: tuple[str, ...] = ()
    exits: tuple[str, ...] = ()
    interrupts: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    symbols: Path | None = None
    stack: int | None = None
    limit: int = DEFAULT_LIMIT
    function: str | None = None  # of `untaken unit`
