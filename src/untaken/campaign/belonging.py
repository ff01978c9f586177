"""Whether an output folder is one that a campaign may write to: ours, of the same program, with the same inputs.

Tests are bytes whose meaning is in the program and its declared inputs. Of another program they would be rewritten or
cover nothing, and a folder with a `tests` of somebody else's is no place for ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from untaken.build.instrument.module import DRIVER_SUFFIX
from untaken.campaign.corpus import CRASHES, RECIPE, TESTS, Recipe
from untaken.campaign.store import DATABASE
from untaken.campaign.summary import SUMMARY
from untaken.errors import CampaignError


def check_ours(folder: Path) -> None:
    """Before anything is written there."""
    if any((folder / name).exists() for name in (DATABASE, RECIPE)):
        return
    taken = next((name for name in (TESTS, CRASHES, SUMMARY) if (folder / name).exists()), None)
    if taken is not None:
        raise CampaignError(f"{folder / taken} is no campaign's: choose another --out")


def check_same(folder: Path, before: Mapping[str, Any], now: Recipe) -> None:
    """`before` is what the campaign was whose tests are there."""
    wanted = now.as_json()
    check_program(folder, before, wanted["sources"] or [wanted["program"]])
    for name in ("declared", "arguments"):
        if list(before[name]) != list(wanted[name]):
            given = f"with {told_inputs(before)}: choose another --out for {told_inputs(wanted)}"
            raise CampaignError(f"{folder} holds tests that were made {given}, or remove the folder")


def check_program(folder: Path, before: Mapping[str, Any], files: Sequence[str]) -> None:
    """A program that was changed, or lies elsewhere, is still the same one; one with another name is not."""
    old, new = names(before["sources"] or [before["program"]]), names(files)
    if old != new:
        choice = f"choose another --out for {new[0]}, or remove the folder"
        raise CampaignError(f"{folder} holds tests of {old[0]}: {choice}")


def names(files: Sequence[str]) -> list[str]:
    """What they are called, wherever they lie; a driver goes by its function."""
    return [Path(file).name.removesuffix(DRIVER_SUFFIX) for file in files]


def told_inputs(recipe: Mapping[str, Any]) -> str:
    """The declared inputs and arguments as they are typed."""
    flags = {"argument": "--arg {size}", "stdin": "--stdin {size}", "file": "--file {name}={size}"}
    declared = [flags[source["kind"]].format_map(source) for source in recipe["declared"]]
    arguments = ["--", *recipe["arguments"]] if recipe["arguments"] else []
    return " ".join([*declared, *arguments]) or "no declared inputs"
