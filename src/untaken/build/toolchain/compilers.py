"""Which compiler and which linker: the first question of the build stage.

The front end turns C into bitcode: `clang` on PATH, of a version that the pinned LLVM can read, else the clang
inside the `ziglang` wheel. The linker only links: the system's own, so that programs find the system's
libraries. Asking a compiler something costs as much as a small compilation, so the answer is kept in the cache
folder for as long as the file does not change.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from untaken.build.storage import cache_root, remembered
from untaken.errors import ToolchainError

OLDEST_CLANG = 14  # the first with opaque-pointer bitcode that was tried
NEWEST_CLANG = 22  # bitcode of a newer LLVM than our own cannot be read

NO_FRONT_END = (
    f"no C front end: install clang {OLDEST_CLANG} to {NEWEST_CLANG}, or `pip install ziglang`, "
    "or name a clang in UNTAKEN_CLANG"
)
# The folders of zig's own glibc headers, in the order in which it searches them.
_ZIG_LIBC = ("x86-linux-gnu", "generic-glibc", "x86-linux-any", "any-linux-any")
NO_LINKER = "no linker: install gcc or clang (Debian: apt-get install gcc libc6-dev), or `pip install ziglang`"


class Kind(Enum):
    """How a tool takes its options."""

    CLANG = "clang"
    ZIG = "zig"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """A clang that emits bitcode. `identity` changes when the file does."""

    kind: Kind
    command: tuple[str, ...]
    version: int
    identity: str


@dataclass(frozen=True, slots=True)
class Linker:
    """A compiler driver that is only asked to link."""

    kind: Kind
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A front end that was looked at: usable, or the reason why not."""

    path: str
    version: int | None
    refusal: str | None


def front_end() -> FrontEnd:
    """The front end to use."""
    named = os.environ.get("UNTAKEN_CLANG", "")
    for candidate in candidates() if named != "zig" else ():
        if candidate.refusal is None and candidate.version is not None:
            return FrontEnd(Kind.CLANG, (candidate.path,), candidate.version, identity(candidate.path))
        if named:
            raise ToolchainError(f"UNTAKEN_CLANG: {candidate.path} {candidate.refusal}")
    if zig := zig_path():
        return FrontEnd(Kind.ZIG, _clang_in_zig(zig), NEWEST_CLANG, identity(zig))
    raise ToolchainError(NO_FRONT_END)


def candidates() -> Iterator[Candidate]:
    """The clangs that are looked at, best first; only the one of UNTAKEN_CLANG if that is set (`zig`: the wheel's)."""
    if named := os.environ.get("UNTAKEN_CLANG"):
        path = find_program(named)
        yield _judge(path) if path else Candidate(named, None, "does not exist; unset it or name a clang")
        return
    for name in ("clang", *(f"clang-{version}" for version in range(NEWEST_CLANG, OLDEST_CLANG - 1, -1))):
        if path := find_program(name):
            yield _judge(path)


def linker() -> Linker:
    """The linker to use: the system's, since zig's first link builds a whole libc."""
    for name in ("cc", "gcc", "clang"):
        if path := find_program(name):
            return Linker(Kind.SYSTEM, (path,))
    if (path := _usable_clang()) is not None:
        return Linker(Kind.SYSTEM, (path,))
    if zig := zig_path():
        return Linker(Kind.ZIG, (zig, "cc"))
    raise ToolchainError(NO_LINKER)


def environment() -> dict[str, str]:
    """Our environment, with a place for zig's cache also where there is no home folder."""
    result = dict(os.environ)
    result.setdefault("ZIG_GLOBAL_CACHE_DIR", os.path.join(cache_root(), "zig"))
    result.setdefault("ZIG_LOCAL_CACHE_DIR", result["ZIG_GLOBAL_CACHE_DIR"])
    return result


def zig_path() -> str | None:
    """The zig program inside the ziglang wheel, found without importing the package."""
    from importlib.util import find_spec

    spec = find_spec("ziglang")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = os.path.join(folder, "zig")
        if os.access(path, os.X_OK):
            return path
    return None


def _clang_in_zig(zig: str) -> tuple[str, ...]:
    """The clang driver itself: `zig cc` would add checks, code for this processor and a cache that chokes on odd names.

    What zig would tell it must be said: where its own headers are, and those of a libc if the system has none.
    """
    library = os.path.join(os.path.dirname(zig), "lib")
    words = (zig, "clang", "--target=x86_64-linux-gnu", "-resource-dir", library)
    if os.path.exists("/usr/include/stdio.h"):
        return words
    minor = os.confstr("CS_GNU_LIBC_VERSION") or "2.36"
    folders = [os.path.join(library, "libc", "include", name) for name in _ZIG_LIBC]
    return (*words, f"-D__GLIBC_MINOR__={minor.rpartition('.')[2]}", *(f"-idirafter{folder}" for folder in folders))


def find_program(name: str) -> str | None:
    """A program on PATH, or by its path; never this command itself, which may be installed as `cc`."""
    folders = [""] if os.sep in name else os.environ.get("PATH", os.defpath).split(os.pathsep)
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK) and not _is_ourselves(path):
            return os.path.abspath(path)
    return None


def _is_ourselves(path: str) -> bool:
    return os.path.basename(os.path.realpath(path)) in ("untaken", "untaken-cc")


def _usable_clang() -> str | None:
    return next((candidate.path for candidate in candidates() if candidate.refusal is None), None)


def _judge(path: str) -> Candidate:
    version = _version(path)
    if version is None:
        return Candidate(path, None, "does not answer as clang does; name a clang instead")
    if version > NEWEST_CLANG:
        return Candidate(path, version, f"is clang {version}, newer than the LLVM {NEWEST_CLANG} that must read it")
    if version < OLDEST_CLANG:
        return Candidate(path, version, f"is clang {version}, too old: {OLDEST_CLANG} is the first that works")
    return Candidate(path, version, None)


def identity(path: str) -> str:
    """Changes when the file does."""
    status = os.stat(path)
    return f"{os.path.realpath(path)} {status.st_mtime_ns} {status.st_size}"


def _version(path: str) -> int | None:
    """The major version of a clang, remembered by its file's identity."""
    version = remembered("front-ends", identity(path), lambda: _ask_version(path))
    return int(version) if version else None


def _ask_version(path: str) -> str | None:
    import re
    import subprocess

    try:
        answer = subprocess.run(
            [path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"clang version (\d+)", answer.stdout)
    return found[1] if found else None
