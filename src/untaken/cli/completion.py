"""`untaken completion`: what lets a shell complete commands, options and their values."""

from __future__ import annotations

from collections.abc import Sequence

from untaken.cli.parser import Parser

SHELLS = ("bash", "zsh", "fish")
DESCRIPTION = (
    "Prints a script for a shell that completes commands, options and their values. In ~/.bashrc: "
    'eval "$(untaken completion bash)"; for zsh likewise; for fish into ~/.config/fish/completions/untaken.fish.'
)


def run(arguments: Sequence[str]) -> int:
    """Prints the script for the shell that is named."""
    from untaken.cli.manual.completions import SCRIPTS

    print(SCRIPTS[make_parser().parse_args(arguments).shell](), end="")
    return 0


def make_parser() -> Parser:
    parser = Parser("completion", DESCRIPTION)
    parser.add_argument("shell", choices=SHELLS, help="which shell")
    return parser
