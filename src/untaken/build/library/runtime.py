"""The C runtime, compiled on first use and kept in the cache folder.

Compiling it here rather than shipping it keeps the package free of binaries and fits the machine's libc. The
folder's name is a digest of sources, front end and flags; it is made aside and renamed, so that parallel
builds never see half of it.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass

import untaken
from untaken.atomic_files import name_beside, replace_file
from untaken.build.library.private_names import jumps, with_private_names
from untaken.build.objects.archive import archive
from untaken.build.objects.origin import digest_of
from untaken.build.objects.symbols import global_symbols
from untaken.build.storage import cache_root, digest, remove_directory
from untaken.build.toolchain import process
from untaken.build.toolchain.compilers import FrontEnd, environment
from untaken.errors import ToolchainError

SOURCES = os.path.join(os.path.dirname(os.path.abspath(untaken.__file__)), "runtime")
_ROOM = 8 << 20  # bytes that its objects and archives take, about
# Without -g, which would take a third of the time of each link and make each program three times as large.
FLAGS = ("-O2", "-std=gnu11", "-Wall", "-Wextra", "-fPIC", "-ftls-model=initial-exec", "-fno-sanitize=all")
_LAYOUT = "6"  # of the folder: changes when what this module writes there does

_NAME = re.compile(r"runtime-[0-9a-f]+")
_whole: set[str] = set()  # folders that were looked at

# Objects are named after their sources: process-startup.o is compiled from process/startup.c.
IMAGE = "process-announce_image"  # goes into each executable and shared object, to announce it
BINDING = "process-bind_libc"  # goes into each executable with a shared C library
STARTUP = "process-startup"  # goes into each executable, after the program's own objects: nothing refers to it by name
NATIVE = "interfaces-native"  # the input functions for replays of plain programs
EXPORTED = "exported-names"
WHOLE = "whole"  # holds the digest of the other files: disks and people damage caches, too


@dataclass(frozen=True, slots=True)
class RuntimeLibrary:
    """Files of the compiled runtime. `exports` is a response file for linking dynamic executables."""

    image: str
    startup: str
    binding: str
    archive: str
    native: str
    exports: str


def runtime_library(compiler: FrontEnd) -> RuntimeLibrary:
    """The runtime for this front end, compiled if it is not in the cache."""
    folder = _folder(compiler)
    if not _is_whole(folder):
        _build(compiler, folder)
    return _library(folder)


def is_compiled(compiler: FrontEnd) -> bool:
    """Whether the runtime for this front end is in the cache."""
    return _is_whole(_folder(compiler))


def _library(folder: str) -> RuntimeLibrary:
    return RuntimeLibrary(
        image=os.path.join(folder, f"{IMAGE}.o"),
        startup=os.path.join(folder, f"{STARTUP}.o"),
        binding=os.path.join(folder, f"{BINDING}.o"),
        archive=os.path.join(folder, "libuntaken.a"),
        native=os.path.join(folder, "libuntaken_native.a"),
        exports=os.path.join(folder, "exports"),
    )


def _folder(compiler: FrontEnd) -> str:
    """Names the folder by contents, and remembers that by times and sizes so that a link reads no sources."""
    root = cache_root()
    listing = "\n".join([_LAYOUT, compiler.identity, *FLAGS, SOURCES, *_listing()])
    memory = os.path.join(root, f"runtime-known-{digest([listing.encode()])}")
    with suppress(OSError, ValueError), open(memory, encoding="ascii") as file:
        if _NAME.fullmatch(known := file.read()):
            return os.path.join(root, known)
    name = f"runtime-{digest(_identity(compiler))}"
    with suppress(OSError):
        os.makedirs(root, exist_ok=True)
        replace_file(memory, name.encode("ascii"))
    return os.path.join(root, name)


def _listing() -> list[str]:
    files = [(path, os.stat(os.path.join(SOURCES, path))) for path in _source_files(".c", ".h")]
    return [f"{path} {status.st_mtime_ns} {status.st_size}" for path, status in files]


def _source_files(*endings: str) -> list[str]:
    """Paths below SOURCES, always in the same order."""
    found = []
    for folder, _, names in os.walk(SOURCES):
        inside = os.path.relpath(folder, SOURCES)
        found += [os.path.normpath(os.path.join(inside, name)) for name in names if name.endswith(endings)]
    return sorted(found)


def _identity(compiler: FrontEnd) -> Iterable[bytes]:
    yield "\n".join([_LAYOUT, compiler.identity, *FLAGS]).encode()
    for path in _source_files(".c", ".h"):
        yield path.encode()
        yield _read(os.path.join(SOURCES, path))


def _build(compiler: FrontEnd, folder: str) -> None:
    """One process builds; those that want the same meanwhile, as under `make -j`, wait for it."""
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with open(f"{folder}.lock", "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _is_whole(folder):
            shutil.rmtree(folder, ignore_errors=True)
            _build_alone(compiler, folder)


def _is_whole(folder: str) -> bool:
    """Whether all is there, as it was written; looked at once a process."""
    if folder not in _whole:
        with suppress(OSError):
            if _read(os.path.join(folder, WHOLE)) == _digest(folder):
                _whole.add(folder)
    return folder in _whole


def _digest(folder: str) -> bytes:
    """Of the files that programs are linked with."""
    return digest_of((*astuple(_library(folder)), os.path.join(folder, EXPORTED))).encode()


def _build_alone(compiler: FrontEnd, folder: str) -> None:
    aside = name_beside(folder)
    os.makedirs(aside)
    try:
        _fill(compiler, aside, _compile_all(compiler, aside), folder)
        os.rename(aside, folder)
    except OSError:
        if not os.path.isdir(folder):  # where locks do nothing, as on some network drives, someone was faster
            raise
    finally:
        remove_directory(aside)


def _compile_all(compiler: FrontEnd, aside: str) -> dict[str, bytes]:
    """Compiles each source, as many at a time as there are processors; objects by their names, without `.o`."""
    sources = {path[:-2].replace(os.sep, "-"): path for path in _source_files(".c")}
    waiting = list(sources)
    running: list[tuple[str, int]] = []
    failed: list[str] = []
    while waiting or running:
        if waiting and len(running) < (os.cpu_count() or 1):
            name = waiting.pop(0)
            log = os.path.join(aside, f"{name}.log")
            command = _command(compiler, sources[name], os.path.join(aside, f"{name}.o"))
            running.append((name, process.start(command, environment(), log)))
            continue
        name, process_id = running.pop(0)
        failed += [name] if process.wait(process_id) else []
    if failed:
        raise _cannot_compile(compiler, aside, {name: sources[name] for name in failed})
    return {name: _read(os.path.join(aside, f"{name}.o")) for name in sources}


def _cannot_compile(compiler: FrontEnd, aside: str, failed: Mapping[str, str]) -> ToolchainError:
    """Only now are the compiler's messages of interest: a warning in our code is nothing to a user."""
    if shutil.disk_usage(aside).free < _ROOM:
        folder = os.path.dirname(aside)
        return ToolchainError(f"there is no room for the runtime in {folder}: make some, or set XDG_CACHE_HOME")
    for name in failed:
        sys.stderr.write(_read(os.path.join(aside, f"{name}.log")).decode(errors="replace"))
    sources = ", ".join(failed.values())
    return ToolchainError(f"{compiler.command[0]} cannot compile the runtime ({sources}), see the messages above")


