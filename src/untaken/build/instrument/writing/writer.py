"""Writes the text of one instrumented function: the program's own code, groups of label work, and the tests between.

A group (`group`) gathers label computations until something needs them to have happened: a call, a store after a load,
the end of the block. `flush` then writes the one test that decides whether the group's cold block runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from untaken.build.instrument.abi import LINE_SHIFT, TAG_BASE
from untaken.build.instrument.labels import LabelTable
from untaken.build.instrument.writing.group import Group
from untaken.build.instrument.writing.handover import AsArguments, InFrame
from untaken.build.instrument.writing.homes import Homes
from untaken.build.instrument.writing.steps import GroupTable
from untaken.build.instrument.writing.tags import WIDEST_EXACT, Tag, exact_test

_LABEL = re.compile(r"%\$\.l\d+")


@dataclass(frozen=True, slots=True)
class ModuleWriting:
    """What the writers of a module's functions share."""

    groups: GroupTable
    cold_metadata: str
    line_of: Callable[[str], int]  # by a reference to debug information
    checking: bool = False  # compare all values that the runtime computes with the program's own


class FunctionWriter:
    """The output of one function, and the group being gathered."""

    def __init__(self, labels: LabelTable, module: ModuleWriting, is_large: bool) -> None:
        self.labels = labels
        self._is_large = is_large
        self.lines: list[str] = []
        self._module = module
        self._cold_blocks: list[str] = []
        self._counter = 0
        self._groups = 0
        self._piece = ""
        self._index = 0
        self._debug = ""
        self._most_slots = 0
        self._frame_at = 0
        self._homes = Homes()
        self.group = self._new_group()

    def _new_group(self) -> Group:
        self._groups += 1
        handover = (AsArguments if self._is_large else InFrame)(self._groups, self.name)
        return Group(self.name, handover, self._module.checking)

    def _close_group(self) -> None:
        self._most_slots = max(self._most_slots, self.group.slot_count)
        self.group = self._new_group()

    # ---- the program's own code

    def start_block(self, name: str) -> None:
        """Begins a block of the program; `name` with its %."""
        self.lines.append(f"{name[1:]}:")
        self._piece = name

    @property
    def piece(self) -> str:
        """The block that is being written now: a block of the program may have been split."""
        return self._piece

    def at(self, index: int, debug: str = "") -> None:
        """Says which instruction of the block comes now, so that dead labels are not carried on; `debug` refers to its
        place in the source."""
        self._index = index
        self._debug = debug
        if self.group.is_full:
            self.flush()

    @property
    def line(self) -> int:
        """Of the source, where the instruction that comes now is; 0 if that is not known."""
        return self._module.line_of(self._debug) if self._debug else 0

    def mark_frame(self) -> None:
        """Here the function's fixed locals end; the slots are put beside them."""
        self._frame_at = len(self.lines)

    def emit(self, text: str) -> None:
        self.lines.append(text)

    def name(self) -> str:
        """A local name that the function does not use yet."""
        self._counter += 1
        return f"%$.v{self._counter}"

    def define(self, text: str) -> str:
        """Emits `%new = text` among the program's code."""
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    # ---- memory

    def watch(self, pointer: str, size: int, align: int) -> None:
        """Makes the tags of the lines that an access touches indicators of the group."""
        exact = size if size <= WIDEST_EXACT and align >= size else 0
        self._watch_line(pointer, exact)
        if (align < min(size, 64) and size > 1) or size > 64:
            last = self.define(f"getelementptr i8, ptr {pointer}, i64 {size - 1}")
            self._watch_line(last, exact)

    def _watch_line(self, pointer: str, size: int) -> None:
        known = self.group.watched.get(pointer)
        if known is not None:
            self.group.watched[pointer] = replace(known, size=max(size, known.size) if size and known.size else 0)
            return
        address = self.define(f"ptrtoint ptr {pointer} to i64")
        line = self.define(f"lshr i64 {address}, {LINE_SHIFT}")
        place = self.define(f"getelementptr i16, ptr inttoptr (i64 {TAG_BASE} to ptr), i64 {line}")
        self.group.watched[pointer] = Tag(self.define(f"load i16, ptr {place}, align 2"), address, size)

    # ---- the test

    def flush(self) -> None:
        """Writes the test of the group gathered so far, and its cold block."""
        self.group.compute_deferred(self._is_alive)
        if self.group.has_work:
            self._test([])
        self._close_group()

    def flush_to_cursor(self, with_room: bool) -> str:
        """Like flush; returns the name of the event cursor, after looking for room if asked to."""
        if not with_room:
            self.flush()
            return self.define("load ptr, ptr @__untaken_cursor, align 8")
        self.group.compute_deferred(self._is_alive)
        cursor = self.define("load ptr, ptr @__untaken_cursor, align 8")
        limit = self.define("load ptr, ptr @__untaken_limit, align 8")
        full = self.define(f"icmp uge ptr {cursor}, {limit}")
        self.group.indicate(self.define(f"zext i1 {full} to i32"))
        again = self.group.after_define("call ptr @__untaken_room()")
        (joined,) = self._test([("ptr", cursor, again)])
        self._close_group()
        return joined

    def _is_alive(self, label: int) -> bool:
        return self.labels.last_use.get(label, -1) >= self._index

    def _test(self, joins: list[tuple[str, str, str]]) -> list[str]:
        self._counter += 1
        cold, work, after = (f"$.{piece}{self._counter}" for piece in ("cold", "work", "on"))
        group, before = self.group, self._piece
        asked = {name: self._asked_for(name) for name in group.indicators}
        indicators = list(asked.values())
        nonzero = self.define(f"icmp ne i32 {self._any(indicators)}, 0")
        self.emit(f"  br i1 {nonzero}, label %{cold}, label %{after}, !prof {self._module.cold_metadata}")
        alive = [label for label in group.defined if self._is_alive(label)]
        skipping = [before]
        if not group.hand_over_addresses(self.labels.scalar) and any(tag.size for tag in group.watched.values()):
            skipping.append(f"%{cold}")
            lines, answer = exact_test(group.watched.values(), indicators, self.name)
            self._cold_blocks += [f"{cold}:", *lines, f"  br i1 {answer}, label %{work}, label %{after}"]
            cold = work
        body = group.cold_body(self._module.groups, alive)
        if any(name != copy for name, copy in asked.items()):
            body = [_LABEL.sub(lambda match: asked.get(match[0], match[0]), line) for line in body]
        self._cold_blocks += [f"{cold}:", *body, f"  br label %{after}"]
        self.start_block(f"%{after}")
        for label in sorted(alive):
            self.emit(f"  %$.l{label} = {_phi('i32', '0', skipping, f'%$.c{label}', cold)}")
        return [self.define(_phi(kind, hot, skipping, other, cold)) for kind, hot, other in joins]

    def _asked_for(self, name: str) -> str:
        """An indicator; one that is asked for all over a large function is read from its home in the frame."""
        home = self._homes.asked_too_often(name)
        return name if home is None else self.define(f"load volatile i32, ptr {home}, align 4")

    def _any(self, indicators: list[str]) -> str:
        """An i32 that is nonzero if any indicator or tag is."""
        names = indicators[:]
        if self.group.watched:
            tags = self._joined("i16", [tag.name for tag in self.group.watched.values()])
            names.append(self.define(f"zext i16 {tags} to i32"))
        return self._joined("i32", names)

    def _joined(self, kind: str, names: list[str]) -> str:
        result = names[0]
        for name in names[1:]:
            result = self.define(f"or {kind} {result}, {name}")
        return result

    def finish(self) -> list[str]:
        """All lines of the body, cold blocks at the end."""
        return self.lines + self._cold_blocks

    def frame(self) -> tuple[int, list[str]]:
        """Where the slots and homes are to be put, and their definition."""
        homes = self._homes.definitions()
        if not self._most_slots:
            return self._frame_at, homes
        values = f"  %$.values = alloca [{self._most_slots} x i64], align 8"
        labels = f"  %$.labels = alloca [{self._most_slots} x i32], align 8"
        return self._frame_at, [labels, *homes] if self._is_large else [values, labels, *homes]

    def take_home(self, lines: list[str]) -> list[str]:
        """The lines of the body, with stores of the labels that have a home in the frame."""
        return self._homes.with_stores(lines)


def _phi(kind: str, skipped: str, skipping: list[str], worked: str, work: str) -> str:
    """A value that is as it was if cold code had nothing to do."""
    untouched = "".join(f"[ {skipped}, {block} ], " for block in skipping)
    return f"phi {kind} {untouched}[ {worked}, %{work} ]"
