"""The command line of a C compiler, as gcc and clang read it, sorted by who needs which word.

Nothing is started and no file but response files is read here. The driver decides what to do from an
`Invocation`: its words keep their order, because the order of objects and libraries matters to linkers.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from untaken.build.toolchain.option_table import Role, role_of, separate_value
from untaken.build.toolchain.sanitizers import Sanitizers
from untaken.errors import UsageError


class Mode(Enum):
    """How far the compilation goes."""

    ASK = "ask"  # versions, preprocessing, dependencies, syntax: the front end answers by itself
    ASSEMBLY = "assembly"  # -S
    OBJECT = "object"  # -c
    LINK = "link"


class Language(Enum):
    """What an input is; the values are those of -x."""

    C = "c"
    PREPROCESSED = "cpp-output"
    ASSEMBLY = "assembler"
    ASSEMBLY_WITH_CPP = "assembler-with-cpp"
    OTHER = "other"  # C++ and the like: compiled by the front end, not instrumented
    LINKED = "linked"  # objects, archives, libraries

    @property
    def instrumented(self) -> bool:
        return self in (Language.C, Language.PREPROCESSED)


@dataclass(frozen=True, slots=True)
class Option:
    """One option with its value, if that is a word of its own."""

    words: tuple[str, ...]
    role: Role


@dataclass(frozen=True, slots=True)
class Input:
    """One file to compile or to link; `explicit` is the language that -x gave it."""

    path: str
    language: Language
    explicit: str | None = None


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What -MD and its like ask for. `system`: with system headers."""

    wanted: bool = False
    system: bool = True
    file: str | None = None
    targets: tuple[str, ...] = ()  # -MT and -MQ words as given
    phony: bool = False  # -MP


@dataclass(frozen=True, slots=True)
class Invocation:
    """A whole command line. `words` is all of it, response files unfolded."""

    words: tuple[str, ...]
    mode: Mode
    items: tuple[Option | Input, ...]
    output: str | None
    optimisation: str  # what follows -O, "" if it was not given
    pic: bool
    dependencies: Dependencies
    sanitizers: Sanitizers
    cplusplus: bool  # linked as a C++ compiler would

    @property
    def inputs(self) -> tuple[Input, ...]:
        return tuple(item for item in self.items if isinstance(item, Input))

    def options(self, *roles: Role) -> list[str]:
        """The words of the options with these roles, in order."""
        return [word for item in self.items if isinstance(item, Option) and item.role in roles for word in item.words]

    def has(self, *names: str) -> bool:
        """Whether one of these options was given, by its whole first word."""
        return any(isinstance(item, Option) and item.words[0] in names for item in self.items)


_CPLUSPLUS_EXTENSIONS = (".C", ".cc", ".cp", ".cpp", ".CPP", ".cxx", ".c++", ".ii")
_OTHER_EXTENSIONS = (
    *_CPLUSPLUS_EXTENSIONS,
    *(".h", ".hh", ".hpp", ".hxx", ".H"),
    *(".m", ".mi", ".mm", ".M", ".f", ".F", ".f90", ".F90", ".ll", ".bc", ".cu", ".cl"),
)
_EXTENSIONS = dict.fromkeys(_OTHER_EXTENSIONS, Language.OTHER) | {
    ".c": Language.C,
    ".i": Language.PREPROCESSED,
    ".s": Language.ASSEMBLY,
    ".S": Language.ASSEMBLY_WITH_CPP,
    ".sx": Language.ASSEMBLY_WITH_CPP,
}

_ASKING = ("-E", "-M", "-MM", "-fsyntax-only", "-###", "--version", "-dumpversion", "-dumpmachine", "-dumpspecs")
_ASKING_PREFIXES = ("-print-", "--print-", "--help", "--analyze", "-emit-ast")
_DRIVER_MODE = "--driver-mode="  # as clang has it: with g++ it is a C++ compiler
_FOREIGN = ("-m32", "-mx32", "-m16", "-miamcu")


def parse(words: Sequence[str]) -> Invocation:
    """Reads a command line, without the compiler's own name."""
    unfolded = tuple(unfold(words))
    reader = _WordReader(unfolded)
    reader.read()
    return reader.invocation()


def unfold(words: Sequence[str], depth: int = 0) -> Iterator[str]:
    """Replaces each @file by the words in it; one that cannot be read stands for itself, as with gcc."""
    for word in words:
        text = _read_response(word[1:]) if word.startswith("@") and depth < 32 else None
        if text is None:
            yield word
        else:
            yield from unfold(split_response(text), depth + 1)