def _command(compiler: FrontEnd, source: str, output: str) -> tuple[str, ...]:
    """Sources name headers by their path below SOURCES."""
    place = ("-iquote", SOURCES, "-c", "-o", output, os.path.join(SOURCES, source))
    return (*compiler.command, *FLAGS, *place)


def _fill(compiler: FrontEnd, aside: str, objects: Mapping[str, bytes], folder: str) -> None:
    """Writes the archives and the list of exports beside the objects; `folder` is where they will be found."""
    ours, called = with_private_names({name: data for name, data in objects.items() if name != NATIVE})
    alone = (IMAGE, STARTUP, BINDING)
    for name in ours.keys() & alone:
        _write(aside, f"{name}.o", ours[name])
    parts = {f"{name}.o": data for name, data in ours.items() if name not in alone}
    parts["libc_calls.o"] = _compiled_jumps(compiler, aside, called)
    _write(aside, "libuntaken.a", archive(parts))
    _write(aside, "libuntaken_native.a", archive({f"{NATIVE}.o": objects[NATIVE]} if NATIVE in objects else {}))
    called = sorted({name for data in parts.values() for name in global_symbols(data) if _is_called(name)})
    _write(aside, EXPORTED, b"{ __untaken_*; untaken_*; };\n")
    names = os.path.join(folder, EXPORTED).replace("\\", "\\\\").replace('"', '\\"')
    words = ["-Xlinker", f'"--dynamic-list={names}"', *(f"-Wl,-u,{name}" for name in called)]
    _write(aside, "exports", "\n".join(words).encode())
    _write(aside, WHOLE, _digest(aside))


def _compiled_jumps(compiler: FrontEnd, aside: str, called: list[str]) -> bytes:
    """The object through which the others call the C library."""
    source, output = os.path.join(aside, "libc_calls.c"), os.path.join(aside, "libc_calls.o")
    _write(aside, "libc_calls.c", jumps(called).encode())
    if process.run((*compiler.command, "-c", "-o", output, source), environment()):
        raise ToolchainError(f"{compiler.command[0]} cannot compile the runtime's calls of the C library, see above")
    return _read(output)


def _is_called(name: str) -> bool:
    """Whether instrumented code calls it: a shared object that is loaded later must find it in the executable."""
    return name.startswith(("__untaken_", "untaken_model_"))


def _write(folder: str, name: str, data: bytes) -> None:
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
