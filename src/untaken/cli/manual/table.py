"""All commands with their options, as their parsers have them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module

from untaken.cli.main import COMMANDS
from untaken.search.coverage_goals import Criterion
from untaken.search.pruning.registry import RULES
from untaken.search.registry import strategies
from untaken.solve.backends.registry import BACKENDS

COMPILER = "cc"  # it takes the options of a C compiler, and has no parser


@dataclass(frozen=True, slots=True)
class OptionEntry:
    """An option, or a word that is no option: then it has no flags."""

    flags: tuple[str, ...]
    value: str  # what stands for its value; empty: it takes none
    help: str
    words: tuple[str, ...] = ()  # values that it takes, where these are known
    many: bool = False

    @property
    def shown(self) -> str:
        """As in a usage line."""
        return f"{', '.join(self.flags)} {self.value}".strip()


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Options that the help shows under one title."""

    title: str
    options: tuple[OptionEntry, ...]


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A command of `untaken`, with all that it takes."""

    name: str
    purpose: str
    description: str
    words: tuple[OptionEntry, ...]  # those that are no options
    groups: tuple[OptionGroup, ...]

    @property
    def options(self) -> tuple[OptionEntry, ...]:
        return tuple(option for group in self.groups for option in group.options)

    @property
    def usage(self) -> str:
        """How it is called, in one line."""
        words = [entry.value if not entry.many else f"{entry.value}..." for entry in self.words]
        return " ".join(["untaken", self.name, *words, *(["[OPTIONS]"] if self.groups else [])])


def command_table() -> tuple[CommandEntry, ...]:
    """In the order of `untaken --help`."""
    return tuple(_entry(name, module, purpose) for name, (module, purpose) in COMMANDS.items())


def _entry(name: str, module: str, purpose: str) -> CommandEntry:
    found = import_module(f"untaken.cli.{module}")
    if name == COMPILER:
        text = str(found.HELP).partition("\n\n")[2]
        files = OptionEntry((), "[OPTIONS OF gcc OR clang] FILE", "", many=True)
        return CommandEntry(name, purpose, text, (files,), ())
    parser: argparse.ArgumentParser = found.make_parser()
    return CommandEntry(name, purpose, parser.description or "", tuple(_words(parser)), tuple(_groups(parser)))


def _words(parser: argparse.ArgumentParser) -> Iterator[OptionEntry]:
    for action in parser._actions:
        if not action.option_strings:
            yield _option(action)


def _groups(parser: argparse.ArgumentParser) -> Iterator[OptionGroup]:
    for group in parser._action_groups:
        found = [_option(action) for action in group._group_actions if action.option_strings]
        if found:
            title = "options" if group.title in (None, "options", "optional arguments") else group.title
            yield OptionGroup(title or "options", tuple(found))


def _option(action: argparse.Action) -> OptionEntry:
    choices = tuple(map(str, action.choices or ()))
    takes_value = action.nargs != 0
    value = _metavar(action, choices) if takes_value else ""
    optional = not action.option_strings and action.nargs == "?"
    return OptionEntry(
        flags=tuple(action.option_strings),
        value=f"[{value}]" if optional else value,
        help=(action.help or "").replace("%%", "%"),
        words=choices or _known_words(action.option_strings),
        many=isinstance(action, argparse._AppendAction) or action.nargs in ("+", "*"),
    )


def _metavar(action: argparse.Action, choices: Sequence[str]) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    return "|".join(choices) if choices else action.dest.upper()


def _known_words(flags: Sequence[str]) -> tuple[str, ...]:
    """Values of options that their parsers read as text."""
    known = {
        "--strategy": tuple(strategies()),
        "--strategies": tuple(strategies()),
        "--solver": tuple(BACKENDS),
        "--prune": tuple(RULES),
        "--goal": tuple(each.value for each in Criterion),
        "--format": _formats(),
    }
    return next((known[flag] for flag in flags if flag in known), ())


def _formats() -> tuple[str, ...]:
    from untaken.cli.export import FORMATS

    return tuple(FORMATS)
