"""Records: what rounds of the loop that reads the input took, put one behind the other in other orders."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.search.trees import NOWHERE as ANYWHERE
from tests.search.trees import Tree, UntilCovered, comb, full
from untaken.model.input import Field, FieldKind
from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.model.program import Block, Branch, BranchId, BranchKind, Function, ProgramMap
from untaken.search.budget import Budget
from untaken.search.driver import Driver
from untaken.search.pieces.records import Records
from untaken.search.pieces.rounds import LoopRound, RoundFinder
from untaken.search.pieces.spans import SpanFinder
from untaken.search.program.frames import Frames
from untaken.search.splice import stream_end
from untaken.search.strategies.records import records
from untaken.search.world import World

MAIN, HELPER = 2, 4  # entries of functions; they return at the next id
ROUND, INNER, OPEN, SHUT = 10, 12, 14, 16  # branches: of the loop, of one in the helper, of what a round does
LENGTH = Field("stdin", FieldKind.LENGTH, 0, 4)
STDIN = Field("stdin", FieldKind.STDIN, 4, 16)
Step = int | tuple[int, int]


def program() -> ProgramMap:
    functions = tuple(
        Function(number, f"f{entry}", ANYWHERE, entry, (Block((), ()),), exported=True)
        for number, entry in enumerate((MAIN, HELPER))
    )
    looping = {ROUND, INNER, INNER + 1}  # the side that leaves the outer loop is not in it
    branches = {
        BranchId(id): Branch(BranchId(id), 0, ANYWHERE, BranchKind.IF, id in looping, False, frozenset())
        for id in range(ROUND, SHUT + 2)
    }
    return ProgramMap(functions, branches, 20)


def cursor(path: Path) -> np.ndarray:
    """Here a node's number is the first input byte in it."""
    return path.constraints["node"].astype(np.intp)


def reach(path: Path) -> np.ndarray:
    return np.maximum.accumulate(cursor(path) + 1)


def finder() -> RoundFinder:
    frames = Frames(program())
    return RoundFinder(program(), frames, SpanFinder(program(), frames, cursor), reach)


def ran(text: bytes, *steps: Step) -> Path:
    """A run on a text from standard input. A step is an event, or a branch and the byte that it was decided by."""
    events: list[int] = []
    rows: list[tuple[int, ...]] = []
    for step in steps:
        event, byte = step if isinstance(step, tuple) else (step, None)
        if byte is not None:
            rows.append((4 + byte, event, len(events), 0, 1, 0))
        events.append(event)
    input = len(text).to_bytes(4, "little") + text.ljust(16, b"\0")
    constraints = np.array(rows, CONSTRAINT_DTYPE)
    return Path(input, np.array(events, np.uint32), constraints, Exit(ExitKind.CODE), (LENGTH, STDIN))


def lines(text: bytes, *did: int) -> Path:
    """A run that took a line in each round, and did one of these in it; where it did SHUT + 1 it gave up."""
    steps: list[Step] = [MAIN]
    at = 0
    for line, id in zip(text.splitlines(keepends=True), did, strict=True):
        steps += [(ROUND, at), *((OPEN, at + place) for place in range(1, len(line))), id]
        at += len(line)
    ends = [] if did[-1] == SHUT + 1 else [ROUND + 1]
    return ran(text, *steps, *ends, MAIN + 1)


def rounds(path: Path) -> list[tuple[bytes, bool]]:
    """What each took, and whether the loop came back."""
    found = finder().of(path)
    assert found is not None and found.loop == ROUND
    return [(path.input[each.start : each.end], each.closed) for each in found.rounds]


def made(known: Records, count: int = 400) -> set[bytes]:
    """The texts of so many inputs, each up to its end."""
    inputs = [input for _ in range(count) if (input := known.next()) is not None]
    return {input[4 : 4 + input[0]] for input in inputs}


def test_each_round_took_what_was_looked_at_in_it_first() -> None:
    assert rounds(lines(b"ab\nc\n", SHUT, SHUT)) == [(b"ab\n", True), (b"c\n", True)]


def test_the_round_in_which_the_program_gave_up_is_not_closed() -> None:
    assert rounds(lines(b"ab\nc", SHUT, SHUT + 1)) == [(b"ab\n", True), (b"c", False)]


def test_bytes_that_are_looked_at_again_are_no_new_record() -> None:
    path = ran(b"abcd", MAIN, (ROUND, 0), (OPEN, 1), (ROUND, 0), (OPEN, 2), (OPEN, 3), ROUND + 1, MAIN + 1)
    assert rounds(path) == [(b"ab", True), (b"cd", True)]


def test_the_loop_of_the_outermost_call_counts_not_one_of_a_call_in_it() -> None:
    inner: list[Step] = [HELPER, (INNER, 0), (INNER, 1), INNER + 1, HELPER + 1]
    path = ran(b"abc", MAIN, ROUND, *inner, (ROUND, 2), ROUND + 1, MAIN + 1)
    assert rounds(path) == [(b"ab", True), (b"c", True)]


