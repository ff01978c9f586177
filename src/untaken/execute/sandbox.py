"""What the sandbox allows, and the command that starts a program in it; `launcher/` does the work."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from untaken.errors import ExecutionError

LAUNCHER = Path(__file__).with_name("launcher") / "__main__.py"
TEMPORARY = Path("/tmp")
# Where programs of the system and of the user have their sockets.
SOCKET_FOLDERS = ("/run", "/var/run")
# What most programs behave by; the rest may hold secrets, and leads to sockets and agents.
KEPT_VARIABLES = frozenset(
    "PATH HOME USER LOGNAME SHELL PWD LANG LANGUAGE TZ TERM COLUMNS LINES NO_COLOR TMPDIR LD_LIBRARY_PATH".split()
)
KEPT_PREFIX = "LC_"


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How far a run may reach. Off, the limits on time, memory, files and processes still hold."""

    enabled: bool = True
    writable: tuple[Path, ...] = ()  # directories that runs may change for good
    processes: int = 512  # at one time, with those of the fork server
    keep_env: tuple[str, ...] = ()  # variables of the user's environment that runs see besides the usual ones


@dataclass(frozen=True, slots=True)
class Launch:
    """What is started, where, and what the launcher needs for it. `command` is the program's path, then its argv."""

    command: Sequence[str]
    directory: Path
    scratch: Path
    report: int
    lifeline: int
    descriptors: Sequence[int]  # for the program, which finds their numbers in `variable`
    variable: str
    writable: tuple[Path, ...] = ()  # besides those of the sandbox
    needed: tuple[str, ...] = ()  # words that may name what the program must find, besides

    @property
    def words(self) -> list[str]:
        """Among them are the paths that the program must find."""
        return [*self.command, str(self.directory), *self.needed]


def launcher_command(sandbox: Sandbox, launch: Launch) -> list[str]:
    """The command line that starts the launcher."""
    words = launch.words
    order = {
        "report": launch.report,
        "lifeline": launch.lifeline,
        "descriptors": list(launch.descriptors),
        "variable": launch.variable,
        "sandbox": sandbox.enabled,
        "scratch": str(launch.scratch),
        "private_tmp": private_tmp(sandbox, words),
        "writable": [
            str(path) for path in (*map(existing_directory, sandbox.writable), *map(Path.resolve, launch.writable))
        ],
        "copied": copied_directories(sandbox, launch.directory, words),
        "hidden": hidden_folders(sandbox, words),
        "processes": sandbox.processes,
    }
    return [sys.executable, "-I", "-S", str(LAUNCHER), json.dumps(order), "--", *launch.command]


def program_environment(sandbox: Sandbox, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What runs see of the user's environment: without a sandbox all of it."""
    kept = KEPT_VARIABLES.union(sandbox.keep_env)
    return {
        name: value
        for name, value in base.items()
        if not sandbox.enabled or name in kept or name.startswith(KEPT_PREFIX)
    }


def launch_environment(
    sandbox: Sandbox, scratch: Path, command: Sequence[str], base: Mapping[str, str]
) -> dict[str, str]:
    """With temporary files in the scratch area."""
    environment = dict(base)
    if sandbox.enabled:
        environment["TMPDIR"] = str(scratch_directory(sandbox, scratch, command))
    return environment


def scratch_directory(sandbox: Sandbox, scratch: Path, command: Sequence[str]) -> Path:
    """As the program sees it: where runs can leave files behind that a later run must not find."""
    return TEMPORARY if private_tmp(sandbox, command) else scratch / "tmp"


def private_tmp(sandbox: Sandbox, command: Sequence[str]) -> bool:
    """Whether /tmp can be replaced by an empty one: not if something that the program is to find lies there."""
    return sandbox.enabled and not is_needed(TEMPORARY, sandbox, command)


def hidden_folders(sandbox: Sandbox, command: Sequence[str]) -> list[str]:
    """Those where other programs have their sockets, unless something that the program is to find lies there."""
    folders = [str(path) for name in SOCKET_FOLDERS if (path := Path(name).resolve()).is_dir()]
    return [name for name in dict.fromkeys(folders) if not is_needed(Path(name), sandbox, command)]


def is_needed(folder: Path, sandbox: Sandbox, command: Sequence[str]) -> bool:
    """Whether the program, its directory, or a file that its command line names lies there."""
    named = [word for word in command if os.path.exists(word)]
    needed = [Path.cwd(), *map(Path, named), *sandbox.writable]
    return any(path.resolve().is_relative_to(folder) for path in needed)


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
