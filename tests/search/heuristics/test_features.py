"""Each of the 40 features on compiled C: somewhere true, somewhere false."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path as FilePath
from random import Random

import numpy as np
import pytest

from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import Target, find_target
from untaken.model.path import Path
from untaken.search.heuristics.features.dynamic import DynamicFeature, Moment
from untaken.search.heuristics.features.history import History
from untaken.search.heuristics.features.matrix import Scorer
from untaken.search.heuristics.features.static import static_table
from untaken.search.heuristics.features.table import DYNAMIC, FEATURES, NAMES, STATIC, Feature
from untaken.search.view import new_search

HERE = FilePath(__file__).parent


@cache
def target(name: str) -> Target:
    return find_target([str(HERE / f"{name}.c")])


def line_of(name: str, mark: str) -> int:
    lines = (HERE / f"{name}.c").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if f"/* {mark} */" in line)


def branch_of(name: str, mark: str, side: bool = True) -> int:
    """The id of one side of the condition that a comment names."""
    line = line_of(name, mark)
    found = [branch.id for branch in target(name).map if branch.location.line == line and branch.side is side]
    assert len(found) == 1, (mark, found)
    return found[0]


def test_the_table_is_the_papers() -> None:
    assert (len(STATIC), len(DYNAMIC), len(set(NAMES))) == (12, 28, 40)
    assert all(feature.sentence.endswith(".") for feature in FEATURES)


# ---- static: feature, where it is true, where it is false; a minus marks the false side

STATIC_CASES = [
    ("in-main", "loop", "pointer"),
    ("loop-true", "loop", "-loop"),
    ("loop-true", "loop", "character"),
    ("loop-false", "-loop", "loop"),
    ("loop-false", "-loop", "-locals"),
    ("nested", "nested", "locals"),
    ("external-call", "external", "large"),
    ("integer-constant", "large", "locals"),
    ("integer-constant", "case", "pointer"),
    ("character-constant", "character", "large"),
    ("pointer-access", "pointer", "locals"),
    ("pointer-access", "pointer", "global"),
    ("local-variable", "locals", "global"),
    ("local-variable", "character", "external"),
    ("in-loop", "character", "large"),
    ("case-true", "case", "-case"),
    ("case-true", "case", "locals"),
    ("case-false", "-case", "case"),
    ("case-false", "-case", "-locals"),
]


def static_value(feature: str, mark: str) -> bool:
    program = target("features_static").map
    branch = branch_of("features_static", mark.removeprefix("-"), not mark.startswith("-"))
    compute = next(each.compute for each in STATIC if each.name == feature)
    return compute(program, next(each for each in program if each.id == branch))


@pytest.mark.parametrize(("feature", "yes", "no"), STATIC_CASES)
def test_static(feature: str, yes: str, no: str) -> None:
    assert static_value(feature, yes)
    assert not static_value(feature, no)


def test_every_static_feature_has_a_case() -> None:
    assert {case[0] for case in STATIC_CASES} == {feature.name for feature in STATIC}


# ---- dynamic: a campaign by hand

PLAIN = bytes(20)
GATE, INNER, FAR, LONE = 10, 11, 12, 13  # places in the input


def with_bytes(**changed: int) -> bytes:
    """The plain input, with "at_10=98"."""
    content = bytearray(PLAIN)
    for name, value in changed.items():
        content[int(name.removeprefix("at_"))] = value
    return bytes(content)


def flags_of(feature: Feature[DynamicFeature], moment: Moment) -> list[bool]:
    """One for each decision."""
    computed = feature.compute(moment)
    assert feature.positional is isinstance(computed, slice)
    flags = np.zeros(len(moment), np.bool_)
    flags[computed if isinstance(computed, slice) else computed[moment.which]] = True
    values: list[bool] = flags.tolist()
    return values


class Story:
    """A search on the dynamic program whose runs and flips the test decides."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.search = new_search(target("features_dynamic").map, Random(0))
        self.history = History(self.search)
        self.path: Path
        self._flipped: int | None = None
        self.run(PLAIN)

    def run(self, input: bytes) -> Path:
        """A run that no flip led to."""
        self.history.about_to_run()
        self.path = self._session.run(input)
        self.search.coverage.add(self.path.passed)
        self.search.analyses.saw(self.path)
        self.history.ran(self.path)
        self._flipped = None
        return self.path

    def negate(self, mark: str, input: bytes) -> Path:
        """A flip of the first decision at a mark, which led to this input."""
        moment = self.moment()
        index = self.index(mark)
        self.history.negates(moment.place(index), moment.context(index))
        path = self.run(input)
        self._flipped = index
        return path

    def moment(self) -> Moment:
        return Moment(self.history, self.path, self._flipped)

    def index(self, mark: str, side: bool | None = None) -> int:
        """The first decision at a mark."""
        moment = self.moment()
        wanted = [branch_of("features_dynamic", mark, each) for each in (True, False) if side in (None, each)]
        return int(np.flatnonzero(np.isin(moment.places[moment.which], wanted))[0])

    def has(self, feature: str, mark: str) -> bool:
        """Whether the first decision at a mark has a feature."""
        return bool(self.flags(feature)[self.index(mark)])

    def flags(self, feature: str) -> list[bool]:
        return flags_of(next(each for each in DYNAMIC if each.name == feature), self.moment())


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(target("features_dynamic").program, SessionSettings()) as session:
        yield session


