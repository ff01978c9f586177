"""`untaken man`: the manual, from the option table."""

from __future__ import annotations

from collections.abc import Sequence

from untaken.cli.parser import Parser

DESCRIPTION = "Prints the manual of all commands and options: `untaken man | man -l -` shows it."


def run(arguments: Sequence[str]) -> int:
    """Prints the page, in one form or the other."""
    from untaken.cli.manual.man_page import man_page
    from untaken.cli.manual.markdown import markdown

    options = make_parser().parse_args(arguments)
    print(markdown() if options.markdown else man_page(), end="")
    return 0


def make_parser() -> Parser:
    parser = Parser("man", DESCRIPTION)
    parser.add_argument("--markdown", action="store_true", help="as a page of the documentation")
    return parser
