"""`untaken export`: a campaign's tests in the formats of other tools."""

from __future__ import annotations

import shutil
from argparse import BooleanOptionalAction, Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from untaken.cli.parser import Parser
from untaken.cli.replay import TRUST
from untaken.errors import CampaignError, UsageError
from untaken.executables.simulators.export import write_simulator
from untaken.report.words import count
from untaken.suite.export.files import write_files
from untaken.suite.export.junit import write_junit
from untaken.suite.export.ktest import write_ktests
from untaken.suite.export.mcdc import write_mcdc
from untaken.suite.export.measured.cobertura import write_cobertura
from untaken.suite.export.measured.lcov import write_lcov
from untaken.suite.export.sarif import write_sarif
from untaken.suite.export.script.write import write_script
from untaken.suite.export.testcomp import ZIP_NAME, Goal, write_testcomp
from untaken.suite.export.words import write_dictionary
from untaken.suite.tests import Suite, read_suite
from untaken.unit.export.frameworks import FRAMEWORKS
from untaken.unit.export.write import write_c
from untaken.visible_text import visible

DEFAULT_FRAMEWORK = "assert"

FORMATS: dict[str, Callable[[Suite, Path, Namespace], int]] = {
    "dict": lambda suite, target, _: write_dictionary(suite, target),
    "files": lambda suite, target, _: write_files(suite, target),
    "testcomp": lambda suite, target, options: write_testcomp(suite, target, Goal(options.goal), zipped=options.zip),
    "ktest": lambda suite, target, _: write_ktests(suite, target),
    "c": lambda suite, target, options: _write_c(suite, target, options),
    "script": lambda suite, target, _: write_script(suite, target),
    "simulator": lambda suite, target, _: write_simulator(suite, target),
    "lcov": lambda suite, target, _: write_lcov(suite, target),
    "cobertura": lambda suite, target, _: write_cobertura(suite, target),
    "mcdc": lambda suite, target, _: write_mcdc(suite, target),
    "junit": lambda suite, target, _: write_junit(suite, target),
    "sarif": lambda suite, target, _: write_sarif(suite, target),
}
NOUNS = {"sarif": "finding", "dict": "word", "mcdc": "condition"}  # what is written where it is no test


def run(arguments: Sequence[str]) -> int:
    """Writes the tests into a new folder."""
    options = make_parser().parse_args(arguments)
    if options.format not in FORMATS:
        raise UsageError(f"no format is called {options.format!r}; there are: {', '.join(FORMATS)}")
    if options.format != "testcomp" and (options.zip or options.goal != Goal.BRANCHES):
        raise UsageError("--zip and --goal are for --format testcomp")
    if options.format != "c" and (options.framework != DEFAULT_FRAMEWORK or not options.minimise):
        raise UsageError("--framework and --no-minimise are for --format c")
    suite = read_suite(options.directory, trusted=options.trust)
    target = options.out or options.directory / f"export-{options.format}"
    if options.out is None:  # ours alone, so an earlier export is replaced
        shutil.rmtree(target, ignore_errors=True)
    _make_empty(target)
    written = _write(suite, target, options)
    print(f"{count(written, NOUNS.get(options.format, 'test'))} in {target / ZIP_NAME if options.zip else target}")
    return 0


def make_parser() -> Parser:
    parser = Parser("export", "Writes the tests and crashes of a campaign in the format of another tool.")
    parser.add_argument("directory", type=Path, metavar="DIR", help="the --out folder of an `untaken run`")
    parser.add_argument("--format", required=True, metavar="F", help=f"one of {', '.join(FORMATS)}")
    parser.add_argument("--out", type=Path, metavar="DIR", help="a new or empty folder (default DIR/export-F)")
    parser.add_argument("--trust", action="store_true", help=TRUST)
    parser.add_argument("--zip", action="store_true", help="testcomp: one zip instead of single files")
    parser.add_argument(
        "--goal", choices=[goal.value for goal in Goal], default=Goal.BRANCHES, help="testcomp: what the tests cover"
    )
    parser.add_argument(
        "--framework", choices=list(FRAMEWORKS), default=DEFAULT_FRAMEWORK, help="c: what the tests are written for"
    )
    parser.add_argument(
        "--minimise",
        action=BooleanOptionalAction,
        default=True,
        help="c: only as many tests as the coverage needs, with zeros where they will do (default)",
    )
    return parser


def _write_c(suite: Suite, target: Path, options: Namespace) -> int:
    written = write_c(suite, target, FRAMEWORKS[options.framework], minimise=options.minimise)
    for note in written.notes:
        print(visible(note))
    return written.tests


def _write(suite: Suite, target: Path, options: Namespace) -> int:
    try:
        return FORMATS[options.format](suite, target, options)
    except OSError as error:
        raise CampaignError(f"cannot write to {target}: {error.strerror}") from None
    finally:
        with suppress(OSError):  # it stays unless it is empty: then the format could not say what there is
            target.rmdir()


def _make_empty(target: Path) -> None:
    """A folder with other things in it is left alone: a corpus must not be mixed with them."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        if any(target.iterdir()):
            raise UsageError(f"{target} is not empty: choose another --out, or empty it")
    except OSError as error:
        raise CampaignError(f"cannot write to {target}: {error.strerror}") from None
