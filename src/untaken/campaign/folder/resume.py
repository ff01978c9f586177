"""What an output folder holds already: a campaign goes on from there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from untaken.campaign.folder.rows import Totals
from untaken.campaign.folder.store import OBSTACLES, Store
from untaken.model.path import ExitKind
from untaken.suite.corpus import Corpus
from untaken.suite.records import fault_of_test

CHANGED = "the program has changed since the last run in"


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an earlier run with the same output folder left."""

    tests: dict[bytes, int]  # number by input
    crashes: dict[bytes, str]  # name by input, of those that are to be confirmed again; one may have several inputs
    booked: frozenset[int]  # tests whose rows are right
    totals: Totals
    ended: frozenset[bytes] = frozenset()  # inputs of tests that ended where their input did
    endless_inputs: int = 0  # after which runs of a program without end were cut
    branches: int = 0  # that were covered

    @property
    def inputs(self) -> list[bytes]:
        """To be run again, so that coverage is what it was."""
        return list(dict.fromkeys([*self.tests, *self.crashes]))


@dataclass(frozen=True, slots=True)
class OpenedFolder:
    """The output folder of a campaign: its database, its files, and what was there before."""

    store: Store
    corpus: Corpus
    earlier: Earlier


def resumed(store: Store, corpus: Corpus, digest: str, note: Callable[[str], None]) -> OpenedFolder:
    """The folder with what an earlier run left there. `digest` is the program's: if it has changed, all is doubtful."""
    changed = store.get("digest", str, digest) != digest
    _forget_lost(store, corpus)
    tests = {corpus.read_test(number): number for number in corpus.test_numbers()}
    crashes = _to_confirm_again(store, corpus, changed)
    crashes = _of_tests(store, tests, set(crashes.values())) | crashes
    if changed:
        store.forget_findings()
        store.set(OBSTACLES, {})
        note(
            f"{CHANGED} {corpus.folder}: "
            f"its tests ({len(tests)}) and findings ({len(set(crashes.values()))}) are tried again on the new one"
        )
    elif tests:
        note(f"going on from {corpus.folder}; tests that are run again first: {len(tests)}")
    store.set("digest", digest)
    booked = frozenset(() if changed else set(store.test_numbers()) - damaged_descriptions(corpus))
    cut_short = set(store.tests_ended_by(ExitKind.INPUTS.name.lower()))
    ended = frozenset(input for input, number in tests.items() if number in cut_short)
    endless_inputs = 0 if changed else store.endless_inputs
    branches = 0 if changed else max((row[2] for row in store.timeline()), default=0)
    return OpenedFolder(store, corpus, Earlier(tests, crashes, booked, store.totals, ended, endless_inputs, branches))


def _forget_lost(store: Store, corpus: Corpus) -> None:
    """What somebody removed is to be found again."""
    for number in set(store.test_numbers()) - set(corpus.test_numbers()):
        store.forget_test(number)
    there = corpus.finding_names()
    for finding in store.findings().values():
        if finding.name not in there:
            store.forget_finding(finding.name)


def damaged_descriptions(corpus: Corpus) -> set[int]:
    """Numbers of tests whose descriptions are to be written anew."""
    return {number for number in corpus.test_numbers() if fault_of_test(corpus.test_file(number)) is not None}


def _of_tests(store: Store, tests: dict[bytes, int], names: set[str]) -> dict[bytes, str]:
    """The same findings as tests show them, with inputs that need not be as short."""
    shown = store.findings_of_tests()
    return {input: shown[number] for input, number in tests.items() if shown.get(number) in names}


def _to_confirm_again(store: Store, corpus: Corpus, changed: bool) -> dict[bytes, str]:
    """Names of findings by input: all if the program has changed, else those that there was no time for, and those
    that are damaged."""
    for name in corpus.finding_names():
        if corpus.fault_of_finding(name) is not None:
            store.forget_finding(name)
    known = store.findings().values()
    names = [finding.name for finding in known if changed or finding.confirmation.holds is None]
    names += sorted(corpus.finding_names() - store.finding_names())  # of a database that was damaged
    inputs = {name: corpus.crash_input(name) for name in names}
    return {input: name for name, input in inputs.items() if input is not None}
