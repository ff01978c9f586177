"""Targets of computed jumps that runs met: seen as findings at first, which they are not once they are lifted."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from untaken.executables.machine_code.control_flow import Learnt
from untaken.suite.tests import read_suite

_NOT_LIFTED = re.compile(r"(jump|call|return) to (0x[0-9a-f]+) from (0x[0-9a-f]+), which is not lifted")


def with_target(learnt: Learnt, what: str) -> Learnt | None:
    """What is known with the target that a finding tells of; None if it tells of none."""
    match = _NOT_LIFTED.match(what)
    return None if match is None else learnt.with_target(match[1], int(match[3], 16), int(match[2], 16))


def forget_lifted(out: Path, learnt: Learnt) -> None:
    """Removes the folders of findings whose targets were lifted since: their inputs are tests by now."""
    suite = read_suite(out)
    for seen in (*suite.tests, *suite.unconfirmed):
        if seen.place is not None and with_target(learnt, seen.place.what) == learnt:
            shutil.rmtree(seen.file.parent)
