"""How auto shares out attempts: by what strategies find, and before that by whether they get anywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from tests.search.trees import Tree, UntilCovered, full
from untaken.errors import UsageError
from untaken.search.budget import Budget, Ending
from untaken.search.driver import Driver
from untaken.search.registry import strategy
from untaken.search.strategies.auto import PARTS, Bandit, Gain, Hope
from untaken.search.world import World

FOUND = Gain(branches=1, states=1, fresh=1, cost=1.0)
NEW_STATE = Gain(branches=0, states=3, fresh=1, cost=1.0)
NEW_PATH = Gain(branches=0, states=0, fresh=1, cost=1.0)
OLD_PATH = Gain(branches=0, states=0, fresh=0, cost=1.0)


def shares(gain: Callable[[int, int], Gain], arms: int = 6, attempts: int = 3_000) -> list[float]:
    """How often each arm was chosen, if its n-th attempt brings what `gain(arm, n)` says."""
    bandit = Bandit(Random(1), [Hope()] * arms)
    chosen: Counter[int] = Counter()
    for _ in range(attempts):
        arm = bandit.choose()
        chosen[arm] += 1
        bandit.learn(arm, gain(arm, chosen[arm]))
    return [chosen[arm] / attempts for arm in range(arms)]


def test_in_a_drought_those_that_repeat_themselves_give_way() -> None:
    share = shares(lambda arm, n: NEW_PATH if arm < 2 else OLD_PATH)
    assert min(share[:2]) > 0.4 and max(share[2:]) < 0.04


def test_a_strategy_that_repeats_itself_is_asked_again_if_it_finds_something() -> None:
    share = shares(lambda arm, n: FOUND if arm == 0 and n % 20 == 0 else OLD_PATH if arm == 0 else NEW_PATH)
    assert share[0] > 0.3


def test_a_strategy_that_comes_to_new_states_is_favoured_before_it_covers_anything() -> None:
    share = shares(lambda arm, n: NEW_STATE if arm == 0 and n % 50 == 0 else NEW_PATH)
    assert share[0] > 0.3 > 2 * max(share[1:])


def test_many_states_of_one_attempt_count_as_one_branch() -> None:
    assert NEW_STATE.reward == 1 and FOUND.reward == 2 and NEW_PATH.reward == 0


def test_parts_can_be_left_out() -> None:
    tree = Tree(full(3))
    left = strategy("auto:without=havoc+pieces+hybrid")
    driver = Driver(World(tree.program, tree, tree), left, Random(1), Budget(iterations=300), observer=UntilCovered())
    assert driver.run() is Ending.FULL_COVERAGE


@pytest.mark.parametrize("names", ["magic", "havoc+", "havoc, dfs"])
def test_what_is_no_part_cannot_be_left_out(names: str) -> None:
    with pytest.raises(UsageError, match="has no part"):
        strategy(f"auto:without={names}")


def test_not_all_parts_can_be_left_out() -> None:
    with pytest.raises(UsageError, match="needs a part"):
        strategy("auto:without=" + "+".join(PARTS))
