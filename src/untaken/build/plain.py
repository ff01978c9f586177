"""The plain program of an instrumented one: the same sources and options, nothing of ours but the input functions.

`untaken cc` recorded what it takes (build/objects/origin.py). The same commands are given to a plain compiler, in the
same folders, and what comes out is kept in the cache. The input functions come from libuntaken_native.a, which reads
the file that UNTAKEN_INPUT names. Sources that are gone or have changed cannot be used: it would be another program.
The digest that was recorded tells; headers that left no trace in the debug information, macros alone say, must be older
than the program.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from untaken import __version__
from untaken.atomic_files import name_beside, replace_file
from untaken.build.cache import is_misspelt, prerequisites
from untaken.build.library.runtime import runtime_library
from untaken.build.objects.elf import sections
from untaken.build.objects.map_records import linkage_record
from untaken.build.objects.origin import LINK_SECTION, absolute, digest_of
from untaken.build.objects.program_map import origins
from untaken.build.objects.shared_objects import linked_objects
from untaken.build.storage import cache_root, digest
from untaken.build.toolchain.compilers import FrontEnd, Kind, environment, front_end, linker
from untaken.build.toolchain.front_end import INCLUDE
from untaken.build.toolchain.leniency import lenient_options
from untaken.build.toolchain.linker import forbids_undefined
from untaken.errors import PlainBuildError
from untaken.json_records import DamagedRecord

NEED_LIBRARIES = ("-fsanitize=", "-fprofile", "--coverage")
ZIG_HABITS = ("-fno-sanitize=undefined", "-fno-stack-protector")
POLL_SECONDS = 0.05
FOLDER = "plain"
# What a program is linked with says where its shared objects are: before LD_LIBRARY_PATH, where ours may lie.
SEARCHED_FIRST = ("-Wl,--disable-new-dtags",)


class Stopped(Exception):
    """Nobody waits for the program any more."""


@dataclass(frozen=True, slots=True)
class Variant:
    """How the plain program is built; `options` come after the user's own, `compiler` takes the front end's place."""

    title: str
    options: tuple[str, ...] = ()
    compiler: tuple[str, ...] = ()

    @property
    def sanitized(self) -> bool:
        return any(word.startswith("-fsanitize=") for word in self.options)


AS_GIVEN = Variant("the plain program")
# What the source says is done, also where it is undefined and an optimiser would leave it out.
UNOPTIMISED = Variant("the plain program without optimisation", ("-O0", "-fno-delete-null-pointer-checks"))
ADDRESS_CHECKED = Variant("the plain program with AddressSanitizer", ("-O0", "-fsanitize=address"))
CHECKED = Variant("the plain program with AddressSanitizer and UBSan", ("-O0", "-fsanitize=address,undefined"))
CONFIRMING = (AS_GIVEN, UNOPTIMISED, ADDRESS_CHECKED)


def variant_called(title: str) -> Variant:
    """The one that a finding says it was confirmed on; as the user builds it, if none of them is called so."""
    return next((variant for variant in CONFIRMING if variant.title == title), AS_GIVEN)


@dataclass(frozen=True, slots=True)
class Image:
    """An executable or shared object of ours, and what it was made from."""

    path: Path
    linkage: dict[str, Any]
    units: tuple[dict[str, Any], ...]

    @property
    def optimised(self) -> bool:
        levels = [[word for word in unit["words"] if word.startswith("-O")][-1:] for unit in self.units]
        return any(level not in ([], ["-O0"]) for level in levels)


def read_images(program: Path) -> list[Image]:
    """The program, and behind it the shared objects that were built with us, too."""
    others = [path for path in linked_objects(program) if sections(path, ("untaken_map",))]
    return [_image(path) for path in (program, *others)]


def _image(path: Path) -> Image:
    record = sections(path, (LINK_SECTION,)).get(LINK_SECTION)
    if record is None:
        raise PlainBuildError(f"{path.name} does not say what it was linked from: build it again with untaken cc")
    units = []
    for source, origin in origins(path):
        if origin is None:
            raise PlainBuildError(f"{source} does not say how it was compiled")
        _check_unchanged(origin)
        units.append(origin)
    try:
        return Image(path, linkage_record(record), tuple(units))
    except DamagedRecord as error:
        raise PlainBuildError(f"what {path.name} says of its link is damaged ({error}): build it again") from None


def _check_unchanged(origin: Mapping[str, Any]) -> None:
    gone = next((file for file in origin["files"] if not os.path.isfile(file)), None)
    if gone is not None or not origin["files"]:
        raise PlainBuildError(f"{gone or origin['source']} is not there any more")
    if digest_of(origin["files"]) != origin["digest"]:
        raise PlainBuildError(f"{origin['source']}, or a file that it includes, has changed since it was compiled")


def _changed_headers(image: Image, unit: Mapping[str, Any], rules: Path) -> list[str]:
    """Of the files that the digest does not know; none if the compiler does not say what it read."""
    if any(map(is_misspelt, unit["files"])):
        return []
    named = {absolute(unit["directory"], name) for name in prerequisites(rules)} - set(unit["files"])
    made = image.path.stat().st_mtime_ns
    own = [file for file in sorted(named) if not file.startswith(os.path.join(INCLUDE, ""))]
    return [file for file in own if not os.path.exists(file) or os.stat(file).st_mtime_ns > made]


def build_plain(
    program: Path, variant: Variant = AS_GIVEN, name: str = "", stopped: Callable[[], bool] = lambda: False
) -> Path:
    """The plain program under this name, built unless it is in the cache; `stopped` ends that."""
    images = read_images(program)
    compiler = front_end()
    folder = Path(cache_root()) / FOLDER / _key(images, variant, compiler)
    result = folder / (name or program.name)
    if not _is_whole(result):
        folder.mkdir(parents=True, exist_ok=True)
        _Builder(images, variant, folder, stopped).build(result)
        replace_file(os.fspath(_noted(result)), digest_of([os.fspath(result)]).encode())
    return result


def _is_whole(program: Path) -> bool:
    """Whether it is there as it was built: disks and people damage caches, too."""
    with suppress(OSError):
        return _noted(program).read_bytes() == digest_of([os.fspath(program)]).encode()
    return False


def _noted(program: Path) -> Path:
    return program.with_name(f".{program.name}.digest")


def _key(images: Sequence[Image], variant: Variant, compiler: FrontEnd) -> str:
    parts = [__version__, compiler.identity, runtime_library(compiler).native, *_compiler_of(images, variant, compiler)]
    parts += [json.dumps([str(image.path), image.linkage, image.units], sort_keys=True) for image in images]
    parts += [*variant.options, *SEARCHED_FIRST]
    return digest(part.encode(errors="surrogateescape") for part in parts)


def plain_compiler(compiler: FrontEnd, flags: Sequence[str]) -> tuple[str, ...]:
    """The front end itself, which does the same things in the same order.

    zig's has no libraries of its own, and links by means of the system: what these options need, only others have.
    """
    if compiler.kind is Kind.ZIG:
        found = linker()
        if found.kind is Kind.ZIG:
            return (*found.command, *ZIG_HABITS)
        if any(word.startswith(NEED_LIBRARIES) for word in flags):
            return found.command
    return (*compiler.command, "-Qunused-arguments", *lenient_options(compiler))


def _compiler_of(images: Sequence[Image], variant: Variant, compiler: FrontEnd) -> tuple[str, ...]:
    if variant.compiler:
        return variant.compiler
    checks = [word for image in images for word in image.linkage["sanitizers"]]
    return plain_compiler(compiler, [*checks, *variant.options])


class _Builder:
    """Builds into one folder. Objects that are there already were made by a build that was stopped."""

    def __init__(self, images: Sequence[Image], variant: Variant, folder: Path, stopped: Callable[[], bool]) -> None:
        self._images = images
        self._compiler = front_end()
        self._command = _compiler_of(images, variant, self._compiler)
        self._variant = variant
        self._folder = folder
        self._stopped = stopped
        self._libraries: dict[Path, Path] = {}  # the plain shared object of each of ours

    def build(self, result: Path) -> None:
        """Shared objects first: the program is linked with them."""
        for number, image in reversed(list(enumerate(self._images))):
            target = result if number == 0 else self._folder / image.path.name
            objects = [self._folder / f"{number}-{index}.o" for index in range(len(image.units))]
            self._compile(list(zip(image.units, objects, strict=True)))
            self._check(image, objects)
            self._link(image, objects, number, target)
            self._libraries[image.path.resolve()] = target
        for file in (*self._folder.glob("*.o"), *self._folder.glob("*.d")):
            file.unlink(missing_ok=True)

    def _compile(self, wanted: list[tuple[dict[str, Any], Path]]) -> None:
        """As many at a time as there are processors."""
        waiting = [(unit, target) for unit, target in wanted if not target.exists()]
        running: list[_Job] = []
        try:
            while waiting or running:
                while waiting and len(running) < (os.cpu_count() or 1):
                    running.append(self._start(*waiting.pop(0)))
                running.pop(0).finish(self._stopped)
        finally:
            for job in running:
                job.end()

    def _check(self, image: Image, objects: Sequence[Path]) -> None:
        """What was compiled with another header is not kept."""
        for unit, built in zip(image.units, objects, strict=True):
            if changed := _changed_headers(image, unit, built.with_suffix(".d")):
                built.unlink()
                raise PlainBuildError(f"{changed[0]} has changed since {unit['source']} was compiled")

    def _start(self, unit: Mapping[str, Any], target: Path) -> _Job:
        words = [word for word in unit["words"] if not (word.startswith("-fsanitize=") and "fuzzer" in word)]
        command = [*self._command, "-g", *words, *self._variant.options, "-w", "-idirafter", INCLUDE, "-c"]
        command += ["-MMD", "-MF", str(target.with_suffix(".d"))]
        return _Job([*command, "-x", unit["language"], unit["source"]], unit, target)

    def _link(self, image: Image, objects: Sequence[Path], number: int, target: Path) -> None:
        words: list[str] = []
        linkage = image.linkage
        placed = False
        for index, item in enumerate(linkage["items"]):
            if "units" in item and not placed:
                words += map(str, objects)
                placed = True
            elif "words" in item:
                words += item["words"]
            elif "file" in item:
                words.append(self._file(linkage, item["file"]))
            elif "source" in item:
                other = self._folder / f"{number}-{index}-other.o"
                self._compile([(item["source"], other)])
                words.append(str(other))
        command = [*self._command, *linkage["sanitizers"], *self._variant.options, *self._search()]
        command += [*([] if placed else map(str, objects)), *words, *self._rest(linkage, words)]
        command += SEARCHED_FIRST if self._libraries else ()
        _Job(command, linkage, target).finish(self._stopped)

    def _search(self) -> list[str]:
        """Plain shared objects are found before ours."""
        return [f"-L{self._folder}", f"-Wl,-rpath,{self._folder}"] if self._libraries else []

    def _file(self, linkage: Mapping[str, Any], name: str) -> str:
        path = Path(linkage["directory"], name)
        return str(self._libraries.get(path.resolve(), name))

    def _rest(self, linkage: Mapping[str, Any], words: Sequence[str]) -> list[str]:
        standard = ["-lstdc++", "-lm"] if linkage["cplusplus"] else []
        if linkage["shared"]:
            return [*standard, *(["-Wl,-z,undefs"] if forbids_undefined(words) else [])]
        return [*standard, runtime_library(self._compiler).native, "-lm"]


class _Job:
    """One command of the compiler, whose output appears whole or not at all."""

    def __init__(self, command: Sequence[str], record: Mapping[str, Any], target: Path) -> None:
        self._target = target
        self._aside = name_beside(os.fspath(target))
        self._what = str(record.get("source", target.name))
        self._messages = tempfile.TemporaryFile()  # noqa: SIM115  (closed in `end`)
        try:
            self._process = subprocess.Popen(
                [*command, "-o", self._aside],
                cwd=record["directory"],
                env={**environment(), **record.get("variables", {})},
                stdin=subprocess.DEVNULL,
                stdout=self._messages,
                stderr=self._messages,
                start_new_session=True,
            )
        except OSError as error:
            raise PlainBuildError(f"cannot compile {self._what}: {error.strerror}") from None

    def finish(self, stopped: Callable[[], bool]) -> None:
        """Waits for it, and puts the output in its place."""
        try:
            while True:
                try:
                    code = self._process.wait(POLL_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    if stopped():
                        raise Stopped from None
            self._messages.seek(0)
            said = self._messages.read()
        finally:
            self.end()
        if code:
            raise PlainBuildError(f"{self._what} cannot be built without us{_complaint(said)}")
        os.replace(self._aside, self._target)

    def end(self) -> None:
        """Also in the middle of it."""
        self._messages.close()
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
            Path(self._aside).unlink(missing_ok=True)


def _complaint(messages: bytes) -> str:
    """The first error, or nothing."""
    lines = messages.decode(errors="replace").splitlines()
    said = next((line for line in lines if "error" in line or "undefined" in line), None) or next(iter(lines), None)
    return f" ({said.strip()})" if said else ""
