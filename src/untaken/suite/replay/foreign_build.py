"""Inside the sandbox: builds somebody else's program, and leaves its name, or why there is none."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from untaken.build.cache import build_cached
from untaken.build.plain import Image, Variant, build_plain, read_images
from untaken.build.toolchain.safe_options import unsafe_option
from untaken.errors import PlainBuildError, UntakenError
from untaken.json_records import decoded


@dataclass(frozen=True, slots=True)
class BuildOrder:
    """What `foreign.py` asks for. `variant` is its title, its options and its compiler."""

    environment: dict[str, str]
    answer: str
    sources: tuple[str, ...]
    cflags: tuple[str, ...]
    program: str
    name: str
    variant: tuple[str, tuple[str, ...], tuple[str, ...]] | None


def main() -> None:
    order = decoded(sys.argv[1], BuildOrder)
    os.environ.update(order.environment)
    Path(order.answer).write_text(json.dumps(_answer(order)))


def _answer(order: BuildOrder) -> dict[str, Any]:
    try:
        return {"program": str(_built(order))}
    except PlainBuildError as error:
        return {"error": str(error), "plain": True}
    except UntakenError as error:
        return {"error": str(error)}


def _built(order: BuildOrder) -> Path:
    sources = [Path(source) for source in order.sources]
    program = build_cached(sources, order.cflags) if sources else Path(order.program)
    if order.variant is None:
        return program
    title, options, compiler = order.variant
    for image in read_images(program):
        _check_words(image)
    return build_plain(program, Variant(title, tuple(options), tuple(compiler)), order.name)


def _check_words(image: Image) -> None:
    """A program says itself how it was built."""
    for words in _recorded(image):
        if (word := unsafe_option(words)) is not None:
            raise PlainBuildError(
                f"{image.path.name} was built with {word}, which is not known to be safe, and it was not built here; "
                "--trust allows it"
            )


def _recorded(image: Image) -> Iterator[list[str]]:
    for unit in image.units:
        yield list(unit["words"])
    for item in image.linkage["items"]:
        yield list(item.get("words", ()))
        yield list(item.get("source", {}).get("words", ()))
