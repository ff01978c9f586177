"""The client in C, compiled by the server for the calls to come, and found by the script `untaken-cc`."""

from __future__ import annotations

import os
from contextlib import suppress

from untaken.atomic_files import name_beside
from untaken.build.toolchain.compilers import Kind, linker
from untaken.cli.resident.meeting import installation, meeting_path
from untaken.errors import ToolchainError

SCRIPT = "untaken-cc"
FOLDER = "clients"
_SOURCE = os.path.join(os.path.dirname(__file__), "client.c")
_HARD_TO_QUOTE = set('"\\?\n')


def keep_client(script: str) -> None:
    """Compiles the client for calls by this script, unless it is there. Without one, calls are only slower."""
    target = client_of(script)
    with suppress(OSError, ToolchainError):
        if os.path.isfile(script) and not _is_current(target):
            os.makedirs(os.path.dirname(target), 0o700, exist_ok=True)
            _compile(target)


def client_of(script: str) -> str:
    """Where the script looks for it."""
    return f"{os.path.join(meeting_path(), FOLDER)}{script}"


def _is_current(path: str) -> bool:
    """What it was compiled for can be read in it; its source is part of the installation."""
    try:
        with open(path, "rb") as file:
            content = file.read()
        return installation().encode() in content and os.stat(path).st_mtime >= os.stat(_SOURCE).st_mtime
    except FileNotFoundError:
        return False


def _compile(target: str) -> None:
    compiler, folder = linker(), meeting_path()
    if compiler.kind is not Kind.SYSTEM or not _HARD_TO_QUOTE.isdisjoint(folder):
        return
    aside = name_beside(target)
    told = (f'-DUNTAKEN_INSTALLATION="{installation()}"', f'-DUNTAKEN_FOLDER="{folder}"')
    # A home may be shared by systems with different C libraries: one that is not found would end each call.
    command = (*compiler.command, "-O2", "-std=gnu11", "-static", *told, _SOURCE, "-o", aside)
    null = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in range(3)]
    try:
        process = os.posix_spawn(command[0], command, os.environ, file_actions=null)
        if os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0:
            os.replace(aside, target)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(aside)
