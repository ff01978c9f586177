"""What a campaign works with: the program in its sandbox, the solver, and who confirms findings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing import parent_process

from untaken.campaign.config import Config
from untaken.campaign.findings.confirm import Confirmer
from untaken.campaign.folder.recipe import recipe
from untaken.campaign.folder.resume import Earlier
from untaken.campaign.machinery.executor import SessionExecutor
from untaken.campaign.seeds import first_input
from untaken.campaign.solver_costs import SolverCosts
from untaken.campaign.summary import EarlyExit
from untaken.errors import ExecutionError
from untaken.execute.memory import RunLimits
from untaken.execute.own_processor import own_processor
from untaken.execute.sandbox import Sandbox, program_environment
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import SANITIZER_SETTINGS, Target
from untaken.kept_memory import keep_memory
from untaken.model.path import ExitKind
from untaken.model.program import Containment
from untaken.search.pruning.registry import Pruning, pruning
from untaken.solve.stack import SolverStack, default_solver
from untaken.solve.worker.aside import SolverAside
from untaken.suite.tests import Suite
from untaken.suite.trust import Trust
from untaken.uncollected import seldom_collected

MOST_RUNS = 1_000  # of one process: whatever is not put back, and nobody thought of, does not add up for ever
PRINTED_BYTES = 2000  # of a program that gives up early: enough for what it complains about


@dataclass(frozen=True, slots=True)
class Assignment:
    """What the user wants: a program to be explored, and how."""

    config: Config
    target: Target


@dataclass(frozen=True, slots=True)
class Machinery:
    """Everything that is started for a campaign and closed after it."""

    session: Session
    executor: SessionExecutor
    solver: SolverStack
    confirmer: Confirmer
    pruning: Pruning
    costs: SolverCosts
    aside: SolverAside | None = None  # None: there is no processor for it


@contextmanager
def machinery(assignment: Assignment, earlier: Earlier, note: Callable[[str], None]) -> Iterator[Machinery]:
    """Starts the program, and all that is needed beside it."""
    config, target = assignment.config, assignment.target
    has_processor = len(os.sched_getaffinity(0)) > 1
    keep_memory()
    with seldom_collected(), ExitStack() as stack:
        if _shares_processor(target.map.containment):
            stack.enter_context(own_processor(always=_is_worker()))
        session = stack.enter_context(Session(target.program, session_settings(assignment)))
        for text in session.notes:
            note(text)
        session.input_limit = config.inputs or 0
        executor = SessionExecutor(session, target.map, earlier.ended, note)
        executor.go_on_with(earlier.endless_inputs)
        stack.callback(executor.close)
        solver = default_solver(session.expressions, config.solver)
        stack.callback(solver.close)
        aside = _solver_aside(session, solver, config, has_processor)
        if aside is not None:
            stack.callback(aside.close)
        confirmer = stack.enter_context(make_confirmer(assignment, note))
        rules = pruning(config.prune, max_path=config.max_path, prepares=bool(config.tested))
        yield Machinery(session, executor, solver, confirmer, rules, SolverCosts(), aside)


def _solver_aside(session: Session, solver: SolverStack, config: Config, has_processor: bool) -> SolverAside | None:
    """Who answers hard questions beside the search: nobody where workers have all processors. Where iterations are
    counted everywhere, so that the machine makes no difference."""
    counted = config.iterations is not None
    if _is_worker() or not (has_processor or counted):
        return None
    coverage = session.coverage
    return SolverAside(
        config.solver,
        session.expressions,
        lambda side: side < len(coverage) and not coverage[side],
        solver.statistics,
        waits=counted,
    )


def _shares_processor(program: Containment) -> bool:
    """Whether the program stays on one processor with us.

    Where each run has a process, the next one is forked while a run ends, beside us; but other workers, if there are
    any, have something better to do there.
    """
    return (program.contained or _is_worker()) and not program.about_processors


def _is_worker() -> bool:
    """Whether this is one of several processes that were started to explore side by side."""
    return parent_process() is not None


def session_settings(assignment: Assignment) -> SessionSettings:
    """How the program is run, as the command line has it."""
    config, containment = assignment.config, assignment.target.map.containment
    sanitized = assignment.target.sanitized
    sandbox = Sandbox(enabled=not config.no_sandbox, writable=config.allow_write, keep_env=config.keep_env)
    return SessionSettings(
        arguments=config.arguments,
        sources=config.sources,
        biases=config.biases,
        printable=config.printable,
        timeout=config.timeout,
        run_limits=RunLimits(memory=config.memory << 20),
        sandbox=sandbox,
        environment={**program_environment(sandbox), **SANITIZER_SETTINGS} if sanitized else None,
        capture=sanitized,
        most_runs=MOST_RUNS if containment.contained else 1,
        changes_process=containment.changes_process,
        sets_locale=containment.sets_locale,
        uses_files=containment.uses_files,
        takes_addresses=containment.takes_addresses,
    )


def make_confirmer(assignment: Assignment, note: Callable[[str], None]) -> Confirmer:
    """Who confirms findings of a campaign; nothing is built before it is asked."""
    config, target = assignment.config, assignment.target
    trust = Trust.EVERYBODY if config.trust else Trust.USER
    suite = Suite(config.out.resolve(), recipe(config, target), (), trust=trust)
    hurried = config.seconds is not None
    return Confirmer(suite, target, session_settings(assignment), note, hurried=hurried)


def early_exit(assignment: Assignment) -> EarlyExit | None:
    """A program that gives up before it reads anything mostly says why: it is run once more, with its output."""
    settings = replace(session_settings(assignment), capture=True, most_runs=1)
    with suppress(ExecutionError), Session(assignment.target.program, settings) as session:
        exit = session.run(first_input(assignment.config.sources), concrete=True).exit
        printed = shortened(session.output).decode(errors="replace").strip()
        failed = exit.kind is ExitKind.CODE and exit.code != 0
        return EarlyExit(exit.code, printed) if failed and printed else None
    return None  # it does not start every time


def shortened(output: bytes) -> bytes:
    """Its first and last lines: what is wrong is said before a usage message, or after a log."""
    if len(output) <= PRINTED_BYTES:
        return output
    half = PRINTED_BYTES // 2
    return output[:half] + b"\n" + output[-half:]
