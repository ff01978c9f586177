"""Campaigns whose pages the tests look at."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.campaign.commands import campaign, written
from untaken.report.page import PAGE, write_page

REASONS = """
#include <untaken.h>
#include <assert.h>
static int behind(int v) {
    if (v == 3) return 1;
    return 0;
}
int lonely(int v) {
    if (v == 4) return 1;
    return 0;
}
int main(int argc, char **argv) {
    int x, y;
    (void)argv;
    untaken_int(&x);
    untaken_int(&y);
    untaken_assume(y > -9);
    if (x > 10 && x < 5) return 1;
    if (argc > 5) return behind(y);
    if (x == 77) assert(y != 5);
    return 0;
}
"""


def explored(folder: Path, text: str = REASONS, *words: object) -> Path:
    """A campaign of some hundred runs with its page; its folder."""
    program = written(folder, text)
    campaign(program, *(words or ("--iterations", 150)), "--out", folder / "out")
    write_page(folder / "out")
    return folder / "out"


def embedded(folder: Path) -> dict[str, Any]:
    """The data of a campaign's page, as its script reads it."""
    return embedded_in((folder / PAGE).read_text())


def embedded_in(text: str) -> dict[str, Any]:
    """The same of a page's text."""
    found = re.findall(r'<script type="application/json" id="data-(\w+)">(.*?)</script>', text, re.DOTALL)
    return {name: json.loads(part) for name, part in found}


def sides(data: dict[str, Any]) -> dict[tuple[int, int, bool], dict[str, Any]]:
    """What the page says of each branch, by line, place in it and side."""
    conditions = data["branches"]["conditions"]
    places: dict[int, int] = {}
    found = {}
    order = sorted(range(len(conditions["id"])), key=lambda at: (conditions["line"][at], conditions["id"][at]))
    for at in order:
        line = conditions["line"][at]
        places[line] = places.get(line, -1) + 1
        for side in (0, 1):
            about = {key: conditions[key][2 * at + side] for key in ("tests", "first", "why", "guard", "opens")}
            about |= {"id": conditions["id"][at] + side, "column": conditions["column"][at]}
            found[line, places[line], not side] = about
    return found
