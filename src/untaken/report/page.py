"""report.html: one page that needs nothing else, neither a network nor other files.

Data goes into the page as JSON in script elements of a type that browsers do not run. Whatever could end such an
element is escaped, and the script writes all of it as text: names and inputs of a program stay text, whatever is in
them.
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from untaken.model.program import ProgramMap
from untaken.report.campaign_folder import read_campaign, readable
from untaken.report.page_data import page_data
from untaken.suite.corpus import write_file

PAGE = "report.html"
# Pieces of the page's script, in the order in which they stand there: one scope, so that later ones use earlier ones.
SCRIPTS = (
    "elements program rows overview code source lines branches tests inputs findings limits independence "
    "views live begin"
).split()
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
LIVE_POLICY = f"{POLICY}; connect-src 'self'"  # a page that is served asks for what is new
# What could end a script element, or begin a comment in one; JSON has escapes for all characters.
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&"}


def write_page(folder: Path, target: Path | None = None) -> Path:
    """Writes the page of a campaign into its folder, or elsewhere."""
    path = target or folder / PAGE
    write_file(path, page_of(folder))
    return path


def page_of(folder: Path, program: ProgramMap | None = None) -> bytes:
    """The page of a campaign; `program` if it is known already."""
    with readable(folder):
        return page(page_data(read_campaign(folder, program))).encode(errors="replace")


def page(data: dict[str, Any], *, live: bool = False) -> str:
    """The text of the page; `live`: it is served by a campaign under way."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return environment.from_string(part("page.html")).render(
        title=data["head"]["title"],
        live=live,
        policy=LIVE_POLICY if live else POLICY,
        style=Markup(part("page.css")),
        script=Markup("\n".join(part(f"script/{name}.js") for name in SCRIPTS)),
        data={name: Markup(embedded(part)) for name, part in data.items()},
    )


def embedded(value: Any) -> str:
    """JSON that may stand in a script element."""
    return json.dumps(value, separators=(",", ":")).translate(_ESCAPES)


def part(name: str) -> str:
    """A file of the pages: their text, style or script."""
    return files("untaken.report").joinpath(name).read_text()
