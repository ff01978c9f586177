"""Shapes in a control flow graph, against a search over all paths of small random graphs."""

from __future__ import annotations

import random

import pytest

from untaken.build.instrument.flow_shapes import FlowGraph, blocks_in_loops, turning_points, unconditional_blocks

STRAIGHT: FlowGraph = [[1], [2], []]
DIAMOND: FlowGraph = [[1, 2], [3], [3], []]
LOOP: FlowGraph = [[1], [2, 3], [1], []]
SELF_LOOP: FlowGraph = [[0, 1], []]
ENDLESS: FlowGraph = [[1], [1]]


def reachable(graph: FlowGraph, starts: list[int], without: int = -1) -> set[int]:
    found: set[int] = set()
    waiting = [start for start in starts if start != without]
    while waiting:
        block = waiting.pop()
        if block not in found:
            found.add(block)
            waiting += [target for target in graph[block] if target != without]
    return found


def random_graph(seed: int) -> FlowGraph:
    rng = random.Random(seed)
    size = rng.randrange(2, 9)
    return [[rng.randrange(size) for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))] for _ in range(size)]


@pytest.mark.parametrize(
    ("graph", "looping"),
    [(STRAIGHT, set()), (DIAMOND, set()), (LOOP, {1, 2}), (SELF_LOOP, {0}), (ENDLESS, {1})],
)
def test_loops(graph: FlowGraph, looping: set[int]) -> None:
    assert blocks_in_loops(graph) == looping


@pytest.mark.parametrize("graph,always", [(STRAIGHT, {0, 1, 2}), (DIAMOND, {0, 3}), (LOOP, {0, 1, 3})])
def test_blocks_on_every_way(graph: FlowGraph, always: set[int]) -> None:
    assert {block for block in unconditional_blocks(graph) if block < len(graph)} == always


@pytest.mark.parametrize("seed", range(300))
def test_loops_of_random_graphs(seed: int) -> None:
    graph = random_graph(seed)
    expected = {block for block in range(len(graph)) if block in reachable(graph, graph[block])}
    assert blocks_in_loops(graph) == expected


def test_a_loop_has_one_turning_point() -> None:
    assert turning_points(LOOP, {0, 1, 2, 3}) == {1}
    assert turning_points(LOOP, {2}) == {2}
    assert turning_points(STRAIGHT, {0, 1, 2}) == turning_points(LOOP, {0, 3}) == set()


@pytest.mark.parametrize("seed", range(300))
def test_each_way_back_to_a_marked_block_passes_a_turning_point(seed: int) -> None:
    graph, rng = random_graph(seed), random.Random(seed)
    marked = {block for block in range(len(graph)) if rng.random() < 0.6}
    turning = turning_points(graph, marked)
    assert turning <= marked & blocks_in_loops(graph)
    cut = [[target for target in targets if target not in turning] for targets in graph]
    assert not marked & blocks_in_loops(cut)


def ends_of(graph: FlowGraph) -> set[int]:
    return {block for block, targets in enumerate(graph) if not targets}


ENDING = [seed for seed in range(600) if ends_of(random_graph(seed)) & reachable(random_graph(seed), [0])]


@pytest.mark.parametrize("seed", ENDING)
def test_blocks_on_every_way_of_random_graphs(seed: int) -> None:
    """A block is on every way to an end if no end can be reached around it."""
    graph = random_graph(seed)
    ends = ends_of(graph)
    reached = reachable(graph, [0])
    expected = {block for block in reached if not ends & reachable(graph, [0], block)}
    assert {block for block in unconditional_blocks(graph) if block < len(graph)} == expected | {0}
