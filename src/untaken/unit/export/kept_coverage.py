"""Whether the written tests cover what the campaign's tests covered: they are built with instrumentation and run."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from untaken.build.driver import build_program
from untaken.build.instrument.system_files import DRIVER_SUFFIX
from untaken.build.objects.program_map import read_program_map
from untaken.errors import UntakenError
from untaken.execute.session import Session
from untaken.model.program import Branch, BranchId
from untaken.suite.replay.native import instrumented_program
from untaken.suite.replay.runners import ReplayManner, session_settings
from untaken.suite.tests import Suite
from untaken.unit.driver import rest_text
from untaken.unit.export.programs import REST, Workshop

# Ids differ from program to program; where a branch is, and which of several there, does not.
Spot = tuple[str, int, int, bool, str]


def spots(branches: Iterable[Branch]) -> frozenset[Spot]:
    return frozenset(
        (branch.location.file, branch.location.line, branch.location.column, branch.side, branch.kind.value)
        for branch in branches
    )


def lost_coverage(workshop: Workshop, text: str, wanted: frozenset[Spot]) -> frozenset[Spot] | None:
    """What tests, given as plain assert, do not cover of what they should; None if that cannot be found out."""
    plan = workshop.plan
    with TemporaryDirectory(prefix=".covered-", dir=workshop.folder) as folder:
        file = Path(folder) / f"tests{DRIVER_SUFFIX}"
        file.write_text(text)
        rest = [*map(Path, plan.others), *([workshop.folder / REST] if rest_text(plan) else [])]
        try:
            with chdir(workshop.suite.directory):
                program = Path(folder) / "tests"
                build_program([file, *rest], program, [*workshop.flags, f"-I{Path(plan.source).parent}"])
                with Session(program, session_settings(workshop.suite, ReplayManner(timeout=60.0))) as session:
                    events = session.run(b"", concrete=True).events.tolist()
                known = read_program_map(program)
        except UntakenError:
            return None
    passed = (known.branches[BranchId(event)] for event in set(events) if BranchId(event) in known.branches)
    return wanted - spots(passed)


def never_written(suite: Suite, written: frozenset[Spot]) -> frozenset[Spot]:
    """What the campaign covered only with runs that are no tests: they crash, hang or were ended."""
    with chdir(suite.directory):
        known = read_program_map(instrumented_program(suite)).branches
    covered = {BranchId(branch) for test in suite.tests for branch in test.covers}
    return spots(known[branch] for branch in covered if branch in known) - written
