"""Goals about single bytes and sizes: exact, and without a solver."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.solve.fakes import BruteForceSolver, FakeExpressions
from tests.solve.test_contract import flipped, holds
from untaken.model.expression import Op
from untaken.solve.answers import Sat, Unsat, apply
from untaken.solve.graph import Graph, indices, set_of
from untaken.solve.layers.bytewise import BytewiseSearch
from untaken.solve.layers.sizewise import SizewiseSearch, choose_size
from untaken.solve.query import SPREAD, Query
from untaken.solve.values.byte_domains import DomainFinder
from untaken.solve.values.conjunctions import Conjunctions
from untaken.solve.values.scalar import ScalarEvaluator
from untaken.solve.values.sizes import StreamSizes
from untaken.solve.values.truth import TruthTables

ALPHABET = b"aAbz0 \0\xff"


def compared(make: FakeExpressions, bytes_read: list[int], text: bytes) -> int:
    """strcmp's result as the runtime writes it: the difference of the first bytes that differ."""
    result = make.constant(32, 0)
    for byte, value in reversed(list(zip(bytes_read, text, strict=True))):
        difference = make.binary(Op.SUB, make.extend(Op.ZEXT, byte, 32), make.constant(32, value))
        result = make.ite(make.equals(byte, value), result, difference)
    return result


def found(make: FakeExpressions, bytes_read: list[int], wanted: int) -> int:
    """strchr's result as the runtime writes it, in a string at address 100."""
    result = make.constant(64, 0)
    for place, byte in reversed(list(enumerate(bytes_read))):
        here = make.ite(make.equals(byte, wanted), make.constant(64, 100 + place), make.constant(64, 0))
        is_end = make.binary(Op.OR, make.equals(byte, wanted), make.equals(byte, 0))
        result = make.ite(is_end, here, result)
    return result


def lowered(make: FakeExpressions, byte: int) -> int:
    shifted = make.binary(Op.ADD, byte, make.constant(8, -ord("A")))
    capital = make.binary(Op.ULE, shifted, make.constant(8, 25))
    return make.ite(capital, make.binary(Op.ADD, byte, make.constant(8, 32)), byte)


class StringConditions:
    """What programs ask of strings, over two bytes so that everything can be tried."""

    def __init__(self, make: FakeExpressions, rng: random.Random) -> None:
        self._make = make
        self._rng = rng
        self._bytes = [make.input(0), make.input(1)]

    def condition(self) -> int:
        make, rng = self._make, self._rng
        text = bytes(rng.choices(ALPHABET, k=2))
        read = [lowered(make, byte) for byte in self._bytes] if rng.random() < 0.5 else self._bytes
        kind = rng.randrange(11)
        if kind == 0:
            return make.equals(compared(make, read, text), rng.choice((0, 0, 0, 3)))
        if kind == 1:
            return make.equals(make.extend(Op.ZEXT, make.concat(read[1], read[0]), 32), rng.choice((0x6162, 1 << 20)))
        if kind == 2:
            return make.binary(
                rng.choice((Op.AND, Op.OR)), make.equals(read[0], text[0]), make.equals(read[1], text[1])
            )
        if kind == 3:
            return make.negated(make.equals(compared(make, read, text), 0))
        if kind == 4:
            return make.binary(Op.ULE, read[0], make.constant(8, text[0]))
        if kind == 5:
            return make.binary(rng.choice((Op.EQ, Op.ULT)), read[0], read[1])
        if kind in (9, 10):
            at, address = found(make, read, text[0]), make.constant(64, rng.choice((0, 99, 100, 101)))
            sides = (at, address) if kind == 9 else (address, at)
            return make.binary(rng.choice((Op.EQ, Op.ULT, Op.ULE)), *sides)
        word = make.concat(read[1], read[0])
        if kind == 6:
            return make.equals(make.extract(word, 4, 8), rng.choice((0x26, 0x31)))
        if kind == 7:
            return make.equals(make.read(make.extend(Op.ZEXT, word, 64), 8, text * 9), text[0])
        operator = rng.choice((Op.ADD, Op.SUB, Op.XOR))
        operands = (
            rng.sample((word, make.constant(16, 0x1234)), 2) if operator is Op.SUB else (word, make.constant(16, 7))
        )
        return make.equals(make.binary(operator, *operands), rng.randrange(1 << 16))


