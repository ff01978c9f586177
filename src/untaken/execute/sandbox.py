"""What the sandbox allows, and the command that starts a program in it; `launcher/` does the work."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from untaken.errors import ExecutionError
from untaken.execute.layout import ENVIRONMENT_VARIABLE

LAUNCHER = Path(__file__).with_name("launcher") / "__main__.py"
TEMPORARY = Path("/tmp")


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How far a run may reach. Off, the limits on time, memory, files and processes still hold."""

    enabled: bool = True
    writable: tuple[Path, ...] = ()  # directories that runs may change for good
    processes: int = 512  # at one time, with those of the fork server


@dataclass(frozen=True, slots=True)
class Wiring:
    """Descriptors that the launcher gets from the driver."""

    shared: int
    control: int
    status: int
    snapshot: int
    lifeline: int
    report: int

    def all(self) -> tuple[int, ...]:
        """To be inherited by the launcher, and by nothing else."""
        return self.shared, self.control, self.status, self.snapshot, self.lifeline, self.report


def launch_command(sandbox: Sandbox, wiring: Wiring, scratch: Path, command: Sequence[str]) -> list[str]:
    """The launcher's command line; `command` is the program's path and then its whole argv."""
    order = {
        "report": wiring.report,
        "lifeline": wiring.lifeline,
        "descriptors": [wiring.shared, wiring.control, wiring.status, wiring.snapshot],
        "variable": ENVIRONMENT_VARIABLE,
        "sandbox": sandbox.enabled,
        "scratch": str(scratch),
        "private_tmp": private_tmp(sandbox, command),
        "writable": [str(existing_directory(path)) for path in sandbox.writable],
        "copied": copied_directories(sandbox, Path.cwd(), command),
        "processes": sandbox.processes,
    }
    return [sys.executable, "-I", "-S", str(LAUNCHER), json.dumps(order), "--", *command]


def launch_environment(
    sandbox: Sandbox, scratch: Path, command: Sequence[str], base: Mapping[str, str]
) -> dict[str, str]:
    """The program's environment: the user's own, but temporary files go to the scratch area."""
    environment = dict(base)
    if sandbox.enabled:
        environment["TMPDIR"] = str(scratch_directory(sandbox, scratch, command))
    return environment


def scratch_directory(sandbox: Sandbox, scratch: Path, command: Sequence[str]) -> Path:
    """As the program sees it: where runs can leave files behind that a later run must not find."""
    return TEMPORARY if private_tmp(sandbox, command) else scratch / "tmp"


def private_tmp(sandbox: Sandbox, command: Sequence[str]) -> bool:
    """Whether /tmp can be replaced by an empty one: not if something that the program is to find lies there."""
    named = [word for word in command if os.path.exists(word)]
    needed = [Path.cwd(), *map(Path, named), *sandbox.writable]
    return sandbox.enabled and not any(path.resolve().is_relative_to(TEMPORARY) for path in needed)


def copied_directories(sandbox: Sandbox, directory: Path, command: Sequence[str]) -> list[str]:
    """What the program sees a private copy of: its directory, and /tmp unless that is replaced by an empty one."""
    if not sandbox.enabled:
        return []
    wanted = [directory.resolve(), *([] if private_tmp(sandbox, command) else [TEMPORARY])]
    kept = [path.resolve() for path in sandbox.writable]
    return [
        str(path)
        for path in dict.fromkeys(wanted)
        if path.parent != path and not any(path.is_relative_to(other) for other in kept)
    ]


def layer_of(number: int) -> str:
    """Where the launcher keeps what is written to the copied directory of this number, as the program sees it."""
    return f"/dev/untaken/{number}/written"


def existing_directory(path: Path) -> Path:
    """A writable directory must be there already: the sandbox cannot make it."""
    if not path.is_dir():
        raise ExecutionError(f"{path} is to be writable but is no directory: create it first")
    return path.resolve()
