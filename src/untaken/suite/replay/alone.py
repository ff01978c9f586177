"""One run in a fresh process of its own, without a fork server: of the plain program, or of the instrumented one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp

from untaken.execute.memory import RunLimits
from untaken.execute.sandbox import Sandbox, program_environment
from untaken.execute.target import SANITIZER_SETTINGS
from untaken.model.path import ExitKind
from untaken.suite.replay.confined import ConfinedRun, Ended, run_confined
from untaken.suite.replay.layout import ENDS_VARIABLE, VARIABLE, ReplayLayout, lay_out
from untaken.suite.tests import SavedTest, Suite

# As in the campaign, but with the lines that a person wants to see.
NATIVE_SANITIZER_SETTINGS = {
    name: text.replace("symbolize=0", "symbolize=1").replace("print_stacktrace=0", "print_stacktrace=1")
    for name, text in SANITIZER_SETTINGS.items()
}


@dataclass(frozen=True, slots=True)
class Means:
    """What the run may use. `deadline` is a moment of the monotonic clock, when even its own time does not count."""

    sandbox: Sandbox
    seconds: float
    limits: RunLimits = RunLimits()
    deadline: float | None = None
    explain: bool = False  # why it crashes, if it does
    variables: Mapping[str, str] = field(default_factory=dict)  # of the environment, besides


def run_alone(suite: Suite, test: SavedTest, program: Path, folder: Path, means: Means) -> Ended:
    """Gives the test's inputs to the program, in an own folder below `folder`."""
    layout = lay_out(suite, test, Path(mkdtemp(dir=folder)))
    job = ConfinedRun(
        program=program,
        argv=layout.argv,
        directory=layout.directory,
        stdin=layout.stdin,
        environment={**native_environment(program_environment(means.sandbox), layout, test), **means.variables},
        seconds=means.seconds,
        limits=means.limits,
        writable=(layout.directory,) if layout.files else (),  # it is ours, and goes with the run
        reads=() if layout.input is None else (layout.input,),
        deadline=means.deadline,
        explain=means.explain,
    )
    return run_confined(job, means.sandbox)


def native_environment(base: Mapping[str, str], layout: ReplayLayout, test: SavedTest) -> dict[str, str]:
    """What runs see of the user's own, with the input where the program asks for one."""
    ours = (VARIABLE, ENDS_VARIABLE)
    result = {name: value for name, value in base.items() if name not in ours} | NATIVE_SANITIZER_SETTINGS
    if test.exit.kind is ExitKind.INPUTS:
        result[ENDS_VARIABLE] = "1"
    return result if layout.input is None else {**result, VARIABLE: str(layout.input)}
