"""What the operators mean against two judges that share no code with it: LLVM itself, run through its JIT, and z3."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest
import z3
from numpy.typing import NDArray

from tests.execute.evaluate import evaluate
from untaken.execute.structure import malformed
from untaken.model import floats
from untaken.model.expression import NODE_DTYPE, UNARY_FLOAT, WIDE, Op, ReadTable
from untaken.model.operators import OPERATORS

WIDTHS = (1, 7, 8, 16, 31, 32, 63, 64)
DIVISIONS = (Op.UDIV, Op.SDIV, Op.UREM, Op.SREM)
SHIFTS = (Op.SHL, Op.LSHR, Op.ASHR)
COMPARISONS = (Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE)
PLAIN = tuple(op for op in Op if Op.ADD <= op <= Op.SLE)
COUNTS = (Op.CTPOP, Op.CTLZ, Op.CTTZ)
CASTS = (Op.ZEXT, Op.SEXT)

Z3: dict[Op, Callable[[Any, Any], Any]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.UDIV: z3.UDiv,
    Op.SDIV: lambda a, b: a / b,
    Op.UREM: z3.URem,
    Op.SREM: z3.SRem,
    Op.SHL: lambda a, b: a << b,
    Op.LSHR: z3.LShR,
    Op.ASHR: lambda a, b: a >> b,
    Op.AND: lambda a, b: a & b,
    Op.OR: lambda a, b: a | b,
    Op.XOR: lambda a, b: a ^ b,
    Op.EQ: lambda a, b: a == b,
    Op.ULT: z3.ULT,
    Op.ULE: z3.ULE,
    Op.SLT: lambda a, b: a < b,
    Op.SLE: lambda a, b: a <= b,
}


def edges(width: int) -> list[int]:
    """Around 0, the sign bit, the width and the largest value, and bits of no pattern."""
    half, most = 1 << (width - 1), (1 << width) - 1
    near = {0, 1, 2, 3, half - 1, half, half + 1, most - 1, most, width - 1, width, width + 1}
    return sorted({value & most for value in near | {0x123456789ABCDEF5, 0xA5}})


def table_of(*nodes: tuple[Op, int, int, int, int]) -> NDArray[np.void]:
    """A node table; ids count from 1."""
    rows = [(0, 0, 0, 0, 0, 0, 0), *((op, width, 0, a, b, c, 0) for op, width, a, b, c in nodes)]
    return np.array(rows, NODE_DTYPE)


def constant(width: int, value: int) -> tuple[Op, int, int, int, int]:
    return Op.CONST, width, 0, value & 0xFFFFFFFF, value >> 32


def no_table(offset: int) -> ReadTable:
    raise AssertionError("no table is named")


def apply(op: Op, width: int, result_width: int, operands: Sequence[tuple[int, ...]], b: int = 0) -> list[int]:
    """One operator on constants of one width, for each of many operands, in one table."""
    nodes: list[tuple[Op, int, int, int, int]] = []
    results: list[int] = []
    for values in operands:
        first = len(nodes) + 1
        nodes += [constant(width, value) for value in values]
        nodes.append((op, result_width, first, first + 1 if len(values) > 1 else b, 0))
        results.append(len(nodes))
    columns = table_of(*nodes)
    assert not malformed(columns)
    found: list[int] = evaluate(columns, no_table, b"")[results].tolist()
    return found


def width_of_result(op: Op, width: int) -> int:
    return 1 if op in COMPARISONS else width


def defined(op: Op, width: int, a: int, b: int) -> bool:
    """Whether LLVM says what comes out."""
    if op in SHIFTS:
        return b < width
    if op in (Op.SDIV, Op.SREM) and a == 1 << (width - 1) and b == (1 << width) - 1:
        return False
    return b != 0 or op not in DIVISIONS


# ---- LLVM -------------------------------------------------------------------------------------------------------


def binary_function(op: Op, width: int) -> str:
    if op in COMPARISONS:
        body = f"%r = icmp {op.name.lower()} i{width} %x, %y"
    else:
        body = f"%r = {op.name.lower()} i{width} %x, %y"
    return function(f"{op.name}_{width}", width, body, width_of_result(op, width))


def unary_function(op: Op, width: int) -> str:
    flag = "" if op is Op.CTPOP else ", i1 false"
    name = f"llvm.{op.name.lower()}.i{width}"
    return function(f"{op.name}_{width}", width, f"%r = call i{width} @{name}(i{width} %x{flag})", width)


def cast_function(op: Op, width: int, to: int) -> str:
    body = f"%r = {op.name.lower()} i{width} %x to i{to}"
    return function(f"{op.name}_{width}_{to}", width, body, to)


def function(name: str, width: int, body: str, result_width: int) -> str:
    narrow = "\n".join(resized(f"%{to}", f"%{source}", 64, width) for to, source in (("x", "a"), ("y", "b")))
    widen = resized("%w", "%r", result_width, 64)
    return f"define i64 @{name}(i64 %a, i64 %b) {{\n{narrow}\n{body}\n{widen}\nret i64 %w\n}}\n"


def resized(to: str, source: str, width: int, wanted: int) -> str:
    if width == wanted:
        return f"{to} = or i{width} {source}, 0"
    return f"{to} = {'trunc' if wanted < width else 'zext'} i{width} {source} to i{wanted}"


@pytest.fixture(scope="module")
def compiled() -> Iterator[Callable[[str], Callable[[int, int], int]]]:
    """Functions of two 64-bit values, compiled by LLVM, by name."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    text = "".join(binary_function(op, width) for op in PLAIN for width in WIDTHS)
    text += "".join(unary_function(op, width) for op in COUNTS for width in WIDTHS)
    text += "".join(cast_function(op, a, b) for op in CASTS for a, b in itertools.combinations(WIDTHS, 2))
    for width in WIDTHS:
        text += f"declare i{width} @llvm.ctpop.i{width}(i{width})\n"
        text += (
            f"declare i{width} @llvm.ctlz.i{width}(i{width}, i1)\ndeclare i{width} @llvm.cttz.i{width}(i{width}, i1)\n"
        )
    module = llvm.parse_assembly(text)
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    signature = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)
    yield lambda name: signature(engine.get_function_address(name))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("op", PLAIN, ids=lambda op: op.name)
