"""Pieces: what of an input the program took as one thing, what fits in its place, and what else it would take."""

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
from untaken.search.pieces.alternatives import Alternatives
from untaken.search.pieces.spans import NOWHERE, Span, SpanFinder
from untaken.search.pieces.stock import Stock
from untaken.search.pieces.variants import Variants
from untaken.search.program.frames import Frames
from untaken.search.strategies.pieces import pieces
from untaken.search.world import World

MAIN, TERM, NAME = 2, 4, 6  # entries of functions; they return at the next id
ROUND, OTHER = 10, 12  # branches: one inside a loop, one not
LENGTH = Field("stdin", FieldKind.LENGTH, 0, 4)
STDIN = Field("stdin", FieldKind.STDIN, 4, 12)


def program() -> ProgramMap:
    functions = tuple(
        Function(number, f"f{entry}", ANYWHERE, entry, (Block((), ()),), exported=True)
        for number, entry in enumerate((MAIN, TERM, NAME))
    )
    branches = {
        BranchId(id): Branch(BranchId(id), 0, ANYWHERE, BranchKind.IF, id & ~1 == ROUND, False, frozenset())
        for id in (ROUND, ROUND + 1, OTHER, OTHER + 1)
    }
    return ProgramMap(functions, branches, 20)


def cursor(path: Path) -> np.ndarray:
    """Here a node's number is the first input byte in it."""
    return path.constraints["node"].astype(np.intp)


def finder() -> SpanFinder:
    return SpanFinder(program(), Frames(program()), cursor)


def ran(text: bytes, *steps: int | tuple[int, int], new: int = 0) -> Path:
    """A run on a text from standard input. A step is an event, or a branch and the byte that it was decided by."""
    events: list[int] = []
    rows: list[tuple[int, ...]] = []
    for step in steps:
        event, byte = step if isinstance(step, tuple) else (step, None)
        if byte is not None:
            rows.append((4 + byte, event, len(events), 0, 1, 0))
        events.append(event)
    input = len(text).to_bytes(4, "little") + text.ljust(12, b"\0")
    constraints = np.array(rows, CONSTRAINT_DTYPE)
    return Path(input, np.array(events, np.uint32), constraints, Exit(ExitKind.CODE), (LENGTH, STDIN), new_ids=new)


def found(path: Path) -> list[tuple[int, int, int]]:
    """Kind, and where in the text."""
    return [(span.kind, span.start - 4, span.end - 4) for span in finder().spans(path) if span.complete]


def test_a_call_took_what_lies_between_the_first_looks_in_it_and_after_it() -> None:
    path = ran(b"abc+d", MAIN, TERM, (OTHER, 0), (OTHER, 1), (OTHER, 3), TERM + 1, (OTHER, 3), MAIN + 1)
    assert found(path) == [(TERM, 0, 3)]


def test_a_round_of_a_loop_took_what_lies_between_two_passes_of_a_branch_in_the_same_call() -> None:
    inner: list[int | tuple[int, int]] = [NAME, (ROUND, 1), NAME + 1]
    path = ran(b"a,b,c", MAIN, (ROUND, 0), *inner, (ROUND, 2), *inner, (ROUND + 1, 4), (OTHER, 5), MAIN + 1)
    assert (ROUND, 0, 2) in found(path)
    assert (ROUND, 2, 4) in found(path)


def test_what_the_program_gave_up_at_is_told_apart() -> None:
    path = ran(b"abc", MAIN, (OTHER, 0), TERM, (OTHER, 2))
    torn = [span for span in finder().spans(path) if span.kind == TERM]
    assert torn == [Span(TERM, 6, 6, torn[0].behaviour, repeats=False, complete=False)]


def test_constraints_that_speak_of_lengths_or_of_nothing_are_no_looks_at_the_text() -> None:
    path = ran(b"ab", MAIN, (OTHER, 0), (OTHER, 0), (OTHER, 0))
    looks = SpanFinder(program(), Frames(program()), lambda path: np.array([2, NOWHERE, 4]))
    reading, bytes_read = looks.reading(path)
    assert (reading.tolist(), bytes_read.tolist()) == ([2], [4])


LONG_START = [MAIN, *[OTHER] * 50_000]


