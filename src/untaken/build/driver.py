"""The drop-in compiler: what a command line asks for, done with a front end, the instrumentation and a linker.

C goes through the front end as bitcode, then through build/llvm, and comes out as an object file. Everything
else is the front end's or the linker's own business, with its own messages and exit codes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from untaken.build.storage import scratch_directory, write_output
from untaken.build.toolchain import process
from untaken.build.toolchain.command_line import Input, Invocation, Language, Mode, parse
from untaken.build.toolchain.compilers import FrontEnd, environment, front_end
from untaken.build.toolchain.front_end import ask_command, bitcode_command, foreign_command, probe_command
from untaken.build.toolchain.probes import is_probe
from untaken.build.unit_options import codegen_options
from untaken.errors import CompileError, InstrumentationError, ProgramMapError
from untaken.interrupts import undisturbed

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Protocol

    from untaken.build.inline_bodies import InlineBodies
    from untaken.build.llvm import CodegenOptions

    class _Link(Protocol):
        """Links files, by position, with `first` before and `more` behind them; what the linker says goes to a file."""

        def __call__(
            self, inputs: Mapping[int, str], log: str, more: Sequence[str] = (), first: Sequence[str] = ()
        ) -> int: ...


# Nobody who names a C file wants to be told that its sin() is in a library of its own.
MATHEMATICS = ("-Wl,--as-needed", "-lm")


def compile_and_link(words: Sequence[str]) -> int:
    """Does what the command line asks for and returns the compiler's exit code."""
    invocation = parse(words)
    compiler = front_end()
    if _answered_by_front_end(invocation):
        process.become(ask_command(compiler, invocation), environment())
    _check_output(invocation)
    if is_probe(invocation):
        return _build_probe(compiler, invocation)
    with scratch_directory() as scratch:
        if invocation.mode is Mode.LINK:
            return _compile_then_link(compiler, invocation, scratch)
        codes = [
            _compile(compiler, invocation, source, _output_of(invocation, source), scratch)
            for source in invocation.inputs
            if source.language is not Language.LINKED
        ]
        return next((code for code in codes if code), 0)


def _build_probe(compiler: FrontEnd, invocation: Invocation) -> int:
    """Compiles, and links if that is asked for, without instrumentation."""
    with scratch_directory() as scratch:
        objects: dict[int, str] = {}
        for index, source in enumerate(invocation.inputs):
            if source.language is Language.LINKED:
                continue
            linked = invocation.mode is Mode.LINK
            objects[index] = os.path.join(scratch, f"{index}.o") if linked else _output_of(invocation, source)
            command = probe_command if source.language.instrumented else foreign_command
            code = process.run(command(compiler, invocation, source, objects[index]), environment())
            if code:
                return code
        if invocation.mode is not Mode.LINK:
            return 0
        from untaken.build.toolchain.linker import link_command

        return process.run(link_command(compiler, invocation, objects, None), environment())


def build_program(sources: Sequence[Path], output: Path, flags: Sequence[str] = ()) -> None:
    """Builds an instrumented program; what the compiler has to say goes to standard error."""
    words = [*flags, *(os.fspath(source) for source in sources), *MATHEMATICS, "-o", os.fspath(output)]
    code = compile_and_link(words)
    if code:
        raise CompileError(f"{_listed(sources)} could not be built, see the messages above", code)


def _listed(sources: Sequence[Path]) -> str:
    return ", ".join(source.name for source in sources)


def _answered_by_front_end(invocation: Invocation) -> bool:
    """Questions, and command lines that name nothing to do: the front end says so in its own words."""
    if invocation.mode is Mode.ASK:
        return True
    if invocation.mode is Mode.LINK:
        return not invocation.inputs and not any(word.startswith("-l") for word in invocation.words)
    return all(source.language is Language.LINKED for source in invocation.inputs)


def _check_output(invocation: Invocation) -> None:
    compiled = [source for source in invocation.inputs if source.language is not Language.LINKED]
    if invocation.mode is not Mode.LINK and invocation.output is not None and len(compiled) > 1:
        raise CompileError("cannot specify -o when generating multiple output files; drop it or compile one at a time")


def _output_of(invocation: Invocation, source: Input) -> str:
    """Where an object or assembly file goes: what -o says, else beside the caller under the source's name."""
    if invocation.output is not None:
        return invocation.output
    stem = os.path.splitext(os.path.basename(source.path))[0]
    return stem + (".s" if invocation.mode is Mode.ASSEMBLY else ".o")


def _compile_then_link(compiler: FrontEnd, invocation: Invocation, scratch: str) -> int:
    objects: dict[int, str] = {}
    failed = 0
    for index, source in enumerate(invocation.inputs):
        if source.language is not Language.LINKED:
            objects[index] = os.path.join(scratch, f"{index}.o")
            failed = _compile(compiler, invocation, source, objects[index], scratch) or failed
    if failed:
        return failed
    return _link(compiler, invocation, objects, scratch)


