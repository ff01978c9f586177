"""untaken writes the tests for the branches that yours have not taken.

What Python programs may use is named here, and described in docs/reference/api.md. It is loaded when it is first asked
for: the compiler, which is started for each file of a project, imports this package, too.
"""

TYPE_CHECKING = False  # as in `typing`, which would take longer to load than all the rest
if TYPE_CHECKING:
    from untaken.api.explore import explore as explore
    from untaken.api.program import Program as Program
    from untaken.api.result import Result as Result
    from untaken.api.result import load as load
    from untaken.api.strategy import add_strategy as add_strategy
    from untaken.errors import UntakenError as UntakenError

__version__ = "0.1.0"
__all__ = ["Program", "Result", "UntakenError", "__version__", "add_strategy", "explore", "load"]

_HOMES = {
    "Program": "untaken.api.program",
    "Result": "untaken.api.result",
    "UntakenError": "untaken.errors",
    "add_strategy": "untaken.api.strategy",
    "explore": "untaken.api.explore",
    "load": "untaken.api.result",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found  # asked for once
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
