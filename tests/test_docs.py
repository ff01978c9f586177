"""The documentation leads somewhere: what it links to and names is there, and docstrings say something."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from untaken.cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
ABOUT_SOURCES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
PAGES = [*ABOUT_SOURCES, ROOT / "tests" / "README.md"]
LINK = re.compile(r"\]\(([^)\s#]+)(?:#([^)]*))?\)")
STAGES = "build|campaign|cli|compare|executables|execute|learn|model|report|runtime|search|solve|suite|trials|unit"
MODULE = re.compile(rf"`((?:{STAGES})/[\w/]+\.(?:py|c|h))`")


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


def named_folders(text: str) -> set[str]:
    """`build/ir/` is said, and so is `runtime/libc/` where a table is about what is inside `runtime/`."""
    found: set[str] = set()
    inside = ""
    for line in text.splitlines():
        inside = line.removeprefix("Inside `").partition("`")[0] if line.startswith("Inside `") else inside
        for name in re.findall(r"`([\w/]+)/`", line.partition("|")[2]):
            found |= {name, f"{inside}{name}"}
    return found


def test_contributing_says_what_every_folder_is_for() -> None:
    """Folders that hold a part of what their own table or page explains (models by subject) are said by that."""
    package = ROOT / "src" / "untaken"
    folders = {path.relative_to(package).as_posix() for path in package.rglob("*/") if path.name != "__pycache__"}
    folders -= {name for name in folders if name.startswith(("runtime/libc/", "runtime/include/"))}
    assert not folders - named_folders((ROOT / "CONTRIBUTING.md").read_text())


def documented(module: Path) -> Iterator[tuple[str, str]]:
    """Names of classes and functions, and their docstrings."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield f"{module.relative_to(ROOT)}:{node.lineno} {node.name}", ast.get_docstring(node) or ""


def test_docstrings_are_no_riddles() -> None:
    """One of four words or fewer ("Never again.") says nothing to who does not know it already: better none."""
    every = [pair for module in (ROOT / "src" / "untaken").rglob("*.py") for pair in documented(module)]
    assert not [f"{name}: {text}" for name, text in every if 0 < len(text.split()) < 5]


def test_every_command_has_a_parser_for_the_manual() -> None:
    """`untaken man` and the completion of shells are made from them."""
    commands = {module for module, _ in COMMANDS.values()} - {"cc"}
    without = [name for name in commands if "def make_parser(" not in (ROOT / f"src/untaken/cli/{name}.py").read_text()]
    assert not without
