"""`untaken report`: the page of a campaign, written again from its folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from untaken.cli.parser import Parser
from untaken.model.program import ProgramMap
from untaken.report.page import PAGE, write_page

DESCRIPTION = (
    f"Writes {PAGE}, one page that needs nothing else: coverage over time, files and functions, the source with each "
    "branch marked both ways and why it is not covered, findings, tests. `untaken run` writes it at its end."
)


def run(arguments: Sequence[str]) -> int:
    """Exit code 0: the page is written."""
    parser = Parser("report", DESCRIPTION)
    parser.add_argument("directory", type=Path, metavar="DIR", help="the --out folder of an `untaken run`")
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"where the page goes (default DIR/{PAGE})")
    options = parser.parse_args(arguments)
    print(write_page(options.directory, target=options.out))
    return 0


def try_to_write(folder: Path, program: ProgramMap, note: Callable[[str], None]) -> None:
    """At the end of a campaign, which is safe on disk by then: whatever goes wrong with the page is only told."""
    try:
        write_page(folder, program)
    except Exception as error:
        note(f"{PAGE} could not be written ({type(error).__name__}: {error}); everything else in {folder} is complete")
