"""`untaken doctor`: what is here, what is missing, and what to do about it."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from untaken.build.storage import cache_root, preferred_cache
from untaken.build.toolchain.compilers import NEWEST_CLANG, Kind, candidates, front_end, linker
from untaken.cli import machine
from untaken.cli.parser import Parser
from untaken.cli.resident.meeting import SWITCH, Unfit, meeting_folder, meeting_path, seconds_to_stay
from untaken.errors import UntakenError, UsageError
from untaken.execute.trial import try_sandbox
from untaken.visible_text import visible

DESCRIPTION = (
    "Shows what untaken found on this machine, what is missing and what to do about it. With DIR: what of a campaign's "
    "folder is damaged, and what can be saved. Exit code: 0 if nothing is missing or damaged, else 2."
)


class State(StrEnum):
    """How bad a diagnosis is: its value is what users read."""

    GOOD = "ok"
    WARNING = "note"  # works, with something less
    BAD = "missing"  # nothing works without it


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that was looked at; `remedy` says what to do unless it is good."""

    name: str
    state: State
    detail: str
    remedy: str = ""


def run(arguments: Sequence[str]) -> int:
    """Prints the findings; 0 if untaken can work here, or the folder is whole, else 2."""
    options = make_parser().parse_args(arguments)
    if options.directory is not None:
        return examine_folder(options)
    if options.repair:
        raise UsageError("--repair wants to know which DIR")
    findings = examine()
    usable = all(finding.state != State.BAD for finding in findings)
    if options.json:
        print(json.dumps({"usable": usable, "findings": [asdict(finding) for finding in findings]}, indent=2))
    else:
        _show(findings, usable)
    return 0 if usable else 2


def make_parser() -> Parser:
    parser = Parser("doctor", DESCRIPTION)
    parser.add_argument(
        "directory", type=Path, nargs="?", metavar="DIR", help="the --out folder of an `untaken run`: is it whole?"
    )
    parser.add_argument("--repair", action="store_true", help="save what can be saved of DIR; nothing is thrown away")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    return parser


def examine_folder(options: Namespace) -> int:
    """What of a campaign's folder is damaged, and what is done about it."""
    from untaken.campaign.folder.health import examined, repaired

    done = repaired(options.directory) if options.repair else []
    left = examined(options.directory)
    whole = not left or (options.repair and not any(each.repairable for each in left))
    if options.json:
        found = [{"file": str(each.path), "what": each.what, "saved": each.saved} for each in left]
        print(json.dumps({"whole": not left, "repaired": done, "damaged": found}, indent=2))
        return 0 if whole else 2
    for sentence in done:
        print(visible(sentence))
    for each in left:
        print(visible(f"damaged  {each.path} {each.what}\n{'':<9}{each.saved}"))
    if not left:
        print(visible(f"{options.directory} is whole."))
    return 0 if whole else 2


def examine() -> list[Diagnosis]:
    """Looks at everything that untaken needs."""
    return [check() for check in CHECKS]


def _platform() -> Diagnosis:
    name = machine.platform()
    if name == "Linux x86_64":
        return Diagnosis("platform", State.GOOD, name)
    return Diagnosis("platform", State.BAD, name, "untaken runs on x86-64 Linux only, as yet")


def _front_end() -> Diagnosis:
    refused = [f"{candidate.path} {candidate.refusal}" for candidate in candidates() if candidate.refusal]
    try:
        found = front_end()
    except UntakenError as error:
        return Diagnosis("front end", State.BAD, "; ".join(refused) or "none", str(error))
    detail = f"clang {found.version}: {' '.join(found.command[:2])}"
    if found.kind is Kind.ZIG:
        return Diagnosis("front end", State.GOOD, f"{detail} (no clang on PATH can be used; this one is enough)")
    return Diagnosis("front end", State.GOOD, detail)


def _linker() -> Diagnosis:
    try:
        found = linker()
    except UntakenError as error:
        return Diagnosis("linker", State.BAD, "none", str(error))
    if found.kind is Kind.ZIG:
        advice = "its first link takes about 40 s, while it builds its libc; gcc or clang would be faster"
        return Diagnosis("linker", State.WARNING, " ".join(found.command), advice)
    return Diagnosis("linker", State.GOOD, " ".join(found.command))


