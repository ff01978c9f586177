"""The solvers by name. Each is imported only when asked for: z3 need not be installed."""

from __future__ import annotations

from importlib.util import find_spec

from untaken.errors import UsageError
from untaken.model.effort import Effort
from untaken.solve.backends.crosscheck import CrossCheckingSolver
from untaken.solve.graph import Graph
from untaken.solve.limits import QueryLimits
from untaken.solve.solver import Solver
from untaken.solve.values.truth import TruthTables

DEFAULT = "bitwuzla"
CHECK = "check"  # both, and every model is evaluated
BACKENDS = (DEFAULT, "z3", CHECK)


def check_backend(name: str) -> None:
    """Refuses a solver that there is not, or that is not installed."""
    if name not in BACKENDS:
        raise UsageError(f"there is no solver {name!r}: choose one of {', '.join(BACKENDS)}")
    needed = ("bitwuzla", "z3") if name == CHECK else (name,)
    for package in needed:
        if find_spec(package) is None:
            raise UsageError(
                f"--solver {name} needs {package}, which is not installed: pip install 'untaken[{package}]'"
            )


def make_backend(
    name: str,
    graph: Graph,
    tables: TruthTables,
    limits: QueryLimits,
    *,
    heavy: bool = False,
    effort: Effort | None = None,
) -> Solver:
    """A solver in this process; a heavy one takes its time to preprocess. It counts its steps as `effort`.

    Of two that check each other the second counts its own: the first is to answer as it does when it is alone.
    """
    check_backend(name)
    effort = Effort() if effort is None else effort
    if name == CHECK:
        first, second = (
            make_backend(each, graph, tables, limits, heavy=heavy, effort=steps)
            for each, steps in ((DEFAULT, effort), ("z3", Effort()))
        )
        return CrossCheckingSolver(first, second, graph)
    if name == "z3":
        from untaken.solve.backends.z3 import Z3Solver

        return Z3Solver(graph, tables, limits, effort)
    from untaken.solve.backends.bitwuzla import BitwuzlaSolver

    return BitwuzlaSolver(graph, tables, limits, effort, preprocess=heavy)
