"""What report.html holds, as JSON: rows are columns, so that tens of thousands of branches stay small.

head      title, figures, curve, time, findings, limits: what the first view needs
branches  one entry a condition of the source, with both sides; see `conditions`
tests     one entry a test; see `tests`
sources   text by file
"""

from __future__ import annotations

import base64
import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from untaken import __version__
from untaken.model.path import Exit, ExitKind
from untaken.model.program import BranchId, ProgramMap
from untaken.report.campaign_folder import CampaignFolder, Described
from untaken.report.lost import lost_places
from untaken.report.stores import StoreIndex
from untaken.report.why_not import SHORT, WhyNot, why_not
from untaken.report.words import CONCRETISED, ENDINGS
from untaken.search.budget import Ending
from untaken.search.coverage_goals import Criterion
from untaken.search.doubts import Doubt
from untaken.suite.corpus import TESTS
from untaken.suite.replay.verdict import described

MOST_CURVE_POINTS = 1500
MOST_INPUT_BYTES = 2048  # of one test: the rest is in its file
MOST_FINDING_BYTES = 1 << 16
MOST_VALUE = 300  # characters of one field
MOST_FIELDS = 64
MOST_READS = 3000  # branches of which it is said what they read
MOST_SOURCE_BYTES = 12 << 20  # of all files together
_SOME_TEXT = re.compile(rb"[ -~]{3}")
_PRINTABLE = range(0x20, 0x7F)
STILL_RUNNING = "it was still at work when this was written, or it was killed"


def page_data(campaign: CampaignFolder) -> dict[str, Any]:
    """All of it, in the parts that the page has."""
    program, coverage = campaign.program, campaign.coverage()
    reasons = why_not(program, coverage, campaign.obstacles)
    files = list(dict.fromkeys(function.location.file for function in program.functions if function.location.file))
    files += sorted({branch.location.file for branch in program} - set(files))
    numbers = {file: number for number, file in enumerate(files)}
    texts = sources(files, Path(campaign.recipe.directory))
    index = StoreIndex(program, files, texts)
    return {
        "head": {**head(campaign, files), "lost": lost_places(campaign, coverage, reasons, index)},
        "branches": {
            "functions": functions(program, numbers),
            "conditions": conditions(campaign, reasons, numbers),
            "reasons": SHORT,
            "said": {str(branch): why.said for branch, why in reasons.items() if why.said},
            "reads": reads(program, reasons, index),
        },
        "tests": tests(campaign),
        "sources": texts,
    }


def head(campaign: CampaignFolder, files: Sequence[str]) -> dict[str, Any]:
    """What the first view shows."""
    summary = campaign.summary
    keys = "branches_covered branches_total branches_reachable iterations seconds solver divergences tests".split()
    return {
        "title": campaign.title,
        "version": __version__,
        "folder": str(campaign.folder),
        "strategy": summary["strategy"],
        "seed": summary["seed"],
        "arguments": shlex.join(campaign.recipe.arguments),
        "ended": ending(summary),
        "running": summary["ended_by"] == Ending.RUNNING.value,
        "files": short_names(files),
        "curve": curve(campaign.timeline),
        "time": time_shares(campaign.totals),
        "findings": findings(campaign),
        "limits": limits(summary),
        "mcdc": summary.get("mcdc"),
        **{key: summary[key] for key in keys},
    }


def ending(summary: dict[str, Any]) -> str:
    """Why the campaign ended, in words for the page."""
    goal = Criterion(summary["goal"])
    where = f" of {', '.join(summary['goal_functions'])}" if summary["goal_functions"] else ""
    return ENDINGS.get(summary["ended_by"], STILL_RUNNING).format(item=goal.one, where=where)


