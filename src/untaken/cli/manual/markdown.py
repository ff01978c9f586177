"""The manual as a page of the documentation: docs/reference/commands.md."""

from __future__ import annotations

from collections.abc import Iterator

from untaken.cli.manual.matter import ENVIRONMENT, EXIT_CODES, FILES
from untaken.cli.manual.table import COMPILER, CommandEntry, OptionEntry, command_table
from untaken.cli.options import GROUPS

ALIKE = "unit"  # the command that takes all options of `run`
HEAD = """# Commands and options

This page is made from the commands themselves: `untaken man --markdown`. `untaken man | man -l -` shows the same in a
terminal. To complete commands, options and their values with the tab key:

    eval "$(untaken completion bash)"                                         # in ~/.bashrc
    eval "$(untaken completion zsh)"                                          # in ~/.zshrc, after compinit
    untaken completion fish > ~/.config/fish/completions/untaken.fish
"""


def markdown() -> str:
    """The page as it stands in docs/reference/."""
    parts = [HEAD, _table("Exit code", {str(code): text for code, text in EXIT_CODES.items()})]
    parts += ["".join(f"{line}\n" for line in _command(entry)) for entry in command_table()]
    parts += ["## Files\n", _table("In --out", FILES), "## Environment\n", _table("Variable", ENVIRONMENT)]
    return "\n".join(parts)


def _command(entry: CommandEntry) -> Iterator[str]:
    yield f"## untaken {entry.name}"
    yield ""
    yield f"    {entry.usage}"
    yield ""
    yield entry.description.replace("\n  ", "\n      ") if entry.name == COMPILER else entry.description
    as_run = entry.name == ALIKE
    for title, options in (("words", entry.words), *((group.title, group.options) for group in entry.groups)):
        if as_run and title in GROUPS:
            continue
        if any(option.help for option in options):
            yield f"\n| {title} | |\n| --- | --- |"
            yield from (_row(option) for option in options)
    if as_run:
        yield "\nAnd all options of [untaken run](#untaken-run)."


def _row(option: OptionEntry) -> str:
    many = " (may be repeated)" if option.many and option.flags else ""
    return f"| `{option.shown.replace('|', chr(92) + '|')}` | {_cell(option.help)}{many} |"


def _table(title: str, pairs: dict[str, str]) -> str:
    rows = [f"| {title} | |", "| --- | --- |", *(f"| `{name}` | {_cell(text)} |" for name, text in pairs.items())]
    return "".join(f"{row}\n" for row in rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
