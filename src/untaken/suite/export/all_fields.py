"""Tests with all that they asked for: a campaign describes only so many fields of a run, but keeps all of its bytes."""

from __future__ import annotations

from contextlib import chdir
from dataclasses import replace

from untaken.errors import CampaignError
from untaken.execute.layout import TraceLimits
from untaken.execute.session import Session
from untaken.model.path import CutOff, ExitKind
from untaken.suite.replay.native import instrumented_program
from untaken.suite.replay.runners import ReplayManner, session_settings
from untaken.suite.tests import SavedTest, Suite


def tests_with_all_fields(suite: Suite) -> tuple[SavedTest, ...]:
    """Those whose description is not whole are run again, with room for a field for each byte."""
    short = [test for test in suite.tests if _end_of_fields(test) < len(test.input)]
    if not short:
        return suite.tests
    room = 2 * max(len(test.input) for test in short)
    with chdir(suite.directory):
        settings = replace(session_settings(suite, ReplayManner()), limits=TraceLimits(fields=room))
        with Session(instrumented_program(suite), settings) as session:
            whole = {test.name: _described_again(session, test) for test in short}
    return tuple(whole.get(test.name, test) for test in suite.tests)


def _end_of_fields(test: SavedTest) -> int:
    return max((field.offset + field.size for field in test.fields), default=0)


def _described_again(session: Session, test: SavedTest) -> SavedTest:
    ends = test.exit.kind is ExitKind.INPUTS
    path = session.replay(test.input) if ends else session.run(test.input, concrete=True)
    if path.exit.kind is not test.exit.kind or CutOff.FIELDS in path.cut_off:
        raise CampaignError(f"test {test.name} asks for more inputs than can be told: run the campaign with --inputs N")
    return replace(test, fields=path.fields)
