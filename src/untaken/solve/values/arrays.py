"""The operators on bit-vectors for many operands at once: their meanings (model/operators.py) read as numpy's.

An expression about integers becomes one about arrays of 64-bit words: "x if c else y" chooses for each place, constants
are words, a comparison gives words of 0 and 1. numpy computes both sides of a choice, so divisors of zero are kept off;
a shift of a word by 64 or more leaves zero, as it does in Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache

import numpy as np

from untaken.model.expression import Op
from untaken.model.floats import Words
from untaken.model.operators import OPERATORS, PARTS, constants

ArrayFunction = Callable[..., Words]


@cache
def on_arrays(op: Op, width: int, result: int, detail: int = 0) -> ArrayFunction:
    """The operator on words, for a first operand and a result of these widths."""
    words = {letter: np.uint64(value) for letter, value in constants(width, result, detail).items()}
    operands = [name for name in "abc" if name in _names(OPERATORS[op].meaning)]
    return _made(", ".join(operands), OPERATORS[op].meaning, {**FUNCTIONS, **words})


def _names(meaning: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(meaning)) if isinstance(node, ast.Name)}


def _made(parameters: str, meaning: str, known: dict[str, object]) -> ArrayFunction:
    tree = ast.parse(f"lambda {parameters}: {meaning}", mode="eval")
    assert isinstance(tree.body, ast.Lambda)
    tree.body.body = _ForArrays().visit(tree.body.body)
    function: ArrayFunction = eval(compile(ast.fix_missing_locations(tree), "<operator>", "eval"), known)
    return function


class _ForArrays(ast.NodeTransformer):
    """From an expression about integers to one about arrays of words."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        if isinstance(node.test, ast.Compare):
            self.generic_visit(node.test)  # a truth value is what a choice wants
        else:
            node.test = self.visit(node.test)
        return _call("choose", node.test, self.visit(node.body), self.visit(node.orelse))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.FloorDiv | ast.Mod):
            node.right = _call("nonzero", node.right)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        return _call("words", node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Name(f"word{node.value!r}", ast.Load())


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [*arguments], [])


def _ones(a: Words) -> Words:
    """The number of set bits: sums of neighbouring fields of 1, 2, 4, ... bits."""
    for size in (1, 2, 4, 8, 16, 32):
        fields = np.uint64((1 << 64) // ((1 << size) + 1))  # every other field of this size: 0x5555..., 0x3333...
        a = (a & fields) + ((a >> np.uint64(size)) & fields)
    return a


def _length(a: Words) -> Words:
    """How many bits up to the highest that is set."""
    for shift in (1, 2, 4, 8, 16, 32):
        a = a | (a >> np.uint64(shift))
    return _ones(a)


def _functions() -> dict[str, object]:
    primitives = {
        "word0": np.uint64(0),
        "word1": np.uint64(1),
        "words": lambda truth: truth.astype(np.uint64),
        "choose": np.where,
        "nonzero": lambda a: np.maximum(a, np.uint64(1)),
        "ones": _ones,
        "length": _length,
    }
    return primitives | {name: _made(parameters, body, primitives) for name, (parameters, body) in PARTS.items()}


FUNCTIONS = _functions()
