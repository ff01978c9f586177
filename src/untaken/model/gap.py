"""What a trace does not show. A module of its own: the compiler needs it, and loads no numpy."""

from __future__ import annotations

from enum import IntFlag


class Gap(IntFlag):
    """What a run did that its trace does not show. Numbers as UNTAKEN_GAP_* in the ABI."""

    PROCESSES = 1
    REPLACED = 2
    TIMERS = 4
    JUMPED = 8
    HANDLERS = 16
    READS = 32
    EARLY = 64
    FAULTS = 128
    ASIDE = 256
    CHANCE = 512
