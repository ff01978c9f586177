"""A campaign's folder may be somebody else's: nothing in it is read or written through a link that leads elsewhere.

No campaign makes links or devices where it keeps its files, so that none of them is followed, wherever it leads: a
test that is a link would be exported with what it names, and a database that is one would be written through it. What
a program's own runs left beside them is nobody's business.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from untaken.errors import CampaignError

BY_HAND = "by-hand"  # inputs that are laid out for a debugger
_FOLDERS = {"tests": 1, "crashes": 2, "unconfirmed": 2, BY_HAND: 1, "unit": 1}  # how deep our files lie in each
_BEGINNINGS = ("campaign.", "summary.json", "timeline.csv", "report.html", "export-", ".lock", ".dump_at_signals")


def check_inside(folder: Path) -> None:
    """Before anything in a campaign's folder is read or written. The folder itself may be a link."""
    try:
        for entry in _entries(folder):
            _check(entry)
    except OSError as error:
        raise CampaignError(f"{error.filename or folder} cannot be read: {error.strerror}") from None


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    """What a campaign may read or write, each folder before what is in it."""
    if not folder.is_dir():
        return
    for entry in os.scandir(folder):
        if entry.name in _FOLDERS or entry.name.startswith(_BEGINNINGS):
            yield entry
            yield from _below(entry, _FOLDERS.get(entry.name, 0))


def _below(entry: os.DirEntry[str], depth: int) -> Iterator[os.DirEntry[str]]:
    if depth and entry.is_dir(follow_symlinks=False):
        for inner in os.scandir(entry.path):
            yield inner
            yield from _below(inner, depth - 1)


def _check(entry: os.DirEntry[str]) -> None:
    if entry.is_symlink():
        target = os.readlink(entry.path)
        raise CampaignError(
            f"{entry.path} is a link to {target}, and links in a campaign's folder are not followed, since it may be "
            "somebody else's: put in its place what it names, or remove it"
        )
    mode = 0 if entry.is_file(follow_symlinks=False) else entry.stat(follow_symlinks=False).st_mode
    if mode and not stat.S_ISDIR(mode):
        raise CampaignError(f"{entry.path} is neither a file nor a folder: no campaign wrote it; remove it")
