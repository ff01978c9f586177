"""Bounds hold for all inputs, and rule out what a solver takes long for."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.solve.fakes import FakeExpressions, RandomConditions, Silent
from untaken.model.expression import Op
from untaken.model.operators import on_integers
from untaken.solve.answers import Unknown, Unsat
from untaken.solve.graph import Graph, indices
from untaken.solve.layers.bounding import BoundingSolver
from untaken.solve.query import Query
from untaken.solve.statistics import Statistics
from untaken.solve.values.batch import evaluate
from untaken.solve.values.bounds import ARITHMETIC, COMPARISONS, BoundFinder, LastingBounds, combined
from untaken.solve.values.byte_domains import DomainFinder
from untaken.solve.values.conjunctions import Conjunctions
from untaken.solve.values.truth import TruthTables


def bounding(graph: Graph) -> BoundingSolver:
    tables = TruthTables(graph)
    spaces = DomainFinder(graph, Conjunctions(graph, tables))
    return BoundingSolver(Silent(), spaces, BoundFinder(graph, tables.vectors), Statistics())


@pytest.mark.parametrize("seed", range(8))
def test_all_values_lie_between(make: FakeExpressions, graph: Graph, seed: int) -> None:
    rng = random.Random(seed)
    conditions = RandomConditions(make, rng, (0, 1))
    finder = BoundFinder(graph, TruthTables(graph).vectors)
    for _ in range(30):
        terms = graph.below((conditions.boolean(4),))
        domains = {byte: sum(1 << value for value in rng.sample(range(256), rng.randint(1, 9))) for byte in (0, 1)}
        values = [np.array(indices(domains[byte]), np.uint64) for byte in (0, 1)]
        inputs = {0: np.repeat(values[0], len(values[1])), 1: np.tile(values[1], len(values[0]))}
        for term, found in evaluate(graph, terms, inputs, len(inputs[0])).items():
            low, high = finder.of(term, domains)
            assert low <= found.min() and found.max() <= high, graph.node(term)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_ruled_out_holds_for_no_input(make: FakeExpressions, graph: Graph, seed: int) -> None:
    rng = random.Random(seed)
    conditions = RandomConditions(make, rng, (0, 1))
    lasting = LastingBounds(graph)
    every = np.arange(256, dtype=np.uint64)
    inputs = {0: np.repeat(every, 256), 1: np.tile(every, 256)}
    for _ in range(30):
        term = conditions.boolean(4)
        found = set(evaluate(graph, [term], inputs, 1 << 16)[term].tolist())
        for code in (2 * term, 2 * term + 1):
            assert not (lasting.rule_out(code) and code & 1 in found), graph.node(term)


def test_masks_and_remainders_of_hashes_have_lasting_bounds(make: FakeExpressions, graph: Graph) -> None:
    """`h & 1023 > 1023` and `h % 113 >= 113`, of a hash that shifts and adds."""
    number = make.constant(32, 5381)
    for index in range(40):
        shifted = make.binary(Op.SHL, number, make.constant(32, 5))
        number = make.binary(Op.ADD, shifted, make.extend(Op.ZEXT, make.input(index), 32))
    lasting = LastingBounds(graph)
    masked = make.binary(Op.AND, number, make.constant(32, 1023))
    left = make.binary(Op.UREM, number, make.constant(32, 113))
    assert lasting.rule_out(2 * make.binary(Op.ULT, make.constant(32, 1023), masked) + 1)
    assert lasting.rule_out(2 * make.binary(Op.ULE, make.constant(32, 113), left) + 1)
    assert not lasting.rule_out(2 * make.binary(Op.ULE, make.constant(32, 112), left) + 1)
    assert not lasting.rule_out(2 * make.binary(Op.ULT, make.constant(32, 1022), masked) + 1)


@pytest.mark.parametrize("op", [*COMPARISONS, *ARITHMETIC], ids=lambda op: op.name)
def test_rules_hold_for_what_operators_mean(op: Op) -> None:
    """All pairs of intervals of numbers of three bits, and all numbers in them."""
    width, result = 3, 1 if op in COMPARISONS else 3
    meaning = on_integers(op, width, result)
    values = np.array([[meaning(a, b) for b in range(1 << width)] for a in range(1 << width)], np.int64)
    intervals = [(low, high) for low in range(1 << width) for high in range(low, 1 << width)]
    telling = 0
    for a in intervals:
        for b in intervals:
            found = values[a[0] : a[1] + 1, b[0] : b[1] + 1]
            low, high = combined(op, width, a, b)
            assert low <= found.min() and found.max() <= high, (a, b)
            telling += high - low < (1 << result) - 1
    assert telling


def decimal(make: FakeExpressions, digits: int) -> tuple[int, list[int]]:
    """A number that is read digit by digit, and that its characters are digits."""
    number, facts = make.constant(64, 0), []
    for index in range(digits):
        character = make.input(index)
        above = make.binary(Op.ULE, make.constant(8, ord("0")), character)
        facts += [above, make.binary(Op.ULE, character, make.constant(8, ord("9")))]
        digit = make.extend(Op.ZEXT, make.binary(Op.SUB, character, make.constant(8, ord("0"))), 64)
        number = make.binary(Op.ADD, make.binary(Op.MUL, number, make.constant(64, 10)), digit)
    return number, [2 * fact + 1 for fact in facts]


def test_few_digits_are_no_large_number(make: FakeExpressions, graph: Graph) -> None:
    number, facts = decimal(make, 18)
    large = make.binary(Op.ULT, make.constant(64, ((1 << 64) - 1) // 10), number)
    answer = bounding(graph).solve(Query.of([*facts, 2 * large + 1], b"1" * 18))
    assert answer == Unsat(frozenset([*facts, 2 * large + 1]))


def test_what_is_possible_is_asked(make: FakeExpressions, graph: Graph) -> None:
    number, facts = decimal(make, 20)
    large = make.binary(Op.ULT, make.constant(64, ((1 << 64) - 1) // 10), number)
    assert isinstance(bounding(graph).solve(Query.of([*facts, 2 * large + 1], b"1" * 20)), Unknown)
