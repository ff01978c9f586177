"""What a checksum is compared with is set to what it comes to."""

from __future__ import annotations

from functools import reduce

from tests.solve.fakes import FakeExpressions
from untaken.model.expression import Op
from untaken.solve.answers import Answer, Sat, Unknown, apply
from untaken.solve.graph import Graph
from untaken.solve.layers.settling import SettlingSearch
from untaken.solve.query import Query
from untaken.solve.values.byte_domains import DomainFinder
from untaken.solve.values.conjunctions import Conjunctions
from untaken.solve.values.scalar import ScalarEvaluator
from untaken.solve.values.truth import TruthTables

DATA = range(6)  # bytes that are summed up
OLD = bytes((17, 3, 200, 45, 99, 250, 0, 0))


def checksum(make: FakeExpressions) -> int:
    """Of 16 bits, and nothing that a solver likes to invert."""
    modulus = make.constant(16, 251)

    def step(total: int, byte: int) -> int:
        wide = make.add(Op.ZEXT, 16, make.input(byte))
        return make.binary(Op.UREM, make.binary(Op.ADD, make.binary(Op.MUL, total, total), wide), modulus)

    return reduce(step, DATA, make.constant(16, 1))


def of(data: bytes) -> int:
    return reduce(lambda total, byte: (total * total % (1 << 16) + byte) % (1 << 16) % 251, (data[i] for i in DATA), 1)


def field_of(make: FakeExpressions) -> int:
    return make.concat(make.input(6), make.input(7))


def nobody(query: Query) -> Answer:
    return Unknown("not asked")


def found(graph: Graph, meet: object, *codes: int) -> bytes | None:
    tables, scalar = TruthTables(graph), ScalarEvaluator(graph)
    search = SettlingSearch(DomainFinder(graph, Conjunctions(graph, tables)), scalar, meet)  # type: ignore[arg-type]
    query = Query.of([*codes], OLD)
    answer = search.solve(query, query, OLD)
    return None if answer is None else apply(answer.model, OLD)


def test_the_field_is_set_and_what_is_summed_up_stays(make: FakeExpressions, graph: Graph) -> None:
    is_right = 2 * make.binary(Op.EQ, checksum(make), field_of(make)) + 1
    assert found(graph, nobody, is_right) == OLD[:6] + of(OLD).to_bytes(2, "big")


def test_behind_a_checksum_it_is_made_right_anew(make: FakeExpressions, graph: Graph) -> None:
    is_right = 2 * make.binary(Op.EQ, checksum(make), field_of(make)) + 1
    is_seven = 2 * make.binary(Op.EQ, make.input(2), make.constant(8, 7)) + 1
    changed = OLD[:2] + b"\7" + OLD[3:6]
    assert found(graph, lambda query: Sat({2: 7}), is_right, is_seven) == changed + of(changed).to_bytes(2, "big")


def test_a_field_that_may_not_be_so_is_no_answer(make: FakeExpressions, graph: Graph) -> None:
    is_right = 2 * make.binary(Op.EQ, checksum(make), field_of(make)) + 1
    is_large = 2 * make.binary(Op.ULT, make.constant(8, 7), make.input(6)) + 1
    assert found(graph, nobody, is_large, is_right) is None


def test_a_comparison_with_a_constant_is_left_to_others(make: FakeExpressions, graph: Graph) -> None:
    assert found(graph, nobody, 2 * make.binary(Op.EQ, checksum(make), make.constant(16, 9)) + 1) is None
