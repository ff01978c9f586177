"""Same values: a Python evaluator recomputes every expression node from the input bytes and must agree on all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.collection import (
    STDIN_SIZE,
    build_instrumented,
    collection,
    instrumented,
    random_stdins,
    stdin_input,
    stdin_settings,
)
from tests.csmith_programs import SEEDS, SHOW_ALL, compiler_flags, generate, unavailable
from tests.execute.evaluate import check
from untaken.execute.session import Session
from untaken.execute.structure import malformed
from untaken.model.path import CutOff

INPUTS = 16  # a program of the collection; with all of them, thousands
RANDOM_PROGRAMS = 12
RANDOM_INPUTS = 6


def disagreements(session: Session, stdin: bytes) -> tuple[int, list[str]]:
    """Nodes of one run, and what is wrong with them."""
    session.clear_expressions()
    path = session.run(stdin_input(stdin))
    assert path.cut_off == CutOff(0)
    wrong = [f"node {index}: {reason}" for index, reason in malformed(session.expressions.columns())]
    for found in check(session.expressions, path):
        node = session.expressions.node(found.node)
        wrong.append(f"node {found.node} {node}: the program computed {found.got:#x}, not {found.expected:#x}")
    return len(session.expressions), wrong


@pytest.mark.parametrize("source", collection(), ids=lambda source: source.stem)
def test_collection(source: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    program = instrumented(source, tmp_path_factory)
    most = 0
    with Session(program, stdin_settings()) as session:
        for stdin in random_stdins(f"values of {source.stem}", INPUTS):
            count, wrong = disagreements(session, stdin)
            assert not wrong, f"stdin {stdin.hex()}: {wrong[:5]}"
            most = max(most, count)
    assert most > STDIN_SIZE, "hardly a symbolic value was seen"


@pytest.mark.skipif(unavailable() is not None, reason=unavailable() or "")
@pytest.mark.parametrize("seed", SEEDS[:RANDOM_PROGRAMS])
def test_random_programs(seed: int, tmp_path: Path) -> None:
    program = build_instrumented(generate(seed, tmp_path), tmp_path / "program", compiler_flags())
    with Session(program, stdin_settings(arguments=SHOW_ALL)) as session:
        for stdin in random_stdins(f"values of seed {seed}", RANDOM_INPUTS):
            _, wrong = disagreements(session, stdin)
            assert not wrong, f"stdin {stdin.hex()}: {wrong[:5]}"
