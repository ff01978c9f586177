"""The solvers by name. Each is imported only when asked for: z3 need not be installed."""

from __future__ import annotations

from untaken.errors import UsageError
from untaken.model.effort import Effort
from untaken.solve.graph import Graph
from untaken.solve.limits import QueryLimits
from untaken.solve.solver import Solver
from untaken.solve.values.truth import TruthTables

BACKENDS = ("bitwuzla", "z3")


def make_backend(
    name: str,
    graph: Graph,
    tables: TruthTables,
    limits: QueryLimits,
    *,
    heavy: bool = False,
    effort: Effort | None = None,
) -> Solver:
    """A solver in this process; a heavy one takes its time to preprocess. It counts its steps as `effort`."""
    effort = Effort() if effort is None else effort
    try:
        if name == "bitwuzla":
            from untaken.solve.backends.bitwuzla import BitwuzlaSolver

            return BitwuzlaSolver(graph, tables, limits, effort, preprocess=heavy)
        if name == "z3":
            from untaken.solve.backends.z3 import Z3Solver

            return Z3Solver(graph, tables, limits, effort)
    except ImportError as missing:
        raise UsageError(f"the solver {name} is not installed ({missing}): pip install 'untaken[{name}]'") from missing
    raise UsageError(f"there is no solver {name!r}: choose one of {', '.join(BACKENDS)}")
