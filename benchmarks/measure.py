"""How the figures are measured. Repetitions of what is compared are interleaved, since machines are noisy.

Other work on a machine must not count either. So long runs are counted in processor time, and of short ones, which end
before somebody else has his turn, the fastest counts.
"""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.bare import BareServer
from benchmarks.workloads import Built, compile_with, plain_compiler, untaken_compiler
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.input import Source, SourceKind

RUN_SECONDS = 60.0
RATE_STDIN = 32  # bytes: a small run, of which fork is the largest part
RATE_RUNS = 10  # in one go, before it is the other's turn
COMPILE_REPETITIONS = 5
SHORT_REPETITIONS = 40  # for each one of the others
DRIVEN_PART = 400


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one program. Ratios are ours over plain, rates the other way round."""

    name: str
    concrete_slowdown: float  # started by hand
    recorded_slowdown: float  # under the driver, with all branches recorded
    symbolic_slowdown: float
    nodes: int  # new ones
    ns_a_node: float
    asked: int  # nodes that were asked for, new or not
    ns_asked: float
    runs_a_second: float
    bare_runs_a_second: float
    compile_ratio: float

    @property
    def rate_ratio(self) -> float:
        return self.runs_a_second / self.bare_runs_a_second


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def processor_seconds(action: Callable[[], object]) -> float:
    """Of the processes that it starts and that end meanwhile."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    action()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def interleaved(
    actions: Sequence[Callable[[], object]],
    repetitions: int,
    clock: Callable[[Callable[[], object]], float] = seconds,
    chosen: Callable[[Sequence[float]], float] = median,
) -> list[float]:
    """One of the times of each, the middle one unless told otherwise, measured in turns; one round before that is not
    counted."""
    for action in actions:
        action()
    times = [[clock(action) for action in actions] for _ in range(repetitions)]
    return [chosen(column) for column in zip(*times, strict=True)]


def measure(built: Built, repetitions: int) -> Figures:
    plain_round, concrete, recorded = concrete_figures(built, repetitions)
    nodes, asked, expression_seconds, symbolic_round = symbolic_figures(built, SHORT_REPETITIONS * repetitions)
    ours, bare = rates(built, 1.0)
    return Figures(
        name=built.workload.name,
        concrete_slowdown=concrete,
        recorded_slowdown=recorded,
        symbolic_slowdown=symbolic_round / plain_round,
        nodes=nodes,
        ns_a_node=expression_seconds / nodes * 1e9,
        asked=asked,
        ns_asked=expression_seconds / asked * 1e9,
        runs_a_second=ours,
        bare_runs_a_second=bare,
        compile_ratio=compile_ratio(built, COMPILE_REPETITIONS),
    )


def session(program: Path, rounds: int, size: int) -> Session:
    source = Source(SourceKind.STDIN, size)
    return Session(program, SessionSettings(arguments=(str(rounds),), sources=(source,), timeout=RUN_SECONDS))


def as_input(stdin: bytes) -> bytes:
    return len(stdin).to_bytes(4, "little") + stdin


def by_hand(program: Path, rounds: int, stdin: bytes) -> Callable[[], object]:
    """A run as a user would start it, without a driver."""
    command = [str(program), str(rounds)]
    return lambda: subprocess.run(command, input=stdin, stdout=subprocess.DEVNULL, timeout=RUN_SECONDS, check=True)


