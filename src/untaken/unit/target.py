"""From a plan to something that can be explored: the driver in the output folder, built as any other program."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

from untaken.build.instrument.module import DRIVER_SUFFIX
from untaken.campaign.corpus import told, write_file, write_json
from untaken.campaign.target import Target, find_target
from untaken.errors import CampaignError
from untaken.unit.driver import driver_text, rest_text
from untaken.unit.shape import Plan, from_json, to_json

FOLDER = "unit"
PLAN = "unit.json"


def build_target(plan: Plan, out: Path) -> Target:
    """Writes driver and plan, and builds."""
    folder = out / FOLDER
    with told(out):
        folder.mkdir(parents=True, exist_ok=True)
    driver = folder / f"{plan.function}{DRIVER_SUFFIX}"
    sources = [driver, *map(Path, plan.others)]
    write_file(driver, driver_text(plan).encode())
    if text := rest_text(plan):
        rest = folder / f"rest{DRIVER_SUFFIX}"
        write_file(rest, text.encode())
        sources.append(rest)
    write_json(folder / PLAN, to_json(plan))
    return find_target([os.fspath(source) for source in sources], shlex.join(plan.flags))


def read_plan(out: Path) -> Plan:
    """Of a campaign's folder."""
    try:
        plan = from_json(json.loads((out / FOLDER / PLAN).read_text()))
    except FileNotFoundError:
        raise CampaignError(f"{out} holds no campaign of `untaken unit`, and only those are written as C") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CampaignError(f"{out / FOLDER / PLAN} cannot be read ({error}): run `untaken unit` again") from None
    assert isinstance(plan, Plan)
    return plan
