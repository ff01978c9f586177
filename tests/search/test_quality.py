"""What strategies are for: covering made-up programs with few executions; and the same decisions every time.

Limits were chosen from what was measured, which stands beside each: three to four times the worst of many seeds. So a
change of what is drawn at random passes, and a strategy that has lost what it is for does not. All are counts of
executions or of branches: how fast or busy the machine is makes no difference.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import mean

import pytest

from untaken.search.budget import Budget
from untaken.search.driver import Driver
from untaken.search.registry import strategy
from untaken.search.world import World

from .programs import Condition, Part, Program, random_program
from .trees import UntilCovered

ALL = [
    "random",
    "dfs",
    "bfs",
    "random-branch",
    "uniform",
    "cfg",
    "cgs",
    "generational",
    "frontier",
    "stores",
    "causes",
    "openings",
    "auto",
]


def covered(program: Program, name: str, iterations: int, seed: int) -> tuple[int, int]:
    """Branches covered, and the executions it took."""
    world, budget = World(program.map, program, program), Budget(iterations)
    driver = Driver(world, strategy(name), Random(seed), budget, observer=UntilCovered())
    driver.run()
    return driver.search.coverage.count, driver.search.tally.last_new


def password(length: int) -> Program:
    """Each byte must be right or the program ends: few paths, but random inputs do not get far."""
    body = [Part(reads=(0,), test=Condition(0, 4, block + 1, length)) for block in range(length)]
    return Program([[*body, Part()]])


def deep_behind_noise(noise: int) -> Program:
    """A loop of `noise` tests on bytes of their own, and before it a short way to a function with more branches."""
    guard = Part(reads=(0, 1), test=Condition(0, 1, 2, 1))
    enter = Part(calls=(1,), jump=2)
    tests = [Part(reads=(0,), test=Condition(0, 1, block + 1, block + 1)) for block in range(2, 2 + noise)]
    inner = [Part(reads=(0,), test=Condition(0, 4, block + 1, 4)) for block in range(4)]
    return Program([[guard, enter, *tests, Part()], [*inner, Part()]])


def machine(rng: Random, states: int) -> Program:
    """A state machine in a loop: the deeper states need the right bytes in a row."""
    body = [Part(jump=1)]
    for state in range(states):
        back = 1 + rng.randrange(state + 1)
        body.append(Part(reads=(0, 1), test=Condition(0, rng.choice((1, 2, 4)), state + 2, back)))
    return Program([[*body, Part()]], most_events=120)


@cache
def programs() -> dict[str, Program]:
    """The same for all strategies."""
    return {
        "password": password(12),
        "noise": deep_behind_noise(40),
        "machine": machine(Random(4), 12),
        **{f"random {seed}": random_program(Random(seed), 8, 14, loops=True) for seed in (11, 13)},
    }


def test_control_flow_directed_search_is_quick_where_the_way_is_short() -> None:
    """All branches of the inner function lie a few steps behind the first branch; depth-first tries the loop first."""
    program = deep_behind_noise(40)
    budget = 4_000
    directed = [covered(program, "cfg", budget, seed) for seed in range(5)]
    deep = covered(program, "dfs:depth=12", budget, 0)
    assert all(count == len(program.map.branches) for count, _ in directed)
    assert max(last for _, last in directed) < 160  # 26 to 46 over 20 seeds
    assert deep[0] < len(program.map.branches)  # 61 of 90, with all of its executions


@pytest.mark.parametrize("name", ["dfs", "bfs", "cfg", "cgs", "generational", "auto"])
def test_systematic_searches_find_the_password_that_random_ones_do_not(name: str) -> None:
    """Over five seeds auto took 42 to 70 executions, the others 13, one a branch; random ended with 7 to 11 branches
    of 24, uniform with 13 to 23."""
    program = password(12)
    assert covered(program, name, 200, 1)[0] == len(program.map.branches)
    assert covered(program, "random", 200, 1)[0] < len(program.map.branches)
    assert covered(program, "uniform", 200, 1)[0] < len(program.map.branches)


def test_auto_is_good_everywhere() -> None:
    """As good as the best single strategy on every program, with five pairs of seeds: a branch in twenty is let pass.
    The worst one covers from 0.38 (password) to 0.97 (noise) of what the best does."""
    singles = ["random", "dfs", "random-branch", "cfg", "cgs", "generational"]
    shares = []
    for program in programs().values():
        scores = {name: mean(covered(program, name, 200, seed)[0] for seed in range(2)) for name in singles}
        own = mean(covered(program, "auto", 200, seed)[0] for seed in range(2))
        best = max(scores.values())
        shares.append(own / best)
        assert own >= min(scores.values())
    assert min(shares) > 0.95, shares


# ---- the same seed, the same decisions ----------------------------------------------------------------------------


def digest() -> str:
    """Of all inputs that all strategies run on some programs."""
    hasher = sha256()
    for name in ALL:
        for seed in (11, 12):
            program = random_program(Random(seed), 6, 10, loops=True, pointers=True)
            driver = Driver(World(program.map, program, program), strategy(name), Random(seed), Budget(60))
            driver.run()
            for run in program.runs:
                hasher.update(len(run).to_bytes(4, "little") + run)
    return hasher.hexdigest()


def test_decisions_do_not_depend_on_the_hash_seed() -> None:
    tests = Path(__file__).parent
    package = __name__.rpartition(".")[0]
    root = tests.parents[package.count(".")]
    code = f"from {package}.test_quality import digest; print(digest())"
    answers = set()
    for hash_seed in ("0", "1", "4242"):
        paths = os.pathsep.join([str(root), *sys.path])
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": paths}
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        answers.add(done.stdout.strip())
    assert answers == {digest()}