def short_names(files: Sequence[str]) -> list[str]:
    """Without the folder that all of them lie in."""
    folders = {str(Path(file).parent) for file in files if file.startswith("/")}
    if not folders:
        return list(files)
    common = Path(min(folders, key=len))
    while any(not Path(folder).is_relative_to(common) for folder in folders):
        common = common.parent
    return [str(Path(file).relative_to(common)) if file.startswith("/") else file for file in files]


def curve(timeline: Sequence[tuple[int, float, int]]) -> list[tuple[int, float, int]]:
    """Coverage over time: as many points as a screen can show, the last one always."""
    step = len(timeline) // MOST_CURVE_POINTS + 1
    return [*timeline[::step], *timeline[-1:]]


def time_shares(totals: dict[str, Any]) -> dict[str, float]:
    """Seconds that running and solving took; the rest is choosing, reading traces and keeping tests."""
    run, solve = totals.get("run_seconds", 0.0), totals.get("solver_seconds", 0.0)
    rest = max(0.0, totals.get("seconds", 0.0) - run - solve)
    return {"run": round(run, 3), "solve": round(solve, 3), "choose": round(rest, 3)}


def limits(summary: dict[str, Any]) -> dict[str, Any]:
    """What was not followed, in words."""
    known = summary["limits"]
    externals = sorted(known["externals"].items(), key=lambda entry: (-entry[1], entry[0]))
    return {
        "concretised": [[CONCRETISED[name], count] for name, count in known["concretised"].items()],
        "externals": externals,
        "pins": known["pins"],
        "cut_off": sorted((name.lower(), count) for name, count in known["cut_off"].items()),
        "uninstrumented": known["uninstrumented"],
        "notes": known["notes"],
        "doubts": [Doubt[name.upper()].value for name in summary["doubts"]],
    }


def findings(campaign: CampaignFolder) -> list[dict[str, Any]]:
    """Confirmed ones first, as summary.json has them, with their inputs."""
    inputs = {each.name: each for each in campaign.findings}
    shown = "name kind what location frames iteration times confirmed confirmed_on shows replay".split()
    return [
        {
            **{key: entry[key] for key in shown},
            "cause": entry.get("cause", ""),
            "input": input_of(inputs.get(entry["name"]), MOST_FINDING_BYTES),
        }
        for entry in (*campaign.summary["crashes"], *campaign.summary["unconfirmed"])
    ]


def input_of(test: Described | None, most: int) -> dict[str, Any] | None:
    """An input as fields and as bytes, the first of them if there are many."""
    if test is None:
        return None
    described = test.about["fields"]
    plain = [field for field in described if "repeats" not in field]
    return {
        "size": len(test.input),
        "data": base64.b64encode(test.input[:most]).decode(),
        "fields": [
            [field["name"], field["kind"], field["offset"], field["size"], shown_value(field)]
            for field in plain[:MOST_FIELDS]
        ],
        "more": len(described) > len(plain) or len(plain) > MOST_FIELDS,
    }


def shown_value(field: dict[str, Any]) -> Any:
    """A number, or text as in C."""
    value = field.get("value", bytes_as_text(bytes.fromhex(field.get("hex", ""))))
    return value[:MOST_VALUE] + "…" if isinstance(value, str) and len(value) > MOST_VALUE else value


def bytes_as_text(data: bytes) -> str:
    """Bytes of which not all are text, so that one sees the text; hexadecimal if there is none."""
    if not _SOME_TEXT.search(data):
        return data.hex()
    return "".join(chr(byte) if byte in _PRINTABLE else f"\\x{byte:02x}" for byte in data)


def functions(program: ProgramMap, files: dict[str, int]) -> dict[str, list[Any]]:
    """Names and places of all functions, by their index."""
    return {
        "name": [function.name for function in program.functions],
        "file": [files.get(function.location.file, -1) for function in program.functions],
        "line": [function.location.line for function in program.functions],
    }


