"""What a campaign is about: the program, built on the fly if C files are named, and its map."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from untaken.build.cache import build_cached
from untaken.build.instrument.system_files import DRIVER_SUFFIX
from untaken.build.library.contained_functions import READING
from untaken.build.objects.program_map import read_program_map
from untaken.errors import CampaignError, CompileError, NoProgramMap, UsageError
from untaken.execute.server import check_instrumented
from untaken.model.program import ProgramMap

SOURCE_SUFFIXES = (".c", ".i")
FOREIGN_SUFFIXES = (".cc", ".cpp", ".cxx", ".C", ".c++")
INPUT_PREFIXES = ("untaken_input", "__Crest", "klee_", "__VERIFIER_nondet")
FUZZ_ENTRY = "LLVMFuzzerTestOneInput"
SANITIZER_SYMBOLS = (b"__asan_init", b"__ubsan_handle_")
SANITIZER_SETTINGS = {
    # Reports are read for their headline only: names and lines come from the trace, symbolizers are slow.
    "ASAN_OPTIONS": "symbolize=0:detect_leaks=0:abort_on_error=0:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "symbolize=0:halt_on_error=1:print_stacktrace=0",
}


@dataclass(frozen=True, slots=True)
class Target:
    """A program that can be explored."""

    program: Path
    sources: tuple[str, ...]
    cflags: tuple[str, ...]
    map: ProgramMap
    digest: str
    sanitized: bool

    @property
    def title(self) -> str:
        """What a person calls it: not by the name under which it lies in the cache."""
        return program_title(self.sources, self.program)

    @property
    def is_fuzzed(self) -> bool:
        """Whether it is a target of libFuzzer: its input is one string of bytes."""
        return any(function.name == FUZZ_ENTRY for function in self.map.functions)

    @property
    def asks_for_input(self) -> bool:
        """Whether it calls one of the interfaces that draw from the input."""
        named = any(callee.startswith(INPUT_PREFIXES) for callee in self.map.callees)
        return named or self.is_fuzzed

    @property
    def reads_nothing(self) -> bool:
        """Whether it surely reads neither files nor standard input: all that it calls is known not to."""
        known = self.map.containment
        through_pointers = any(
            call.callee is None for each in self.map.functions for block in each.blocks for call in block.calls
        )
        return (
            known.contained and not known.uses_files and not through_pointers and READING.isdisjoint(self.map.callees)
        )

    def without_map(self) -> Target:
        """For another process on this machine, which can read the map from the program: that takes half the time of
        sending it, and several can do it at the same time."""
        return replace(self, map=ProgramMap((), {}, 0))

    def with_map(self) -> Target:
        """The same with the map, from the program; which must be what it was."""
        try:
            is_same = digest_of(self.program.read_bytes()) == self.digest
        except OSError as error:
            raise CampaignError(f"cannot read {self.program}: {error.strerror}") from None
        if not is_same:
            raise CampaignError(f"{self.program} is another program now than when the campaign began")
        return replace(self, map=read_program_map(self.program))

    @property
    def abort_is_an_end(self) -> bool:
        """Test-Comp programs leave through abort() where an assumption fails."""
        return any(callee.startswith("__VERIFIER_nondet") for callee in self.map.callees)


def program_title(sources: Sequence[str | Path], program: str | Path) -> str:
    """After the first of its C files; a driver of one function is called as the function."""
    return Path((*sources, program)[0]).name.removesuffix(DRIVER_SUFFIX)


def find_target(names: Sequence[str], cflags: str = "") -> Target:
    """Builds C files; takes a program as it is."""
    paths = [Path(name) for name in names]
    check_files(paths)
    sources = [path for path in paths if path.suffix in SOURCE_SUFFIXES]
    if sources and len(sources) == len(paths):
        return _built(sources, tuple(words(cflags)))
    if len(paths) > 1:
        raise UsageError("name C files, or one program that was built with untaken cc; arguments come after --")
    if cflags:
        raise UsageError("--cflags is for C files; this program is built already")
    check_instrumented(paths[0])
    return _described(paths[0].absolute(), (), ())


def check_files(paths: Sequence[Path]) -> None:
    """Whether they are there, and may be C."""
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: no such file")
        if path.is_dir():
            raise UsageError(f"{path} is a folder: name a C file or a program")
        if path.suffix in FOREIGN_SUFFIXES:
            raise UsageError(f"{path} is C++, which is linked but not explored: build the program with untaken cc")


def words(cflags: str) -> list[str]:
    try:
        return shlex.split(cflags)
    except ValueError as error:
        raise UsageError(f"--cflags cannot be read: {error}") from None


def _built(sources: list[Path], cflags: tuple[str, ...]) -> Target:
    try:
        program = build_cached(sources, cflags)
    except CompileError as error:
        raise CompileError(str(error), 2) from None
    try:
        return _described(program, tuple(str(source.absolute()) for source in sources), cflags)
    except NoProgramMap:
        names = ", ".join(str(source) for source in sources)
        raise NoProgramMap(
            f"no function of {names} can be instrumented (`asm goto`, naked functions and the like are left as they "
            "are), so there is nothing to explore"
        ) from None


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def is_sanitized(program: Path) -> bool:
    """Whether it was built with one."""
    content = program.read_bytes()
    return any(symbol in content for symbol in SANITIZER_SYMBOLS)


def _described(program: Path, sources: tuple[str, ...], cflags: tuple[str, ...]) -> Target:
    content = program.read_bytes()
    return Target(
        program=program,
        sources=sources,
        cflags=cflags,
        map=read_program_map(program),
        digest=digest_of(content),
        sanitized=is_sanitized(program),
    )
