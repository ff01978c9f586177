"""Combinations tried at once, and the vectors and spaces that they are made of: exact, against brute force."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from tests.solve.fakes import BruteForceSolver, FakeExpressions, RandomConditions
from tests.solve.test_contract import flipped, holds, searches
from tests.solve.test_wrappers import Recorder
from untaken.model.expression import Op
from untaken.solve.answers import Answer, Sat, Unknown, Unsat
from untaken.solve.graph import Graph, indices, set_of
from untaken.solve.layers.guessing import LARGEST, GuessingSolver
from untaken.solve.query import Query, keeps
from untaken.solve.statistics import Statistics
from untaken.solve.values import vectors
from untaken.solve.values.batch import evaluate, same
from untaken.solve.values.combinations import CombinationSearch
from untaken.solve.values.dependencies import InputRows
from untaken.solve.values.truth import TruthTables
from untaken.solve.values.vectors import ByteVectors

LETTERS = bytes(range(ord("a"), ord("z") + 1))


def guessing(graph: Graph) -> tuple[GuessingSolver, Recorder]:
    nobody = Recorder(lambda query: Unknown("not found by guessing"))
    return GuessingSolver(nobody, *searches(graph, TruthTables(graph)), Statistics()), nobody


def among(make: FakeExpressions, byte: int, values: bytes) -> int:
    """The code of: the byte has one of these values."""
    table = [int(value in values) for value in range(256)]
    return 2 * make.equals(make.read(make.extend(Op.ZEXT, make.input(byte), 64), 8, table), 1) + 1


def hashed(make: FakeExpressions, count: int, slots: int) -> int:
    """The slot that a hash table has for a word of the first bytes of the input."""
    total = make.constant(32, 5381)
    for byte in range(count):
        product = make.binary(Op.MUL, total, make.constant(32, 33))
        total = make.binary(Op.ADD, product, make.extend(Op.ZEXT, make.input(byte), 32))
    return make.binary(Op.UREM, total, make.constant(32, slots))


def slot(word: bytes, slots: int) -> int:
    total = 5381
    for byte in word:
        total = total * 33 + byte & 0xFFFFFFFF
    return total % slots


# ---- vectors


def test_terms_that_differ_only_in_their_byte_share_a_vector(make: FakeExpressions, graph: Graph) -> None:
    def term(byte: int, addend: int) -> int:
        return make.binary(Op.ADD, make.input(byte), make.constant(8, addend))

    known = ByteVectors(graph)
    assert known.of(term(3, 7)) is known.of(term(900, 7))
    assert known.of(term(3, 7)).tolist() == [(value + 7) % 256 for value in range(256)]
    assert known.of(term(3, 8)) is not known.of(term(3, 7))
    assert indices(known.table(term(5, 250), 4)) == [10]


@pytest.mark.parametrize("seed", range(6))
def test_vectors_say_what_the_batch_evaluator_says(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "REMEMBERED", 40)  # so that it starts afresh in between
    make, rng = FakeExpressions(), random.Random(seed)
    graph = Graph(make)
    known = ByteVectors(graph)
    for _ in range(25):
        node = RandomConditions(make, rng, (0, 1, 4)).boolean(3)
        inputs = {0: np.array(list(rng.randbytes(9)), np.uint64), 1: same(rng.randrange(256))}
        expected = evaluate(graph, (node,), inputs, 9)[node]
        assert np.array_equal(np.broadcast_to(known.evaluate(node, inputs), 9), expected)


def test_one_byte_tables_of_every_shape(make: FakeExpressions, graph: Graph) -> None:
    rng, known = random.Random(7), ByteVectors(graph)
    conditions = [RandomConditions(make, rng, (byte,)) for byte in (2, 6)]
    for _ in range(40):
        node = rng.choice(conditions).boolean(3)
        bits = graph.inputs(node)
        inputs = {bits.bit_length() - 1: np.arange(256, dtype=np.uint64)} if bits else {}
        expected = evaluate(graph, (node,), inputs, 256)[node]
        assert known.table(node, 1) == set_of(np.flatnonzero(expected).tolist())


# ---- rows


def test_touching_finds_what_shares_bytes(make: FakeExpressions, graph: Graph) -> None:
    rng, rows = random.Random(1), InputRows(graph, make)
    read = [sorted(rng.sample(range(200), rng.randint(1, 4))) for _ in range(600)]
    nodes = []
    for places in read:
        total = make.input(places[0])
        for place in places[1:]:
            total = make.binary(Op.ADD, total, make.input(place))
        nodes.append(make.equals(total, 3))
    for wanted in ([5], [63, 64], [0, 127, 199]):
        expected = [place for place, bytes_read in enumerate(read) if set(wanted) & set(bytes_read)]
        assert rows.touching(np.array(nodes, np.int64), set_of(wanted)).tolist() == expected
    assert rows.reach == 1 + max(max(places) for places in read)


# ---- combinations


def limited(make: FakeExpressions, rng: random.Random, hint: bytes) -> list[int]:
    """That each byte has one of a few values, its old one among them."""
    return [among(make, byte, bytes([hint[byte], *rng.randbytes(rng.randint(1, 20))])) for byte in (0, 1)]


@pytest.mark.parametrize("seed", range(8))
def test_few_combinations_against_brute_force(make: FakeExpressions, graph: Graph, seed: int) -> None:
    rng, (solver, nobody), oracle = random.Random(seed), guessing(graph), BruteForceSolver(graph)
    conditions, answers = RandomConditions(make, rng, (0, 1)), set()
    for _ in range(12):
        hint = rng.randbytes(2)
        nodes = [code >> 1 for code in limited(make, rng, hint)] + [conditions.boolean(3) for _ in range(2)]
        query = flipped(graph, nodes, hint)
        answer = solver.solve(query) if graph.bits(query.goal) else None
        if answer is not None:
            answers.add(type(answer))
            check(graph, query, answer, oracle)
    assert not nobody.asked and answers == {Sat, Unsat}


def check(graph: Graph, query: Query, answer: Answer, oracle: BruteForceSolver) -> None:
    assert type(answer) is type(oracle.solve(query))
    if isinstance(answer, Unsat):
        assert answer.core is not None and answer.core <= query.key
        assert isinstance(oracle.solve(Query.of(sorted(answer.core))), Unsat)
    else:
        assert holds(graph, query, answer)


def test_another_word_for_the_same_slot(make: FakeExpressions, graph: Graph) -> None:
    solver, nobody = guessing(graph)
    letters = [among(make, byte, LETTERS) for byte in range(2)]
    pin = 2 * make.equals(hashed(make, 2, 512), slot(b"aq", 512)) + 1
    goal = 2 * make.equals(make.word(0, 2), int.from_bytes(b"aq", "little"))
    answer = solver.solve(Query.of([*letters, pin, goal], b"aq"))
    assert isinstance(answer, Sat) and not nobody.asked
    word = bytes(answer.model[byte] for byte in range(2))
    assert word != b"aq" and set(word) <= set(LETTERS) and slot(word, 512) == slot(b"aq", 512)


def test_a_slot_that_only_one_word_has(make: FakeExpressions, graph: Graph) -> None:
    """The contradiction is about the goal's bytes, so no kept byte takes part in it."""
    solver, nobody = guessing(graph)
    letters = [among(make, byte, b"ab") for byte in range(2)]
    pin = 2 * make.equals(hashed(make, 2, 1 << 20), slot(b"ab", 1 << 20)) + 1
    linked = 2 * make.binary(Op.ULT, make.input(0), make.input(7)) + 1
    goal = 2 * make.equals(make.word(0, 2), int.from_bytes(b"ab", "little"))
    answer = solver.solve(Query.of([keeps(7, 200), *letters, pin, linked, goal], b"ab"))
    assert answer == Unsat(frozenset((*letters, pin, goal))) and not nobody.asked