def test_binary_operators_agree_with_llvm(op: Op, width: int, compiled: Any) -> None:
    judge = compiled(f"{op.name}_{width}")
    pairs = [(a, b) for a, b in itertools.product(edges(width), repeat=2) if defined(op, width, a, b)]
    assert pairs
    found = apply(op, width, width_of_result(op, width), pairs)
    assert dict(zip(pairs, found, strict=True)) == {pair: judge(*pair) for pair in pairs}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("op", COUNTS, ids=lambda op: op.name)
def test_bit_counts_agree_with_llvm(op: Op, width: int, compiled: Any) -> None:
    judge = compiled(f"{op.name}_{width}")
    assert apply(op, width, width, [(a,) for a in edges(width)]) == [judge(a, 0) for a in edges(width)]


@pytest.mark.parametrize("op", CASTS, ids=lambda op: op.name)
@pytest.mark.parametrize(("width", "to"), list(itertools.combinations(WIDTHS, 2)))
def test_extensions_agree_with_llvm(op: Op, width: int, to: int, compiled: Any) -> None:
    judge = compiled(f"{op.name}_{width}_{to}")
    assert apply(op, width, to, [(a,) for a in edges(width)]) == [judge(a, 0) for a in edges(width)]


# ---- z3 ---------------------------------------------------------------------------------------------------------


def by_z3(op: Op, width: int, a: int, b: int) -> int:
    result = z3.simplify(Z3[op](z3.BitVecVal(a, width), z3.BitVecVal(b, width)))
    return int(z3.is_true(result)) if z3.is_bool(result) else int(result.as_long())


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("op", PLAIN, ids=lambda op: op.name)
def test_binary_operators_agree_with_z3_everywhere(op: Op, width: int) -> None:
    """Also where LLVM leaves the result open: a model that a solver finds must mean the same here."""
    pairs = list(itertools.product(edges(width), repeat=2))
    found = apply(op, width, width_of_result(op, width), pairs)
    assert dict(zip(pairs, found, strict=True)) == {pair: by_z3(op, width, *pair) for pair in pairs}


@pytest.mark.parametrize(("high", "low"), [(1, 1), (1, 63), (63, 1), (7, 31), (8, 8), (32, 32)])
def test_concatenation_agrees_with_z3(high: int, low: int) -> None:
    for a, b in itertools.product(edges(high), edges(low)):
        columns = table_of(constant(high, a), constant(low, b), (Op.CONCAT, high + low, 1, 2, 0))
        expected = z3.simplify(z3.Concat(z3.BitVecVal(a, high), z3.BitVecVal(b, low))).as_long()
        assert int(evaluate(columns, no_table, b"")[3]) == expected


