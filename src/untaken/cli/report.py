"""`untaken report`: the page of a campaign, written again from its folder."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from untaken.campaign.config import Config
from untaken.cli.parser import Parser
from untaken.errors import UsageError
from untaken.given_files import read_beginning
from untaken.interrupts import OutOfTime, time_limit
from untaken.model.program import ProgramMap
from untaken.report.page import PAGE, page_of, write_page
from untaken.suite.corpus import write_file
from untaken.uncollected import uncollected

END_SECONDS = 0.95  # after the limit of a campaign's time: a second, with what it takes to say so
LEAST_SECONDS = 0.3  # for the page: most take a tenth of a second

BEGINNING = b"<!doctype html>"  # of a page
DESCRIPTION = (
    f"Writes {PAGE}, one page that needs nothing else: coverage over time, files and functions, the source with each "
    "branch marked both ways and why it is not covered, findings, tests. `untaken run` writes it at its end."
)


def run(arguments: Sequence[str]) -> int:
    """Exit code 0: the page is written."""
    options = make_parser().parse_args(arguments)
    check_replaceable(options.out)
    print(write_page(options.directory, options.out))
    return 0


def check_replaceable(place: Path | None) -> None:
    """What is there already must be a page: a name that was mistaken costs nobody a file."""
    if place is not None and place.is_file() and not place.is_symlink():
        beginning = read_beginning(place, len(BEGINNING))
        if beginning and beginning != BEGINNING:
            raise UsageError(f"{place} is there already, and no page: give another --out, or remove it")


def make_parser() -> Parser:
    parser = Parser("report", DESCRIPTION)
    parser.add_argument("directory", type=Path, metavar="DIR", help="the --out folder of an `untaken run`")
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"where the page goes (default DIR/{PAGE})")
    return parser


def page_at_the_end(folder: Path, program: ProgramMap, seconds: float | None, note: Callable[[str], None]) -> None:
    """Writes the page of a campaign that is safe on disk by now: whatever goes wrong is only told.

    `seconds` is how long it may take, if the campaign's time was limited.
    """
    try:
        with time_limit(seconds), uncollected():
            text = page_of(folder, program)
        write_file(folder / PAGE, text)
    except OutOfTime:
        note(f"there was no time left for {PAGE}: `{shlex.join(['untaken', 'report', str(folder)])}` writes it")
    except Exception as error:
        note(f"{PAGE} could not be written ({type(error).__name__}: {error}); everything else in {folder} is complete")


def live_page(config: Config, note: Callable[[str], None]) -> AbstractContextManager[None]:
    """Serves the page meanwhile, with --serve; a server takes long to load, and few ask for it."""
    if config.served_port is None:
        return nullcontext()
    from untaken.report.live import served

    return served(config.out, config.served_port, note)


def time_for_page(budget: float | None, spent: float) -> float | None:
    """What is left of a campaign's seconds, and of the one that its end may take."""
    return None if budget is None else max(LEAST_SECONDS, budget + END_SECONDS - spent)
