"""From an image to something that can be explored: its C in the output folder, built as any other program."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from untaken.build.instrument.system_files import DRIVER_SUFFIX
from untaken.campaign.folder.output_folder import check_ours, check_program, make_room
from untaken.errors import CampaignError
from untaken.executables.lifting import Lifted, lift
from untaken.executables.machine_code.control_flow import Learnt
from untaken.executables.options import ImageOptions
from untaken.execute.target import Target, find_target
from untaken.json_records import decoded
from untaken.suite.corpus import told, write_file, write_json

FOLDER = "lifted"
LEARNT = "learnt.json"
IMAGE = "image.json"


@dataclass(frozen=True, slots=True)
class _LearntRecord:
    """What is in learnt.json: addresses."""

    jumps: dict[str, frozenset[int]]
    calls: frozenset[int]
    places: frozenset[int]


def source_names(options: ImageOptions) -> tuple[str, str]:
    """Of the program's file, and of the one that it includes."""
    name = options.path.name if options.function is None else f"{options.path.name}-{options.function}"
    return f"{name}.c", f"{name}{DRIVER_SUFFIX}"


def build_target(
    options: ImageOptions, learnt: Learnt, out: Path, note: Callable[[str], None]
) -> tuple[Target, Lifted]:
    """Lifts, writes and builds; `note` is told what the user should know."""
    folder = out / FOLDER
    program, support = source_names(options)
    lifted = lift(options, learnt, support)
    check_ours(out)
    make_room(out, lambda: check_program(out, [os.fspath(folder / program)]), note)
    with told(out):
        folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / support, lifted.support_text.encode())
    write_file(folder / program, lifted.program_text.encode())
    write_json(folder / IMAGE, image_record(options))
    return find_target([os.fspath(folder / program)]), lifted


def image_record(options: ImageOptions) -> dict[str, Any]:
    """What was said of the image, so that its tests can be exported."""
    record = {**asdict(options), "path": os.fspath(options.path.absolute())}
    return {**record, "symbols": None if options.symbols is None else os.fspath(options.symbols.absolute())}


def holds_image(out: Path) -> bool:
    """Whether a campaign is one of an executable without source."""
    return (out / FOLDER / IMAGE).exists()


def read_image_options(out: Path) -> ImageOptions | None:
    """What a campaign's image was explored with; None if it was none."""
    path = out / FOLDER / IMAGE
    if not holds_image(out):
        return None
    try:
        return decoded(path.read_bytes(), ImageOptions)
    except (OSError, ValueError) as error:
        raise CampaignError(f"{path} cannot be read ({error}): run the campaign again") from None


def keep_learnt(out: Path, learnt: Learnt) -> None:
    """So that a campaign that goes on begins with it."""
    record = {
        "jumps": {str(source): sorted(targets) for source, targets in sorted(learnt.jumps.items())},
        "calls": sorted(learnt.calls),
        "places": sorted(learnt.places),
    }
    write_json(out / FOLDER / LEARNT, record)


def read_learnt(out: Path) -> Learnt:
    """What earlier runs in the folder have told."""
    path = out / FOLDER / LEARNT
    if not path.exists():
        return Learnt()
    try:
        record = decoded(path.read_bytes(), _LearntRecord)
        jumps = {int(source): targets for source, targets in record.jumps.items()}
        return Learnt(jumps, record.calls, record.places)
    except (OSError, ValueError) as error:
        raise CampaignError(f"{path} cannot be read ({error}): remove it") from None
