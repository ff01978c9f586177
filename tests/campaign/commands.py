"""Campaigns as the tests start them: in this process, or as the command that users type."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from tests.campaign.command_server import CommandServer, Request
from untaken.campaign.campaign import run_campaign
from untaken.campaign.folder.recipe import with_default_input
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Watcher
from untaken.cli.run import parse
from untaken.execute.target import find_target

EXAMPLES = Path(__file__).parents[2] / "examples"
MAIN = "import sys; from untaken.cli.start import untaken; sys.exit(untaken())"
PATIENCE = 100.0  # seconds; everything here takes a few, but the machine may be busy
SERVER = CommandServer()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command did."""

    code: int
    printed: str
    said: str  # on standard error

    @property
    def summary(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.printed)
        return found


def command(*words: object) -> list[str]:
    """The `untaken` command with these words."""
    return [sys.executable, "-c", MAIN, *map(str, words)]


def untaken(*words: object, environment: Mapping[str, str] | None = None) -> Answer:
    """Runs a command to its end, in a process of its own."""
    more = environment or {}
    if any(name.startswith("PYTHON") for name in more):  # which Python looks at when it starts
        done = subprocess.run(
            command(*words), capture_output=True, text=True, timeout=PATIENCE, env=os.environ | dict(more), check=False
        )
        return Answer(done.returncode, done.stdout, done.stderr)
    return served(Request([*map(str, words)], os.environ | dict(more), os.getcwd()))


def served(request: Request, stdin: str = "") -> Answer:
    """Runs a command to its end, in a process that is forked from one that has loaded it."""
    with TemporaryFile() as given, TemporaryFile() as printed, TemporaryFile() as said:
        given.write(stdin.encode())
        given.seek(0)
        SERVER.limit(PATIENCE)
        return Answer(SERVER.run(request, (given, printed, said)), _text_of(printed), _text_of(said))


def _text_of(file: IO[bytes]) -> str:
    file.seek(0)
    return os.fsdecode(file.read())  # names of files may be no text


def campaign(*words: object, watcher: Watcher | None = None) -> Summary:
    """Runs a campaign in this process, as `untaken run` with these words would."""
    config = parse([str(word) for word in words])
    config.check()
    target = find_target(config.targets, config.cflags)
    config, _ = with_default_input(config, target)
    return run_campaign(config, target, watcher or Watcher())


def written(folder: Path, text: str, name: str = "program.c") -> Path:
    """A C file."""
    path = folder / name
    path.write_text(text)
    return path


def files_of(folder: Path) -> dict[str, bytes]:
    """Everything below a folder, by relative name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
