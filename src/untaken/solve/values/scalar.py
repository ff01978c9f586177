"""Evaluates one assertion for one input: about a microsecond, where numpy pays that for every single operation.

A node that is asked for often is compiled to a Python function of the input, one line a node. That costs as much as
to go through the nodes one by one some twenty times, so this is done first: most conditions on hashes, which differ
from run to run, are asked for a few times only. What the operators mean is said in model/operators.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from untaken.model import floats, libm, operators
from untaken.model.expression import ARITY, FUNCTION_CALLS, UNARY_FLOAT, Node, Op
from untaken.model.operators import OPERATORS, detail_of, text
from untaken.solve.graph import Graph
from untaken.solve.query import kept

Condition = Callable[[Sequence[int]], int]
Values = dict[int, int]  # by node
NodeStep = Callable[[Values, Sequence[int]], int]
WALKS = 16  # before a node is compiled


class ScalarEvaluator:
    """Compiled conditions over one generation of the node table."""

    def __init__(self, graph: Graph) -> None:
        self.graph = self._graph = graph
        self._compiled: dict[int, Condition] = {}
        self._walks: dict[int, int] = {}
        self._plans: dict[int, list[tuple[int, NodeStep]]] = {}
        self._steps: dict[int, NodeStep] = {}

    def holds(self, code: int, data: Sequence[int]) -> bool:
        """Whether the assertion is true of an input that reaches all its bytes."""
        if code < 0:
            index, value = kept(code)
            return data[index] == value
        condition = self._compiled.get(code >> 1)
        value = self._walk(code >> 1, data) if condition is None else condition(data)
        return value == code & 1

    def value(self, term: int, data: Sequence[int]) -> int:
        """Of a term, for an input that reaches all its bytes."""
        return self._shared(term, {}, data)

    def all_hold(self, codes: Iterable[int], data: Sequence[int]) -> bool:
        """Whether all of them are true."""
        return next(self.broken(codes, data), None) is None

    def broken(self, codes: Iterable[int], data: Sequence[int]) -> Iterator[int]:
        """Those that are not true. What they have in common is evaluated once: loops make assertions of chains."""
        values: Values = {}
        for code in codes:
            if code < 0 or code >> 1 in self._compiled:
                if not self.holds(code, data):
                    yield code
            elif self._shared(code >> 1, values, data) != code & 1:
                yield code

    # ---- node by node

    def _shared(self, root: int, values: Values, data: Sequence[int]) -> int:
        """The value of a node, from those that are known; what else it takes is added to them."""
        stack = [root]
        while stack:
            index = stack[-1]
            missing = [child for child in self._graph.children(index) if child not in values]
            if missing:
                stack += missing
            else:
                values[index] = self._step(index)(values, data)
                stack.pop()
        return values[root]

    def _walk(self, root: int, data: Sequence[int]) -> int:
        walks = self._walks[root] = self._walks.get(root, 0) + 1
        if walks > WALKS:
            self._compiled[root] = self._compile(root)
            del self._plans[root], self._walks[root]
            return self._compiled[root](data)
        plan = self._plans.get(root)
        if plan is None:
            plan = self._plans[root] = [(index, self._step(index)) for index in self._graph.below((root,))]
        values: Values = {}
        for index, step in plan:
            values[index] = step(values, data)
        return values[root]

    def _step(self, index: int) -> NodeStep:
        """What gives a node its value; made once, since many conditions share nodes."""
        step = self._steps.get(index)
        if step is None:
            step = self._steps[index] = self._make_step(self._graph.node(index))
        return step

    def _make_step(self, node: Node) -> NodeStep:
        a, b, c = node.a, node.b, node.c
        match node.op:
            case Op.INPUT:
                return lambda _, data: data[a]
            case Op.CONST:
                constant = node.constant
                return lambda _, data: constant
            case Op.READ:
                return self._read_step(node)
        function = _function(self._template(node))
        match ARITY[node.op]:
            case 1:
                return lambda values, _: function(values[a])
            case 2:
                return lambda values, _: function(values[a], values[b])
        return lambda values, _: function(values[a], values[b], values[c])

    def _read_step(self, node: Node) -> NodeStep:
        index, constants, labels = node.a, self._graph.table(node.b).values, dict(self._graph.labelled(node.b))

        def read(values: Values, _: Sequence[int]) -> int:
            place = values[index]
            if place in labels:
                return values[labels[place]]
            return constants[place] if place < len(constants) else 0

        return read

    # ---- compiled

    def _compile(self, root: int) -> Condition:
        names: dict[str, object] = dict(FUNCTIONS)
        lines = [f" n{index} = {self._expression(index, names)}" for index in self._graph.below((root,))]
        source = "\n".join(["def condition(data):", *lines, f" return n{root}"])
        exec(compile(source, "<condition>", "exec"), names)
        condition: Condition = names["condition"]  # type: ignore[assignment]
        return condition

    def _expression(self, index: int, names: dict[str, object]) -> str:
        node = self._graph.node(index)
        match node.op:
            case Op.INPUT:
                return f"data[{node.a}]"
            case Op.CONST:
                return str(node.constant)
            case Op.READ:
                return self._read(node, names)
        return self._template(node).format(a=f"n{node.a}", b=f"n{node.b}", c=f"n{node.c}")

    def _read(self, node: Node, names: dict[str, object]) -> str:
        values = self._graph.table(node.b).values
        names[f"t{node.b}"] = values
        entries = "".join(f"{place}: n{label}, " for place, label in self._graph.labelled(node.b))
        value = f"t{node.b}[n{node.a}] if n{node.a} < {len(values)} else 0"
        return f"{{{entries}}}[n{node.a}] if n{node.a} in {{{entries}}} else {value}" if entries else value

    def _template(self, node: Node) -> str:
        """An operation on {a}, {b} and {c}."""
        width = self._graph.node(node.a).width
        if node.op in OPERATORS:
            return text(node.op, width, node.width, detail_of(node, self._graph.node))
        if node.op in UNARY_FLOAT:
            return f"unary_float({int(node.op)}, {width}, {node.width}, {node.b}, {{a}})"
        if node.op in FUNCTION_CALLS:
            return f"call({node.c}, {{a}}{', {b}' if node.op is Op.FUNCTION2 else ''})"
        return f"binary_float({int(node.op)}, {width}, {{a}}, {{b}})"


@cache
def _function(template: str) -> Callable[..., int]:
    """There are few templates, and many nodes."""
    function: Callable[..., int] = eval("lambda a, b=0, c=0: " + template.format(a="a", b="b", c="c"), dict(FUNCTIONS))
    return function


def _binary_float(op: int, width: int, a: int, b: int) -> int:
    return floats.binary(Op(op), width, a, b)


def _unary_float(op: int, width: int, result: int, rounding: int, a: int) -> int:
    return floats.unary(Op(op), (width, result), rounding, a)


FUNCTIONS: dict[str, object] = {
    **operators.FUNCTIONS,
    "binary_float": _binary_float,
    "unary_float": _unary_float,
    "call": libm.value,
}
