"""For `--solver check`: asks two solvers, and has every model evaluated. A disagreement must not go unseen."""

from __future__ import annotations

from collections.abc import Mapping

from untaken.model.floats import KINDS, Words, is_nan
from untaken.solve.answers import Answer, DisagreementError, Sat, Unknown, Unsat
from untaken.solve.graph import FLOATS, Graph
from untaken.solve.query import Query, kept
from untaken.solve.solver import Solver
from untaken.solve.values.batch import evaluate, same

REMEDY = "please report this with the program; --solver bitwuzla goes on without the check"


class CrossCheckingSolver:
    """Answers what the first says, after the second has been heard."""

    def __init__(self, first: Solver, second: Solver, graph: Graph) -> None:
        self._first = first
        self._second = second
        self._graph = graph

    def solve(self, query: Query) -> Answer:
        first, second = self._first.solve(query), self._second.solve(query)
        if {type(first), type(second)} == {Sat, Unsat}:
            raise DisagreementError(f"two solvers disagree: {first} against {second}, of {query.assertions}; {REMEDY}")
        for answer in (first, second):
            check_model(self._graph, query, answer)
        return second if isinstance(first, Unknown) else first

    def close(self) -> None:
        self._first.close()
        self._second.close()


class ModelCheckingSolver:
    """Has every model evaluated, whoever it comes from. Wraps the whole stack."""

    def __init__(self, inner: Solver, graph: Graph) -> None:
        self._inner = inner
        self._graph = graph

    def solve(self, query: Query) -> Answer:
        answer = self._inner.solve(query)
        check_model(self._graph, query, answer)
        return answer

    def close(self) -> None:
        self._inner.close()


def check_model(graph: Graph, query: Query, answer: Answer) -> None:
    """Evaluates the model of a Sat that claims to satisfy the whole query.

    What did not hold for the old input either is not the model's fault. What functions of libm return, and which bits a
    result has that is not a number, no solver knows.
    """
    if not isinstance(answer, Sat) or answer.optimistic:
        return
    codes = query.assertions
    new, old = ({index: same(data.get(index, 0)) for index in graph.inputs_of(codes)} for data in _data(query, answer))
    wrong = [code for code in codes if not _holds(graph, code, new) and not _is_excused(graph, code, new)]
    if any(code == query.goal or _holds(graph, code, old) for code in wrong):
        raise DisagreementError(f"a model does not satisfy its query: {answer.model}, of {codes}; {REMEDY}")


def _data(query: Query, answer: Sat) -> tuple[dict[int, int], dict[int, int]]:
    """The new input and the old one, by byte."""
    old = dict(enumerate(query.hint))
    return {**old, **answer.model}, old


def _holds(graph: Graph, code: int, inputs: Mapping[int, Words]) -> bool:
    if code < 0:
        index, value = kept(code)
        return int(inputs[index][0]) == value
    return int(evaluate(graph, [code >> 1], inputs, 1)[code >> 1][0]) == code & 1


def _is_excused(graph: Graph, code: int, inputs: Mapping[int, Words]) -> bool:
    if graph.has_functions(code) or not graph.has_floats(code):
        return graph.has_functions(code)
    below = graph.below((code >> 1,))
    numbers = [index for index in below if graph.node(index).op in FLOATS and graph.node(index).width in KINDS]
    values = evaluate(graph, numbers, inputs, 1)
    return any(bool(is_nan(values[index], graph.node(index).width)[0]) for index in numbers)
