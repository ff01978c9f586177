"""Which campaigns this user began: the others' say how to build a program, and that is not believed without care.

A file in the cache for each campaign that was begun here, under a name made of what it builds. Whoever has none of
them, because the cache was emptied say, is treated as with a folder of somebody else: that is slower, and no more.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from enum import Enum
from hashlib import sha256
from pathlib import Path

from untaken.build.storage import cache_root, digest
from untaken.suite.corpus import Recipe

FOLDER = "campaigns"


class Trust(Enum):
    """Whose words the compiler is given without care."""

    NOBODY = "the campaign is somebody else's"
    USER = "it was begun here: what its command line named, and programs that were built here"
    EVERYBODY = "the user says so: whatever a folder or a program asks for"


def note_own(recipe: Recipe, program: str) -> None:
    """A campaign begins; `program` is the digest of its program. Where nothing can be kept, nothing is."""
    note_own_text(_text(recipe, program))


def is_own(recipe: Recipe) -> bool:
    """Whether this user has built just this before."""
    program = ""
    with suppress(OSError, ValueError):
        program = "" if recipe.sources else sha256((Path(recipe.directory) / recipe.program).read_bytes()).hexdigest()
        return is_own_text(_text(recipe, program))
    return False


def note_own_text(text: bytes) -> None:
    """Something that says what is to be built was written here."""
    with suppress(OSError):
        place = _place_of(text)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()


def is_own_text(text: bytes) -> bool:
    """Whether this user has written just this before."""
    return _place_of(text).exists()


def _text(recipe: Recipe, program: str) -> bytes:
    """A program that was built elsewhere says itself how, so that its content counts; else sources and options do."""
    whose = [] if recipe.sources else [recipe.program, program]
    return json.dumps([recipe.directory, recipe.sources, recipe.cflags, whose, os.getuid()]).encode()


def _place_of(text: bytes) -> Path:
    return Path(cache_root()) / FOLDER / digest([text])
