"""Fewer and simpler tests with the same coverage: what each covers is found by running it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass, replace
from functools import partial

from untaken.build.objects.program_map import read_program_map
from untaken.execute.session import Session
from untaken.model.input import Field, FieldKind
from untaken.model.path import Exit, ExitKind
from untaken.model.program import Branch, BranchId, ProgramMap
from untaken.search.independence.effect_numbers import EffectNumbers
from untaken.suite.fields import canonical_input
from untaken.suite.independence.goal import campaign_goal
from untaken.suite.reduce import smallest_cover, with_simpler
from untaken.suite.replay.native import instrumented_program
from untaken.suite.replay.runners import ReplayManner, session_settings
from untaken.suite.tests import SavedTest, Suite
from untaken.unit.drawing import THERE_BITS

MOST_BYTES = 64  # of a longer field only the whole is tried
LETTERS = (b"a", b"1", b" ")  # for bytes that nobody would write
MOST_LATE = 4  # runs that do not end: then a test stays as it is
MOST_DRAWN = 6  # fields that one call of a function which changes an object takes, of those that are left out
THERE = " != NULL"
THEN = " then: choice"
STRUCTURE = (THERE, ": choice", ": same as")  # how names of fields end that decide what else there is


@dataclass(frozen=True, slots=True)
class Covering:
    """A test, all branches that it covers, and what else it shows: of conditions, if that was the campaign's goal, and
    that the function was called."""

    test: SavedTest
    branches: frozenset[BranchId]
    effects: frozenset[int] = frozenset()

    @property
    def shown(self) -> frozenset[int]:
        """What a simpler test has to show, too."""
        return self.branches | self.effects


class Coverer:
    """Runs inputs on the instrumented program."""

    def __init__(
        self,
        session: Session,
        program: ProgramMap,
        lengths: frozenset[str],
        own: str | None,
        effects: EffectNumbers | None = None,
    ) -> None:
        self.program = program
        self._session = session
        self._lengths = lengths
        self._effects = effects
        self._late = 0  # runs that did not end: each takes as long as a thousand others
        self._counted = frozenset(
            int(each.id) for each in program if own is None or program.functions[each.function].name == own
        )
        # What makes an argument may end the run before: such a test shows nothing of the function.
        self._entries = frozenset(each.entry_id for each in program.functions if each.name == own)

    def covering(self, test: SavedTest) -> Covering:
        fields, exit, shown = self._run(test.input)
        branches = frozenset(BranchId(each) for each in shown & self._counted)
        return Covering(replace(test, fields=fields, exit=exit), branches, shown - self._counted)

    def _run(self, input: bytes) -> tuple[tuple[Field, ...], Exit, frozenset[int]]:
        path = self._session.run(input, concrete=True)
        self._late += path.exit.kind is ExitKind.TIMEOUT
        passed = (self._counted | self._entries) & set(path.events.tolist())
        effects = frozenset[int]() if self._effects is None else self._effects.shown(path.events)
        return path.fields, path.exit, effects | passed

    def simplified(self, found: Covering) -> Covering:
        """NULL and zeros wherever they change neither what is covered nor how it ends."""
        self._late = 0
        found = self._with_fewer_changes(self._with_fewer_objects(found))
        test = found.test
        input = test.input
        for field in test.fields:
            if field.name not in self._lengths and not field.name.endswith(STRUCTURE):
                input = self._simplified(input, field, found)
        path = self._session.run(input, concrete=True)
        return replace(found, test=replace(test, input=canonical_input(path), fields=path.fields))

    def _with_fewer_objects(self, found: Covering) -> Covering:
        """NULL for each pointer whose object is not needed; what was drawn for the object goes, too."""
        place = 0
        while place < len(found.test.fields):
            field = found.test.fields[place]
            if field.name.endswith(THERE) and found.test.input[field.offset] & THERE_BITS:
                found = self._without_object(found, place) or found
            place += 1
        return found

    def _with_fewer_changes(self, found: Covering) -> Covering:
        """Without calls that change an object, from the last to the first, where that is as good."""
        for place in reversed(range(len(found.test.fields))):
            field = found.test.fields[place] if place < len(found.test.fields) else None
            if field is not None and field.name.endswith(THEN) and found.test.input[field.offset]:
                ends = range(place + 1, min(place + MOST_DRAWN, len(found.test.fields)) + 1)
                tried = (self._with_zero(found, place, end) for end in ends)
                found = next((each for each in tried if each is not None), found)
        return found

    def _without_object(self, found: Covering, place: int) -> Covering | None:
        fields, end = found.test.fields, place + 1
        while end < len(fields) and _is_behind(fields[end].name, fields[place].name.removesuffix(THERE)):
            end += 1
        return self._with_zero(found, place, end)

    def _with_zero(self, found: Covering, place: int, end: int) -> Covering | None:
        """Zero for the field at a place, without the fields from there to the end; None if that is not as good."""
        fields, input = found.test.fields, found.test.input
        chosen, last = fields[place], fields[end - 1]
        if self._late >= MOST_LATE:
            return None
        shorter = input[: chosen.offset] + bytes(chosen.size) + input[last.offset + last.size :]
        drawn, exit, shown = self._run(shorter)
        left = [*_names(fields[: place + 1]), *_names(fields[end:])]
        if not shown >= found.shown or exit != found.test.exit or _names(drawn) != left:
            return None
        return replace(found, test=replace(found.test, input=shorter, fields=drawn))

    def _simplified(self, input: bytes, field: Field, found: Covering) -> bytes:
        """Zero for the whole, or a small number; of bytes else each alone, from the end."""
        good = partial(self._is_as_good, found)
        values = [*_simple_values(field), *_low_bytes(field, input)]
        simpler = with_simpler(input, field.offset, values, good)
        if simpler is not None:
            return simpler
        if field.kind is FieldKind.BYTES and field.size <= MOST_BYTES:
            for place in reversed(range(field.offset, field.offset + field.size)):
                values = [bytes(1)] if 32 <= input[place] < 127 else [bytes(1), *LETTERS]
                input = with_simpler(input, place, values, good) or input
            input = _shorter(input, field, good)
        return input

    def _is_as_good(self, found: Covering, input: bytes) -> bool:
        if self._late >= MOST_LATE:
            return False
        fields, exit, shown = self._run(input)
        same = _begins(_names(found.test.fields), _names(fields))  # stubs may be called less often
        return shown >= found.shown and exit == found.test.exit and same


def _shorter(input: bytes, field: Field, good: Callable[[bytes], bool]) -> bytes:
    """Without bytes of a text that it can do without: those behind them move up."""
    end = field.offset + field.size
    for place in reversed(range(field.offset, end)):
        rest = input[place + 1 : end]
        moved = input[:place] + rest + bytes(1) + input[end:]
        if input[place] and any(rest) and good(moved):
            input = moved
    return input


def _is_behind(name: str, pointer: str) -> bool:
    """Whether a field was drawn for the object that a pointer leads to, or for something behind that."""
    bare = name.lstrip("*(")
    return bare == pointer or bare.startswith(tuple(f"{pointer}{mark}" for mark in ("->", "[", ":", ")", " ")))


def _simple_values(field: Field) -> list[bytes]:
    zero = bytes(field.size)
    match field.kind:
        case FieldKind.SIGNED:
            most = (1 << (8 * field.size - 1)) - 1
            numbers = [number for number in (1, -1, 2, 10, 100, 1000, most, -most - 1) if abs(number) <= most + 1]
            return [zero, *(number.to_bytes(field.size, "little", signed=True) for number in numbers)]
        case FieldKind.UNSIGNED:
            most = (1 << (8 * field.size)) - 1
            numbers = [number for number in (1, 2, 10, 100, 1000, most) if number <= most]
            return [zero, *(number.to_bytes(field.size, "little") for number in numbers)]
        case FieldKind.CHARACTER:
            return [zero, b"a"]
        case _:
            return [zero]


def _low_bytes(field: Field, input: bytes) -> list[bytes]:
    """A number without what is above its lowest bytes, which are often flags or a length."""
    if field.kind not in (FieldKind.SIGNED, FieldKind.UNSIGNED):
        return []
    whole = input[field.offset : field.offset + field.size]
    shorter = [whole[:count] + bytes(field.size - count) for count in (1, 2, 4) if count < field.size]
    return [each for each in shorter if each != whole]


def _begins(names: list[str], with_these: list[str]) -> bool:
    return names[: len(with_these)] == with_these


def _names(fields: tuple[Field, ...]) -> list[str]:
    return [field.name for field in fields]


@contextmanager
def coverer(suite: Suite, lengths: frozenset[str], own: str | None = None) -> Iterator[Coverer]:
    """On the program of the campaign; only branches of the function `own` count, if that is given."""
    with chdir(suite.directory):
        program = instrumented_program(suite)
        with Session(program, session_settings(suite, ReplayManner())) as session:
            known, goal = read_program_map(program), campaign_goal(suite.folder)
            effects = EffectNumbers(known, goal.decisions(known)) if goal.is_independence else None
            yield Coverer(session, known, lengths, own, effects)


def fewest(tests: list[Covering]) -> list[Covering]:
    """Those that cover all that all of them do, in the old order; one is kept in any case."""
    return [tests[place] for place in smallest_cover([each.shown for each in tests])]


def newly_covered(tests: list[Covering], program: ProgramMap) -> list[list[Branch]]:
    """For each test the branches that no earlier one covers, in order of the source."""
    seen: set[BranchId] = set()
    result = []
    for each in tests:
        fresh = [program.branches[branch] for branch in sorted(each.branches - seen)]
        seen |= each.branches
        result.append(fresh)
    return result
