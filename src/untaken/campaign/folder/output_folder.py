"""Whether an output folder is one that a campaign may write to: ours, of the same program, with the same inputs.

Tests are bytes whose meaning is in the program and its declared inputs. Of another program they would be rewritten or
cover nothing, and a folder with a `tests` of somebody else's is no place for ours.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from untaken.build.instrument.system_files import DRIVER_SUFFIX
from untaken.campaign.config import DEFAULT_OUT
from untaken.campaign.folder.store import DATABASE, lock
from untaken.campaign.summary import SUMMARY
from untaken.errors import CampaignError
from untaken.suite.corpus import CRASHES, RECIPE, TESTS, Recipe


def check_ours(folder: Path) -> None:
    """Before anything is written there."""
    if any((folder / name).exists() for name in (DATABASE, RECIPE)):
        return
    taken = next((name for name in (TESTS, CRASHES, SUMMARY) if (folder / name).exists()), None)
    if taken is not None:
        raise CampaignError(f"{folder / taken} is no campaign's: choose another --out")


def make_room(folder: Path, check: Callable[[], None], note: Callable[[str], None]) -> None:
    """What `check` finds to be another campaign's stays where it is if the folder was chosen: then this one may not
    begin. The default folder nobody chose, and it is moved aside."""
    try:
        check()
    except OthersTests as others:
        if folder != DEFAULT_OUT:
            raise
        note(f"{folder} held tests {others.whose}: they are in {move_aside(folder)} now")


def move_aside(folder: Path) -> Path:
    """To the first name that is free."""
    locked = lock(folder)  # else a campaign that is running there would go on in another folder
    try:
        numbered = (folder.with_name(f"{folder.name}.{number}") for number in count(1))
        return folder.rename(next(each for each in numbered if not each.exists()))
    except OSError as error:
        raise CampaignError(f"cannot move {folder} aside: {error.strerror}; choose another --out") from error
    finally:
        os.close(locked)


class OthersTests(CampaignError):
    """A folder holds tests that are not for this campaign."""

    def __init__(self, folder: Path, whose: str, wanted: str) -> None:
        super().__init__(f"{folder} holds tests {whose}: choose another --out for {wanted}, or remove the folder")
        self.whose = whose


def check_same(folder: Path, now: Recipe) -> None:
    """A folder without tests is for everybody."""
    before = known_recipe(folder)
    if before is None:
        return
    wanted = now.as_json()
    check_program(folder, wanted["sources"] or [wanted["program"]])
    if (old := told_inputs(before)) != (new := told_inputs(wanted)):
        raise OthersTests(folder, f"that were made with {old}", new)


def check_program(folder: Path, files: Sequence[str]) -> None:
    """A program that was changed, or lies elsewhere, is still the same one; one with another name is not."""
    before = known_recipe(folder)
    if before is None:
        return
    old, new = names(before["sources"] or [before["program"]]), names(files)
    if old != new:
        raise OthersTests(folder, f"of {old[0]}", new[0])


def known_recipe(folder: Path) -> dict[str, Any] | None:
    """Of the campaign whose tests are there; None if there are none, or it cannot be told any more."""
    if not any((folder / TESTS).glob("*.bin")):
        return None
    try:
        return Recipe.read(folder).as_json()
    except CampaignError:
        return None


def names(files: Sequence[str]) -> list[str]:
    """What they are called, wherever they lie; a driver goes by its function."""
    return [Path(file).name.removesuffix(DRIVER_SUFFIX) for file in files]


def told_inputs(recipe: Mapping[str, Any]) -> str:
    """The declared inputs and arguments as they are typed."""
    flags = {"argument": "--arg {size}", "stdin": "--stdin {size}", "file": "--file {name}={size}"}
    declared = [flags[source["kind"]].format_map(source) for source in recipe["declared"]]
    arguments = ["--", *recipe["arguments"]] if recipe["arguments"] else []
    return " ".join([*declared, *arguments]) or "no declared inputs"