def package_check(name: str, remedy: str, state: State, note: str = "") -> Callable[[], Diagnosis]:
    """Looks for a Python package."""

    def check() -> Diagnosis:
        version = machine.package_version(name)
        if version is None:
            return Diagnosis(name, state, "not installed", remedy)
        return Diagnosis(name, State.GOOD, version + note)

    return check


def _shadow() -> Diagnosis:
    problem = machine.shadow_problem()
    if problem is None:
        return Diagnosis("shadow memory", State.GOOD, "can be reserved")
    detail = f"refused: {problem}; ulimit -v {machine.address_limit()}, overcommit {machine.overcommit()}"
    remedy = "lift the limit (`ulimit -v unlimited`), or set vm.overcommit_memory to 0 or 1"
    return Diagnosis("shadow memory", State.BAD, detail, remedy)


def _sandbox() -> Diagnosis:
    trial = try_sandbox()
    if trial.refused:
        remedy = "programs are started with --no-sandbox only; user namespaces or Landlock would do"
        return Diagnosis("sandbox", State.WARNING, f"refused: {trial.refused}", remedy)
    if trial.note:
        remedy = "allow user namespaces for the whole sandbox (sysctl, AppArmor, the container)"
        return Diagnosis("sandbox", State.WARNING, f"not whole: {trial.note}", remedy)
    return Diagnosis("sandbox", State.GOOD, "a program was started in it: namespaces, Landlock and seccomp hold")


def _cache() -> Diagnosis:
    root = cache_root()
    if root == preferred_cache():
        return Diagnosis("cache", State.GOOD, root)
    remedy = f"{preferred_cache()} cannot be written; set XDG_CACHE_HOME to a folder that can"
    return Diagnosis("cache", State.WARNING, root, remedy)


def _resident() -> Diagnosis:
    seconds = seconds_to_stay()
    if not seconds:
        return Diagnosis("resident", State.GOOD, f"no compiler stays: {SWITCH} says so")
    try:
        os.close(meeting_folder())
    except (Unfit, OSError):
        remedy = "each call of `untaken cc` loads everything anew; remove it, or make it yours alone (chmod 700)"
        return Diagnosis("resident", State.WARNING, f"{meeting_path()} cannot be used", remedy)
    return Diagnosis("resident", State.GOOD, f"a compiler stays for {seconds} s after the last of several calls")


CHECKS: tuple[Callable[[], Diagnosis], ...] = (
    _platform,
    _front_end,
    _linker,
    package_check("llvmlite", "pip install 'llvmlite>=0.50,<0.51'", State.BAD, f" (LLVM {NEWEST_CLANG})"),
    package_check("bitwuzla", "pip install bitwuzla", State.BAD),
    package_check("z3-solver", "optional, for --solver z3 and --solver check: pip install z3-solver", State.WARNING),
    _shadow,
    _sandbox,
    _cache,
    _resident,
)


def _show(findings: Sequence[Diagnosis], usable: bool) -> None:
    verdict = "untaken can work here." if usable else "untaken cannot work here yet: see what is missing above."
    if sys.stdout is not None and sys.stdout.isatty():
        _show_in_colour(findings, verdict)
        return
    for finding in findings:
        print(f"{finding.state:<9}{finding.name:<15}{finding.detail}")
        if finding.remedy:
            print(f"{'':<9}{'':<15}{finding.remedy}")
    print(verdict)


def _show_in_colour(findings: Sequence[Diagnosis], verdict: str) -> None:
    from rich.table import Table
    from rich.text import Text

    from untaken.report.console import VisibleConsole

    colours = {State.GOOD: "green", State.WARNING: "yellow", State.BAD: "red"}
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for finding in findings:
        detail = Text(finding.detail)
        if finding.remedy:
            detail.append(f"\n{finding.remedy}", style="dim")
        table.add_row(Text(finding.state, style=colours[finding.state]), Text(finding.name), detail)
    console = VisibleConsole()
    console.print(table)
    console.print(f"\n{verdict}", highlight=False)
