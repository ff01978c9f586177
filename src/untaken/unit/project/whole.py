"""`untaken unit --all` from end to end: looks at the files, drives them, explores their functions, writes the tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from untaken.campaign.config import Config
from untaken.errors import CampaignError, UntakenError
from untaken.execute.target import Target
from untaken.suite.trust import Trust
from untaken.unit.export.choose import crash_name
from untaken.unit.options import UnitOptions
from untaken.unit.project.campaigns import FunctionJob, FunctionProgress, Schedule
from untaken.unit.project.causes import Appearance, Cause, Reachability, causes
from untaken.unit.project.drivers import DrivenFile, drive_file
from untaken.unit.project.makefiles import write_makefiles
from untaken.unit.project.objects import ProjectObject, compile_objects, has_sanitizers
from untaken.unit.project.results import RESULTS, FunctionResult, ShownFault, read_extents, read_results, write_results
from untaken.unit.project.sources import Project, SourceFile
from untaken.unit.project.survey import Survey, own_functions, survey
from untaken.unit.project.watching import ProjectWatcher
from untaken.unit.project.write import WrittenTests, write_file_tests
from untaken.unit.shape import STREAM_BYTES, UnitPlan
from untaken.unit.target import read_plan

FEWER = 10  # times fewer runs after a function is covered, where there is nothing to cover
GROWTH_ROUNDS = 2  # of making memory larger that the code goes past
AGAIN_SHARE = 0.15  # of the time, for each such round
SECONDS_A_FUNCTION = 5.0  # on average, where no budget is given
TESTS = "tests"
DRIVERS = "drivers"
OBJECTS = "objects"
FUNCTIONS = "functions"


@dataclass(frozen=True, slots=True)
class ProjectOutcome:
    """Everything that the table and the page show."""

    out: Path
    files: tuple[DrivenFile, ...]
    results: tuple[FunctionResult, ...]
    written: tuple[WrittenTests, ...]
    causes: tuple[Cause, ...]
    sanitized: bool

    @property
    def covered(self) -> int:
        return sum(each.covered for each in self.results)

    @property
    def total(self) -> int:
        return sum(each.total for each in self.results)

    @property
    def headline(self) -> tuple[Cause, ...]:
        """The findings that callers can reach."""
        return tuple(cause for cause in self.causes if cause.reached is Reachability.EXPORTED)


@dataclass(frozen=True, slots=True)
class ProjectWork:
    """What was asked for: the files, how arguments are built, the settings of each campaign."""

    project: Project
    options: UnitOptions
    config: Config
    workers: int


def explore_project(work: ProjectWork, watcher: ProjectWatcher) -> ProjectOutcome:
    """All of it; a second run into the same folder goes on."""
    out = work.config.out
    _check_ours(out)
    sanitized = has_sanitizers()
    if not sanitized:
        watcher.note("no compiler here has AddressSanitizer: tests are not tried with it")
    known = survey(work.project.all, watcher.note)
    known.extents = read_extents(out)
    sources = [each for each in work.project.all if each in known.modules]
    failing = {each: work.options.fail_malloc or known.allocators.survives(each.name) for each in sources}
    objects = compile_objects(failing, out / OBJECTS, sanitized, watcher)
    tested = [source for source in work.project.tested if source in known.modules]
    files = list(_driven(tested, work, objects, known, watcher))
    results = _explored(files, work, known, watcher)
    shutil.rmtree(out / TESTS, ignore_errors=True)
    written = _written(files, results, out, sanitized, watcher)
    for _ in range(GROWTH_ROUNDS):
        grown = {each.driven.source for each in written if note_growth(each, known)}
        if not grown:
            break
        again = {each.source: each for each in _driven(sorted_sources(grown, tested), work, objects, known, watcher)}
        files = [again.get(each.source, each) for each in files]
        results = _explored(files, work, known, watcher, again=True)
        anew = {each.driven.source: each for each in _written(tuple(again.values()), results, out, sanitized, watcher)}
        written = [anew.get(each.driven.source, each) for each in written]
    write_makefiles(written, out / TESTS)
    found = causes(_appearances(written, results, known))
    return ProjectOutcome(out, tuple(files), tuple(results), tuple(written), tuple(found), sanitized)


def _check_ours(out: Path) -> None:
    """A folder that somebody filled otherwise is left alone."""
    if out.is_dir() and any(out.iterdir()) and not (out / RESULTS).exists() and not (out / OBJECTS).exists():
        raise CampaignError(f"{out} holds something else: choose another --out for the functions of a project")


def note_growth(written: WrittenTests, known: Survey) -> bool:
    """Whether memory is larger in the next round than it was."""
    for function, place, size in written.grown:
        known.extents.setdefault((written.driven.source.name, function), {})[place] = size
    return bool(written.grown)


def sorted_sources(chosen: set[SourceFile], order: Sequence[SourceFile]) -> list[SourceFile]:
    return [source for source in order if source in chosen]


def _driven(
    tested: Sequence[SourceFile],
    work: ProjectWork,
    objects: Sequence[ProjectObject],
    known: Survey,
    watcher: ProjectWatcher,
) -> Iterator[DrivenFile]:
    """A driver for each file; one that does not go leaves its functions unexplored, and that is said."""
    for done, source in enumerate(tested):
        watcher.step("drivers", done, len(tested))
        try:
            yield drive_file(source, objects, known, work.options, work.config.out / DRIVERS)
        except UntakenError as error:
            names = own_functions(known.modules[source], source.path)
            watcher.note(f"{source.path.name} has no driver: {error}")
            yield DrivenFile(source, (), tuple((name, str(error)) for name in names), (), None)


def _explored(
    files: Sequence[DrivenFile], work: ProjectWork, known: Survey, watcher: ProjectWatcher, again: bool = False
) -> list[FunctionResult]:
    """Explores all functions, and keeps what came of each after every slice; `again`: only those that have changed."""
    out = work.config.out
    refused = [FunctionResult(file.source.name, name, "", problem=why) for file in files for name, why in file.refused]
    functions = list(_progress(files, work, known))
    explored = [each for each in functions if not again or each.result is None]

    def results() -> list[FunctionResult]:
        return [*(each.result for each in functions if each.result is not None), *refused]

    def told(_: FunctionProgress) -> None:
        write_results(out, results(), known.extents)
        watcher.step("functions", sum(each.result is not None for each in explored), len(explored))

    Schedule(_seconds(len(functions), work, again), work.workers).run(explored, told)
    write_results(out, results(), known.extents)
    return results()


def _seconds(functions: int, work: ProjectWork, again: bool) -> float | None:
    """For all functions together: the larger part for the first time, some for those with larger memory."""
    if work.config.iterations is not None:
        return None
    whole = work.config.time or max(10.0, SECONDS_A_FUNCTION * functions / work.workers)
    return whole * (AGAIN_SHARE if again else 1 - GROWTH_ROUNDS * AGAIN_SHARE)


def _progress(files: Sequence[DrivenFile], work: ProjectWork, survey: Survey) -> Iterator[FunctionProgress]:
    """Where each function stands: at the beginning, or where an earlier run into the folder left it."""
    earlier = read_results(work.config.out)
    for file in files:
        for plan in file.plans:
            assert file.target is not None
            config = work.config
            if survey.is_plain(file.source, plan.function):
                config = replace(config, after_coverage=config.after_coverage // FEWER)
            job = _job(file, plan, file.target, config)
            known = earlier.get((file.source.name, plan.function))
            fits = known is not None and not known.problem and _same_plan(job)
            if not fits:
                shutil.rmtree(job.out, ignore_errors=True)
            yield FunctionProgress(job, known if fits else None)


def _job(file: DrivenFile, plan: UnitPlan, target: Target, config: Config) -> FunctionJob:
    own = replace(
        config,
        targets=target.sources,
        arguments=(plan.function,),
        only_in=(plan.function,),
        tested=plan.function,
        out=config.out / FUNCTIONS / file.source.name / plan.function,
        jobs=None,
        stdin=config.stdin or (STREAM_BYTES if plan.reads_stream else None),
    )
    return FunctionJob(file.source.name, plan, target, own)


def _same_plan(job: FunctionJob) -> bool:
    """Inputs mean what they meant only to the same driver."""
    try:
        return bool(read_plan(job.out, Trust.EVERYBODY) == job.plan)  # compared, and not used
    except CampaignError:
        return False


def _written(
    files: Sequence[DrivenFile], results: Sequence[FunctionResult], out: Path, sanitized: bool, watcher: ProjectWatcher
) -> list[WrittenTests]:
    """Test files of these; those of others stay as they are."""
    folder = out / TESTS
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for done, file in enumerate(files):
        watcher.step("test files", done, len(files))
        own = [result for result in results if result.source == file.source.name]
        try:
            written.append(write_file_tests(file, own, folder, sanitized))
        except UntakenError as error:
            watcher.note(f"no tests are written for {file.source.path.name}: {error}")
            written.append(WrittenTests(file, f"test_{file.source.name}.c", problems=(str(error),)))
    return written


def _appearances(
    written: Sequence[WrittenTests], results: Sequence[FunctionResult], known: Survey
) -> Iterator[Appearance]:
    """What went wrong, with the call that shows it."""
    by_name = {(result.source, result.function): result for result in results}
    for each in written:
        source = each.driven.source
        calls = {(function, named.name): named for function, named in each.crashes}
        for function in (plan.function for plan in each.driven.plans):
            exported = known.is_for_callers(source, function)
            told = known.is_callback(source, function)
            result = by_name.get((source.name, function))
            for fault in result.faults if result is not None else ():
                call = calls.get((function, crash_name(function, fault.name)))
                made_up = told or call is None or call.made_up
                plain = result is not None and not result.total
                hands_on = plain or known.exports(fault.frames[0].partition(" (")[0] if fault.frames else "")
                names = (frame.partition(" (")[0] for frame in fault.frames)
                undecided = frozenset(name for name in names if known.is_undecided(name))
                yield Appearance(function, source.name, exported, made_up, fault, call, hands_on, undecided)
        for unclean in each.unclean:
            fault = ShownFault(unclean.case.name, "sanitizer", unclean.what, "", unclean.place, unclean.frames)
            exported = known.is_for_callers(source, unclean.function)
            made_up = unclean.case.made_up or known.is_callback(source, unclean.function)
            yield Appearance(unclean.function, source.name, exported, made_up, fault, unclean.case)
