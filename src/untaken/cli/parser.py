"""Options of the commands: argparse, with its errors told as ours are."""

from __future__ import annotations

import argparse
from typing import NoReturn

from untaken.errors import UsageError


class Parser(argparse.ArgumentParser):
    """An argument parser for one command; a wrong option is one sentence and exit code 2."""

    def __init__(self, command: str, description: str) -> None:
        super().__init__(prog=f"untaken {command}", description=description, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see `{self.prog} --help`")
