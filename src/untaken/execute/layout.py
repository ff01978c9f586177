"""The shared memory between driver and program, as numpy sees it: runtime/abi.h, "Shared memory".

Everything here repeats the header; tests/runtime/test_abi.py compiles the header and compares.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from untaken.model.expression import NODE_DTYPE, REACH_DTYPE
from untaken.model.path import CONCRETISED_KINDS, CONSTRAINT_DTYPE, PLACE_DTYPE
from untaken.model.word import WORD_DTYPE

MAGIC = 0x4B544E55
ABI_VERSION = 23
ENVIRONMENT_VARIABLE = "UNTAKEN_FDS"
EVENT_BLOCK = 4096
RUN_CONCRETE = 1
RUN_WANDER = 2
RUN_PRINTABLE = 4
RUN_ENDS = 8
RUN_WINDOWS = 16
RUN_BURST = 32
RUN_REACH = 64
RUN_AWAKE = 128
NO_LENGTH = 0xFFFFFFFF
LEAST_BURST = 1 << 16
WATCHED = 1024
BIAS_VALUES = 64
MOST_ASKED = 128
COMMAND_RUN, COMMAND_RESUME, COMMAND_DROP = b"r", b"c", b"q"
SNAPSHOT, STEPPED, LOST = b"S", b"T", b"L"
REPORT = (0xA74E4B544E559E).to_bytes(7, "little")  # before each answer
REFUSED_THREADS, REFUSED_CHILDREN, DOUBTED_FILES, DOUBTED_PIPES = 1, 2, 4, 8
PLACES = 64
MOST_NODES = 1 << 29  # labels in shadow memory keep the byte number in the bits above
FEWEST_SLOTS = 64  # four cache lines of the index

REGION_DTYPE = np.dtype([("offset", "<u8"), ("capacity", "<u8")])
FIELD_DTYPE = np.dtype([("offset", "<u8"), ("size", "<u8"), ("kind", "<u4"), ("reserved", "<u4"), ("name", "S40")])
ASKED_DTYPE = np.dtype([("position", "<u8"), ("events", "<u8")])
CHANGEABLE_DTYPE = np.dtype(
    [("offset", "<u4"), ("size", "<u4"), ("length_offset", "<u4"), ("keeps_size", "<u2"), ("is_loose", "<u2")]
)
BURST_DTYPE = np.dtype([(name, "<u4") for name in ("copies", "start_count", "word_count", "reserved")])
START_DTYPE = np.dtype(
    [(name, "<u4") for name in ("offset", "size", "places_offset", "place_count", "is_new", "reserved")]
)
INSERT_DTYPE = np.dtype([("offset", "<u4"), ("size", "<u4")])
SOURCE_DTYPE = np.dtype([("kind", "<u4"), ("index", "<u4"), ("size", "<u8"), ("name", "S240")])
BIAS_DTYPE = np.dtype(
    [
        ("name", "S40"),
        ("low", "<i8"),
        ("high", "<i8"),
        ("count", "<u4"),
        ("reserved", "<u4"),
        ("values", "<i8", (BIAS_VALUES,)),
    ]
)
EXTERNAL_DTYPE = np.dtype([("name", "S56"), ("calls", "<u8")])
TABLE_DTYPE = np.dtype([("count", "<u4"), ("width", "<u4"), ("hash", "<u8")])

# In the order of struct untaken_shared.
REGIONS: MappingProxyType[str, np.dtype[Any]] = MappingProxyType(
    {
        "input": np.dtype("u1"),
        "events": np.dtype("<u4"),
        "owners": np.dtype("u1"),
        "constraints": CONSTRAINT_DTYPE,
        "windows": np.dtype("<u8"),
        "nodes": NODE_DTYPE,
        "slots": np.dtype("<u4"),
        "tables": np.dtype("u1"),
        "fields": FIELD_DTYPE,
        "sources": SOURCE_DTYPE,
        "externals": EXTERNAL_DTYPE,
        "coverage": np.dtype("u1"),
        "biases": BIAS_DTYPE,
        "words": WORD_DTYPE,
        "reach": REACH_DTYPE,
        "burst": np.dtype("u1"),
        "passes": np.dtype("u1"),
        "tallies": np.dtype("u1"),
    }
)

SHARED_DTYPE = np.dtype(
    [
        ("magic", "<u4"),
        ("abi_version", "<u4"),
        ("size", "<u8"),
        *((name, REGION_DTYPE) for name in REGIONS),
        ("source_count", "<u8"),
        ("bias_count", "<u8"),
        ("memory_limit", "<u8"),
        ("file_limit", "<u8"),
        ("most_runs", "<u4"),
        ("changes_process", "<u4"),
        ("sets_locale", "<u4"),
        ("handles_files", "<u4"),
        ("prologue_once", "<u4"),
        ("takes_addresses", "<u4"),
        ("input_size", "<u8"),
        ("timeout_ms", "<u4"),
        ("run_flags", "<u4"),
        ("input_limit", "<u8"),
        ("random_seed", "<u8"),
        ("saturation", "<u8"),
        ("event_limit", "<u8"),
        ("burst_end", "<u8"),
        ("burst_done", "<u8"),
        ("burst_short", "<u8"),
        ("burst_long", "<u8"),
        ("watched", f"S{WATCHED}"),
        ("id_count", "<u8"),
        ("node_count", "<u8"),
        ("table_bytes", "<u8"),
        ("reach_count", "<u8"),
        ("external_count", "<u8"),
        ("run_count", "<u8"),
        ("refused", "<u8"),
        ("input_statements", "<u8"),
        ("news_position", "<u8"),
        ("stop_position", "<u8"),
        ("asked_count", "<u8"),
        ("asked", ASKED_DTYPE, (MOST_ASKED,)),
        ("input_used", "<u8"),
        ("field_count", "<u8"),
        ("constraint_count", "<u8"),
        ("event_count", "<u8"),
        ("new_ids", "<u8"),
        ("word_count", "<u8"),
        ("cut_off", "<u4"),
        ("exit_kind", "<u4"),
        ("exit_code", "<i4"),
        ("thread_count", "<u4"),
        ("concretised", "<u8", (len(CONCRETISED_KINDS),)),
        ("pins", "<u8"),
        ("gaps", "<u8"),
        ("passed_oftener", "<u8"),
        ("nodes_asked", "<u8"),
        ("message", "S512"),
        ("places", PLACE_DTYPE, (PLACES,)),
    ]
)


def offset_of(field: str) -> int:
    """Where a field of struct untaken_shared lies."""
    assert SHARED_DTYPE.fields is not None
    return int(SHARED_DTYPE.fields[field][1])


@dataclass(frozen=True, slots=True)
class TraceLimits:
    """How much one run and one campaign may record. The memory is sparse: only what is used costs anything."""

    input: int = 16 << 20
    events: int = 8 << 20
    constraints: int = 1 << 20
    nodes: int = 16 << 20
    tables: int = 128 << 20  # bytes; when they are full, all that the solver knows of nodes is lost
    fields: int = 16 << 20  # as many as input bytes: what a run asks for is bounded by memory alone
    sources: int = 256
    externals: int = 4096
    coverage: int = 16 << 20  # ids in the program
    biases: int = 256
    words: int = 256

    def __post_init__(self) -> None:
        if self.nodes > MOST_NODES:
            raise ValueError(f"at most {MOST_NODES} nodes fit into a label")
        if min(self.capacities().values()) < 1:
            raise ValueError("every limit must be at least 1")

    def capacities(self) -> dict[str, int]:
        """Elements in each region, in the order of the regions."""
        blocks = -(-self.events // EVENT_BLOCK)
        derived = {
            "events": blocks * EVENT_BLOCK,
            "owners": blocks,
            "windows": self.constraints,
            "reach": self.nodes,
            "burst": 2 * self.input + LEAST_BURST,
            "passes": self.coverage,
            "tallies": self.coverage,
            "slots": hash_slots(self.nodes),
        }
        return {name: derived[name] if name in derived else getattr(self, name) for name in REGIONS}


def hash_slots(nodes: int) -> int:
    """A power of two. The index needs two for each node, and room for hash tables of all those that find none there."""
    return max(FEWEST_SLOTS, 1 << (8 * nodes - 1).bit_length())


@dataclass(frozen=True, slots=True)
class Region:
    """One array in the shared memory."""

    offset: int
    capacity: int
    dtype: np.dtype[Any]

    @property
    def bytes(self) -> int:
        return self.capacity * self.dtype.itemsize


@dataclass(frozen=True, slots=True)
class Layout:
    """Where every region lies, and how large the whole is."""

    regions: MappingProxyType[str, Region]
    size: int

    @classmethod
    def of(cls, limits: TraceLimits) -> Layout:
        """Regions one after the other, each on a page of its own so that it can be given back alone."""
        position = page_end(SHARED_DTYPE.itemsize)
        regions = {}
        for name, capacity in limits.capacities().items():
            regions[name] = Region(position, capacity, REGIONS[name])
            position = page_end(position + regions[name].bytes)
        return cls(MappingProxyType(regions), position)


def page_end(position: int) -> int:
    """The next multiple of the page size."""
    return -(-position // 4096) * 4096
