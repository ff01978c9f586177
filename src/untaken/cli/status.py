"""`untaken status`: where a campaign stands that runs elsewhere, in another terminal say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from untaken.campaign.config import DEFAULT_OUT
from untaken.cli.parser import Parser
from untaken.report.status import status_of
from untaken.visible_text import visible


def run(arguments: Sequence[str]) -> int:
    """Exit code 0, whatever the campaign is at; 2: there is none."""
    options = make_parser().parse_args(arguments)
    status = status_of(options.directory)
    print(json.dumps(status.as_json(), indent=1) if options.json else visible("\n".join(status.lines())))
    return 0


def make_parser() -> Parser:
    parser = Parser("status", "Says where a campaign stands: coverage, rates, workers, the last find. It only reads.")
    parser.add_argument("directory", type=Path, nargs="?", default=DEFAULT_OUT, metavar="DIR", help="its --out folder")
    parser.add_argument("--json", action="store_true", help="the same as JSON")
    return parser
