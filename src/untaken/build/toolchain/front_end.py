"""The commands given to the front end: bitcode for what we instrument, everything else as the user wrote it."""

from __future__ import annotations

import os

import untaken
from untaken.build.toolchain.command_line import Input, Invocation, Language, Mode
from untaken.build.toolchain.compilers import FrontEnd, Kind
from untaken.build.toolchain.leniency import lenient_options
from untaken.build.toolchain.option_table import Role
from untaken.build.toolchain.sanitizers import CLANGS_OWN
from untaken.errors import UsageError

INCLUDE = os.path.join(os.path.dirname(os.path.abspath(untaken.__file__)), "runtime", "include")

# Locals stay where the source has them, and branches stay the source's own: we optimise after instrumenting.
_BITCODE = (
    *("-O0", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names", "-g", "-Qunused-arguments"),
    *("-emit-llvm", "-c"),
    "-fno-delete-null-pointer-checks",  # a write through a null pointer is to be found, not optimised away
)

# clang leaves out allocations whose memory nobody uses, and takes them for granted; in what we build they happen. A
# probe that asks whether calloc refuses too much must hear what the program will.
_ALLOCATORS = ("malloc", "calloc", "realloc", "aligned_alloc", "strdup", "strndup")
_ALLOCATING = tuple(f"-fno-builtin-{name}" for name in _ALLOCATORS)
# AddressSanitizer as calls instead of inlined tests: then all branches in the bitcode are the source's own.
_ADDRESS_BY_CALLS = (
    *("-mllvm", "-asan-instrumentation-with-call-threshold=0", "-mllvm", "-asan-stack-dynamic-alloca=0"),
    "-fsanitize-address-use-after-return=never",
)


def bitcode_command(
    compiler: FrontEnd, invocation: Invocation, source: Input, output: str, bitcode: str
) -> tuple[str, ...]:
    """Compiles one C source to bitcode. `output` is what the user will get: dependency files name it."""
    return (
        *compiler.command,
        *lenient_options(compiler, invocation.words),
        *_declared_optimisation(invocation.optimisation),
        *invocation.options(Role.FRONT_END, Role.BOTH),
        *_sanitizers(compiler, invocation),
        *_BITCODE,
        *_dependencies(invocation, source, output),
        *("-idirafter", INCLUDE, "-o", bitcode, "-x", source.language.value, source.path),
    )


def preprocessing_command(compiler: FrontEnd, invocation: Invocation, source: Input, output: str) -> tuple[str, ...]:
    """The text that `bitcode_command` compiles, after preprocessing."""
    return (
        *compiler.command,
        *_declared_optimisation(invocation.optimisation),
        *invocation.options(Role.FRONT_END, Role.BOTH),
        *_sanitizers(compiler, invocation),
        *("-w", "-Qunused-arguments", "-E"),
        *("-idirafter", INCLUDE, "-o", output, "-x", source.language.value, source.path),
    )


def foreign_command(compiler: FrontEnd, invocation: Invocation, source: Input, output: str) -> tuple[str, ...]:
    """Compiles assembly, C++ and the like, without instrumentation."""
    roles = (Role.FRONT_END, Role.BOTH, Role.TUNING, Role.ASSEMBLER)
    language = source.explicit or (source.language.value if source.language is not Language.OTHER else "none")
    return (
        *compiler.command,
        *invocation.options(*roles),
        *_sanitizers(compiler, invocation),
        *_dependencies(invocation, source, output),
        *("-S" if invocation.mode is Mode.ASSEMBLY else "-c", "-o", output, "-x", language, source.path),
    )


def probe_command(compiler: FrontEnd, invocation: Invocation, source: Input, output: str) -> tuple[str, ...]:
    """Compiles C as the user wrote it, without instrumentation, with the leniency that all C has."""
    command = foreign_command(compiler, invocation, source, output)
    lenient = lenient_options(compiler, invocation.words)
    return (*compiler.command, *lenient, *_ALLOCATING, *command[len(compiler.command) :], "-idirafter", INCLUDE)


def ask_command(compiler: FrontEnd, invocation: Invocation) -> tuple[str, ...]:
    """Hands the whole command line over; our headers are found there too."""
    own = ("-idirafter", INCLUDE) if invocation.inputs else ()
    words = (word for word in invocation.words if not (word.startswith("-fsanitize=") and "fuzzer" in word))
    lenient = lenient_options(compiler, invocation.words) if any(map(_is_c, invocation.inputs)) else ()
    return (*compiler.command, *lenient, *words, *own)


def _is_c(source: Input) -> bool:
    return source.language.instrumented


def _declared_optimisation(level: str) -> list[str]:
    """Lets headers choose the declarations that they would choose at the optimisation the user asked for."""
    if level in ("", "0"):
        return []
    declared = ["-D__OPTIMIZE__=1", "-U__NO_INLINE__"]
    declared += ["-D__OPTIMIZE_SIZE__=1"] if level in ("s", "z") else []
    return declared + (["-ffast-math"] if level == "fast" else [])


def _sanitizers(compiler: FrontEnd, invocation: Invocation) -> list[str]:
    if not invocation.sanitizers:
        return []
    calls = _ADDRESS_BY_CALLS if "address" in invocation.sanitizers.names else ()
    return [*invocation.sanitizers.options, *_without_clangs_own(compiler, invocation), *calls]


def _without_clangs_own(compiler: FrontEnd, invocation: Invocation) -> list[str]:
    """Groups such as `undefined` are asked for as far as they can be had; what is named alone is missed."""
    if compiler.kind is not Kind.ZIG:
        return []
    for name in CLANGS_OWN:
        if name in invocation.sanitizers.names:
            raise UsageError(f"-fsanitize={name} needs clang's own libraries: install clang, or drop it")
    return [f"-fno-sanitize={','.join(CLANGS_OWN)}"]


def _dependencies(invocation: Invocation, source: Input, output: str) -> list[str]:
    """-MD with the names it would have had: those of the user's output, not of our temporary files."""
    wanted = invocation.dependencies
    if not wanted.wanted:
        return []
    linked = invocation.mode is Mode.LINK
    stem = os.path.splitext(os.path.basename(source.path))[0]
    target = f"{stem}.o" if linked else output
    base = os.path.splitext(invocation.output)[0] if invocation.output else None
    if linked:
        base = f"{base}-{stem}" if base else f"a-{stem}"
    file = wanted.file or f"{base or stem}.d"
    phony = ["-MP"] if wanted.phony else []
    return ["-MD" if wanted.system else "-MMD", "-MF", file, *(wanted.targets or ("-MQ", target)), *phony]
