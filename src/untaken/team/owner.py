"""The owner of a campaign with many workers: holds the one folder, merges what they send, and tells the others.

It runs no program itself, but for findings to be confirmed and tests to be shortened. What a worker has sent is kept
whatever becomes of the worker; one that is lost is replaced.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence

from untaken.campaign.campaign import campaign_folder
from untaken.campaign.config import Config
from untaken.campaign.desk import Desk, Execution
from untaken.campaign.findings.confirm import Confirmer
from untaken.campaign.folder.recipe import wanted_goals
from untaken.campaign.folder.resume import OpenedFolder
from untaken.campaign.machinery.machinery import Assignment, machinery, make_confirmer
from untaken.campaign.seeds import all_seeds
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Watcher
from untaken.errors import CampaignError, WorkerFault
from untaken.execute.target import Target
from untaken.interrupts import deaf, interruptible, undisturbed
from untaken.search.budget import Ending
from untaken.team.counts import TeamCounts
from untaken.team.crew import Crew
from untaken.team.exchange import ByCount, ByTime, ReportOrder
from untaken.team.hiring import Hiring
from untaken.team.merging import MergedRun, Merging
from untaken.team.messages import Dispatch, Failure, Message, ProgramReady, Report

SUM_SECONDS = 0.5  # between two times that counts of all workers are summed up
LOOK_SECONDS = 0.1  # between two looks at the clock and at what the display shows
STARTING_SECONDS = 60.0  # until the first worker has started its program
LAST_WORD_SECONDS = 3.0  # for workers that were told to end
MOST_FOREIGN = 16  # inputs that a worker is given at a time
MOST_FRUITLESS = 10  # workers in a row that are lost before they have run anything
OF_THE_WHOLE = (Ending.EXHAUSTED, Ending.PRUNED)  # endings of one worker that say something about all paths


def run_team(config: Config, target: Target, watcher: Watcher, crew: Crew, workers: int) -> Summary:
    """The whole of a campaign; what ends it early leaves everything that was sent on disk."""
    assignment = Assignment(config, target)
    with (
        campaign_folder(assignment, watcher.note) as folder,
        interruptible(),
        make_confirmer(assignment, watcher.note) as confirmer,
    ):
        try:
            return Owner(assignment, folder, confirmer, watcher, (crew, workers)).run()
        finally:
            with deaf():
                crew.close()


class Owner:
    """From when the folder has been opened."""

    def __init__(
        self,
        assignment: Assignment,
        folder: OpenedFolder,
        confirmer: Confirmer,
        watcher: Watcher,
        workers: tuple[Crew, int],
    ) -> None:
        config, (crew, count) = assignment.config, workers
        self._assignment = assignment
        self._crew = crew
        self._watcher = watcher
        self._counts = TeamCounts(count)
        program, merged = assignment.target.map, MergedRun()
        self._desk = Desk(assignment, folder, _execution(self._counts, merged, confirmer), watcher)
        self._merging = Merging(program, wanted_goals(config, program), self._counts, self._desk.books, merged)
        self._order: ReportOrder = order_of(config, count, known=bool(folder.earlier.inputs))
        self._earlier = folder.earlier
        seeds = all_seeds(config, watcher.note)
        fresh = [seed for seed in seeds if seed not in folder.earlier.tests]
        self._hiring = Hiring(assignment, folder.earlier, fresh, count)
        self._unmerged: deque[tuple[int, Report]] = deque()  # at most one: the report that is being merged
        self._told: set[str] = set()
        self._next_sum = 0.0
        self._has_begun = False
        self._foreign: deque[bytes] = deque()  # inputs that AFL found, for whoever asks next

    def run(self) -> Summary:
        """Until something ends all of them."""
        desk, search = self._desk, self._merging.search
        self._watcher.begin(self._assignment.target.title, lambda: desk.progress.snapshot(search))
        try:
            ending = self._lead()
            if self._assignment.config.minimise and ending is not Ending.STOPPED:
                with machinery(self._assignment, self._earlier, lambda text: None) as parts:
                    desk.minimise(parts.session)
            said = desk.early_exit(ending)
        finally:
            self._watcher.end()
        return desk.summary(search, ending, said)

    def _lead(self) -> Ending:
        try:
            with interruptible():
                for number in range(len(self._counts.records)):
                    self._hire(number)
                ending = self._follow()
        except KeyboardInterrupt:
            ending = Ending.STOPPED
        with deaf():
            self._dismiss(ending)
            self._counts.bring_up_to_date(self._merging.search.tally, self._desk.books)
            self._merging.add_obstacles()
        self._desk.close(self._merging.search, ending)
        return ending

    def _hire(self, number: int) -> None:
        orders = self._hiring.orders(number, self._counts.records[number], self._merging.tidings, self._seconds_left())
        self._crew.start(orders)
        self._counts.records[number].begin(told=len(self._merging.tidings))

    def _seconds_left(self) -> float | None:
        clock = self._desk.clock
        if clock.search_limit is None or not self._has_begun:
            return clock.search_limit
        return max(0.0, clock.search_limit - clock.seconds)

    # ---- while they work

    def _follow(self) -> Ending:
        while True:
            with undisturbed():
                for number, message in self._crew.hear(LOOK_SECONDS):
                    self._heard(number, message)
            if ending := self._merge_all():
                return ending
            self._tell_news()
            self._sum_up_if_due()
            if ending := self._looked_after(0) or self._is_over():
                return ending

    def _sum_up_if_due(self) -> None:
        """Now and then: it takes longer the more workers there are."""
        if time.monotonic() >= self._next_sum:
            self._next_sum = time.monotonic() + SUM_SECONDS
            self._counts.bring_up_to_date(self._merging.search.tally, self._desk.books)

    def _heard(self, number: int, message: Message) -> None:
        record = self._counts.records[number]
        if isinstance(message, ProgramReady):
            self._begin()
        elif isinstance(message, Report):
            self._counts.note(number, message)
            self._order.arrived(number, message)
            self._pass_on(message.notes)
            if message.ending is not None:
                self._order.left(number)
        elif not record.has_left:
            self._replace(number, message.text if isinstance(message, Failure) else message.how, message)

    def _begin(self) -> None:
        """The first program has been started. As with a campaign of one, the time begins now."""
        if not self._has_begun:
            self._has_begun = True
            self._desk.clock.begin()

    def _pass_on(self, notes: Sequence[str]) -> None:
        for note in notes:
            if note not in self._told:
                self._told.add(note)
                self._watcher.note(note)

    def _replace(self, number: int, why: str, message: Message) -> None:
        """A worker that cannot even begin will not begin the next time: that is told, and ends the campaign."""
        record = self._counts.records[number]
        record.lose()
        is_refusal = isinstance(message, Failure) and not message.is_fault and record.fruitless > 0
        if is_refusal or record.fruitless >= MOST_FRUITLESS:
            is_fault = isinstance(message, Failure) and message.is_fault
            raise WorkerFault(f"workers fail as soon as they begin: {why}") if is_fault else CampaignError(why)
        self._watcher.note(f"worker {number + 1} was lost and is replaced ({why}); what it had sent is kept")
        self._hire(number)

    def _merge_all(self) -> Ending | None:
        while True:
            with undisturbed():
                found = self._order.next()
                if found is None:
                    return None
                self._unmerged.append(found)
            if ending := self._merge(*found):
                return ending
            with undisturbed():
                self._unmerged.clear()
                self._order.merged(len(self._merging.tidings))

    def _merge(self, number: int, report: Report) -> Ending | None:
        """Run by run: what ends the campaign ends it there, so that the rest does not depend on who was faster."""
        for done in self._merging.runs(number, report):
            if ending := self._looked_after(done):
                return ending
        return report.ending if report.ending in OF_THE_WHOLE else None

    def _looked_after(self, runs: int) -> Ending | None:
        search, config, books = self._merging.search, self._assignment.config, self._desk.books
        is_done = search.coverage.full and all(each.is_done for each in self._counts.records)
        if ending := self._desk.look_after(search, is_done=is_done, runs=runs):
            return ending
        stale = config.no_new is not None and books.iterations - books.pace.new_branch >= config.no_new
        return Ending.STALE if stale else None

    def _tell_news(self) -> None:
        for number, record in enumerate(self._counts.records):
            known = self._order.may_hear(number) if record.waits else None
            if known is not None:
                dispatch = Dispatch(self._merging.news(number, record.told, known), self._take_foreign())
                record.told = max(record.told, known)
                if dispatch.tidings or dispatch.inputs or self._order.waits_for_answers:
                    record.waits = False
                    self._crew.tell(number, dispatch)

    def _take_foreign(self) -> tuple[bytes, ...]:
        """Some of what instances of AFL found beside us; each is run by one worker."""
        if not self._foreign and self._desk.afl is not None:
            self._foreign.extend(self._desk.afl.entries())
        return tuple(self._foreign.popleft() for _ in range(min(MOST_FOREIGN, len(self._foreign))))

    def _is_over(self) -> Ending | None:
        """All have ended by themselves, or the time is over and they have not."""
        clock, records = self._desk.clock, self._counts.records
        left = clock.left(clock.search_limit)
        starting = 0.0 if self._has_begun else STARTING_SECONDS
        if left is not None and left + starting <= 0:
            return Ending.SECONDS
        if not all(record.has_left for record in records):
            return None
        endings = {record.state for record in records}
        return next((each for each in (Ending.SECONDS, Ending.ITERATIONS) if each.value in endings), Ending.STUCK)

    # ---- at the end

    def _dismiss(self, ending: Ending) -> None:
        """All end. Their last words count, but where everything depends on counts and the end was decided by them."""
        self._crew.stop()
        if isinstance(self._order, ByCount) and ending not in (Ending.STOPPED, Ending.SECONDS):
            return
        clock, records = self._desk.clock, self._counts.records
        until = clock.seconds + LAST_WORD_SECONDS
        while not all(record.has_left for record in records) and clock.seconds < until:
            for number, message in self._crew.hear(until - clock.seconds):
                if isinstance(message, Report):
                    self._counts.note(number, message)
                    self._order.arrived(number, message)
                elif not isinstance(message, ProgramReady):
                    records[number].has_left = True
        for number, report in (*self._unmerged, *self._order.rest()):
            for _ in self._merging.runs(number, report):
                pass


def order_of(config: Config, workers: int, *, known: bool) -> ReportOrder:
    """By count where the user counts, so that the same command gives the same tests."""
    return ByTime(known=known) if config.iterations is None else ByCount(workers)


def _execution(counts: TeamCounts, merged: MergedRun, confirmer: Confirmer) -> Execution:
    return Execution(
        confirmer=confirmer,
        statistics=counts.statistics,
        limits=counts.limits,
        pruned=counts.pruned,
        endless_inputs=counts.endless_inputs,
        printed=lambda: merged.printed,
        workers=counts.states,
    )
