"""What came of a campaign, for Python programs: tests, findings, figures, and all of it as columns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from untaken.api.program import AnyPath, NamedColumns, Program
from untaken.campaign.config import Config
from untaken.model.path import Path
from untaken.model.program import BranchId
from untaken.report.campaign_folder import CampaignFolder, read_campaign
from untaken.report.page import write_page
from untaken.suite.tests import SavedTest, Suite, read_suite


@dataclass(frozen=True)
class Result:
    """What a campaign's folder holds: tests, findings, figures."""

    folder: FilePath
    suite: Suite
    campaign: CampaignFolder
    program: Program | None = None  # None: only its map is known, which is in `campaign`

    @property
    def summary(self) -> dict[str, Any]:
        """The fields of summary.json: docs/reference/output-folder.md."""
        return self.campaign.summary

    @property
    def tests(self) -> tuple[SavedTest, ...]:
        """Without the findings: input, fields, how it ended, what it was first to cover."""
        return tuple(test for test in self.suite.tests if test.place is None)

    @property
    def findings(self) -> tuple[SavedTest, ...]:
        """Those that were confirmed; `place` says what goes wrong, and where."""
        return tuple(test for test in self.suite.tests if test.place is not None)

    @cached_property
    def branches(self) -> NamedColumns:
        """One row a branch, as in `Program.branches`: id, covered, tests (that take it), first_test (0: none)."""
        program, times = self.campaign.program, self.campaign.times_taken()
        hit, first = self.campaign.coverage().hit, self._first_tests()
        ids = np.array([branch.id for branch in program], np.uint32)
        return {
            "id": ids,
            "covered": hit[ids],
            "tests": times[ids],
            "first_test": np.array([first.get(int(each), 0) for each in ids], np.uint32),
        }

    @cached_property
    def timeline(self) -> NamedColumns:
        """One row whenever something new was covered: iteration, seconds, branches."""
        rows = self.campaign.timeline
        return {
            "iteration": np.array([row[0] for row in rows], np.uint64),
            "seconds": np.array([row[1] for row in rows], np.float64),
            "branches": np.array([row[2] for row in rows], np.uint64),
        }

    def paths(self) -> Iterator[tuple[SavedTest, Path]]:
        """Runs each test again, and gives what it did: events, constraints, how it ended."""
        program = self.program or Program.open(self.suite.program)
        with program.session(self._settings()) as session:
            for test in self.tests:
                yield test, session.run(test.input)

    def at(self, branch: int) -> str:
        """Where a branch is: FILE:LINE:COLUMN."""
        return str(self.campaign.program.branches[BranchId(branch)].location)

    def write_report(self) -> FilePath:
        """Writes report.html anew, and says where it is."""
        return write_page(self.folder)

    def _first_tests(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for test in self.tests:
            for branch in test.covers:
                found.setdefault(branch, int(test.name))
        return found

    def _settings(self) -> Config:
        recipe = self.suite.recipe
        sizes: dict[str, list[Any]] = {"argument": [], "stdin": [], "file": []}
        for source in recipe.declared:
            sizes[source.kind.name.lower()].append(source)
        return Config(
            targets=(recipe.program,),
            arguments=recipe.arguments,
            arg=tuple(source.size for source in sizes["argument"]),
            stdin=sizes["stdin"][0].size if sizes["stdin"] else None,
            file=tuple(sizes["file"]),
            timeout=recipe.timeout,
        )


def load(folder: AnyPath) -> Result:
    """An earlier campaign, from its folder; its program must still be there."""
    return read_result(FilePath(os.fspath(folder)), None)


def read_result(folder: FilePath, program: Program | None) -> Result:
    """The same where the program may be known already."""
    campaign = read_campaign(folder, None if program is None else program.map)
    return Result(folder, read_suite(folder), campaign, program)
