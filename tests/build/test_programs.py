"""Same behaviour: the hand-written collection does the same plain, instrumented by hand, and under the driver."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.collection import (
    PATIENCE,
    Outcome,
    Pair,
    build_plain,
    collection,
    flags_of,
    instrumented,
    random_stdins,
    run_by_hand,
    stdin_input,
    stdin_settings,
)
from tests.compilers import NEEDS_SANITIZERS, sanitizing_compiler
from untaken.execute.session import Session
from untaken.model.path import CutOff, ExitKind

INPUTS = 6
CHECK_FLAGS = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]

each_program = pytest.mark.parametrize("source", collection(), ids=lambda source: source.stem)


def observed(session: Session, stdin: bytes) -> Outcome:
    path = session.run(stdin_input(stdin))
    assert path.cut_off == CutOff(0)
    code = -path.exit.code if path.exit.kind is ExitKind.SIGNAL else path.exit.code
    assert path.exit.kind in (ExitKind.CODE, ExitKind.SIGNAL), path.exit
    return Outcome(session.output, code)


@pytest.fixture
def pair(source: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """The program optimised and plain, and the program instrumented."""
    plain = build_plain(source, tmp_path / f"{source.stem}.plain", ["-O2", *flags_of(source)])
    return Pair(plain, instrumented(source, tmp_path_factory))


@each_program
def test_same_by_hand_and_under_the_driver(source: Path, pair: Pair) -> None:
    with Session(pair.instrumented, stdin_settings()) as session:
        for stdin in random_stdins(source.stem, INPUTS):
            expected = run_by_hand(pair.plain, stdin)
            assert expected.code >= 0, f"the program itself fails on {stdin.hex()}: {expected.printed.decode()}"
            assert run_by_hand(pair.instrumented, stdin) == expected, stdin.hex()
            assert observed(session, stdin) == expected, stdin.hex()


@each_program
def test_the_first_line_says_what_is_checked(source: Path) -> None:
    assert source.read_text().startswith("// checks: ")


@NEEDS_SANITIZERS
@pytest.mark.skipif(not os.environ.get("UNTAKEN_CHECK_COLLECTION"), reason="set UNTAKEN_CHECK_COLLECTION=1 to run it")
@each_program
def test_no_undefined_behaviour(source: Path, tmp_path: Path) -> None:
    """Of the programs themselves; worth running after a change to them."""
    program = tmp_path / source.stem
    command = [*sanitizing_compiler(), "-w", *CHECK_FLAGS, str(source), *flags_of(source), "-o", str(program)]
    subprocess.run(command, check=True, timeout=120)
    for stdin in random_stdins(source.stem, 30):
        done = subprocess.run([program], input=stdin, capture_output=True, timeout=PATIENCE, check=False)
        assert (done.stderr, done.returncode >= 0) == (b"", True), stdin.hex()
