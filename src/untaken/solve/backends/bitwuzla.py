"""The default solver. The only module that imports bitwuzla.

Light queries share one incremental instance, which reuses what was bit-blasted for the queries before; it is
replaced once it has grown, since every search pays for all that an instance holds. Heavy queries get an instance
of their own with preprocessing.
"""

from __future__ import annotations

import time

from bitwuzla import Bitwuzla, Kind, Option, Options, Result, RoundingMode, Term, TermManager

from untaken.interrupts import undisturbed
from untaken.model.effort import Effort
from untaken.model.expression import Op, Rounding
from untaken.model.operators import ARITHMETIC, COMPARISONS, FLOAT_ARITHMETIC, OPERATORS
from untaken.solve.answers import Answer, Sat, Unknown, Unsat
from untaken.solve.backends.terms import Translator
from untaken.solve.graph import Graph, nodes_of
from untaken.solve.limits import CALLS_IN_A_STEP, QueryLimits
from untaken.solve.query import Query
from untaken.solve.values.truth import TruthTables

# In units of Graph.size, shared parts counted each time. At 4,000 the queries of cfg on GNU sed took ten times as long,
# those of small programs up to twice. At 4,000,000, 20,000 iterations on `words` took 23 MiB more, and 2 of 9 seconds.
GROWN = 400_000

# Kinds have SMT-LIB's names, but for two.
UNLIKE_SMT_LIB = {"=": "EQUAL", "bvlshr": "BV_SHR"}
KINDS = {
    op: Kind[UNLIKE_SMT_LIB.get(OPERATORS[op].smt, f"BV_{OPERATORS[op].smt[2:].upper()}")]
    for op in ARITHMETIC | COMPARISONS
}
LOGICAL = {Op.AND: Kind.AND, Op.OR: Kind.OR, Op.XOR: Kind.XOR}
# For floats each solver has names of its own. What they mean is said in model/floats.py; tests/solve/test_floats.py
# holds the solvers against it.
FLOAT_BINARY = {
    Op.FADD: Kind.FP_ADD,
    Op.FSUB: Kind.FP_SUB,
    Op.FMUL: Kind.FP_MUL,
    Op.FDIV: Kind.FP_DIV,
    Op.FEQ: Kind.FP_EQUAL,
    Op.FLT: Kind.FP_LT,
    Op.FLE: Kind.FP_LEQ,
}
FLOAT_UNARY = {
    Op.FSQRT: Kind.FP_SQRT,
    Op.FROUND: Kind.FP_RTI,
    Op.FCONVERT: Kind.FP_TO_FP_FROM_FP,
    Op.FROM_SIGNED: Kind.FP_TO_FP_FROM_SBV,
    Op.FROM_UNSIGNED: Kind.FP_TO_FP_FROM_UBV,
    Op.TO_SIGNED: Kind.FP_TO_SBV,
}
FLOAT_SIGN = {Op.XOR: Kind.FP_NEG, Op.AND: Kind.FP_ABS}
ROUNDINGS = {
    Rounding.TO_EVEN: RoundingMode.RNE,
    Rounding.AWAY: RoundingMode.RNA,
    Rounding.UP: RoundingMode.RTP,
    Rounding.DOWN: RoundingMode.RTN,
    Rounding.TO_ZERO: RoundingMode.RTZ,
}
FORMATS = {32: [8, 24], 64: [11, 53], 80: [15, 64]}  # bits of exponent and significand
WIDEST = 128
EXTEND = {Op.ZEXT: Kind.BV_ZERO_EXTEND, Op.SEXT: Kind.BV_SIGN_EXTEND}


