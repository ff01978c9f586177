"""The documentation leads somewhere: its links, the files and the folders that it names are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ABOUT_SOURCES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
PAGES = [*ABOUT_SOURCES, ROOT / "tests" / "README.md"]
LINK = re.compile(r"\]\(([^)\s#]+)(?:#([^)]*))?\)")
MODULE = re.compile(r"`((?:build|execute|solve|search|suite|campaign|trials|report|model|runtime)/[\w/]+\.(?:py|c|h))`")


def anchors(page: Path) -> set[str]:
    """As GitHub makes them from headings."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text()):
        if re.match(r"[a-z]+:", target):
            continue
        there = page.parent / target
        assert there.exists(), target
        assert not anchor or there.is_dir() or anchor in anchors(there), f"{target}#{anchor}"


@pytest.mark.parametrize("page", ABOUT_SOURCES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_files_that_are_named_are_there(page: Path) -> None:
    missing = [name for name in MODULE.findall(page.read_text()) if not (ROOT / "src" / "untaken" / name).exists()]
    assert not missing


def test_every_page_can_be_found() -> None:
    """From docs/README.md, by links."""
    waiting, found = [ROOT / "docs" / "README.md"], set()
    while waiting:
        page = waiting.pop()
        found.add(page)
        links = ((page.parent / target).resolve() for target, _ in LINK.findall(page.read_text()))
        waiting += [there for there in links if there.suffix == ".md" and there not in found and there.exists()]
    assert not [page for page in PAGES if "docs" in page.parts and page not in found]