def concrete_figures(built: Built, repetitions: int) -> tuple[float, float, float]:
    """Seconds of one round of the plain program; slowdown by hand, and under the driver without expressions.

    Under the driver each branch is recorded, so a run there has fewer rounds: its trace must not be cut off.
    """
    load = built.workload
    short = max(1, load.rounds // DRIVEN_PART)
    with (
        session(built.instrumented, short, len(load.stdin)) as driven,
        session(built.instrumented, 0, len(load.stdin)) as idle,
    ):
        data = as_input(load.stdin)
        assert not driven.run(data, concrete=True).cut_off
        by_driver = [lambda: driven.run(data, concrete=True), lambda: idle.run(data, concrete=True)]
        recorded, recorded_start = interleaved(by_driver, SHORT_REPETITIONS * repetitions, chosen=min)
    started = [
        by_hand(program, rounds, load.stdin)
        for program in (built.plain, built.instrumented)
        for rounds in (load.rounds, 0)
    ]
    plain, plain_start, ours, ours_start = interleaved(started, repetitions, processor_seconds)
    plain_round = (plain - plain_start) / load.rounds
    slowdown = (ours - ours_start) / (plain - plain_start)
    return plain_round, slowdown, (recorded - recorded_start) / (plain_round * short)


def symbolic_figures(built: Built, repetitions: int) -> tuple[int, int, float, float]:
    """Of one round: its new nodes, how many it asked for, the seconds that they took, and those of the whole round.

    The nodes are new each time. All that a symbolic run takes more than a concrete one is charged to them: also labels
    of loads and stores, addresses, branches, and operations whose node was there already. The fastest runs count: they
    are short, and what disturbs one only adds to it.
    """
    load = built.workload
    data = as_input(load.stdin)
    with (
        session(built.instrumented, 1, len(load.stdin)) as one,
        session(built.instrumented, 0, len(load.stdin)) as none,
    ):

        def fresh(server: Session, concrete: bool) -> Callable[[], float]:
            def run() -> float:
                server.clear_expressions()
                return seconds(lambda: server.run(data, concrete=concrete))

            return run

        runs = [fresh(one, False), fresh(none, False), fresh(one, True), fresh(none, True)]
        times = [[run() for run in runs] for _ in range(repetitions)]
        symbolic, reading, concrete, start = (min(column) for column in zip(*times, strict=True))
        for run in runs[:2]:
            run()
        nodes = len(one.expressions) - len(none.expressions)
        asked = one.memory.get("nodes_asked") - none.memory.get("nodes_asked")
        return nodes, asked, symbolic - reading - (concrete - start), symbolic - reading


def rates(built: Built, duration: float) -> tuple[float, float]:
    """Runs a second through our fork server with symbolic input, and through the bare one, in turns, for so long."""
    stdin = built.workload.stdin[:RATE_STDIN]
    with session(built.instrumented, 1, RATE_STDIN) as ours, BareServer(built.plain, ["1"]) as bare:
        data = as_input(stdin)
        runs: list[Callable[[], object]] = [lambda: ours.run(data), lambda: bare.run(stdin)]
        goes = [partial(repeat, run) for run in runs]
        repetitions = max(1, int(duration / sum(seconds(go) for go in goes)))
        our_go, bare_go = interleaved(goes, repetitions, chosen=min)
    return RATE_RUNS / our_go, RATE_RUNS / bare_go


def repeat(run: Callable[[], object]) -> None:
    for _ in range(RATE_RUNS):
        run()


def compile_ratio(built: Built, repetitions: int) -> float:
    """Compile time to an object file against the plain compiler's -O2."""
    folder = built.plain.parent
    return_ratio = interleaved(
        [
            lambda: compile_with(untaken_compiler(), ["-O2", "-c", str(built.workload.source), "-o", f"{folder}/a.o"]),
            lambda: compile_with(plain_compiler(), ["-O2", "-c", str(built.workload.source), "-o", f"{folder}/b.o"]),
        ],
        repetitions,
    )
    return return_ratio[0] / return_ratio[1]


def empty_main_seconds(folder: Path, repetitions: int) -> float:
    """What `untaken cc` of an empty main takes, linked, more than the plain compiler."""
    source = folder / "empty.c"
    source.write_text("int main(void) { return 0; }\n")
    ours, plain = interleaved(
        [
            lambda: compile_with(untaken_compiler(), [str(source), "-o", f"{folder}/a"]),
            lambda: compile_with(plain_compiler(), [str(source), "-o", f"{folder}/b"]),
        ],
        repetitions,
    )
    return ours - plain


def compiler_version(command: Sequence[str]) -> str:
    answer = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=30, check=True)
    return answer.stdout.split("\n", 1)[0]