@pytest.mark.parametrize("seed", range(4))
def test_parts_say_together_what_the_assertion_says(make: FakeExpressions, graph: Graph, seed: int) -> None:
    rng = random.Random(seed)
    scalar, conjunctions = ScalarEvaluator(graph), Conjunctions(graph, TruthTables(graph))
    for _ in range(60):
        code = 2 * StringConditions(make, rng).condition() + rng.randrange(2)
        parts = conjunctions.of(code)
        for _ in range(200):
            data = bytes(rng.choices(ALPHABET, k=2)) if rng.random() < 0.7 else rng.randbytes(2)
            each = [bool(allowed >> data[byte] & 1) for byte, allowed in parts.domains.items()]
            each += [scalar.holds(part, data) for part in parts.linked]
            assert all(each) == scalar.holds(code, data)


def test_string_equality_is_one_set_a_byte(make: FakeExpressions, graph: Graph) -> None:
    read = [lowered(make, make.input(place)) for place in range(3)]
    parts = Conjunctions(graph, TruthTables(graph)).of(2 * make.equals(compared(make, read, b"if\0"), 0) + 1)
    assert not parts.linked
    assert {byte: bytes(indices(allowed)) for byte, allowed in parts.domains.items()} == {0: b"Ii", 1: b"Ff", 2: b"\0"}


def test_what_is_found_late_in_a_string_is_not_found_before(make: FakeExpressions, graph: Graph) -> None:
    at = found(make, [make.input(place) for place in range(5)], ord("*"))
    code = 2 * make.binary(Op.ULT, make.constant(64, 102), at) + 1
    parts = Conjunctions(graph, TruthTables(graph)).of(code)
    assert parts.linked == [code], "it has to be found at last"
    assert {byte: indices(~allowed & (1 << 256) - 1) for byte, allowed in parts.domains.items()} == {
        place: [0, ord("*")] for place in range(3)
    }


def test_a_number_with_bits_that_it_cannot_have(make: FakeExpressions, graph: Graph) -> None:
    wide = make.extend(Op.ZEXT, make.word(0, 2), 32)
    node = make.equals(make.ite(make.equals(make.input(0), 1), wide, make.constant(32, 7)), 9)
    parts = Conjunctions(graph, TruthTables(graph)).of(2 * node + 1)
    assert parts.domains[0] == 0 and not parts.linked


@pytest.mark.parametrize("seed", range(6))
def test_answers_against_brute_force(make: FakeExpressions, graph: Graph, seed: int) -> None:
    rng = random.Random(seed)
    tables, scalar = TruthTables(graph), ScalarEvaluator(graph)
    search, oracle = (
        BytewiseSearch(graph, tables, scalar, DomainFinder(graph, Conjunctions(graph, tables))),
        BruteForceSolver(graph),
    )
    conditions = StringConditions(make, rng)
    known = 0
    for _ in range(25):
        hint = bytes(rng.choices(ALPHABET, k=2))
        query = flipped(graph, [conditions.condition() for _ in range(rng.randint(1, 4))], hint)
        answer = search.solve(query, hint)
        known += answer is not None
        if answer is not None:
            assert type(answer) is type(oracle.solve(query))
            assert isinstance(answer, Unsat) or holds(graph, query, answer)
    assert known > 4, "many goals of programs are of this kind"


def test_bytes_that_can_stay_are_kept(make: FakeExpressions, graph: Graph) -> None:
    read = [lowered(make, make.input(place)) for place in range(2)]
    goal = 2 * make.equals(compared(make, read, b"ab"), 0) + 1
    tables = TruthTables(graph)
    search = BytewiseSearch(graph, tables, ScalarEvaluator(graph), DomainFinder(graph, Conjunctions(graph, tables)))
    linked = 2 * make.binary(Op.ULT, make.input(0), make.input(2)) + 1
    answer = search.solve(Query.of([linked, goal], b"Ax\x70"), b"Ax\x70")
    assert isinstance(answer, Sat) and answer.model[0] == ord("A") and answer.model[1] in b"bB"


