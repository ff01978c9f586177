"""Whether this system allows the sandbox: tried out with a program that does nothing, as a campaign would start it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from untaken.execute.removal import temporary_folder
from untaken.execute.sandbox import Launch, Sandbox, launch_environment, launcher_command, program_environment

NOTHING = (sys.executable, sys.executable, "-I", "-S", "-c", "pass")
VARIABLE = "UNTAKEN_TRIAL"
SECONDS = 20.0
WHOLE = Sandbox()


@dataclass(frozen=True, slots=True)
class SandboxTrial:
    """What came of it: `note` says what is missing and what is left open, `refused` why programs are not started."""

    note: str = ""
    refused: str = ""


def try_sandbox(sandbox: Sandbox = WHOLE) -> SandboxTrial:
    """Starts a program in the sandbox and waits for its end."""
    report, told = os.pipe()
    lifeline, held = os.pipe()
    with temporary_folder() as scratch, open(report) as lines:
        launch = Launch(NOTHING, Path.cwd(), scratch, told, lifeline, (), VARIABLE)
        process = subprocess.Popen(
            launcher_command(sandbox, launch),
            env=launch_environment(sandbox, launch.scratch, launch.words, program_environment(sandbox)),
            stdin=subprocess.DEVNULL,
            pass_fds=(told, lifeline),
            start_new_session=True,
        )
        os.close(told)
        os.close(lifeline)
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(held)
        return _read(lines.read().splitlines())


def _read(lines: list[str]) -> SandboxTrial:
    said = dict(line.split(" ", 1) for line in lines)
    if said.get("ended") == "0":
        return SandboxTrial(note=said.get("note", ""))
    return SandboxTrial(refused=said.get("refused") or said.get("failed") or "a program that does nothing did not end")
