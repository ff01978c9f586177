"""Each wrapper alone, over a fake that counts what it is asked."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.solve.fakes import FakeExpressions
from untaken.model.effort import Effort
from untaken.model.expression import Op
from untaken.solve.answers import Answer, DisagreementError, Sat, Unknown, Unsat, apply
from untaken.solve.backends.crosscheck import CrossCheckingSolver
from untaken.solve.graph import Graph
from untaken.solve.layers.caching import CachingSolver
from untaken.solve.layers.enumeration import choose
from untaken.solve.layers.nearby import NearbySolver, Tools
from untaken.solve.layers.optimistic import OptimisticSolver
from untaken.solve.layers.slicing import SlicingSolver
from untaken.solve.query import SPREAD, Query, keeps, kept
from untaken.solve.stack import default_solver
from untaken.solve.statistics import Statistics
from untaken.solve.values.byte_domains import DomainFinder
from untaken.solve.values.conjunctions import Conjunctions
from untaken.solve.values.dependencies import InputRows
from untaken.solve.values.scalar import ScalarEvaluator
from untaken.solve.values.truth import TruthTables


class Recorder:
    """Answers as told, and keeps the questions."""

    def __init__(self, answer: Callable[[Query], Answer]) -> None:
        self._answer = answer
        self.asked: list[Query] = []

    def solve(self, query: Query) -> Answer:
        self.asked.append(query)
        return self._answer(query)

    def close(self) -> None:
        """Nothing to free."""


def caching(make: FakeExpressions, inner: Recorder) -> tuple[CachingSolver, Statistics]:
    graph, statistics = Graph(make), Statistics()
    return CachingSolver(inner, graph, ScalarEvaluator(graph), statistics), statistics


def test_apply_keeps_the_rest_and_grows() -> None:
    assert apply({1: 66}, b"abc") == b"aBc"
    assert apply({4: 1}, b"abc") == b"abc\0\1"


def test_codes_of_kept_bytes() -> None:
    assert kept(keeps(1000, 255)) == (1000, 255)
    assert keeps(0, 0) < 0


def sums(make: FakeExpressions, sets: list[list[int]]) -> NDArray[np.int64]:
    """A node for each set of input bytes, which depends on these."""
    nodes = []
    for members in sets:
        node = make.input(members[0])
        for member in members[1:]:
            node = make.binary(Op.ADD, node, make.input(member))
        nodes.append(make.equals(node, 1))
    return np.array(nodes, np.int64)


def test_connected_follows_chains_and_leaves_the_rest(make: FakeExpressions) -> None:
    nodes = sums(make, [[0, 1], [1, 2], [4, 5], [2, 3], [3]])
    assert InputRows(Graph(make), make).connected(nodes).tolist() == [0, 1, 3, 4]


@pytest.mark.parametrize("apart", [1, 13, 100, 5_000])
def test_connected_is_the_closure_of_sharing(make: FakeExpressions, apart: int) -> None:
    rng = random.Random(apart)
    sets = [[apart * rng.randrange(60) for _ in range(rng.randint(1, 3))] for _ in range(40)]
    rows, nodes = InputRows(Graph(make), make), sums(make, sets)
    for end in range(1, len(sets) + 1):
        found, reached = {end - 1}, set(sets[end - 1])
        while new := [i for i in range(end) if i not in found and reached.intersection(sets[i])]:
            found.update(new)
            reached.update(*(sets[i] for i in new))
        assert rows.connected(nodes[:end]).tolist() == sorted(found)


def test_the_stack_begins_anew_before_its_sets_of_bytes_take_too_much(
    make: FakeExpressions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("untaken.solve.stack.MOST_INPUT_BYTES", 400)
    solver = default_solver(make)
    graphs = set()
    for place in range(0, 4_000, 400):
        answer = solver.solve(Query.of([2 * make.equals(make.input(place), 7) + 1]))
        assert isinstance(answer, Sat) and answer.model == {place: 7}
        graphs.add(solver.graph)
    solver.close()
    assert 3 < len(graphs) < 9


def test_the_cache_remembers_assertions_not_queries(make: FakeExpressions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("untaken.solve.layers.caching.REMEMBERED", 100)
    inner = Recorder(lambda query: Unsat())
    solver, _ = caching(make, inner)
    nodes = sums(make, [[place] for place in range(200)]).tolist()
    for start in range(0, 160, 4):
        solver.solve(Query.of([2 * node for node in nodes[start : start + 40]]))
    assert len(inner.asked) == 40
    solver.solve(inner.asked[0])
    assert len(inner.asked) == 41, "the oldest was forgotten"


def test_slicing_with_more_inputs_than_a_word(make: FakeExpressions) -> None:
    inner = Recorder(lambda query: Unsat())
    near, far = make.equals(make.input(3), 1), make.equals(make.input(300), 1)
    goal = make.binary(Op.EQ, make.input(300), make.input(200))
    codes = [2 * near, 2 * far, 2 * goal + 1]
    SlicingSolver(inner, InputRows(Graph(make), make), Effort()).solve(Query.of(codes))
    assert inner.asked[0].codes.tolist() == [2 * far, 2 * goal + 1]


def test_cache_answers_equal_queries_in_any_order(make: FakeExpressions) -> None:
    inner = Recorder(lambda query: Sat({0: 1}))
    solver, statistics = caching(make, inner)
    a, b, goal = (2 * make.equals(make.input(0), value) for value in range(3))
    assert solver.solve(Query.of([a, b, goal])) == solver.solve(Query.of([b, a, a, goal]))
    assert len(inner.asked) == statistics.by_equal == 1


def test_cache_knows_that_more_assertions_cannot_help(make: FakeExpressions) -> None:
    a, b, goal = (2 * make.equals(make.input(0), value) for value in range(3))
    inner = Recorder(lambda query: Unsat(frozenset((a, goal))))
    solver, statistics = caching(make, inner)
    solver.solve(Query.of([a, goal]))
    assert isinstance(solver.solve(Query.of([a, b, goal])), Unsat)
    assert len(inner.asked) == statistics.by_unsat_subset == 1


def test_cache_knows_that_fewer_assertions_cannot_hurt(make: FakeExpressions) -> None:
    one, two = make.input(0), make.input(1)
    a, b = 2 * make.equals(two, 9) + 1, 2 * make.equals(one, 7)
    goal = 2 * make.equals(one, 5) + 1
    inner = Recorder(lambda query: Sat({0: 5, 1: 9}))
    solver, statistics = caching(make, inner)
    solver.solve(Query.of([a, b, goal]))
    assert solver.solve(Query.of([b, goal])) == Sat({0: 5}), "bytes of other constraints must not change"
    assert len(inner.asked) == statistics.by_sat_superset == 1


def test_cache_tries_models_of_the_same_goal(make: FakeExpressions) -> None:
    goal = 2 * make.equals(make.word(0, 2), 0x0102) + 1
    other = 2 * make.equals(make.input(0), 3)
    against = 2 * make.equals(make.input(0), 2)
    inner = Recorder(lambda query: Unsat() if against in query.key else Sat({0: 2, 1: 1}))
    solver, statistics = caching(make, inner)
    solver.solve(Query.of([goal]))
    assert solver.solve(Query.of([other, goal])) == Sat({0: 2, 1: 1})
    assert statistics.by_model == 1
    assert isinstance(solver.solve(Query.of([against, goal])), Unsat)
    assert len(inner.asked) == 2


def test_choice_prefers_printable_and_differs_between_goals() -> None:
    assert choose(1 | 1 << ord("x"), 5) == ord("x")
    assert choose(1 << 200, 5) == 200
    assert len({choose((1 << 256) - 1, goal * SPREAD) for goal in range(50)}) > 20


def nearby(make: FakeExpressions, near: Recorder, far: Recorder) -> tuple[NearbySolver, Statistics]:
    graph, statistics = Graph(make), Statistics()
    tables = TruthTables(graph)
    spaces = DomainFinder(graph, Conjunctions(graph, tables))
    tools = Tools(graph, InputRows(graph, make), tables, ScalarEvaluator(graph), spaces, statistics)
    return NearbySolver(near, far, tools), statistics


def test_nearby_changes_one_byte_and_respects_its_links(make: FakeExpressions) -> None:
    nobody = Recorder(lambda query: Unknown("not to be asked"))
    solver, statistics = nearby(make, nobody, nobody)
    a, b = make.input(0), make.input(1)
    below = 2 * make.binary(Op.ULT, a, b) + 1  # holds for the old input: 10 < 20
    goal = 2 * make.binary(Op.ULT, make.constant(8, 17), a) + 1
    answer = solver.solve(Query.of([below, goal], bytes([10, 20])))
    assert isinstance(answer, Sat)
    assert set(answer.model) == {0} and answer.model[0] in (18, 19)
    assert statistics.by_bytes == 1 and not nobody.asked


def test_nearby_answers_the_same_question_for_each_old_input(make: FakeExpressions) -> None:
    nobody = Recorder(lambda query: Unknown("not to be asked"))
    solver, _ = nearby(make, nobody, nobody)
    a, b = make.input(0), make.input(1)
    below = 2 * make.binary(Op.ULT, a, b) + 1
    goal = 2 * make.binary(Op.ULT, make.constant(8, 17), a) + 1
    for other in (20, 30, 19, 20):
        answer = solver.solve(Query.of([below, goal], bytes([10, other])))
        assert isinstance(answer, Sat)
        assert set(answer.model) == {0} and 17 < answer.model[0] < other


def test_nearby_settles_what_no_other_byte_has_a_say_in(make: FakeExpressions) -> None:
    nobody = Recorder(lambda query: Unknown("not to be asked"))
    solver, statistics = nearby(make, nobody, nobody)
    letter = 2 * make.binary(Op.ULT, make.constant(8, 64), make.input(0)) + 1
    goal = 2 * make.equals(make.input(0), 90) + 1
    for old in (b"ax", b"by", b"c"):
        assert solver.solve(Query.of([letter, goal], old)) == Sat({0: 90})
    assert (statistics.by_bytes, statistics.by_memory) == (1, 2)


def test_nearby_settles_nothing_that_a_pin_has_a_say_in(make: FakeExpressions) -> None:
    nobody = Recorder(lambda query: Unknown("not to be asked"))
    solver, statistics = nearby(make, nobody, nobody)
    pin, goal = 2 * make.equals(make.input(0), 65) + 1, 2 * make.equals(make.input(0), 90) + 1
    for _ in range(2):
        answer = solver.solve(Query(np.array([pin, goal]), np.array([True, False]), b"A"))
        assert isinstance(answer, Unsat) and answer.relaxed == Sat({0: 90})
    assert statistics.by_memory == 0


def test_what_is_settled_satisfies_the_question_of_each_old_input(make: FakeExpressions) -> None:
    rng = random.Random(5)
    nobody = Recorder(lambda query: Unknown("not to be asked"))
    solver, statistics = nearby(make, nobody, nobody)
    conditions = [2 * make.binary(Op.ULT, make.input(byte), make.constant(8, at)) for byte in (0, 1) for at in (9, 80)]
    linked = [2 * make.binary(op, make.input(0), make.input(byte)) for op, byte in ((Op.ULT, 1), (Op.EQ, 2))]
    evaluator = ScalarEvaluator(Graph(make))
    for _ in range(400):
        old = rng.randbytes(3)
        decided = [code ^ (not evaluator.holds(code, old)) for code in rng.sample(conditions + linked, 3)]
        goal = rng.choice(conditions)
        goal ^= evaluator.holds(goal, old)
        answer = solver.solve(Query.of([*decided, goal], old))
        if isinstance(answer, Sat):
            assert evaluator.all_hold((*decided, goal), apply(answer.model, old))
        elif isinstance(answer, Unsat):
            assert answer.core is not None and goal in answer.core and {*decided, goal} >= answer.core
    assert statistics.by_memory > 50


def test_nearby_changes_one_byte_of_a_goal_about_several(make: FakeExpressions) -> None:
    nobody = Recorder(lambda query: Unknown("not to be asked"))
    solver, statistics = nearby(make, nobody, nobody)
    a, b, c = make.input(0), make.input(1), make.input(2)
    below = 2 * make.binary(Op.ULT, b, c) + 1
    goal = 2 * make.equals(make.binary(Op.MUL, a, b), 6) + 1
    answer = solver.solve(Query.of([below, goal], bytes([1, 3, 9])))
    assert answer == Sat({0: 2})
    assert statistics.by_one_byte == 1 and not nobody.asked


def test_nearby_frees_what_stands_in_the_way(make: FakeExpressions) -> None:
    a, b = make.input(0), make.input(1)
    same = 2 * make.binary(Op.EQ, a, b) + 1
    goal = 2 * make.equals(a, 5) + 1
    blocked = Unsat(frozenset((same, goal, keeps(1, 9))))
    near = Recorder(lambda query: blocked if keeps(1, 9) in query.key else Sat({0: 5, 1: 5}))
    far = Recorder(lambda query: Unknown("not to be asked"))
    solver, _ = nearby(make, near, far)
    assert solver.solve(Query.of([same, goal], bytes([9, 9]))) == Sat({0: 5, 1: 5})
    assert len(near.asked) == 2 and not far.asked


def test_nearby_asks_the_whole_query_when_it_must(make: FakeExpressions) -> None:
    same = 2 * make.binary(Op.EQ, make.input(0), make.input(1)) + 1
    goal = 2 * make.equals(make.input(0), 5) + 1
    far = Recorder(lambda query: Unsat())
    solver, _ = nearby(make, Recorder(lambda query: Unknown("hard")), far)
    query = Query.of([same, goal], bytes([9, 9]))
    assert isinstance(solver.solve(query), Unsat)
    assert far.asked == [query]


def test_nearby_remembers_what_rules_a_goal_out(make: FakeExpressions) -> None:
    nobody = Recorder(lambda query: Unknown("not to be asked"))
    solver, statistics = nearby(make, nobody, nobody)
    letter = 2 * make.binary(Op.ULT, make.constant(8, 64), make.input(0)) + 1
    other = 2 * make.equals(make.input(0), 90)
    goal = 2 * make.equals(make.word(0, 2), 0x4130) + 1
    assert solver.solve(Query.of([other, letter, goal], b"ab")) == Unsat(frozenset((letter, goal)))
    assert statistics.by_bytes == 1
    assert solver.solve(Query.of([letter, goal], b"xy")) == Unsat(frozenset((letter, goal)))
    assert (statistics.by_bytes, statistics.by_contradiction) == (1, 1)
    assert isinstance(solver.solve(Query.of([other, goal], b"ab")), Sat)


def test_nearby_knows_what_is_impossible_by_itself(make: FakeExpressions) -> None:
    nobody = Recorder(lambda query: Unknown("not to be asked"))
    solver, statistics = nearby(make, nobody, nobody)
    text = make.concat(make.constant(8, 0), make.input(0))  # a string that ends after one character
    goal = 2 * make.equals(text, 0x6261) + 1
    assert solver.solve(Query.of([goal], b"a")) == Unsat(frozenset((goal,)))
    assert statistics.by_contradiction == 1


def pinned(codes: list[int], pins: list[bool]) -> Query:
    return Query(np.array(codes), np.array(pins), b"")


def test_optimistic_leaves_pins_out() -> None:
    inner = Recorder(lambda query: Unsat() if 2 in query.key else Sat({0: 1}))
    answer = OptimisticSolver(inner).solve(pinned([2, 4, 6], [True, False, False]))
    assert answer == Sat({0: 1}, optimistic=True)
    assert [query.codes.tolist() for query in inner.asked] == [[2, 4, 6], [4, 6]]


def test_optimistic_tries_the_goal_alone_when_unknown() -> None:
    inner = Recorder(lambda query: Sat({0: 1}) if len(query.codes) == 1 else Unknown("hard"))
    assert OptimisticSolver(inner).solve(Query.of([2, 4, 6])) == Sat({0: 1}, optimistic=True, gave_up=True)
    assert inner.asked[-1].codes.tolist() == [6]


def test_optimistic_believes_a_plain_unsat() -> None:
    inner = Recorder(lambda query: Unsat())
    assert isinstance(OptimisticSolver(inner).solve(Query.of([2, 4, 6])), Unsat)
    assert len(inner.asked) == 1


def test_optimistic_does_not_ask_again_what_no_pin_is_to_blame_for() -> None:
    inner = Recorder(lambda query: Unsat(frozenset((4, 6))))
    assert OptimisticSolver(inner).solve(pinned([2, 4, 6], [True, False, False])) == Unsat(frozenset((4, 6)))
    assert len(inner.asked) == 1
    inner = Recorder(lambda query: Unsat(frozenset(query.key)))
    assert OptimisticSolver(inner).solve(pinned([2, 4, 6], [True, False, False])) == Unsat(frozenset((4, 6)))
    assert len(inner.asked) == 2


def test_what_was_also_decided_is_no_mere_pin() -> None:
    query = pinned([2, 4, 2, 8, 6], [True, True, False, False, False])
    assert query.pins == {4}
    inner = Recorder(lambda query: Unsat(frozenset((2, 6))))
    assert isinstance(OptimisticSolver(inner).solve(query), Unsat) and len(inner.asked) == 1


def test_optimistic_takes_what_was_found_without_the_pins() -> None:
    inner = Recorder(lambda query: Unsat(relaxed=Sat({0: 1})))
    assert OptimisticSolver(inner).solve(pinned([2, 4, 6], [True, False, False])) == Sat({0: 1}, optimistic=True)
    assert len(inner.asked) == 1


def test_goal_alone_unsat_decides_the_whole() -> None:
    inner = Recorder(lambda query: Unsat() if len(query.codes) == 1 else Unknown("hard"))
    assert isinstance(OptimisticSolver(inner).solve(Query.of([2, 4, 6])), Unsat)


def test_cross_check_raises_on_disagreement(make: FakeExpressions) -> None:
    goal = 2 * make.equals(make.input(0), 5) + 1
    yes, no = Recorder(lambda query: Sat({0: 5})), Recorder(lambda query: Unsat())
    with pytest.raises(DisagreementError, match="against"):
        CrossCheckingSolver(yes, no, Graph(make)).solve(Query.of([goal]))
    wrong = Recorder(lambda query: Sat({0: 6}))
    with pytest.raises(DisagreementError, match="does not satisfy"):
        CrossCheckingSolver(yes, wrong, Graph(make)).solve(Query.of([goal]))
    unknown = Recorder(lambda query: Unknown("hard"))
    assert CrossCheckingSolver(unknown, yes, Graph(make)).solve(Query.of([goal])) == Sat({0: 5})
