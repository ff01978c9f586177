"""Facts about this machine that decide whether programs can be instrumented and run: asked by `untaken doctor`."""

from __future__ import annotations

import ctypes
import mmap
import os
import re
import resource
from contextlib import suppress
from importlib import metadata
from pathlib import Path

_ABI = Path(__file__).parent.parent / "runtime" / "abi.h"
_MAP_NORESERVE = 0x4000
_MAP_FIXED_NOREPLACE = 0x100000


def platform() -> str:
    """Operating system and processor, as the kernel names them."""
    names = os.uname()
    return f"{names.sysname} {names.machine}"


def package_version(name: str) -> str | None:
    """The version of an installed Python package, found without importing it."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def address_limit() -> str:
    """What `ulimit -v` says, in KiB."""
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return "unlimited" if soft == resource.RLIM_INFINITY else str(soft // 1024)


def overcommit() -> str:
    """The kernel's policy on memory that is reserved but not used: 0, 1, or 2, which refuses."""
    with suppress(OSError):
        return Path("/proc/sys/vm/overcommit_memory").read_text().strip()
    return "unknown"


def shadow_problem() -> str | None:
    """Why the shadow memory cannot be reserved, or None if it can: tried out, and given back at once."""
    text = _ABI.read_text()
    numbers = dict(re.findall(r"#define UNTAKEN_(TAG_BASE|TAG_SIZE|SHADOW_BASE|SHADOW_SIZE) (0x[0-9a-f]+)", text))
    for region in ("TAG", "SHADOW"):
        problem = _mapping_problem(int(numbers[f"{region}_BASE"], 16), int(numbers[f"{region}_SIZE"], 16))
        if problem is not None:
            return problem
    return None


def _mapping_problem(base: int, size: int) -> str | None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE | _MAP_FIXED_NOREPLACE
    found: int | None = libc.mmap(base, size, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
    if found is None or found == ctypes.c_void_p(-1).value:
        return os.strerror(ctypes.get_errno())
    libc.munmap(found, size)
    return None if found == base else "the kernel chose another address"
