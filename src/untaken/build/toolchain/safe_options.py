"""Compiler options that do nothing but what a program's meaning needs: for command lines that somebody else wrote.

A list of what is safe, not of what is not: compilers load plugins, run other programs, and write files under names of
their own by more options than anybody knows. What is in the list may read files, as any `#include` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from untaken.build.toolchain.option_table import separate_value

# Their value is joined to them, or the next word.
_WITH_VALUE = ("-D", "-U", "-I", "-L", "-l", "-isystem", "-iquote", "-idirafter", "-include", "-imacros")
_LANGUAGES = ("c", "cpp-output", "assembler", "assembler-with-cpp", "c++", "c++-cpp-output", "none")
_ALONE = frozenset(
    (
        *("-w", "-ansi", "-pthread", "-pthreads", "-undef", "-nostdinc", "-trigraphs", "-v", "-MD", "-MMD", "-MP"),
        *("-shared", "-static", "-static-pie", "-pie", "-no-pie", "-nopie", "-rdynamic", "-s", "-r", "-symbolic"),
        *("-nostdlib", "-nostartfiles", "-nodefaultlibs", "-nolibc", "-static-libgcc", "-shared-libgcc"),
        *("-static-libstdc++", "-p", "-pg", "-pipe", "-fpic", "-fPIC", "-fpie", "-fPIE", "-fwrapv", "-ftrapv"),
        *("-fsigned-char", "-funsigned-char", "-fsigned-bitfields", "-funsigned-bitfields", "-fshort-enums"),
        *("-fstrict-aliasing", "-fstrict-overflow", "-fcommon", "-fbuiltin", "-ffreestanding", "-fhosted"),
        *("-ffast-math", "-fmath-errno", "-ftrapping-math", "-frounding-math", "-ffinite-math-only", "-fexceptions"),
        *("-fomit-frame-pointer", "-foptimize-sibling-calls", "-funroll-loops", "-funroll-all-loops", "-finline"),
        *("-finline-functions", "-fgnu89-inline", "-fkeep-inline-functions", "-fms-extensions", "-fplan9-extensions"),
        *("-fdelete-null-pointer-checks", "-fasynchronous-unwind-tables", "-funwind-tables", "-ffunction-sections"),
        *("-fdata-sections", "-fstack-protector", "-fstack-protector-strong", "-fstack-protector-all", "-flto"),
        *("-fstack-clash-protection", "-fcolor-diagnostics", "-fdiagnostics-color", "-fmerge-constants", "-fblocks"),
        *("-fmerge-all-constants", "-fvisibility-inlines-hidden", "-fcf-protection", "-fpcc-struct-return"),
        *("-fshort-wchar", "-fopenmp", "-fopenmp-simd", "-fms-compatibility", "-fsingle-precision-constant"),
    )
)
_FORMS = re.compile(
    r"-O[0-3sgz]?|-Ofast|-g[0-3]?|-ggdb[0-3]?|-gdwarf(-[2-5])?|-gstrict-dwarf|-gz(=[a-z]+)?"
    r"|-std=[\w:+]+|-pedantic(-errors)?|-W(?!l,|a,|p,)[\w+-]*(=[\w-]*)?"
    r"|-m(?!llvm)[\w.-]+(=[\w.,+-]+)?|-fno-[\w-]+|-fsanitize=[\w,-]+|-fno-sanitize=[\w,-]+|-fvisibility=\w+"
    r"|-ftls-model=[\w-]+|-fcf-protection=\w+|-fexcess-precision=\w+|-ffp-contract=\w+|-fdiagnostics-color=\w+"
    r"|-ftrivial-auto-var-init=\w+|-fstrict-flex-arrays=\d|-fmax-errors=\d+|-ferror-limit=\d+|-flto=\w+"
    r"|-f(debug|file|macro)-prefix-map=[^=]*=.*|--?target=[\w.-]+"
)
_LINKING = re.compile(
    r"--as-needed|--no-as-needed|--gc-sections|--no-gc-sections|--export-dynamic|-E|--no-undefined|-B(static|dynamic)"
    r"|-Bsymbolic(-functions)?|--(no-)?whole-archive|--(start|end)-group|--allow-multiple-definition|-O[0-3]|--build-id"
    r"|--hash-style=\w+|--sort-common|--warn-common|--fatal-warnings|-s|--strip-all|--no-allow-shlib-undefined"
    r"|-z(now|relro|norelro|lazy|defs|undefs|text|noexecstack|nodelete|notext)|--wrap=\w+|--defsym=\w+=\w+"
)
_WITH_WORD = ("-z", "-rpath", "-soname", "-h", "--wrap", "-rpath-link")  # linker options whose value follows
_Z_WORDS = re.compile(r"now|relro|norelro|lazy|defs|undefs|text|notext|noexecstack|nodelete|stack-size=\d+")


def unsafe_option(words: Sequence[str]) -> str | None:
    """The first word that is not known to be safe, if there is one."""
    if (response := next((word for word in words if word.startswith("@")), None)) is not None:
        return response  # compilers unfold these wherever they stand
    rest = iter(words)
    return next((word for word in rest if not _is_safe(word, rest)), None)


def safe_options(words: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """The options without those that are not known to be safe, and these. All begin with a dash, but for values."""
    kept: list[str] = []
    refused: list[str] = []
    rest = iter(words)
    for word in rest:
        value = separate_value(word, rest)
        together = (word,) if value is None else (word, value)
        if unsafe_option(together) is None and word.startswith("-"):
            kept += together
        else:
            refused.append(" ".join(together))
    return tuple(kept), refused


def _is_safe(word: str, rest: Iterator[str]) -> bool:
    if word in _WITH_VALUE or word == "-x":
        value = next(rest, None)
        return value is not None and (word != "-x" or value in _LANGUAGES)
    if not word.startswith("-"):
        return True  # a file that is linked
    if word.startswith("-Wl,"):
        return _links_safely(word.split(",")[1:])
    if word.startswith("-x"):
        return word[2:] in _LANGUAGES
    return word in _ALONE or _FORMS.fullmatch(word) is not None or word.startswith(("-D", "-U", "-I", "-L", "-l"))


def _links_safely(parts: Sequence[str]) -> bool:
    rest = iter(parts)
    return all(_is_safe_for_linker(part, rest) for part in rest)


def _is_safe_for_linker(part: str, rest: Iterator[str]) -> bool:
    if part in _WITH_WORD:
        value = next(rest, "")
        return bool(_Z_WORDS.fullmatch(value)) if part == "-z" else not value.startswith(("-", "@"))
    return _LINKING.fullmatch(part) is not None or part.startswith(("-rpath=", "-soname="))