def test_many_combinations_are_drawn(make: FakeExpressions, graph: Graph) -> None:
    old, count = b"what?", 4
    codes = [among(make, byte, LETTERS) for byte in range(count)]
    codes.append(2 * make.equals(hashed(make, count, 512), slot(old[:count], 512)) + 1)
    codes.append(2 * make.equals(make.word(0, count), int.from_bytes(old[:count], "little")))
    answers = []
    for _ in range(2):
        solver, nobody = guessing(graph)
        answer = solver.solve(Query.of([keeps(4, ord("?")), *codes], old))
        assert isinstance(answer, Sat) and not nobody.asked
        assert holds(graph, Query.of(codes, old), answer)
        assert answer.model[4] == ord("?"), "the cache may give the answer to somebody who had another value there"
        answers.append(answer)
    assert answers[0] == answers[1], "by the goal, not by chance"


def test_without_arithmetic_nothing_is_drawn(make: FakeExpressions, graph: Graph) -> None:
    solver, nobody = guessing(graph)
    total = make.binary(Op.XOR, make.word(0, 4), make.word(4, 4))
    assert isinstance(solver.solve(Query.of([2 * make.equals(total, 0) + 1], b"12345678")), Unknown)
    assert len(nobody.asked) == 1


def test_drawing_in_vain_becomes_rare(make: FakeExpressions, graph: Graph) -> None:
    class Counting(CombinationSearch):
        drawings = 0

        def drawn(self, space: object) -> None:
            self.drawings += 1

    spaces, _ = searches(graph, TruthTables(graph))
    grids = Counting(graph, ByteVectors(graph))
    solver = GuessingSolver(Recorder(lambda query: Unknown("hard")), spaces, grids, Statistics())
    product = make.binary(Op.MUL, make.word(0, 4), make.word(4, 4))
    for value in range(100):
        solver.solve(Query.of([2 * make.equals(product, value) + 1], b""))
    assert 17 <= grids.drawings < 30


def test_what_takes_long_to_evaluate_is_left_to_the_solver(make: FakeExpressions, graph: Graph) -> None:
    total = make.extend(Op.ZEXT, make.input(0), 64)
    for value in range(LARGEST // 64**2 + 1):
        total = make.binary(Op.MUL, total, make.constant(64, 2 * value + 3))
    goal = 2 * make.binary(Op.EQ, total, make.extend(Op.ZEXT, make.input(1), 64)) + 1
    solver, nobody = guessing(graph)
    assert isinstance(solver.solve(Query.of([goal], b"ab")), Unknown) and len(nobody.asked) == 1


# ---- pins


def pinned(pins: Sequence[int], others: Sequence[int], hint: bytes) -> Query:
    codes = np.array([*pins, *others], np.int64)
    return Query(codes, np.arange(len(codes)) < len(pins), hint)


def test_pins_come_last_so_that_contradictions_do_without(make: FakeExpressions, graph: Graph) -> None:
    spaces, _ = searches(graph, TruthTables(graph))
    pin, letter = among(make, 0, b"a"), among(make, 0, LETTERS)
    goal = among(make, 0, b"7")
    query = pinned([pin], [letter, goal], b"a")
    space = spaces.around(query, spaces.parts(goal).domains, b"a")
    assert space.contradiction == Unsat(frozenset((letter, goal))) and not all(space.domains.values())
    free = spaces.around(pinned([pin], [goal], b"a"), spaces.parts(goal).domains, b"a")
    assert all(free.domains.values()) and not all(spaces.pinned(free).domains.values())
    assert all(free.domains.values()), "the space without pins stays as it was"