def conditions(campaign: CampaignFolder, reasons: dict[int, WhyNot], files: dict[str, int]) -> dict[str, list[Any]]:
    """One entry a condition: the id of its true side, where it is, and for each side (true, false) how many tests take
    it, the first of these, and if there is none the reason, the branch that guards it, and how many it opens.

    A side that the program does not have takes -1 tests.
    """
    program, times, first = campaign.program, campaign.times_taken().tolist(), first_tests(campaign)
    trues = sorted({branch.id & ~1 for branch in program})
    any_side = [program.branches.get(BranchId(id)) or program.branches[BranchId(id | 1)] for id in trues]
    sides = [id | side for id in trues for side in (0, 1)]
    none = WhyNot("")
    why = [reasons.get(side, none) for side in sides]
    return {
        "id": trues,
        "function": [branch.function for branch in any_side],
        "file": [files[branch.location.file] for branch in any_side],
        "line": [branch.location.line for branch in any_side],
        "column": [branch.location.column for branch in any_side],
        "kind": [branch.kind.value for branch in any_side],
        "tests": [taken(program, side, times, first, reasons) for side in sides],
        "first": [first.get(side, 0) for side in sides],
        "why": [each.reason for each in why],
        "guard": [each.guard for each in why],
        "opens": [each.opens for each in why],
    }


def taken(
    program: ProgramMap, side: int, times: Sequence[int], first: dict[int, int], reasons: dict[int, WhyNot]
) -> int:
    """How many tests take a branch."""
    if side not in program.branches:
        return -1
    return 0 if side in reasons else max(times[side], int(side in first))


def reads(program: ProgramMap, reasons: dict[int, WhyNot], index: StoreIndex) -> dict[str, list[Any]]:
    """By branch that was concrete: what its condition reads, whether that is a parameter, where it is stored (file,
    line, function), and whether elsewhere, too."""
    concrete = [branch for branch, why in reasons.items() if why.is_concrete][:MOST_READS]
    return {
        str(branch): [[each.text, each.parameter, each.places, each.more] for each in found]
        for branch in concrete
        if (found := index.read_by(program.branches[BranchId(branch)]))
    }


def first_tests(campaign: CampaignFolder) -> dict[int, int]:
    """By branch: the number of the first test that takes it."""
    found: dict[int, int] = {}
    for test in campaign.tests:
        for entry in test.about["covers"]:
            found.setdefault(entry["branch"], test.about["number"])
    return found


def tests(campaign: CampaignFolder) -> dict[str, list[Any]]:
    """What the page says of each test, in the order of their numbers."""
    every = campaign.tests
    return {
        "number": [test.about["number"] for test in every],
        "iteration": [test.about["iteration"] for test in every],
        "seconds": [seconds_of(campaign, test) for test in every],
        "exit": [exit_of(test) for test in every],
        "covers": [[entry["branch"] for entry in test.about["covers"]] for test in every],
        "finding": [test.about["finding"] for test in every],
        "input": [input_of(test, MOST_INPUT_BYTES) for test in every],
        "replay": [shlex.join(["untaken", "replay", str(campaign.folder), f"{TESTS}/{test.name}"]) for test in every],
    }


def seconds_of(campaign: CampaignFolder, test: Described) -> float | None:
    known = campaign.recorded.get(test.about["number"])
    return None if known is None else known.seconds


def exit_of(test: Described) -> str:
    found = test.about["exit"]
    return described(Exit(ExitKind[found["kind"].upper()], found["code"], found["message"]))


def sources(files: Iterable[str], directory: Path) -> list[str | None]:
    """The text of each; None where it cannot be read or all together would be too much."""
    room = MOST_SOURCE_BYTES
    found: list[str | None] = []
    for file in files:
        text = source_text(directory / file, room)
        room -= len(text or "")
        found.append(text)
    return found


def source_text(path: Path, room: int) -> str | None:
    try:
        if not path.is_file() or path.stat().st_size > room:
            return None
        return path.read_text(errors="replace")
    except (OSError, ValueError):
        return None