@pytest.fixture
def story(session: Session) -> Story:
    return Story(session)


def test_13_and_14_the_ends_of_the_path(story: Story) -> None:
    count = len(story.path.symbolic)
    assert count >= 10
    tenth = count // 10
    assert story.flags("first-tenth") == [True] * tenth + [False] * (count - tenth)
    assert story.flags("last-tenth") == [False] * (count - tenth) + [True] * tenth


def test_15_and_16_how_often_a_branch_is_taken(story: Story) -> None:
    assert story.has("most-frequent", "item") and not story.has("most-frequent", "gate")
    assert story.has("least-frequent", "gate") and not story.has("least-frequent", "item")


def test_17_newly_covered(story: Story) -> None:
    story.negate("gate", with_bytes(at_10=ord("b")))
    assert story.has("newly-covered", "gate")
    assert not story.has("newly-covered", "far")
    story.run(with_bytes(at_10=ord("b")))
    assert not story.has("newly-covered", "gate")


def test_18_and_27_where_the_last_flip_was(story: Story) -> None:
    assert not any(story.flags("after-negated")) and not any(story.flags("near-negated"))
    story.negate("gate", with_bytes(at_10=ord("b")))
    gate, count = story.index("gate"), len(story.path.symbolic)
    assert story.flags("after-negated") == [place >= gate for place in range(count)]
    assert story.flags("near-negated") == [abs(place - gate) <= int(0.2 * count) for place in range(count)]
    assert any(story.flags("near-negated")) and not all(story.flags("near-negated"))
    story.run(PLAIN)
    assert not any(story.flags("after-negated")) and not any(story.flags("near-negated"))


@pytest.mark.parametrize("length", range(1, 6))
def test_19_to_23_known_contexts(story: Story, length: int) -> None:
    feature = f"context-{length}-known"
    assert not any(story.flags(feature))
    story.negate("gate", with_bytes(at_10=ord("b")))
    story.run(PLAIN)
    assert story.has(feature, "gate") and not story.has(feature, "far")


def test_contexts_of_some_length_tell_ways_apart(story: Story) -> None:
    """The items before the gate differ, so its longer contexts do; that of length 1 is the branch alone."""
    story.negate("gate", with_bytes(at_10=ord("b")))
    story.run(with_bytes(at_9=ord("a")))
    assert story.has("context-1-known", "gate")
    assert not story.has("context-3-known", "gate")


@pytest.mark.parametrize("times", [10, 20, 30])
def test_24_to_26_negated_often(story: Story, times: int) -> None:
    feature = f"negated-over-{times}"
    for _ in range(times):
        story.negate("gate", PLAIN)
    assert not story.has(feature, "gate")
    story.negate("gate", PLAIN)
    assert story.has(feature, "gate") and not story.has(feature, "far")


def test_28_and_29_failed_often(story: Story) -> None:
    for _ in range(11):
        assert not story.has("opposite-failed", "gate")
        story.history.fails(story.moment().place(story.index("gate")))
    assert story.has("opposite-failed", "gate") and not story.has("failed", "gate")
    assert not story.has("opposite-failed", "far")
    story.run(with_bytes(at_10=ord("b")))
    assert story.has("failed", "gate") and not story.has("opposite-failed", "gate")
    assert not story.has("failed", "far")


def test_30_and_31_uncovered_beyond(story: Story) -> None:
    assert story.has("opposite-uncovered", "gate") and story.has("opposite-lonely", "gate")
    story.run(with_bytes(at_10=ord("b")))
    story.run(PLAIN)
    assert not story.has("opposite-uncovered", "gate") and not story.has("opposite-lonely", "gate")
    assert story.has("opposite-uncovered", "lone")
    assert not story.has("opposite-lonely", "lone")  # behind it comes a condition one side of which was taken


@pytest.mark.parametrize("count", [10, 20, 30])
def test_32_to_34_among_the_last(story: Story, count: int) -> None:
    feature = f"among-last-{count}"
    assert not story.has(feature, "gate")
    story.negate("gate", PLAIN)
    for _ in range(count - 1):
        story.negate("far", PLAIN)
    assert story.has(feature, "gate") and not story.has(feature, "lone")
    story.run(PLAIN)  # negations are counted, as the paper's implementation does, not executions
    assert story.has(feature, "gate")
    story.negate("far", PLAIN)
    assert not story.has(feature, "gate")


