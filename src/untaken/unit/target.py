"""From a plan to something that can be explored: the driver in the output folder, built as any other program."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from untaken.build.instrument.system_files import DRIVER_SUFFIX
from untaken.build.library.failing_allocations import FLAGS, SOURCE
from untaken.campaign.folder.output_folder import OthersTests, check_ours, check_program, known_recipe, make_room
from untaken.errors import CampaignError
from untaken.execute.target import Target, find_target
from untaken.given_files import read_whole
from untaken.json_records import parsed
from untaken.suite.corpus import told, write_file, write_json
from untaken.suite.trust import Trust, is_own_text, note_own_text
from untaken.unit.driver import drawing, driver_text, rest_text
from untaken.unit.shape import UnitPlan, from_json, to_json

FOLDER = "unit"
PLAN = "unit.json"


class OtherDrawing(OthersTests):
    """The inputs in a folder mean something else to this version's drivers."""

    def __init__(self, out: Path) -> None:
        super().__init__(out, "that another version of untaken made, whose drivers read inputs otherwise", "new ones")


def build_target(plan: UnitPlan, out: Path, note: Callable[[str], None] = lambda told: None) -> Target:
    """Writes plan and driver, and builds; `note` is told of a folder that was moved aside."""
    folder = out / FOLDER
    files = {folder / f"{plan.function}{DRIVER_SUFFIX}": driver_text(plan)}
    sources = [*files, *map(Path, plan.others)]
    if text := rest_text(plan):
        rest = folder / f"rest{DRIVER_SUFFIX}"
        files[rest] = text
        sources.append(rest)
    check_ours(out)
    make_room(out, lambda: _check_tests(out, [os.fspath(source) for source in sources]), note)
    _check_plan(out)
    write_plan(plan, out)
    for file, text in files.items():
        write_file(file, text.encode())
    flags = plan.flags
    if plan.fail_malloc:
        sources.append(SOURCE)
        flags += FLAGS
    return find_target([os.fspath(source) for source in sources], shlex.join(flags))


def write_plan(plan: UnitPlan, out: Path) -> None:
    """Into a campaign's folder, and noted as our own."""
    place = out / FOLDER / PLAN
    with told(out):
        place.parent.mkdir(parents=True, exist_ok=True)
    write_json(place, to_json(replace(plan, drawn_as=drawing(plan))))
    note_own_text(place.read_bytes())


def _check_tests(out: Path, sources: Sequence[str]) -> None:
    """That they are of this function, and drawn as this version does. A plan that cannot be read says nothing."""
    check_program(out, sources)
    if known_recipe(out) is None or not (out / FOLDER / PLAN).exists():
        return
    try:
        read_plan(out, Trust.EVERYBODY)  # compared, and not used
    except OtherDrawing:
        raise
    except CampaignError:
        return


def _check_plan(out: Path) -> None:
    """Before somebody else's is overwritten."""
    if (out / FOLDER).exists() and not (out / FOLDER / PLAN).exists():
        raise CampaignError(f"{out / FOLDER} is no campaign's: choose another --out")


def read_plan(out: Path, trust: Trust) -> UnitPlan:
    """The plan of the unit test whose campaign lies in this folder. All of it becomes C and options of compilers."""
    try:
        text = read_whole(out / FOLDER / PLAN)
    except FileNotFoundError:
        raise CampaignError(f"{out} holds no campaign of `untaken unit`, and only those are written as C") from None
    except OSError as error:
        raise CampaignError(f"{out / FOLDER / PLAN} cannot be read: {error.strerror}") from None
    if trust is not Trust.EVERYBODY and not is_own_text(text):
        raise CampaignError(
            f"{out / FOLDER / PLAN} was not written here, and C that is compiled and run would be made of it: run "
            "`untaken unit` again, or look at it, and give --trust if you believe it"
        )
    try:
        plan = from_json(parsed(text))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CampaignError(f"{out / FOLDER / PLAN} cannot be read ({error}): run `untaken unit` again") from None
    if not isinstance(plan, UnitPlan):
        raise CampaignError(f"{out / FOLDER / PLAN} holds no plan of a unit test: run `untaken unit` again")
    own = replace(plan, drawn_as="")
    if plan.drawn_as != drawing(own):
        raise OtherDrawing(out)
    return own
