"""What is installed is whole: files that are no Python modules go along only if pyproject.toml names them."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_file_that_is_no_module_is_installed() -> None:
    package = ROOT / "src" / "untaken"
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["untaken"]
    named = {path for pattern in patterns for path in package.glob(pattern)}
    there = {path for path in package.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")}
    assert not there - named