def _link(compiler: FrontEnd, invocation: Invocation, objects: Mapping[int, str], scratch: str) -> int:
    # Imported here, since most calls of a compiler do not link.
    from untaken.build.library.models.table import MODELS
    from untaken.build.library.own_functions import with_own_functions
    from untaken.build.library.runtime import runtime_library
    from untaken.build.objects.origin import linkage, write_linkage
    from untaken.build.objects.own_builds import note_own_build
    from untaken.build.toolchain.linker import carries_runtime, explain_failed_link, link_command, may_note_calls

    inputs: Mapping[int, str] = {at: objects.get(at, source.path) for at, source in enumerate(invocation.inputs)}
    library = runtime_library(compiler)
    carrier = os.path.join(scratch, "linkage.o") if carries_runtime(invocation) else None
    if carrier is not None:
        record = linkage(invocation)
        write_linkage(carrier, record)
        note_own_build(record)

    def link(inputs: Mapping[int, str], log: str, more: Sequence[str] = (), first: Sequence[str] = ()) -> int:
        objects = with_own_functions(inputs, tuple(MODELS), scratch)
        ours = (*first, *([] if carrier is None else [carrier]))
        command = link_command(compiler, invocation, objects, library, ours)
        return process.run((*command, *more), environment(), log)

    if invocation.has("-shared"):
        inputs = _with_bodies_for_library(link, inputs, compiler, scratch)
    code, inputs = _link_with_bodies(link, inputs, compiler, scratch)
    if code:
        explain_failed_link(compiler, invocation)
    elif may_note_calls(invocation):
        _link_with_notes(link, inputs, invocation, scratch)
    return code


def _link_with_notes(link: _Link, inputs: Mapping[int, str], invocation: Invocation, scratch: str) -> None:
    """Links once more if calls of libraries are to be noted. If that cannot be, the program stays what it is."""
    from untaken.build.library.noted_calls import stubs, wrapping

    program = invocation.output or "a.out"
    names = _functions_to_note(program, invocation)
    if not names:
        return
    source, noting, log = (os.path.join(scratch, name) for name in ("stubs.s", "noting", "noting.log"))
    with open(source, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(stubs(names))
    if not link(inputs, log, ("-o", noting), (source, *wrapping(names))):
        with open(noting, "rb") as linked, open(program, "wb") as output:  # which stays executable
            output.write(linked.read())


def _functions_to_note(program: str, invocation: Invocation) -> list[str]:
    """None of a program that is nothing to be read, or that others have built."""
    from pathlib import Path

    from untaken.build.library.noted_calls import foreign_libraries, functions_to_note
    from untaken.build.toolchain.linker import library_folders

    with suppress(ProgramMapError):
        if os.path.isfile(program) and foreign_libraries(Path(program)):
            from untaken.build.objects.program_map import unknown_calls

            return functions_to_note(Path(program), unknown_calls(Path(program)), library_folders(invocation))
    return []


def _link_with_bodies(
    link: _Link, inputs: Mapping[int, str], compiler: FrontEnd, scratch: str
) -> tuple[int, Mapping[int, str]]:
    """Links; as long as the linker misses functions that have inline definitions, these are added. The exit code, and
    what was linked."""
    log = os.path.join(scratch, "link.log")
    code = link(inputs, log)
    if code:
        bodies = _inline_bodies(compiler, scratch)
        while code and (mended := bodies.added(inputs, _said(log))):
            inputs = mended
            code = link(inputs, log)
    sys.stderr.write(_said(log))
    return code, inputs


def _with_bodies_for_library(
    link: _Link, inputs: Mapping[int, str], compiler: FrontEnd, scratch: str
) -> Mapping[int, str]:
    """What a shared object is linked from. It may miss functions, so the linker is asked which these are."""
    log, trial = (os.path.join(scratch, name) for name in ("trial.log", "trial.so"))
    bodies = None
    while link(inputs, log, ("-Wl,-z,defs", "-o", trial)):
        bodies = bodies or _inline_bodies(compiler, scratch)
        if not (mended := bodies.added(inputs, _said(log))):
            break
        inputs = mended
    return inputs


def _inline_bodies(compiler: FrontEnd, scratch: str) -> InlineBodies:
    """Imported only now: it takes half of what compiles, and nearly all links miss nothing."""
    from untaken.build.inline_bodies import InlineBodies

    return InlineBodies(compiler, scratch)


def _said(log: str) -> str:
    with open(log, encoding="utf-8", errors="backslashreplace") as file:
        return file.read()


def _compile(compiler: FrontEnd, invocation: Invocation, source: Input, output: str, scratch: str) -> int:
    if not source.language.instrumented:
        return process.run(foreign_command(compiler, invocation, source, output), environment())
    bitcode = os.path.join(scratch, "unit.bc")
    command = bitcode_command(compiler, invocation, source, output, bitcode)
    with process.started(command, environment()) as running:
        # Imported while the front end works: that hides most of the time it takes to load LLVM.
        with undisturbed():
            from untaken.build import llvm

        code = process.wait(running)
    if code:
        return code
    with open(bitcode, "rb") as file:
        data = file.read()
    try:
        options = codegen_options(invocation, source)
        write_output(output, llvm.compile_bitcode(data, options))
    except InstrumentationError as error:
        raise InstrumentationError(f"{source.path}: {error}") from None
    _note_own(options)
    return 0


def _note_own(options: CodegenOptions) -> None:
    from untaken.build.objects.own_builds import note_own_build

    if options.origin is not None:
        note_own_build(options.origin.command)