def split_response(text: str) -> list[str]:
    """Splits a response file: white space, both kinds of quotes, and a backslash before any character."""
    words: list[str] = []
    inside = False
    quote = ""
    characters = iter(text)
    for character in characters:
        if not quote and character.isspace():
            inside = False
            continue
        if not inside:
            words.append("")
            inside = True
        if character == "\\":
            words[-1] += next(characters, "")
        elif character == quote or (not quote and character in "'\""):
            quote = "" if quote else character
        else:
            words[-1] += character
    return words


def _read_response(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return None


class _WordReader:
    """Goes through the words once; what is said later wins, as compilers have it."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = words
        self.items: list[Option | Input] = []
        self.mode = Mode.LINK
        self.asks = False
        self.language: str | None = None
        self.output: str | None = None
        self.optimisation = ""
        self.pic = True
        self.dependencies = Dependencies()
        self.sanitizers = Sanitizers()
        self.cplusplus = False
        self.all_cplusplus = False

    def read(self) -> None:
        rest = iter(self.words)
        for word in rest:
            if word == "--":
                for path in rest:
                    self._input(path)
            elif word == "-" or not word.startswith("-"):
                self._input(word)
            else:
                self._option(word, separate_value(word, rest))

    def invocation(self) -> Invocation:
        return Invocation(
            words=self.words,
            mode=Mode.ASK if self.asks else self.mode,
            items=tuple(self.items),
            output=self.output,
            optimisation=self.optimisation,
            pic=self.pic,
            dependencies=self.dependencies,
            sanitizers=self.sanitizers,
            cplusplus=self.cplusplus,
        )

    def _input(self, path: str) -> None:
        extension = os.path.splitext(path)[1]
        language, explicit = _EXTENSIONS.get(extension, Language.LINKED), self.language
        if explicit is None and self.all_cplusplus and language.instrumented:
            explicit = "c++"
        if explicit is not None:
            language = next((known for known in Language if known.value == explicit), Language.OTHER)
        self.cplusplus |= explicit.startswith("c++") if explicit else extension in _CPLUSPLUS_EXTENSIONS
        self.items.append(Input(path, language, explicit))

    def _option(self, word: str, value: str | None) -> None:
        if self._refused(word, value):
            raise UsageError(f"only x86-64 Linux is supported yet; drop {word}{f' {value}' if value else ''}")
        if word in _ASKING or word.startswith(_ASKING_PREFIXES):
            self.asks = True
        if not (self._control(word, value) or self._dependency(word, value)):
            words = (word,) if value is None else (word, value)
            self.items.append(Option(words, role_of(word)))

    @staticmethod
    def _refused(word: str, value: str | None) -> bool:
        target = value if word == "-target" else word.partition("=")[2] if word.startswith("--target=") else None
        return word in _FOREIGN or (target is not None and not (target.startswith("x86_64") and "linux" in target))

    def _control(self, word: str, value: str | None) -> bool:
        """Options that only we follow, each compilation getting its own instead."""
        if word in ("-c", "-S"):
            self.mode = Mode.OBJECT if word == "-c" and self.mode is not Mode.ASSEMBLY else Mode.ASSEMBLY
        elif word == "-o" or (word.startswith("-o") and value is None and role_of(word) is Role.OUTPUT):
            self.output = value if word == "-o" else word[2:]
        elif word == "-x" or word.startswith("-x"):
            language = (value if word == "-x" else word[2:]) or "none"
            self.language = None if language == "none" else language
        elif word.startswith(_DRIVER_MODE):
            self.cplusplus = self.all_cplusplus = word == f"{_DRIVER_MODE}g++"
        elif word.startswith(("-fsanitize=", "-fno-sanitize=")):
            self.sanitizers = self.sanitizers.after(word)
        else:
            self._note(word)
            return False
        return True

    def _note(self, word: str) -> None:
        """Options that the front end gets too."""
        if word.startswith("-O"):
            self.optimisation = word[2:] or "1"
        elif word in ("-fno-pic", "-fno-PIC", "-fno-pie", "-fno-PIE"):
            self.pic = False
        elif word in ("-fpic", "-fPIC", "-fpie", "-fPIE"):
            self.pic = True

    def _dependency(self, word: str, value: str | None) -> bool:
        known = self.dependencies
        if word.startswith(("-Wp,-MD,", "-Wp,-MMD,")):
            _, word, value = word.split(",", 2)
            known = replace(known, wanted=True, system=word == "-MD", file=value)
        elif word in ("-MD", "-MMD"):
            known = replace(known, wanted=True, system=word == "-MD")
        elif word == "-MP":
            known = replace(known, phony=True)
        elif word.startswith("-MF"):
            known = replace(known, file=value or word[3:])
        elif word.startswith(("-MT", "-MQ")):
            target = (word[:3], value if value is not None else word[3:])
            known = replace(known, targets=known.targets + target)
        else:
            return False
        self.dependencies = known
        return True
