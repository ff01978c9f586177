"""Which tests get to the error function of a Test-Comp program: where it only aborts, the end does not tell."""

from __future__ import annotations

from contextlib import chdir

from untaken.build.objects.program_map import read_program_map
from untaken.execute.session import Session
from untaken.suite.findings import ERROR_FUNCTIONS
from untaken.suite.replay.native import instrumented_program
from untaken.suite.replay.runners import ReplayManner, session_settings
from untaken.suite.tests import SavedTest, Suite


def tests_that_reach_the_error(suite: Suite) -> frozenset[str]:
    """Names of the tests; they are run again if the program has such a function of its own."""
    told = {test.name for test in suite.tests if _is_told(test)}
    with chdir(suite.directory):
        program = instrumented_program(suite)
        functions = read_program_map(program).functions
        entries = {function.entry_id for function in functions if function.name in ERROR_FUNCTIONS}
        if not entries:
            return frozenset(told)
        with Session(program, session_settings(suite, ReplayManner())) as session:
            for test in suite.tests:
                if entries.intersection(session.run(test.input, concrete=True).events.tolist()):
                    told.add(test.name)
    return frozenset(told)


def _is_told(test: SavedTest) -> bool:
    """By the end of the run, or of the one that confirmed it: the plain program may be faster."""
    shown = None if test.place is None else test.place.shows
    return shown in ERROR_FUNCTIONS or any(name in test.exit.message for name in ERROR_FUNCTIONS)
