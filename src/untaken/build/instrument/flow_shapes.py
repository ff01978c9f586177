"""Shapes in a control flow graph: which blocks loop, and which run whenever the function does."""

from __future__ import annotations

FlowGraph = list[list[int]]  # successors of each block; block 0 is the entry


def blocks_in_loops(graph: FlowGraph) -> set[int]:
    """The blocks from which a path leads back to themselves (strongly connected components, Tarjan)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    looping: set[int] = set()
    for root in range(len(graph)):
        if root in order:
            continue
        work = [(root, 0)]
        while work:
            block, edge = work.pop()
            if edge == 0:
                order[block] = low[block] = len(order)
                stack.append(block)
                on_stack.add(block)
            descended = False
            for number in range(edge, len(graph[block])):
                target = graph[block][number]
                if target not in order:
                    work += [(block, number + 1), (target, 0)]
                    descended = True
                    break
                if target in on_stack:
                    low[block] = min(low[block], order[target])
            if descended:
                continue
            if low[block] == order[block]:
                component = _pop_component(stack, on_stack, block)
                if len(component) > 1 or block in graph[block]:
                    looping.update(component)
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[block])
    return looping


def _pop_component(stack: list[int], on_stack: set[int], root: int) -> list[int]:
    component = []
    while True:
        block = stack.pop()
        on_stack.discard(block)
        component.append(block)
        if block == root:
            return component


def turning_points(graph: FlowGraph, marked: set[int]) -> set[int]:
    """Of the marked blocks, a few that are on every way from one of them back to itself.

    These are the targets of the edges that lead back in a depth-first search, with the other blocks left out.
    """
    following = [_next_marked(graph, block, marked) if block in marked else [] for block in range(len(graph))]
    found: set[int] = set()
    seen: set[int] = set()
    for root in [block for block in _next_marked(graph, 0, marked) if 0 not in marked] + sorted(marked):
        if root not in seen:
            _turn_back(following, root, seen, found)
    return found


def _turn_back(graph: FlowGraph, root: int, seen: set[int], found: set[int]) -> None:
    work, open_blocks = [(root, 0)], {root}
    seen.add(root)
    while work:
        block, edge = work.pop()
        if edge == len(graph[block]):
            open_blocks.discard(block)
            continue
        work.append((block, edge + 1))
        target = graph[block][edge]
        if target in open_blocks:
            found.add(target)
        elif target not in seen:
            seen.add(target)
            open_blocks.add(target)
            work.append((target, 0))


def _next_marked(graph: FlowGraph, block: int, marked: set[int]) -> list[int]:
    """The marked blocks that a way leads to which passes no other."""
    work, seen, found = list(reversed(graph[block])), {block}, []
    while work:
        target = work.pop()
        if target in marked:
            found.append(target)
        elif target not in seen:
            seen.add(target)
            work += reversed(graph[target])
    return list(dict.fromkeys(found))


def unconditional_blocks(graph: FlowGraph) -> set[int]:
    """The blocks on every way from the entry to an end: the entry's post-dominators."""
    parents = post_dominators(graph)
    found, block = {0}, 0
    while block in parents and parents[block] != block:
        block = parents[block]
        found.add(block)
    return found


def post_dominators(graph: FlowGraph) -> dict[int, int]:
    """Immediate post-dominators (Cooper, Harvey, Kennedy); the common end is numbered len(graph)."""
    end = len(graph)
    reverse: list[list[int]] = [[] for _ in range(end + 1)]
    for block, targets in enumerate(graph):
        for target in targets or [end]:
            reverse[target].append(block)
    order = _postorder(reverse, end)
    rank = {block: number for number, block in enumerate(order)}
    parents = {end: end}
    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            known = [target for target in (graph[block] or [end]) if target in parents]
            best = known[0]
            for target in known[1:]:
                best = _meet(best, target, parents, rank)
            if parents.get(block) != best:
                parents[block] = best
                changed = True
    return parents


def _meet(a: int, b: int, parents: dict[int, int], rank: dict[int, int]) -> int:
    while a != b:
        while rank[a] < rank[b]:
            a = parents[a]
        while rank[b] < rank[a]:
            b = parents[b]
    return a


def _postorder(graph: FlowGraph, root: int) -> list[int]:
    order: list[int] = []
    seen = {root}
    work = [(root, 0)]
    while work:
        block, edge = work.pop()
        if edge < len(graph[block]):
            work.append((block, edge + 1))
            target = graph[block][edge]
            if target not in seen:
                seen.add(target)
                work.append((target, 0))
        else:
            order.append(block)
    return order
