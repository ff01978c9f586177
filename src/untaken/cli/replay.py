"""`untaken replay`: runs the tests of a campaign again and says whether they still show what they showed."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from untaken.campaign.option_text import seconds
from untaken.cli.parser import Parser
from untaken.errors import PlainBuildError, UsageError
from untaken.execute.sandbox import Sandbox
from untaken.report.words import count
from untaken.suite.links import BY_HAND
from untaken.suite.replay.layout import debug_command, lay_out
from untaken.suite.replay.native import build_native, confirming_variant
from untaken.suite.replay.runners import ReplayManner, Runner, instrumented_runner, native_runner, obstacle_to_native
from untaken.suite.replay.sanitized import SanitizedRun, SanitizerError, sanitized_runner
from untaken.suite.replay.verdict import Replay, described
from untaken.suite.tests import SavedTest, Suite, read_suite, selected
from untaken.visible_text import visible

TRUST = "the folder is somebody else's, and the compiler options that it asks for may be used"
MOST_LINES = 20
MOST_FRAMES = 8


def run(arguments: Sequence[str]) -> int:
    """0: all tests do what they did, and none is a finding; 1: one differs or is a finding; 2: cannot be run."""
    options = make_parser().parse_intermixed_args(arguments)
    suite = read_suite(options.directory, trusted=options.trust)
    everything = [*suite.tests, *suite.unconfirmed]
    tests = [selected(suite, options.test)] if options.test is not None else everything
    if options.gdb:
        return _show_debugger(suite, tests, options)
    if options.sanitize:
        return _run_sanitized(suite, tests, options)
    instrumented = options.instrumented or not _can_run_natively(suite)
    manner = _manner(suite, options)
    with (instrumented_runner if instrumented else native_runner)(suite, manner) as runner:
        replays = _replay_all(runner, tests, options)
    if options.json:
        print(json.dumps([_as_json(replay) for replay in replays], indent=1))
    elif options.test is None:
        print(_summary(replays, "on the instrumented build" if instrumented else "natively"))
    return int(any(not replay.expected or replay.shows_finding for replay in replays))


def _manner(suite: Suite, options: Namespace) -> ReplayManner:
    return ReplayManner(Sandbox(enabled=not options.no_sandbox, keep_env=suite.recipe.keep_env), options.timeout)


def _can_run_natively(suite: Suite) -> bool:
    """Builds the plain program; says so if there is none."""
    try:
        if (obstacle := obstacle_to_native(suite)) is None:
            build_native(suite)
    except PlainBuildError as error:
        obstacle = str(error)
    if obstacle is not None:
        print(f"untaken: {visible(obstacle)}: replaying on the instrumented program", file=sys.stderr)
    return obstacle is None


def make_parser() -> Parser:
    parser = Parser(
        "replay",
        "Runs tests again, natively unless told otherwise, and compares how they end with what the campaign saw. "
        "Exit code: 0 if all do the same and none is a finding, 1 if one differs or is a finding. What was seen only "
        "while exploring is a finding if it is shown now.",
    )
    parser.add_argument("directory", type=Path, metavar="DIR", help="the --out folder of an `untaken run`")
    parser.add_argument(
        "test", nargs="?", metavar="TEST", help="a test or crash, by number, name or file (default all)"
    )
    another = parser.add_mutually_exclusive_group()
    another.add_argument(
        "--instrumented", action="store_true", help="run the instrumented program, and check its branches too"
    )
    another.add_argument(
        "--sanitize",
        action="store_true",
        help="run a plain program with AddressSanitizer and UBSan instead, and show what these say; exit code 1 if "
        "they say something",
    )
    another.add_argument("--gdb", action="store_true", help="print the command that debugs TEST")
    parser.add_argument("--timeout", type=seconds("--timeout"), metavar="S", help="seconds that one run may take")
    parser.add_argument("--no-sandbox", action="store_true", help="let the program change files and use the network")
    parser.add_argument("--trust", action="store_true", help=TRUST)
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    return parser


def _replay_all(runner: Runner, tests: list[SavedTest], options: Namespace) -> list[Replay]:
    replays = []
    noted: set[str] = set()
    for test in tests:
        replay = runner.run(test)
        replays.append(replay)
        for note in set(runner.notes) - noted:
            print(f"untaken: {visible(note)}", file=sys.stderr)
            noted.add(note)
        if not options.json:
            _show(replay, in_full=options.test is not None)
    return replays


def _show(replay: Replay, *, in_full: bool) -> None:
    place = replay.test.place
    said = "; ".join(replay.differences) or replay.shown_by or described(replay.exit)
    if place is not None and place.what != said:
        said = f"{place.what}: {said}"
    print(visible(f"{_verdict(replay):<12}{replay.test.name}  {said}"))
    if place is not None or in_full:
        output = replay.output.decode(errors="backslashreplace").removesuffix("\n")
        lines = output.split("\n") if output else []
        for line in lines[:MOST_LINES]:
            print(f"    | {visible(line)}")
        if len(lines) > MOST_LINES:
            print(f"    | ... and {len(lines) - MOST_LINES} lines more")
    frames = place.frames if place is not None else ()
    for frame in frames[:MOST_FRAMES]:
        print(f"    at {visible(frame)}")
    if len(frames) > MOST_FRAMES:
        print(f"    ... and {len(frames) - MOST_FRAMES} calls more")
    if place is not None and in_full:
        command = shlex.join(["untaken", "replay", str(replay.test.file.parents[2]), replay.test.name, "--gdb"])
        print(f"    to debug it: {visible(command)}")


def _verdict(replay: Replay) -> str:
    return "same" if replay.same else "unconfirmed" if replay.test.unconfirmed else "different"


def _summary(replays: list[Replay], where: str) -> str:
    replays = [replay for replay in replays if replay.same or not replay.test.unconfirmed]
    same = sum(replay.same for replay in replays)
    findings = sum(replay.shows_finding for replay in replays)
    shown = f", {findings} of them findings" if findings else ""
    return f"{same} of {count(len(replays), 'test')} do {where} what they did in the campaign{shown}."


def _as_json(replay: Replay) -> dict[str, object]:
    return {
        "test": replay.test.name,
        "same": replay.same,
        "finding": replay.test.place is not None and not (replay.test.unconfirmed and not replay.same),
        "unconfirmed": replay.test.unconfirmed,
        "exit": {"kind": replay.exit.kind.name.lower(), "code": replay.exit.code},
        "differences": list(replay.differences),
        "output": replay.output.decode(errors="backslashreplace"),
    }


def _run_sanitized(suite: Suite, tests: list[SavedTest], options: Namespace) -> int:
    """Each error is shown once, with the first test that has it."""
    runs: list[SanitizedRun] = []
    shown: set[tuple[str, str]] = set()
    with sanitized_runner(suite, _manner(suite, options)) as runner:
        for test in tests:
            runs.append(run := runner.run(test))
            for error in run.errors:
                if error.key not in shown and not options.json:
                    _show_error(test, error)
                shown.add(error.key)
        for note in runner.notes:
            print(f"untaken: {visible(note)}", file=sys.stderr)
    if options.json:
        print(json.dumps([_errors_as_json(run) for run in runs], indent=1))
    else:
        if options.test is not None:
            _show_output(runs[0].output)
        print(_summary_of_errors(runs, len(shown)))
    return int(bool(shown))


def _show_error(test: SavedTest, error: SanitizerError) -> None:
    print(visible(f"error       {test.name}  {error.in_words}"))
    for frame in error.frames[:MOST_FRAMES]:
        print(f"    at {visible(frame)}")


def _show_output(output: bytes) -> None:
    for line in output.decode(errors="backslashreplace").splitlines():
        print(f"    | {visible(line)}")


def _summary_of_errors(runs: list[SanitizedRun], errors: int) -> str:
    tests, wrong = count(len(runs), "test"), sum(bool(run.errors) for run in runs)
    if not errors:
        return f"{tests}: AddressSanitizer and UBSan have nothing to say."
    return f"{tests}: AddressSanitizer and UBSan show {count(errors, 'error')}, in {wrong} of them."


def _errors_as_json(run: SanitizedRun) -> dict[str, object]:
    return {
        "test": run.test.name,
        "errors": [{"what": each.what, "place": each.place, "frames": list(each.frames)} for each in run.errors],
        "output": run.output.decode(errors="backslashreplace"),
    }


def _show_debugger(suite: Suite, tests: list[SavedTest], options: Namespace) -> int:
    """The inputs stay in the campaign's folder, for the debugger to find."""
    if options.test is None:
        raise UsageError("--gdb wants to know which TEST")
    if (obstacle := obstacle_to_native(suite)) is not None:
        raise UsageError(f"{obstacle}, so there is nothing to debug natively")
    program = build_native(suite, confirming_variant(tests[0].place))
    folder = suite.folder / BY_HAND / tests[0].name
    shutil.rmtree(folder, ignore_errors=True)
    print(debug_command(lay_out(suite, tests[0], folder), program))
    return 0