def stream_size(make: FakeExpressions, first: int, capacity: int) -> int:
    length = make.word(first, 4)
    small = make.binary(Op.ULT, length, make.constant(32, capacity))
    return make.ite(small, make.extend(Op.ZEXT, length, 64), make.constant(64, capacity))


def test_sizes_are_tabulated(make: FakeExpressions, graph: Graph) -> None:
    size, sizes = stream_size(make, 4, 100), StreamSizes(graph)
    above = make.binary(Op.ULT, make.constant(64, 17), size)
    assert sizes.of(2 * above + 1) == (size, set_of(range(18, 101)))
    assert sizes.of(2 * above) == (size, set_of(range(18)))
    assert sizes.model(size, 100) == {4: 100, 5: 0, 6: 0, 7: 0}


def test_what_also_sees_the_bytes_is_no_condition_on_a_size(make: FakeExpressions, graph: Graph) -> None:
    size, sizes = stream_size(make, 0, 100), StreamSizes(graph)
    raw = make.extend(Op.ZEXT, make.word(0, 4), 64)
    other = make.binary(Op.ULT, size, stream_size(make, 4, 100))
    assert sizes.of(2 * make.binary(Op.EQ, size, raw)) is None
    assert sizes.of(2 * other) is None
    assert sizes.of(2 * make.equals(make.input(0), 3)) is None
    assert sizes.of(2 * make.equals(make.constant(8, 3), 3)) is None


def test_goals_about_a_size_need_no_solver(make: FakeExpressions, graph: Graph) -> None:
    search, size = SizewiseSearch(graph), stream_size(make, 0, 64)
    above = [2 * make.binary(Op.ULT, make.constant(64, value), size) + 1 for value in (5, 9)]
    answer = search.solve(Query.of([above[0], above[1] ^ 1]))
    assert isinstance(answer, Sat)
    assert 5 < int.from_bytes(apply(answer.model, b""), "little") <= 9
    assert search.solve(Query.of([above[1], above[0] ^ 1])) == Unsat(frozenset((above[1], above[0] ^ 1)))
    linked = 2 * make.binary(Op.ULT, size, make.extend(Op.ZEXT, make.input(9), 64))
    assert search.solve(Query.of([linked, above[0]])) is None


def test_a_pinned_size_is_given_up_optimistically(make: FakeExpressions, graph: Graph) -> None:
    search, size = SizewiseSearch(graph), stream_size(make, 0, 64)
    pin = 2 * make.equals(size, 7) + 1
    goal = 2 * make.binary(Op.ULT, make.constant(64, 20), size) + 1
    below = 2 * make.binary(Op.ULT, size, make.constant(64, 30)) + 1
    query = Query(np.array([pin, below, goal], np.int64), np.array([True, False, False]), b"\7\0\0\0")
    answer = search.solve(query)
    assert isinstance(answer, Unsat) and answer.relaxed is not None
    assert 20 < int.from_bytes(apply(answer.relaxed.model, b""), "little") < 30
    unpinned = search.solve(Query.of([pin, below, goal]))
    assert isinstance(unpinned, Unsat) and unpinned.relaxed is None, "the same assertions, but none of them is a pin"


def test_sizes_chosen_are_allowed_and_differ_between_goals() -> None:
    allowed = (1 << 65) - (1 << 20)
    chosen = {choose_size(allowed, goal * SPREAD) for goal in range(100)}
    assert chosen <= set(range(20, 65)) and len(chosen) > 20
    assert choose_size(1, 12345) == 0


def test_sets_of_far_bytes_take_no_more_than_near_ones(make: FakeExpressions, graph: Graph) -> None:
    far = 50_000_000
    both = make.concat(make.input(far + 70), make.input(far))
    assert graph.inputs(both) == 1 << far | 1 << far + 70 and graph.input_sets.bytes < 100
    assert graph.input_sets.window(both) == (far // 64, 1 << far % 64 | 1 << far % 64 + 70)
    mixed = make.concat(both, make.input(3))
    assert graph.input_sets.window(mixed) == (0, 1 << 3 | 1 << far | 1 << far + 70)
    assert graph.input_sets.window(make.constant(8, 1)) == (0, 0)