def test_a_run_with_a_long_start_is_taken_apart_from_its_first_decision_on() -> None:
    path = ran(b"abc+d", *LONG_START, TERM, (OTHER, 0), (OTHER, 1), (OTHER, 3), TERM + 1, (OTHER, 3), MAIN + 1)
    assert found(path) == [(TERM, 0, 3)]
    alternatives = Alternatives(finder(), Frames(program()), tries=1)
    assert alternatives.next(alternatives.of(path)) == 3
    assert found(ran(b"abc", (OTHER, 0), *LONG_START, TERM, (OTHER, 1), TERM + 1, (OTHER, 2))) == [], "too long even so"


def two_runs() -> Stock:
    """One with a name, one with a longer name and a term behind it."""
    stock = Stock(finder(), Random(1), 20)
    stock.saw(ran(b"x+", MAIN, NAME, (OTHER, 0), NAME + 1, (OTHER, 1), MAIN + 1, new=1))
    stock.saw(ran(b"yy-", MAIN, NAME, (OTHER + 1, 0), NAME + 1, (OTHER, 2), MAIN + 1, new=1))
    return stock


def test_a_piece_stands_in_the_place_of_another_of_its_kind() -> None:
    variants = Variants(two_runs(), Random(2))
    made = [start.input for _ in range(200) if (start := variants.next()) is not None]
    texts = {input[4 : 4 + input[0]] for input in made}
    assert {b"x-", b"yy+"} <= texts


def test_of_pieces_that_did_the_same_the_shortest_is_kept() -> None:
    stock = Stock(finder(), Random(1), 20)
    for text, end, after in ((b"long;", 4, OTHER), (b"x;", 1, OTHER + 1)):
        stock.saw(ran(text, MAIN, NAME, (OTHER, 0), NAME + 1, (after, end), MAIN + 1))
    assert stock.piece(NAME) == b"x"


def test_a_run_that_passed_what_another_did_is_not_taken_apart_again() -> None:
    stock = two_runs()
    assert {stock.piece(NAME) for _ in range(50)} == {b"x", b"yy"}
    stock.saw(ran(b"z+", MAIN, NAME, (OTHER, 0), NAME + 1, (OTHER, 1), MAIN + 1))
    assert {stock.piece(NAME) for _ in range(50)} == {b"x", b"yy"}


def test_what_was_given_up_is_completed() -> None:
    stock = two_runs()
    stock.saw(ran(b"((", MAIN, (OTHER, 0), ROUND, NAME, (OTHER + 1, 1), new=1))
    variants = Variants(stock, Random(3))
    made = [start.input for _ in range(300) if (start := variants.next()) is not None]
    texts = {input[4 : 4 + input[0]] for input in made}
    assert {b"(x(", b"(yy("} <= texts


def test_an_alternative_is_told_by_the_branch_how_often_it_was_asked_and_the_calls() -> None:
    alternatives = Alternatives(finder(), Frames(program()), tries=1)
    first = alternatives.of(ran(b"ab", MAIN, (OTHER, 0), (OTHER, 0), NAME, (OTHER, 1), NAME + 1))
    assert [alternatives.next(first) for _ in range(4)] == [2, 1, 0, None], "the last one first"
    again = alternatives.of(ran(b"abc", MAIN, (OTHER, 1), NAME, (OTHER, 2), NAME + 1, TERM, (OTHER, 0)))
    assert [alternatives.next(again) for _ in range(2)] == [2, None], "only the call of another function is new"


@pytest.mark.parametrize("root", [full(5), comb(12)])
def test_it_covers_small_trees(root: object) -> None:
    tree = Tree(root)  # type: ignore[arg-type]
    world, budget = World(tree.program, tree, tree), Budget(iterations=3_000)
    driver = Driver(world, pieces, Random(1), budget, observer=UntilCovered())
    driver.run()
    assert driver.search.coverage.full


def test_of_many_runs_that_cover_nothing_ever_fewer_are_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    stock = Stock(finder(), Random(1), 1 << 20)
    taken: list[bool] = []
    monkeypatch.setattr(stock, "take", lambda path: taken.append(bool(path.new_ids)))
    for number in range(1_000):
        stock.saw(ran(b"a", MAIN, (OTHER, 0), 100 + number, MAIN + 1, new=int(number > 990)))
    assert 300 < taken.count(False) < 500
    assert taken.count(True) == 9
