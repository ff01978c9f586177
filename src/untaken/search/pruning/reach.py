"""Which branches and functions the program can still come to from a place in it, by control flow alone (OSMOSE paper,
section 3).

Sets are computed forward from one place when first asked for, and kept. A call counts with the summary of its callee:
all branches and entries of all functions that the call graph leads to. What happens after the function returns is the
caller's matter. Sets are whole numbers, one bit for each branch and each function.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from untaken.model.program import NO_BRANCH, Block, Call, Function, LibraryEffect, ProgramMap

Bits = int
BlockStart = tuple[Function, int]  # the start of a block
CallSite = tuple[int, int]  # a call: the number of its block, and its number there


class Reach:
    """Reachability sets of one program."""

    def __init__(self, program: ProgramMap) -> None:
        self._program = program
        self._quiet = program.named(LibraryEffect.QUIET)
        ids = sorted({*program.branches, *(function.entry_id for function in program.functions)})
        self._bit_of = np.zeros(program.id_count, np.intp)
        self._bit_of[ids] = np.arange(len(ids))
        self._size = len(ids)
        self.everything: Bits = (1 << len(ids)) - 1
        self._places = _places(program)
        self._concrete = {text.partition(":")[0] for text in program.uninstrumented}
        self._replaced = [each for each in program.functions if each.exported and each.name in self._quiet]
        self._own = [self._all_of(function) for function in program.functions]
        self._summaries: dict[int, Bits] = {}
        self._blocks: dict[tuple[int, int], Bits] = {}
        self._behind: dict[int, Bits] = {}
        self._returns: dict[tuple[int, int], Bits] = {}
        self.open = self._is_open()

    # ---- sets -----------------------------------------------------------------------------------------------------

    def set_of(self, ids: NDArray[np.intp]) -> Bits:
        """Some branches and functions, by id and entry id, as a set."""
        flags = np.zeros(self._size, np.bool_)
        flags[self._bit_of[ids]] = True
        return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")

    def through(self, branch: int) -> Bits:
        """The branch itself and what lies behind it in its function."""
        if branch not in self._behind:
            own = 1 << int(self._bit_of[branch]) if branch in self._places else 0
            self._behind[branch] = own | self.after_event(branch)
        return self._behind[branch]

    def after_event(self, event: int) -> Bits:
        """What lies behind a branch or an entry, in its function."""
        places = self._places.get(event)
        if not places:
            return self.everything
        found = 0
        for place in places:
            found |= self._from_block(*place)
        return found

    def after_return(self, event: int, entry: int) -> Bits:
        """What the caller can reach once a call has returned; `event` is the caller's last own one before it."""
        key = event, entry
        if key not in self._returns:
            self._returns[key] = self._after_return(event, entry)
        return self._returns[key]

    def summary(self, function: int) -> Bits:
        """All branches and entries of all functions that a call of this one may lead to."""
        if function not in self._summaries:
            self._summaries[function] = self._summarise(function)
        return self._summaries[function]

    # ---- inside a function ------------------------------------------------------------------------------------------

    def _from_block(self, function: Function, start: int) -> Bits:
        key = function.index, start
        if key not in self._blocks:
            self._blocks[key] = self._forward(function, [start])
        return self._blocks[key]

    def _forward(self, function: Function, starts: list[int]) -> Bits:
        found = 0
        waiting, seen = list(starts), set(starts)
        while waiting:
            number = waiting.pop()
            known = self._blocks.get((function.index, number))
            if known is not None:
                found |= known
                continue
            block = function.blocks[number]
            found |= self._branches(block) | self._called(function, block.calls)
            fresh = {edge.target for edge in block.edges} - seen
            seen |= fresh
            waiting += fresh
        return found

    def _after_return(self, event: int, entry: int) -> Bits:
        callee = self._program.function_of_entry[entry]
        found, sites = 0, 0
        for function, start in self._places.get(event, []):
            for number, call in self._sites(function, start, callee):
                block = function.blocks[number]
                later = self._called(function, block.calls[call + 1 :])
                found |= later | self._branches(block) | self._forward(function, [edge.target for edge in block.edges])
                sites += 1
        return found if sites else self.everything

    def _sites(self, function: Function, start: int, callee: Function) -> Iterator[CallSite]:
        """The calls that may have entered the callee, with no branch between the start and them."""
        waiting, seen = [start], {start}
        while waiting:
            number = waiting.pop()
            block = function.blocks[number]
            for place, call in enumerate(block.calls):
                callees = self._callees(function, call)
                if callees is None or callee in callees:
                    yield number, place
            fresh = {edge.target for edge in block.edges if edge.branch == NO_BRANCH} - seen
            seen |= fresh
            waiting += fresh

    def _branches(self, block: Block) -> Bits:
        found = 0
        for edge in block.edges:
            if edge.branch != NO_BRANCH:
                found |= 1 << int(self._bit_of[edge.branch])
        return found

    # ---- calls ------------------------------------------------------------------------------------------------------

    def _called(self, function: Function, calls: tuple[Call, ...]) -> Bits:
        found = 0
        for call in calls:
            callees = self._callees(function, call)
            if callees is None:
                return self.everything
            for callee in callees:
                found |= self.summary(callee.index)
        return found

    def _callees(self, function: Function, call: Call) -> list[Function] | None:
        """The functions of the program that a call may enter; None: any."""
        callee = self._program.callee(function, call)
        if callee is not None:
            return [callee]
        if call.callee is None or call.callee in self._concrete or call.callee not in self._quiet:
            return None
        # A program may have its own malloc, say: then the library's functions use that.
        return self._replaced

    def _summarise(self, start: int) -> Bits:
        found = 0
        waiting, seen = [start], {start}
        while waiting:
            number = waiting.pop()
            if number in self._summaries:
                found |= self._summaries[number]
                continue
            callees = self._all_callees(number)
            if callees is None:
                return self.everything
            found |= self._own[number]
            waiting += callees - seen
            seen |= callees
        return found

    def _all_callees(self, number: int) -> set[int] | None:
        function = self._program.functions[number]
        found: set[int] = set()
        for block in function.blocks:
            for call in block.calls:
                callees = self._callees(function, call)
                if callees is None:
                    return None
                found.update(callee.index for callee in callees)
        return found

    # ---- the whole program ------------------------------------------------------------------------------------------

    def roots(self) -> list[Function]:
        """Functions that no other calls by name: main, what runs before and after it, and what pointers lead to."""
        called = {
            callee.index
            for function in self._program.functions
            for block in function.blocks
            for call in block.calls
            if (callee := self._program.callee(function, call)) is not None and callee is not function
        }
        return [function for function in self._program.functions if function.index not in called]

    def _all_of(self, function: Function) -> Bits:
        found = 1 << int(self._bit_of[function.entry_id])
        for block in function.blocks:
            found |= self._branches(block)
        return found

    def _is_open(self) -> bool:
        """True if handlers or jumps may lead from anywhere to anywhere."""
        calls = (call for function in self._program.functions for block in function.blocks for call in block.calls)
        leaving = self._program.named(LibraryEffect.LEAVES_BEHIND)
        return any(call.callee in leaving for call in calls)


def _places(program: ProgramMap) -> dict[int, list[BlockStart]]:
    """Where the program goes on after a branch or an entry."""
    places: dict[int, list[BlockStart]] = {function.entry_id: [(function, 0)] for function in program.functions}
    for function in program.functions:
        for block in function.blocks:
            for edge in block.edges:
                if edge.branch != NO_BRANCH:
                    places.setdefault(int(edge.branch), []).append((function, edge.target))
    return places
