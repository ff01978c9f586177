"""Evaluates one assertion for one input: about a microsecond, where numpy pays that for every single operation.

A node is compiled once to a Python function of the input, one line a node. The meaning of the operators is that of
batch.py; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from untaken.model.expression import Node, Op, Table
from untaken.solve.graph import Graph
from untaken.solve.query import kept

Condition = Callable[[Sequence[int]], int]


class ScalarEvaluator:
    """Compiled conditions over one generation of the node table."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._compiled: dict[int, Condition] = {}

    def holds(self, code: int, data: Sequence[int]) -> bool:
        """Whether the assertion is true of an input that reaches all its bytes."""
        if code < 0:
            index, value = kept(code)
            return data[index] == value
        condition = self._compiled.get(code >> 1)
        if condition is None:
            condition = self._compiled[code >> 1] = self._compile(code >> 1)
        return condition(data) == code & 1

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
            case Op.EXTRACT:
                return f"n{node.a} >> {node.b} & {_mask(node.width)}"
            case Op.ITE:
                return f"n{node.b} if n{node.a} else n{node.c}"
            case Op.CONCAT:
                return f"n{node.a} << {self._graph.node(node.b).width} | n{node.b}"
            case Op.READ:
                return self._read(node, names)
        width = self._graph.node(node.a).width
        return TEMPLATES[node.op].format(
            a=f"n{node.a}", b=f"n{node.b}", w=width, m=_mask(width), h=1 << (width - 1), r=_mask(node.width)
        )

    def _read(self, node: Node, names: dict[str, object]) -> str:
        table: Table = self._graph.table(node.b)
        names[f"t{node.b}"] = table.values
        entries = "".join(f"{place}: n{label}, " for place, label in enumerate(table.entries) if label)
        value = f"t{node.b}[n{node.a}] if n{node.a} < {len(table.values)} else 0"
        return f"{{{entries}}}[n{node.a}] if n{node.a} in {{{entries}}} else {value}" if entries else value


def _mask(width: int) -> int:
    return (1 << width) - 1


def _signed(a: int, width: int) -> int:
    return a - (1 << width) if a >> (width - 1) else a


def _signed_divide(a: int, b: int, width: int) -> int:
    if not b:
        return 1 if a >> (width - 1) else _mask(width)
    dividend, divisor = _signed(a, width), _signed(b, width)
    quotient = abs(dividend) // abs(divisor)
    return (quotient if (dividend < 0) == (divisor < 0) else -quotient) & _mask(width)


def _signed_remainder(a: int, b: int, width: int) -> int:
    if not b:
        return a
    dividend = _signed(a, width)
    remainder = abs(dividend) % abs(_signed(b, width))
    return (-remainder if dividend < 0 else remainder) & _mask(width)


FUNCTIONS: dict[str, object] = {"signed": _signed, "sdiv": _signed_divide, "srem": _signed_remainder}

# a, b: operands; w, m, h: their width, all ones, and sign bit; r: all ones of the result.
# To compare as signed, flip both sign bits and compare as unsigned.
TEMPLATES: dict[Op, str] = {
    Op.ADD: "{a} + {b} & {m}",
    Op.SUB: "{a} - {b} & {m}",
    Op.MUL: "{a} * {b} & {m}",
    Op.UDIV: "{a} // {b} if {b} else {m}",
    Op.SDIV: "sdiv({a}, {b}, {w})",
    Op.UREM: "{a} % {b} if {b} else {a}",
    Op.SREM: "srem({a}, {b}, {w})",
    Op.SHL: "{a} << {b} & {m} if {b} < {w} else 0",
    Op.LSHR: "{a} >> {b} if {b} < {w} else 0",
    Op.ASHR: "signed({a}, {w}) >> min({b}, {w}) & {m}",
    Op.AND: "{a} & {b}",
    Op.OR: "{a} | {b}",
    Op.XOR: "{a} ^ {b}",
    Op.EQ: "{a} == {b}",
    Op.ULT: "{a} < {b}",
    Op.ULE: "{a} <= {b}",
    Op.SLT: "{a} ^ {h} < {b} ^ {h}",
    Op.SLE: "{a} ^ {h} <= {b} ^ {h}",
    Op.ZEXT: "{a}",
    Op.SEXT: "signed({a}, {w}) & {r}",
    Op.CTPOP: "{a}.bit_count()",
    Op.CTLZ: "{w} - {a}.bit_length()",
    Op.CTTZ: "({a} & -{a}).bit_length() - 1 if {a} else {w}",
}
