"""The manual as a page for man(1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from untaken import __version__
from untaken.cli.manual.matter import ENVIRONMENT, EXAMPLES, EXIT_CODES, FILES
from untaken.cli.manual.table import CommandEntry, OptionEntry, command_table


def man_page() -> str:
    """For `man -l -` or a folder of manual pages."""
    return "\n".join(_lines(command_table())) + "\n"


def _lines(commands: Iterable[CommandEntry]) -> Iterator[str]:
    commands = list(commands)
    yield f'.TH UNTAKEN 1 "" "untaken {_text(__version__)}" "User Commands"'
    yield ".SH NAME"
    yield r"untaken \- writes the tests for the branches that yours have not taken"
    yield ".SH SYNOPSIS"
    for place, command in enumerate(commands):
        yield from ([".br"] if place else [])
        yield f".B {_text(command.usage)}"
    yield ".SH DESCRIPTION"
    yield (
        "untaken explores C programs: it runs them, records which inputs decided which branches, solves for the "
        "branches that were not taken, and keeps a test for each."
    )
    for command in commands:
        yield from _command(command)
    yield from _pairs("EXIT STATUS", {str(code): text for code, text in EXIT_CODES.items()})
    yield from _pairs("FILES", FILES)
    yield from _pairs("ENVIRONMENT", ENVIRONMENT)
    yield from _pairs("EXAMPLES", EXAMPLES)


def _command(command: CommandEntry) -> Iterator[str]:
    yield f".SH {_text(command.name.upper())}"
    yield f".B {_text(command.usage)}"
    yield ".PP"
    for line in command.description.split("\n"):
        yield ".PP" if not line.strip() else f".nf\n{_text(line)}\n.fi" if line.startswith("  ") else _text(line)
    yield from (line for word in command.words if word.help for line in _option(word))
    for group in command.groups:
        yield f".SS {_text(group.title)}"
        yield from (line for option in group.options for line in _option(option))


def _option(option: OptionEntry) -> Iterator[str]:
    yield ".TP"
    yield f".B {_text(option.shown)}"
    yield _text(option.help)


def _pairs(title: str, pairs: dict[str, str]) -> Iterator[str]:
    yield f".SH {title}"
    for name, text in pairs.items():
        yield ".TP"
        yield f".B {_text(name)}"
        yield _text(text)


def _text(text: str) -> str:
    """Nothing in it is a request or an escape of roff."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga")
    escaped = escaped.replace('"', r"\(dq")
    return rf"\&{escaped}" if escaped[:1] == "." else escaped