class BitwuzlaSolver:
    """One query after the other, within limits."""

    def __init__(
        self, graph: Graph, tables: TruthTables, limits: QueryLimits, effort: Effort, *, preprocess: bool = False
    ) -> None:
        self._graph = graph
        self._limits = limits
        self._preprocess = preprocess
        self._factory = BitwuzlaTerms()
        self._translator: Translator[Term] = Translator(graph, tables, self._factory)
        self._terminator = Terminator(limits, effort)
        self._options = Options()
        self._options.set(Option.PRODUCE_MODELS, True)
        self._options.set(Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
        self._options.set(Option.PREPROCESS, preprocess)
        self._instance = self._fresh()

    def solve(self, query: Query) -> Answer:
        self._make_room(query)
        terms = {self._translator.assertion(code): code for code in query.assertions}
        with undisturbed() as asked:
            self._terminator.start(asked)
            result = self._instance.check_sat(*terms, *self._definitions(query))
        self._terminator.end()
        if result == Result.SAT:
            return Sat(self._model(query))
        if result == Result.UNSAT:
            return Unsat(frozenset(terms[term] for term in self._instance.get_unsat_assumptions() if term in terms))
        return Unknown(self._terminator.reason, self._limits.more_than(self._terminator.allowed))

    def close(self) -> None:
        """Frees all terms, while the manager that they belong to is there.

        Left to the garbage collector, which takes cycles apart in any order, the interpreter may crash as it ends.
        """
        vars(self).clear()

    def _fresh(self) -> Bitwuzla:
        self._inside: set[int] = set()
        self._grown = 0
        instance = Bitwuzla(self._factory.manager, self._options)
        instance.configure_terminator(self._terminator)
        return instance

    def _make_room(self, query: Query) -> None:
        if self._grown > GROWN or self._preprocess:
            self._instance = self._fresh()
        for code in query.assertions:
            if code not in self._inside:
                self._inside.add(code)
                self._grown += self._graph.size_alone(code)

    def _definitions(self, query: Query) -> list[Term]:
        """Of the bits of numbers that the query has inside."""
        known = self._factory.definitions
        inside = self._graph.below(nodes_of(query.assertions)) if known else ()
        return [known[index] for index in inside if index in known]

    def _model(self, query: Query) -> dict[int, int]:
        value, variable = self._instance.get_value, self._factory.variable
        return {index: int(value(variable(index)).value(10)) for index in self._graph.inputs_of(query.assertions)}


class Terminator:
    """Called by bitwuzla while it searches; counts the calls, so that giving up does not depend on the clock."""

    def __init__(self, limits: QueryLimits, effort: Effort) -> None:
        self._limits = limits
        self._effort = effort
        self.allowed = 0
        self.reason = ""

    def start(self, asked_to_end: list[int]) -> None:
        self.allowed = self._steps = self._limits.allowed(self._effort)
        self._deadline = time.monotonic() + self._limits.seconds
        self._asked_to_end = asked_to_end
        self.reason = "the solver gave up"

    def end(self) -> None:
        """Counts the steps that were taken."""
        self._effort.spend((self.allowed - self._steps) // CALLS_IN_A_STEP)

    def __call__(self) -> bool:
        """An exception would be lost inside bitwuzla, so Ctrl-C is looked for, and raised outside."""
        self._steps -= 1
        if self._asked_to_end:
            self.reason = "interrupted"
        elif self._steps < 0:
            self.reason = f"more than {self.allowed} steps"
        elif time.monotonic() > self._deadline:
            self.reason = f"more than {self._limits.seconds:g} s"
        else:
            return False
        return True


class BitwuzlaTerms:
    """The constructors, with constants and variables made once."""

    def __init__(self) -> None:
        self.manager = TermManager()
        self._sorts = [None, *(self.manager.mk_bv_sort(width) for width in range(1, WIDEST + 1))]
        self._variables: dict[int, Term] = {}
        self._constants: dict[tuple[int, int], Term] = {}
        self.definitions: dict[int, Term] = {}  # by node
        self._roundings = [self.manager.mk_rm_value(ROUNDINGS[rounding]) for rounding in Rounding]

    def variable(self, index: int) -> Term:
        found = self._variables.get(index)
        if found is None:
            found = self._variables[index] = self.manager.mk_const(self._sorts[8], f"input{index}")
        return found

    def unknown(self, node: int, width: int) -> Term:
        return self.manager.mk_const(self._sorts[width], f"result{node}")

    def constant(self, width: int, value: int) -> Term:
        found = self._constants.get((width, value))
        if found is None:
            found = self._constants[width, value] = self.manager.mk_bv_value(self._sorts[width], value)
        return found

    def boolean(self, value: bool) -> Term:
        return self.manager.mk_true() if value else self.manager.mk_false()

    def binary(self, op: Op, a: Term, b: Term) -> Term:
        return self.manager.mk_term(KINDS[op], [a, b])

    def compare(self, op: Op, a: Term, b: Term) -> Term:
        return self.manager.mk_term(KINDS[op], [a, b])

    def logical(self, op: Op, a: Term, b: Term) -> Term:
        return self.manager.mk_term(LOGICAL[op], [a, b])

    def negation(self, a: Term) -> Term:
        return self.manager.mk_term(Kind.NOT, [a])

    def concat(self, high: Term, low: Term) -> Term:
        return self.manager.mk_term(Kind.BV_CONCAT, [high, low])

    def extract(self, a: Term, low: int, width: int) -> Term:
        return self.manager.mk_term(Kind.BV_EXTRACT, [a], [low + width - 1, low])

    def extend(self, op: Op, a: Term, by: int) -> Term:
        return self.manager.mk_term(EXTEND[op], [a], [by])

    def ite(self, condition: Term, then: Term, other: Term) -> Term:
        return self.manager.mk_term(Kind.ITE, [condition, then, other])

    def overflows(self, a: Term, b: Term, *, signed: bool) -> Term:
        return self.manager.mk_term(Kind.BV_SMUL_OVERFLOW if signed else Kind.BV_UMUL_OVERFLOW, [a, b])

    def number(self, width: int, bits: Term) -> Term:
        return self.manager.mk_term(Kind.FP_TO_FP_FROM_BV, [bits], FORMATS[width])

    def bits(self, node: int, width: int, number: Term) -> Term:
        """There is no such operation, since bits that are no number are many: some bits that are this one."""
        found = self.manager.mk_const(self._sorts[sum(FORMATS[width])], f"bits{node}")
        self.definitions[node] = self.manager.mk_term(Kind.EQUAL, [self.number(width, found), number])
        return found

    def float_sign(self, op: Op, a: Term) -> Term:
        return self.manager.mk_term(FLOAT_SIGN[op], [a])

    def float_binary(self, op: Op, a: Term, b: Term) -> Term:
        rounded = op in FLOAT_ARITHMETIC
        operands = [self._roundings[Rounding.TO_EVEN], a, b] if rounded else [a, b]
        return self.manager.mk_term(FLOAT_BINARY[op], operands)

    def float_unary(self, op: Op, width: int, rounding: int, a: Term) -> Term:
        if op is Op.TO_SIGNED:
            rounding = Rounding.TO_ZERO
        details = [width] if op is Op.TO_SIGNED else [] if op in (Op.FSQRT, Op.FROUND) else FORMATS[width]
        return self.manager.mk_term(FLOAT_UNARY[op], [self._roundings[rounding], a], details)