def test_if_all_was_looked_at_before_the_loop_the_last_round_ends_with_what_it_looked_at() -> None:
    whole = lambda path: np.full(len(path.constraints), 4 + 16)  # noqa: E731
    frames = Frames(program())
    ahead = RoundFinder(program(), frames, SpanFinder(program(), frames, cursor), whole)
    path = ran(b"abcdef", MAIN, (SHUT, 0), (ROUND, 0), (OPEN, 1), (ROUND, 2), (OPEN, 3), ROUND + 1, MAIN + 1)
    found = ahead.of(path)
    assert found is not None
    assert [(each.start - 4, each.end - 4) for each in found.rounds] == [(1, 2), (2, 4)]


def test_what_the_input_decided_counts_as_passed_whatever_side_was_taken() -> None:
    def did(side: int) -> list[LoopRound]:
        found = finder().of(ran(b"ab", MAIN, (ROUND, 0), (OPEN + side, 1), SHUT + side, ROUND + 1, MAIN + 1))
        assert found is not None
        return found.rounds

    first, second = (set(did(side)[0].did.tolist()) for side in (0, 1))
    assert OPEN in first & second
    assert (SHUT in first, SHUT + 1 in second) == (True, True)


def test_once_the_loop_is_known_its_rounds_are_the_same_as_before() -> None:
    known, path = finder(), lines(b"ab\nc\n", SHUT, SHUT)
    first = known.of(path)
    for _ in range(200):
        again = known.of(path)
        assert first is not None and again is not None
        assert [each[:2] for each in again.rounds] == [each[:2] for each in first.rounds]
    other = known.of(ran(b"abc", MAIN, HELPER, (INNER, 0), (INNER, 1), INNER + 1, HELPER + 1, (SHUT, 2), MAIN + 1))
    assert other is not None and other.loop == INNER, "a run without that loop"


def test_no_loop_no_rounds() -> None:
    assert finder().of(ran(b"ab", MAIN, (OPEN, 0), (SHUT, 1), MAIN + 1)) is None
    assert Records(finder(), Random(1), 20).next() is None


def test_a_stream_ends_where_its_length_says() -> None:
    input = (3).to_bytes(4, "little") + b"abc".ljust(16, b"\0")
    assert stream_end(input, (LENGTH, STDIN), 5) == 7
    assert stream_end(input, (), 5) == len(input)


def test_a_record_of_one_run_is_put_behind_one_of_another() -> None:
    known = Records(finder(), Random(1), 20)
    known.saw(lines(b"on\n", OPEN))
    known.saw(lines(b"go", SHUT + 1))
    texts = made(known)
    assert {b"go", b"on\ngo", b"on\non"} <= texts
    (loop,) = known._loops.values()
    assert set(loop._beginnings.by_text()) == {b"", b"on\n"}, "not a round in which the program gave up"


def test_a_record_that_has_no_end_of_its_own_gets_one() -> None:
    known = Records(finder(), Random(2), 20)
    known.saw(lines(b"on", OPEN))
    assert b"on\non" in made(known), "a new line, as long as nobody knows better"
    known.saw(ran(b"a;b;", MAIN, (ROUND, 0), (OPEN, 1), SHUT, (ROUND, 2), (OPEN, 3), ROUND + 1, MAIN + 1))
    assert b"on;a" in made(known, 2_000)


def test_of_records_that_did_the_same_the_shortest_counts_for_each_number_of_words() -> None:
    known = Records(finder(), Random(1), 20)
    for text in (b"[long]\n", b"[ ]\n", b"[]\n", b"[x]\n"):
        known.saw(lines(text, SHUT))
    (loop,) = known._loops.values()
    assert set(loop._records.by_text()) == {b"[]\n", b"[x]\n"}
    assert set(loop._beginnings.by_text()) == {b"", b"[]\n", b"[x]\n"}


def test_the_beginning_that_was_gone_on_from_least_has_its_turn() -> None:
    known = Records(finder(), Random(1), 20)
    known.saw(lines(b"on\n", OPEN))
    known.saw(lines(b"no\n", SHUT))
    (loop,) = known._loops.values()
    for _ in range(30):
        known.next()
    assert set(loop._visits.values()) == {10}


def test_nothing_is_made_twice() -> None:
    known = Records(finder(), Random(1), 20)
    known.saw(lines(b"on\n", OPEN))
    inputs = [known.next() for _ in range(200)]
    assert len(known._made) == len(inputs)


def test_arrays_that_are_asked_for_one_by_one_are_put_behind_each_other() -> None:
    fields = tuple(Field("record", FieldKind.BYTES, at, 2) for at in (0, 2))
    events = np.array([MAIN, ROUND, OPEN, ROUND, OPEN, ROUND + 1, MAIN + 1], np.uint32)
    rows = [(0, OPEN, 2, 0, 1, 0), (2, OPEN, 4, 0, 1, 0), (3, ROUND, 5, 0, 1, 0)]
    path = Path(b"abcd", events, np.array(rows, CONSTRAINT_DTYPE), Exit(ExitKind.CODE), fields)
    known = Records(finder(), Random(1), 20)
    known.saw(path)
    assert any(input is not None and len(input) > 4 for input in (known.next() for _ in range(50)))


@pytest.mark.parametrize("root", [full(4), comb(8)])
def test_it_ends_up_with_random_inputs_where_there_is_no_loop(root: object) -> None:
    tree = Tree(root)  # type: ignore[arg-type]
    driver = Driver(
        World(tree.program, tree, tree), records, Random(1), Budget(iterations=5_000), observer=UntilCovered()
    )
    driver.run()
    assert driver.search.coverage.count > 0
