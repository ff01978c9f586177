"""The solvers by name. Each is imported only when asked for: z3 need not be installed."""

from __future__ import annotations

from dataclasses import replace

from untaken.errors import UsageError
from untaken.solve.graph import Graph
from untaken.solve.limits import Limits
from untaken.solve.patient import PatientSolver
from untaken.solve.solver import Solver
from untaken.solve.truth import TruthTables

BACKENDS = ("bitwuzla", "z3")
QUICK_SHARE = 10  # of the steps of a heavy query: what the first of two solvers may take


def make_backend(name: str, graph: Graph, tables: TruthTables, limits: Limits, *, heavy: bool = False) -> Solver:
    """A solver in this process; a heavy one takes its time to preprocess what it cannot answer at once."""
    try:
        if name == "bitwuzla":
            from untaken.solve.bitwuzla import BitwuzlaSolver

            quick = replace(limits, steps=limits.steps // QUICK_SHARE) if heavy else limits
            solver = BitwuzlaSolver(graph, tables, quick)
            return PatientSolver(solver, BitwuzlaSolver(graph, tables, limits, preprocess=True)) if heavy else solver
        if name == "z3":
            from untaken.solve.z3 import Z3Solver

            return Z3Solver(graph, tables, limits)
    except ImportError as missing:
        raise UsageError(f"the solver {name} is not installed ({missing}): pip install 'untaken[{name}]'") from missing
    raise UsageError(f"there is no solver {name!r}: choose one of {', '.join(BACKENDS)}")