@pytest.mark.parametrize("width", WIDTHS)
def test_extracts_agree_with_z3(width: int) -> None:
    values = [z3.BitVecVal(a, width) for a in edges(width)]
    for low, taken in itertools.product((0, 1, 6, 30, 62, 63), WIDTHS):
        if low + taken <= width:
            expected = [z3.simplify(z3.Extract(low + taken - 1, low, value)).as_long() for value in values]
            assert apply(Op.EXTRACT, width, taken, [(a,) for a in edges(width)], b=low) == expected


# ---- the rest ---------------------------------------------------------------------------------------------------


def test_inputs_past_the_end_are_zero() -> None:
    columns = table_of((Op.INPUT, 8, 0, 0, 0), (Op.INPUT, 8, 1, 0, 0), (Op.INPUT, 8, 2, 0, 0))
    assert evaluate(columns, no_table, b"\xff\x01").tolist() == [0, 255, 1, 0]


def test_constants_of_64_bits() -> None:
    assert evaluate(table_of(constant(64, (1 << 64) - 2)), no_table, b"").tolist() == [0, (1 << 64) - 2]


@pytest.mark.parametrize(("condition", "chosen"), [(1, 7), (0, 9)])
def test_choice(condition: int, chosen: int) -> None:
    columns = table_of(constant(1, condition), constant(8, 7), constant(8, 9), (Op.ITE, 8, 1, 2, 3))
    assert int(evaluate(columns, no_table, b"")[4]) == chosen


@pytest.mark.parametrize(("index", "value"), [(0, 10), (1, 0x55), (2, 30), (3, 0), ((1 << 64) - 1, 0)])
def test_reads_from_tables(index: int, value: int) -> None:
    """Entry 1 is the symbolic input byte; past the end there is nothing."""
    table = ReadTable(8, (10, 20, 30), (0, 1, 0))
    columns = table_of((Op.INPUT, 8, 0, 0, 0), constant(64, index), (Op.READ, 8, 2, 40, 0))
    assert int(evaluate(columns, {40: table}.__getitem__, b"\x55")[3]) == value


def test_every_operator_has_a_meaning() -> None:
    """An operator that is added to the model alone fails here."""
    others = {Op.INPUT, Op.CONST, Op.READ, *UNARY_FLOAT, *map(Op, floats.BINARY)}
    others |= {Op.FUNCTION, Op.FUNCTION2}  # of libm: tests/campaign/programs/test_mathematics.py
    assert set(Op) == others | set(OPERATORS)


# ---- structure --------------------------------------------------------------------------------------------------

WELL = [constant(8, 1), constant(16, 2), constant(1, 1)]


@pytest.mark.parametrize(
    "node",
    [
        (Op.ADD, 8, 1, 2, 0),
        (Op.ADD, 16, 1, 1, 0),
        (Op.ULT, 8, 1, 1, 0),
        (Op.EQ, 1, 1, 2, 0),
        (Op.CONCAT, 16, 1, 2, 0),
        (Op.EXTRACT, 8, 1, 1, 0),
        (Op.ZEXT, 8, 2, 0, 0),
        (Op.SEXT, 8, 1, 0, 0),
        (Op.ITE, 8, 1, 1, 1),
        (Op.ITE, 8, 3, 1, 2),
        (Op.READ, 8, 2, 0, 0),
        (Op.CTPOP, 8, 2, 0, 0),
        (Op.INPUT, 16, 0, 0, 0),
        (Op.CONST, 8, 0, 256, 0),
        (Op.CONST, 32, 0, 0, 1),
        (Op.ADD, 8, 0, 1, 0),
        (Op.ADD, 8, 1, 4, 0),
        (Op.ADD, 0, 1, 1, 0),
        (Op.ADD, 129, 1, 1, 0),
        (Op.ZEXT, 65, 1, 0, 0),
        (Op.ZEXT | WIDE, 32, 1, 0, 0),
        (Op.FADD, 8, 1, 1, 0),
        (Op.FLT, 1, 1, 1, 0),
        (Op.TO_SIGNED, 32, 1, 0, 0),
        (Op.FROM_SIGNED, 8, 1, 0, 0),
        (50, 8, 1, 1, 0),
    ],
    ids=str,
)
def test_malformed_nodes_are_found(node: tuple[Op, int, int, int, int]) -> None:
    assert malformed(table_of(*WELL)) == []
    assert [index for index, _ in malformed(table_of(*WELL, node))] == [4]
