"""Options of the commands: argparse, with its errors told as ours are."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, NoReturn

from untaken.cli.manual.matter import EXAMPLES
from untaken.errors import UsageError

ALIKE = 0.65  # of 1: a letter or two are wrong, missing or swapped, even in a short word


class Parser(argparse.ArgumentParser):
    """An argument parser for one command; a wrong option is one sentence and exit code 2."""

    def __init__(self, command: str, description: str, words: str | None = None) -> None:
        """`words` are what follows the command, where all of its options would be too many to read."""
        usage = None if words is None else f"untaken {command} {words}"
        super().__init__(prog=f"untaken {command}", usage=usage, description=description, allow_abbrev=False)

    def format_help(self) -> str:
        """With examples at the end."""
        mine = {line: purpose for line, purpose in EXAMPLES.items() if self.prog in line}
        lines = [line for example, purpose in mine.items() for line in (f"  {example}", f"      {purpose}")]
        return "\n".join([super().format_help(), *(["examples:", *lines, ""] if lines else [])])

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Of `--option=--` argparse drops the value, and gives an empty list instead."""
        if action.option_strings and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings)}: expected one argument, not --")
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        unknown, _, words = message.partition(" arguments: ")
        first = words.strip().partition(" ")[0].partition("=")[0] if unknown == "unrecognized" else ""
        if unknown == "unrecognized" and not first:
            message = "there is an empty word that it has no use for"  # of a shell's variable that is not set, say
        raise UsageError(f"{message}{meant(first, self._option_string_actions)}; see `{self.prog} --help`")


def meant(word: str, known: Iterable[str]) -> str:
    """What somebody who typed this is likely to want, to be added to a sentence; empty if nothing is like it."""
    return "".join(f" (did you mean {name}?)" for name in get_close_matches(word, known, n=1, cutoff=ALIKE))