def test_35_the_function_with_most_left(story: Story) -> None:
    story.run(with_bytes(at_10=ord("b"), at_11=ord("c")))
    assert story.has("least-covered-function", "in ten") != story.has("least-covered-function", "gate")
    story.run(with_bytes(**{f"at_{place}": ord("a") for place in range(10)}, at_12=ord("d"), at_13=ord("e")))
    story.run(with_bytes(at_10=ord("b"), at_13=ord("f")))
    story.run(with_bytes(at_10=ord("b"), at_11=ord("c")))
    assert story.has("least-covered-function", "in ten") and not story.has("least-covered-function", "gate")


def test_36_to_38_near_the_largest_unreached_functions(story: Story) -> None:
    """Unreached are ten (10 branches), six, two and one_more: of four functions, 10, 20 and 30 % are 1, 1 and 2."""
    story.run(with_bytes(at_10=ord("b")))
    for percent in (10, 20, 30):
        assert story.has(f"near-largest-{percent}", "inner")
        assert not story.has(f"near-largest-{percent}", "other")
    assert story.has("near-largest-30", "far")
    assert not story.has("near-largest-10", "far") and not story.has("near-largest-20", "far")


def test_39_near_a_large_unreached_function(story: Story) -> None:
    story.run(with_bytes(at_10=ord("b")))
    assert story.has("near-large-unreached", "inner")
    assert not story.has("near-large-unreached", "other")
    story.run(with_bytes(at_10=ord("b"), at_11=ord("c")))
    story.run(with_bytes(at_10=ord("b")))
    assert not story.has("near-large-unreached", "inner")


def test_40_in_a_novel_function(story: Story) -> None:
    inside = with_bytes(at_10=ord("b"), at_11=ord("c"))
    for _ in range(10):
        story.run(inside)
        assert story.has("in-novel-function", "in ten")
        assert story.has("in-novel-function", "inner") is (story.history.runs <= 10)  # the first run reached main
    story.run(inside)
    assert not story.has("in-novel-function", "in ten")


@pytest.mark.parametrize("seed", range(5))
def test_decisions_of_one_kind_have_the_same_place_and_contexts(session: Session, seed: int) -> None:
    rng = Random(seed)
    story = Story(session)
    negated: set[tuple[int, int]] = set()
    for _ in range(12):
        content = bytearray(story.path.input)
        content[rng.randrange(20)] = rng.choice(b"abcdefx")
        path = story.run(bytes(content))
        moment, contexts = story.moment(), story.history.contexts
        assert moment.places[moment.which].tolist() == path.constraints["id"][path.symbolic].tolist()
        assert moment.contexts[moment.which].tolist() == contexts.of(path, path.symbolic).tolist()
        assert len(set(moment.contexts.tolist())) == len(moment.contexts)
        for length, row in enumerate(moment.known, 1):
            numbers = contexts.cut(moment.contexts, length).tolist()
            assert row.tolist() == [(length, number) in negated for number in numbers]
        index = rng.randrange(len(moment))
        story.history.negates(moment.place(index), moment.context(index))
        negated.update(enumerate(contexts.of_all_lengths(moment.context(index)).tolist(), 1))


# ---- the scores


def wanted_scores(story: Story, weights: list[float], *, first: bool = False) -> list[int]:
    """By plain sums."""
    moment = story.moment()
    table = static_table(story.search.program, tuple(feature.compute for feature in STATIC))
    rows = [row[moment.places[moment.which]].tolist() for row in table]
    rows += [[False] * len(moment) if first else flags_of(feature, moment) for feature in DYNAMIC]
    columns = zip(*rows, strict=True)
    return [sum(round(w * 10_000) for w, value in zip(weights, column, strict=True) if value) for column in columns]


def test_scores_are_exact_sums(story: Story) -> None:
    rng = Random(5)
    weights = [round(rng.uniform(-10, 10), 4) for _ in NAMES]
    scorer = Scorer(story.search.program, weights)
    assert scorer.of(story.moment(), first=True).tolist() == wanted_scores(story, weights, first=True)
    for at in range(10, 14):
        story.negate("gate", with_bytes(**{f"at_{at}": ord("b")}))
        assert scorer.of(story.moment()).tolist() == wanted_scores(story, weights)


def test_all_dynamic_features_are_false_on_the_first_path(story: Story) -> None:
    dynamic = Scorer(story.search.program, [0.0] * len(STATIC) + [1.0] * len(DYNAMIC))
    assert not dynamic.of(story.moment(), first=True).any()
    assert dynamic.of(story.moment()).any()
