"""The second solver, for comparison and cross-checking. The only module that imports z3, which is optional."""

from __future__ import annotations

import z3

from untaken.model.effort import Effort
from untaken.model.expression import Op, Rounding
from untaken.model.operators import ARITHMETIC, COMPARISONS, OPERATORS
from untaken.solve.answers import Answer, Sat, Unknown, Unsat
from untaken.solve.backends.terms import Translator
from untaken.solve.graph import Graph
from untaken.solve.limits import CALLS_IN_A_STEP, QueryLimits
from untaken.solve.query import Query
from untaken.solve.values.truth import TruthTables

UNITS_A_STEP = 1_000  # z3 counts finer than bitwuzla asks: some five million of its units a second

# z3's constructors have SMT-LIB's names.
CONSTRUCTORS = {op: getattr(z3, f"Z3_mk_{OPERATORS[op].smt.replace('=', 'eq')}") for op in ARITHMETIC | COMPARISONS}
# For floats it has names of its own, too: see bitwuzla.py.
FLOAT_OPERATIONS = {Op.FADD: z3.fpAdd, Op.FSUB: z3.fpSub, Op.FMUL: z3.fpMul, Op.FDIV: z3.fpDiv}
FLOAT_COMPARE = {Op.FEQ: z3.fpEQ, Op.FLT: z3.fpLT, Op.FLE: z3.fpLEQ}
FLOAT_TO_WHOLE = {Op.FSQRT: z3.fpSqrt, Op.FROUND: z3.fpRoundToIntegral}
FLOAT_CASTS = {Op.FCONVERT: z3.fpFPToFP, Op.FROM_SIGNED: z3.fpSignedToFP, Op.FROM_UNSIGNED: z3.fpUnsignedToFP}
ROUNDINGS = {
    Rounding.TO_EVEN: z3.RNE,
    Rounding.AWAY: z3.RNA,
    Rounding.UP: z3.RTP,
    Rounding.DOWN: z3.RTN,
    Rounding.TO_ZERO: z3.RTZ,
}
FORMATS = {32: (8, 24), 64: (11, 53), 80: (15, 64)}  # bits of exponent and significand
EXTEND = {Op.ZEXT: z3.ZeroExt, Op.SEXT: z3.SignExt}


