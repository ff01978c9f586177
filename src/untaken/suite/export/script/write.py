"""Writes the folder: one case a test, with what its program is given and what it did.

run.sh, test_cases.py   run all cases on a program of the user's
cases/NNNNNN/run        starts the program once, as the test does
cases/NNNNNN/stdin      and `input`, `files/`: what it is given
cases/NNNNNN/exit       the exit status, as a shell has it
cases/NNNNNN/output     what it printed; left out where that is not the same each time
cases/NAME/finding      where the program goes wrong: such a case fails as long as it does
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from untaken.errors import CampaignError, PlainBuildError
from untaken.execute.arguments import merged_arguments
from untaken.execute.memory import RunLimits
from untaken.execute.sandbox import Sandbox
from untaken.model.input_codec import Delivery
from untaken.model.path import Exit, ExitKind
from untaken.suite.delivery import asked_for, delivered
from untaken.suite.export.files import inside
from untaken.suite.replay.alone import Means, run_alone
from untaken.suite.replay.confined import MOST_OUTPUT, Ended
from untaken.suite.replay.layout import ENDS_VARIABLE, VARIABLE
from untaken.suite.replay.native import build_native
from untaken.suite.replay.runners import PATIENCE, obstacle_to_native
from untaken.suite.replay.verdict import described
from untaken.suite.tests import SavedTest, Suite

OTHER_NAME = "another-name"  # a program that prints its own name prints another one elsewhere
LATE = 124  # what timeout(1) says


@dataclass(frozen=True, slots=True)
class ObservedRun:
    """What the plain program did: `output` is None where it is not the same each time."""

    exit: Exit
    output: bytes | None
    anywhere: bool  # it does the same in an empty folder, where it finds nothing of others and leaves them nothing

    @property
    def status(self) -> int:
        """As a shell has it."""
        match self.exit.kind:
            case ExitKind.SIGNAL:
                return 128 + self.exit.code
            case ExitKind.TIMEOUT:
                return LATE
            case _:
                return self.exit.code

    @property
    def is_wrong(self) -> bool:
        """No end to expect, whatever else the test covers."""
        return self.exit.kind is not ExitKind.CODE


def write_script(suite: Suite, target: Path) -> int:
    """Writes the folder; how many cases."""
    tests = _unique(suite)
    observed = _observe_all(suite, tests)
    cases = [(test, seen) for test, seen in zip(tests, observed, strict=True) if test.place is None or seen.status]
    for test, seen in cases:
        _write_case(suite, test, seen, target / "cases" / test.name)
    _write_text(target / "run.sh", _part("run.sh"), executable=True)
    _write_text(target / "test_cases.py", _part("test_cases.py.txt"))
    return len(cases)


def _unique(suite: Suite) -> list[SavedTest]:
    """A finding is often a test as well, whose end is no end to expect."""
    findings = {test.input for test in suite.proper_tests if test.place is not None}
    return [test for test in suite.proper_tests if test.place is not None or test.input not in findings]


def _observe_all(suite: Suite, tests: list[SavedTest]) -> list[ObservedRun]:
    if (obstacle := obstacle_to_native(suite)) is not None:
        raise CampaignError(f"the tests cannot be run on a plain program: {obstacle}")
    try:
        program = build_native(suite)
    except PlainBuildError as error:
        raise CampaignError(f"there is no plain program to observe: {error}") from None
    with (
        TemporaryDirectory(prefix=".observe-", dir=suite.folder, ignore_cleanup_errors=True) as folder,
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        return list(pool.map(lambda test: _observe(suite, test, program, Path(folder)), tests))


def _observe(suite: Suite, test: SavedTest, program: Path, folder: Path) -> ObservedRun:
    """Twice, the second time under another name; and in an empty folder, unless the test has files of its own."""
    means = Means(Sandbox(keep_env=suite.recipe.keep_env), suite.recipe.timeout * PATIENCE, RunLimits())
    first = run_alone(suite, test, program, folder, means)
    renamed = replace(suite, recipe=replace(suite.recipe, program=OTHER_NAME))
    second = run_alone(renamed, test, program, folder, means)
    same = _is_same(first, second) and len(first.output) < MOST_OUTPUT
    return ObservedRun(
        first.exit, first.output if same else None, _does_anywhere(renamed, test, program, second, means)
    )


def _does_anywhere(suite: Suite, test: SavedTest, program: Path, ended: Ended, means: Means) -> bool:
    """Whether it ends so in a folder that has nothing else in it, too."""
    if delivered(test.input, suite.declared, test.fields).files:
        return True
    with TemporaryDirectory(prefix=".observe-", dir=suite.folder, ignore_cleanup_errors=True) as folder:
        empty = Path(folder) / "empty"
        empty.mkdir()
        moved = replace(suite, recipe=replace(suite.recipe, directory=os.fspath(empty)))
        return _is_same(ended, run_alone(moved, test, program, Path(folder), means))


def _is_same(first: Ended, second: Ended) -> bool:
    return first.exit == second.exit and first.output == second.output


def _write_case(suite: Suite, test: SavedTest, seen: ObservedRun, folder: Path) -> None:
    given = delivered(test.input, suite.declared, test.fields)
    folder.mkdir(parents=True)
    _write_text(folder / "run", "".join(f"{line}\n" for line in _commands(suite, test, given, seen)), executable=True)
    (folder / "exit").write_text(f"{seen.status}\n")
    if given.stdin is not None:
        (folder / "stdin").write_bytes(given.stdin)
    if given.rest:
        (folder / "input").write_bytes(given.rest)
    for name, content in given.files.items():
        path = folder / "files" / inside(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if test.place is not None or seen.is_wrong:
        what = described(seen.exit) if test.place is None else test.place.what
        (folder / "finding").write_text(f"{what}\n", errors="replace")
    elif seen.output is not None:
        (folder / "output").write_bytes(seen.output)


def _commands(suite: Suite, test: SavedTest, given: Delivery, seen: ObservedRun) -> Iterator[str]:
    yield "#!/bin/sh"
    yield "# PROGRAM is the program; WORK is a folder of its own, with a copy of files/, if there are any."
    yield 'here=$(cd "$(dirname "$0")" && pwd)'
    if asked_for(test.fields, suite.declared):
        yield f'export {VARIABLE}="$here/input"'
    if test.exit.kind is ExitKind.INPUTS:
        yield f"export {ENDS_VARIABLE}=1"
    if seen.anywhere:
        yield 'cd "$WORK" || exit 2'
    stdin = '"$here/stdin"' if given.stdin is not None else "/dev/null"
    yield " ".join(['exec "$PROGRAM"', *map(_quoted, _arguments(suite, given)), "<", stdin])


def _arguments(suite: Suite, given: Delivery) -> list[str]:
    words = merged_arguments(suite.recipe.arguments, suite.declared)
    for place, argument in given.arguments.items():
        words[place - 1] = os.fsdecode(argument)
    return words


def _quoted(word: str) -> str:
    """Any bytes but NUL, which no argument has."""
    return "'" + word.replace("'", "'\\''") + "'"


def _part(name: str) -> str:
    return files("untaken.suite.export.script").joinpath(name).read_text()


def _write_text(path: Path, text: str, *, executable: bool = False) -> None:
    path.write_text(text, errors="surrogateescape")
    path.chmod(0o755 if executable else 0o644)
