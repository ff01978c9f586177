"""The table of compiler options: which take a value of their own, and who needs them.

What is not in the table goes to the front end, which knows best what to say about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum


class Role(Enum):
    """Who is given an option."""

    FRONT_END = "front end"  # whatever is compiled
    TUNING = "tuning"  # optimisation and debug information: only where we do not choose them ourselves
    ASSEMBLER = "assembler"
    LINKER = "linker"
    BOTH = "both"  # front end and linker
    DROPPED = "dropped"  # would work against the instrumentation
    OUTPUT = "output"  # -o joined to its value


# The value is the next word if the option stands alone.
_SEPARATE = frozenset(
    (
        *("-o", "-x", "-D", "-U", "-I", "-L", "-l", "-T", "-u", "-z", "-e", "-A", "-B", "-G", "-F"),
        *("-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix"),
        *("-iwithprefixbefore", "-isysroot", "-imultilib", "-imultiarch", "-include-pch", "-cxx-isystem"),
        *("-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xclang", "-mllvm"),
        *("-target", "--sysroot", "--param", "-aux-info", "-wrapper", "-arch", "-specs", "--entry", "--undefined"),
        *("-dumpbase", "-dumpbase-ext", "-dumpdir", "-Tbss", "-Tdata", "-Ttext", "-rpath", "-soname", "-ivfsoverlay"),
    )
)

_LINKER = frozenset(
    (
        *("-shared", "-static", "-static-pie", "-static-libgcc", "-shared-libgcc", "-static-libstdc++", "-pie"),
        *("-no-pie", "-nopie", "-rdynamic", "-r", "-s", "-nostdlib", "-nostartfiles", "-nodefaultlibs", "-nolibc"),
        *("-symbolic", "-T", "-u", "-z", "-e", "-Xlinker", "-Tbss", "-Tdata", "-Ttext", "-rpath", "-soname"),
        *("-export-dynamic", "--entry", "--undefined", "-t", "-n", "-N", "-Z"),
    )
)
_LINKER_PREFIXES = ("-l", "-L", "-Wl,", "-fuse-ld=", "--ld-path=", "-rtlib=", "--rtlib=", "-T", "-z", "-u", "-e")

_DROPPED = frozenset(
    (
        *("--coverage", "-coverage", "-ftest-coverage", "-fcoverage-mapping", "-pg", "-p", "-pipe"),
        *("-fwhole-program", "-ffat-lto-objects", "-fno-fat-lto-objects", "-fuse-linker-plugin", "-emit-llvm"),
        *("-fno-use-linker-plugin", "-fbranch-probabilities", "-static-libasan", "-static-libubsan"),
    )
)
_DROPPED_PREFIXES = (
    *("-flto", "-fno-lto", "-fprofile", "-fno-profile", "-fauto-profile", "-fembed-bitcode", "-save-temps"),
)

_BOTH = frozenset(("-pthread", "-pthreads", "--sysroot", "-v", "-B", "-target", "-no-canonical-prefixes"))
_BOTH_PREFIXES = ("--sysroot=", "-B", "--target=", "--gcc-toolchain=")

# Long options that begin like a short one that takes its value joined to it.
_NOT_LINKER = ("-emit-", "-undef", "-target", "-traditional", "-trigraphs")


def separate_value(word: str, rest: Iterator[str]) -> str | None:
    """Takes the value of an option from the words that follow, if it has one there."""
    return next(rest, None) if word in _SEPARATE else None


def role_of(word: str) -> Role:
    """Who needs the option that this word begins."""
    if word.startswith("-o") and not word.startswith(("-object", "-output")):
        return Role.OUTPUT
    if word in _DROPPED or word.startswith(_DROPPED_PREFIXES):
        return Role.DROPPED
    if word in _BOTH or word.startswith(_BOTH_PREFIXES):
        return Role.BOTH
    if word in _LINKER or (word.startswith(_LINKER_PREFIXES) and not word.startswith(_NOT_LINKER)):
        return Role.LINKER
    if word.startswith("-Wa,") or word == "-Xassembler":
        return Role.ASSEMBLER
    return Role.TUNING if _tunes(word) else Role.FRONT_END


def _tunes(word: str) -> bool:
    if word.startswith("-gdwarf-"):
        return False  # the version of DWARF stays the user's choice
    return word.startswith(("-O", "-g")) and not word.startswith("-gcc")