class Z3Solver:
    """One query after the other, each with a solver of its own, within limits."""

    def __init__(self, graph: Graph, tables: TruthTables, limits: QueryLimits, effort: Effort) -> None:
        self._graph = graph
        self._limits = limits
        self._effort = effort
        self._counted = 0  # of z3's own units, in this context
        self._factory = Z3Terms()
        self._translator: Translator[z3.ExprRef] = Translator(graph, tables, self._factory)

    def solve(self, query: Query) -> Answer:
        assertions = [self._translator.assertion(code) for code in query.assertions]
        solver = z3.SolverFor("QF_BVFP" if self._factory.has_numbers else "QF_BV", ctx=self._factory.context)
        allowed = self._limits.allowed(self._effort)
        solver.set("rlimit", max(1, allowed * UNITS_A_STEP))  # 0 would be no limit
        solver.set("timeout", round(self._limits.seconds * 1000))
        solver.add(*assertions)
        result = solver.check()
        self._count_steps(solver)
        if result == z3.sat:
            return Sat(self._model(solver.model(), query))
        return Unsat() if result == z3.unsat else Unknown(solver.reason_unknown(), self._limits.more_than(allowed))

    def _count_steps(self, solver: z3.Solver) -> None:
        statistics = solver.statistics()
        known = {statistics[i][0]: statistics[i][1] for i in range(len(statistics))}
        counted = int(known.get("rlimit count", self._counted))
        self._effort.spend((counted - self._counted) // (UNITS_A_STEP * CALLS_IN_A_STEP))
        self._counted = counted

    def close(self) -> None:
        """There is nothing to free: z3 counts references itself."""

    def _model(self, model: z3.ModelRef, query: Query) -> dict[int, int]:
        bytes_of_query = self._graph.inputs_of(query.assertions)
        terms = {index: model.eval(self._factory.variable(index), model_completion=True) for index in bytes_of_query}
        return {index: term.as_long() for index, term in terms.items()}


class Z3Terms:
    """The constructors, in a context of their own."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self._variables: dict[int, z3.BitVecRef] = {}
        self.has_numbers = False  # whether floats or doubles were asked for

    def variable(self, index: int) -> z3.BitVecRef:
        found = self._variables.get(index)
        if found is None:
            found = self._variables[index] = z3.BitVec(f"input{index}", 8, ctx=self.context)
        return found

    def unknown(self, node: int, width: int) -> z3.ExprRef:
        return z3.BitVec(f"result{node}", width, ctx=self.context)

    def constant(self, width: int, value: int) -> z3.ExprRef:
        return z3.BitVecVal(value, width, ctx=self.context)

    def boolean(self, value: bool) -> z3.ExprRef:
        return z3.BoolVal(value, ctx=self.context)

    def binary(self, op: Op, a: z3.ExprRef, b: z3.ExprRef) -> z3.ExprRef:
        return z3.BitVecRef(CONSTRUCTORS[op](self.context.ref(), a.as_ast(), b.as_ast()), self.context)

    def compare(self, op: Op, a: z3.ExprRef, b: z3.ExprRef) -> z3.ExprRef:
        return z3.BoolRef(CONSTRUCTORS[op](self.context.ref(), a.as_ast(), b.as_ast()), self.context)

    def logical(self, op: Op, a: z3.ExprRef, b: z3.ExprRef) -> z3.ExprRef:
        match op:
            case Op.AND:
                return z3.And(a, b)
            case Op.OR:
                return z3.Or(a, b)
            case _:
                return z3.Xor(a, b)

    def negation(self, a: z3.ExprRef) -> z3.ExprRef:
        return z3.Not(a)

    def concat(self, high: z3.ExprRef, low: z3.ExprRef) -> z3.ExprRef:
        return z3.Concat(high, low)

    def extract(self, a: z3.ExprRef, low: int, width: int) -> z3.ExprRef:
        return z3.Extract(low + width - 1, low, a)

    def extend(self, op: Op, a: z3.ExprRef, by: int) -> z3.ExprRef:
        return EXTEND[op](by, a)

    def ite(self, condition: z3.ExprRef, then: z3.ExprRef, other: z3.ExprRef) -> z3.ExprRef:
        return z3.If(condition, then, other)

    def overflows(self, a: z3.ExprRef, b: z3.ExprRef, *, signed: bool) -> z3.ExprRef:
        fits = z3.BVMulNoOverflow(a, b, signed)
        return z3.Not(z3.And(fits, z3.BVMulNoUnderflow(a, b)) if signed else fits)

    def number(self, width: int, bits: z3.ExprRef) -> z3.ExprRef:
        self.has_numbers = True
        return z3.fpBVToFP(bits, self._sort(width), ctx=self.context)

    def _sort(self, width: int) -> z3.FPSortRef:
        return z3.FPSort(*FORMATS[width], self.context)

    def bits(self, node: int, width: int, number: z3.ExprRef) -> z3.ExprRef:
        return z3.fpToIEEEBV(number, ctx=self.context)

    def float_sign(self, op: Op, a: z3.ExprRef) -> z3.ExprRef:
        return z3.fpNeg(a, ctx=self.context) if op is Op.XOR else z3.fpAbs(a, ctx=self.context)

    def float_binary(self, op: Op, a: z3.ExprRef, b: z3.ExprRef) -> z3.ExprRef:
        if op in FLOAT_COMPARE:
            return FLOAT_COMPARE[op](a, b, ctx=self.context)
        return FLOAT_OPERATIONS[op](z3.RNE(self.context), a, b, ctx=self.context)

    def float_unary(self, op: Op, width: int, rounding: int, a: z3.ExprRef) -> z3.ExprRef:
        self.has_numbers = True
        if op in FLOAT_TO_WHOLE:
            return FLOAT_TO_WHOLE[op](ROUNDINGS[Rounding(rounding)](self.context), a, ctx=self.context)
        if op is Op.TO_SIGNED:
            return z3.fpToSBV(z3.RTZ(self.context), a, z3.BitVecSort(width, self.context), ctx=self.context)
        return FLOAT_CASTS[op](z3.RNE(self.context), a, self._sort(width), ctx=self.context)
