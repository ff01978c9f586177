"""The shared memory itself: made by the driver, mapped by the program, read here in place."""

from __future__ import annotations

import errno
import mmap
import os
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.errors import ExecutionError
from untaken.execute.layout import (
    ABI_VERSION,
    BIAS_VALUES,
    MAGIC,
    REGIONS,
    SHARED_DTYPE,
    Layout,
    Region,
    TraceLimits,
    offset_of,
)
from untaken.model.input import Bias, Source
from untaken.model.path import CONCRETISED_KINDS

# Two stretches of struct untaken_shared that are crossed once a run: one call of struct each.
# input_size, timeout_ms, run_flags, input_limit, random_seed, saturation, event_limit
REQUEST = struct.Struct("<QIIQQQQ")
BURST_REQUEST = struct.Struct("<QQQQ")  # burst_end, burst_done, burst_short, burst_long
RESULT = struct.Struct(f"<6Q2IiI{len(CONCRETISED_KINDS)}QQQ")  # input_used up to gaps
REQUEST_OFFSET = offset_of("input_size")
BURST_OFFSET = offset_of("burst_end")
RESULT_OFFSET = offset_of("input_used")
MESSAGE_OFFSET = offset_of("message")
PLACES_OFFSET = offset_of("places")
# The numbers of the header by themselves: as struct has them, and where.
FORMATS = {"u8": "<Q", "u4": "<I", "i4": "<i"}
NUMBERS = {
    name: (struct.Struct(FORMATS[about[0].str[1:]]), about[1])
    for name, about in (SHARED_DTYPE.fields or {}).items()
    if about[0].str[1:] in FORMATS
}
# Below these, an emptied table keeps its memory: the kernel would only hand it out again, page by page.
KEPT_NODES = 1 << 18
KEPT_TABLE_BYTES = 8 << 20


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What a run may use beyond its time; 0 is no limit."""

    memory: int = 2 << 30  # bytes of address space that it may add
    file: int = 64 << 20  # bytes of a file that it may write


class SharedMemory:
    """One memfd with the layout of struct untaken_shared, and numpy views of its regions."""

    def __init__(
        self,
        limits: TraceLimits,
        sources: tuple[Source, ...],
        run_limits: RunLimits,
        biases: tuple[Bias, ...] = (),
        most_runs: int = 1,
        changes_process: bool = False,
        sets_locale: bool = False,
        handles_files: bool = True,
        takes_addresses: bool = True,
    ) -> None:
        self.layout = Layout.of(limits)
        self.descriptor = os.memfd_create("untaken", os.MFD_CLOEXEC)
        try:
            os.ftruncate(self.descriptor, self.layout.size)
            self.map = mmap.mmap(self.descriptor, self.layout.size)
        except OSError as error:
            os.close(self.descriptor)
            limit = "ulimit -f" if error.errno == errno.EFBIG else "ulimit -v"
            raise ExecutionError(
                f"cannot map {self.layout.size >> 20} MiB of trace memory ({error.strerror}): raise `{limit}`"
            ) from error
        self.header: NDArray[np.void] = np.frombuffer(self.map, SHARED_DTYPE, 1)
        self.input = memoryview(self.map)[self._slice(self.layout.regions["input"])]
        self.burst = memoryview(self.map)[self._slice(self.layout.regions["burst"])]
        self.events: NDArray[np.uint32] = self.view("events")
        self.nodes: NDArray[np.void] = self.view("nodes")
        self.reach: NDArray[np.void] = self.view("reach")
        self.coverage: NDArray[np.uint8] = self.view("coverage")
        self.passes: NDArray[np.uint8] = self.view("passes")
        self._write_header(run_limits)
        self._write_sources(sources)
        self._write_biases(biases)
        self.header["most_runs"], self.header["changes_process"] = most_runs, changes_process
        self.header["sets_locale"], self.header["handles_files"] = sets_locale, handles_files
        self.header["takes_addresses"] = takes_addresses
        self._settings = {place.start: self.map[place] for place in self._set_once()}

    def _set_once(self) -> list[slice]:
        """What a server reads when it starts."""
        regions = self.layout.regions
        return [slice(0, REQUEST_OFFSET), self._slice(regions["sources"]), self._slice(regions["biases"])]

    def set_prologue_once(self, *, wanted: bool) -> None:
        """Whether servers that start from now on do what comes before a look at the input once, for all runs."""
        self.header["prologue_once"] = wanted
        self._settings = {place.start: self.map[place] for place in self._set_once()}

    def restore_settings(self) -> bool:
        """Writes again what a server reads when it starts, if a run that went astray has overwritten it; whether."""
        changed = False
        for start, text in self._settings.items():
            if self.map[start : start + len(text)] != text:
                self.map[start : start + len(text)] = text
                changed = True
        return changed

    def clear_all(self) -> None:
        """Forgets all that runs have written; only while none goes on."""
        end = self.layout.size // mmap.PAGESIZE * mmap.PAGESIZE
        self.map.madvise(mmap.MADV_REMOVE, 0, end)
        for start, text in self._settings.items():
            self.map[start : start + len(text)] = text
        self.header["node_count"] = 1

    def view(self, region: str) -> NDArray[Any]:
        """A whole region, in place."""
        place = self.layout.regions[region]
        return np.frombuffer(self.map, place.dtype, place.capacity, place.offset)

    def first(self, region: str, count: int) -> bytes:
        """A copy of so many elements of a region; numpy would copy records field by field, thirty times as slowly."""
        place = self.layout.regions[region]
        return self.map[place.offset : place.offset + min(count, place.capacity) * place.dtype.itemsize]

    def get(self, field: str) -> int:
        """One number of the header: a third of the time that numpy takes."""
        number, offset = NUMBERS[field]
        value: int = number.unpack_from(self.map, offset)[0]
        return value

    def clear_nodes(self) -> None:
        """Empties the node table, and gives its memory back if it is much; only between runs."""
        if self.get("node_count") > KEPT_NODES or self.get("table_bytes") > KEPT_TABLE_BYTES:
            for name in ("slots", "nodes", "tables", "reach"):
                place = self.layout.regions[name]
                self.map.madvise(mmap.MADV_REMOVE, place.offset, place.bytes)
        self.header["node_count"] = 1
        self.header["table_bytes"] = self.header["reach_count"] = 0

    def close(self) -> None:
        """Gives up the descriptor; the mapping goes when the last view of it does."""
        os.close(self.descriptor)

    def _write_header(self, run_limits: RunLimits) -> None:
        header = self.header
        header["magic"], header["abi_version"], header["size"] = MAGIC, ABI_VERSION, self.layout.size
        for name in REGIONS:
            place = self.layout.regions[name]
            header[name]["offset"], header[name]["capacity"] = place.offset, place.capacity
        header["memory_limit"], header["file_limit"] = run_limits.memory, run_limits.file
        header["node_count"] = 1

    def _write_sources(self, sources: tuple[Source, ...]) -> None:
        view = self.view("sources")
        if len(sources) > len(view):
            raise ExecutionError(f"{len(sources)} inputs are declared, but only {len(view)} can be")
        for i, source in enumerate(sources):
            name = os.fsencode(source.name)
            if len(name) >= view.dtype["name"].itemsize:
                raise ExecutionError(f"the file name {source.name!r} is too long for an input: use a shorter path")
            view[i] = (source.kind, source.index, source.size, name)
        self.header["source_count"] = len(sources)

    def _write_biases(self, biases: tuple[Bias, ...]) -> None:
        view = self.view("biases")
        if len(biases) > len(view):
            raise ExecutionError(f"{len(biases)} inputs have a range or values, but only {len(view)} can have")
        for i, bias in enumerate(biases):
            if len(bias.values) > BIAS_VALUES:
                raise ExecutionError(f"{bias.name} has {len(bias.values)} values, but can have only {BIAS_VALUES}")
            values = (*bias.values, *(0 for _ in range(BIAS_VALUES - len(bias.values))))
            view[i] = (os.fsencode(bias.name)[:39], bias.low, bias.high, len(bias.values), 0, values)
        self.header["bias_count"] = len(biases)

    @staticmethod
    def _slice(place: Region) -> slice:
        return slice(place.offset, place.offset + place.bytes)
