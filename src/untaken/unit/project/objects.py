"""The files of a project as objects, and which of them a file needs: what a linker takes from an archive."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from untaken.atomic_files import replace_file
from untaken.build.driver import compile_and_link
from untaken.build.library.failing_allocations import FLAGS
from untaken.build.objects.symbols import global_symbols, needed_symbols
from untaken.build.plain import plain_compiler
from untaken.build.storage import digest, scratch_directory
from untaken.build.toolchain.compilers import environment, front_end
from untaken.errors import CompileError, UntakenError
from untaken.unit.project.sources import SourceFile
from untaken.unit.project.watching import ProjectWatcher

SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")


@dataclass(frozen=True, slots=True)
class ProjectObject:
    """A compiled file: `explored` has our instrumentation, `plain` has not, `checked` has sanitizers if there are."""

    source: SourceFile
    explored: Path
    plain: Path
    checked: Path | None
    defined: frozenset[str]
    needed: frozenset[str]
    fails: bool = False  # its allocations may fail


def has_sanitizers() -> bool:
    """Whether programs can be built with AddressSanitizer and UBSan here."""
    with scratch_directory() as scratch:
        program = os.path.join(scratch, "tried")
        command = [*plain_compiler(front_end(), SANITIZERS), *SANITIZERS, "-x", "c", "-", "-o", program]
        done = subprocess.run(
            command, input=b"int main(void) { return 0; }", env=environment(), capture_output=True, check=False
        )
        return done.returncode == 0


def compile_objects(
    sources: Mapping[SourceFile, bool], folder: Path, checked: bool, watcher: ProjectWatcher
) -> list[ProjectObject]:
    """Of all that can be compiled; the others are said. Each source comes with whether its allocations may fail."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for done, (source, fails) in enumerate(sources.items()):
        watcher.step("files", done, len(sources))
        built = replace(source, flags=(*source.flags, *FLAGS)) if fails else source
        try:
            found.append(replace(_compiled(built, folder, checked), source=source, fails=fails))
        except (UntakenError, OSError) as error:
            watcher.note(f"{source.path.name} is left out: {error}")
    return found


def _compiled(source: SourceFile, folder: Path, checked: bool) -> ProjectObject:
    """Objects are called after their content, so that what was linked with one stays right."""
    with scratch_directory() as scratch:
        aside = os.path.join(scratch, "explored.o")
        if compile_and_link([*source.flags, "-c", "-o", aside, str(source.path)]):
            raise CompileError("it could not be compiled, see the messages above")
        explored = _kept(Path(aside), folder, source.name)
        plain = _plain(source, folder, scratch)
        tested = _plain(source, folder, scratch, SANITIZERS) if checked else None
    if plain is None:
        raise CompileError("the plain compiler does not take it")
    data = plain.read_bytes()
    return ProjectObject(
        source, explored, plain, tested, frozenset(global_symbols(data)), frozenset(needed_symbols(data))
    )


def _plain(source: SourceFile, folder: Path, scratch: str, more: Sequence[str] = ()) -> Path | None:
    aside = os.path.join(scratch, "checked.o" if more else "plain.o")
    flags = [*source.flags, *more]
    command = [*plain_compiler(front_end(), flags), "-g", *flags, "-c", str(source.path), "-o", aside]
    done = subprocess.run(command, env=environment(), capture_output=True, check=False)
    return None if done.returncode else _kept(Path(aside), folder, source.name)


def _kept(object: Path, folder: Path, name: str) -> Path:
    data = object.read_bytes()
    place = folder / f"{name}-{object.stem}-{digest([data])}.o"
    if not place.exists():
        replace_file(os.fspath(place), data)
    return place.absolute()


def needed_objects(
    wanted: Iterable[str], own: SourceFile, objects: Sequence[ProjectObject]
) -> tuple[ProjectObject, ...]:
    """The objects of other files that define what is wanted, and what those want in turn. Those with a main of their
    own are other programs."""
    mine = next((each for each in objects if each.source == own), None)
    defined = set(mine.defined) if mine is not None else set()
    waiting = [*sorted(mine.needed if mine is not None else ()), *wanted]
    usable = [each for each in objects if each.source != own and "main" not in each.defined]
    owners: dict[str, ProjectObject] = {}
    for each in usable:
        for name in each.defined:
            owners.setdefault(name, each)
    chosen: dict[ProjectObject, None] = {}
    while waiting:
        owner = owners.get(name) if (name := waiting.pop()) not in defined else None
        # What defines again what is there already would not link.
        if owner is not None and owner not in chosen and not owner.defined & defined:
            chosen[owner] = None
            defined |= owner.defined
            waiting += sorted(owner.needed)
    return tuple(each for each in usable if each in chosen)
