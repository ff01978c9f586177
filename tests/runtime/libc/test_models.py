"""The models of libc: the table in Python against the C sources, and expressions against the real functions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from tests.execute.evaluate import check
from tests.runtime.builds import BUILDS, COMPILER, RUNTIME, WARNINGS, runtime_objects
from untaken.build.library.models.model import Model
from untaken.build.library.models.table import MODELS
from untaken.build.library.runtime import SOURCES
from untaken.build.toolchain.compilers import front_end
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.input import FieldKind, Source, SourceKind
from untaken.model.path import ExitKind

LIBC = RUNTIME / "libc"
INCLUDED = ("-iquote", SOURCES)
HARNESS = Path(__file__).parent / "scenes"
NOT_LINKED = {"interfaces/native.c", "interfaces/fuzzer_main.c", "process/announce_image.c"}
# Scenes whose results are all pinned or decided: only that they keep to the decisions can be seen.
CONCRETE_RESULTS = {"strtok", "strsep", "bsearch"}
# Formats that are not followed: they are compared for the input at hand alone.
NOT_FOLLOWED = {"other printf formats"}
ROUNDS, OTHERS = 200, 40
CALLS = int(os.environ.get("UNTAKEN_MODEL_CALLS", "4000"))  # of each function; 100000 are a minute


Scenes = dict[str, dict[str, int]]


def _models_of(source: Path, folder: Path) -> dict[str, Model]:
    """The models that a source defines, with the types that the compiler gives them."""
    bitcode = folder / "model.bc"
    flags = [*INCLUDED, "-std=gnu11", "-O0", "-c", "-emit-llvm"]
    command = [*front_end().command, *flags, str(source), "-o", str(bitcode)]
    subprocess.run(command, check=True)
    module = llvm.parse_bitcode(bitcode.read_bytes())
    found = {}
    for function in module.functions:
        if not function.is_declaration and function.name.startswith("untaken_model_"):
            found[function.name.removeprefix("untaken_model_")] = _read_type(str(function.global_value_type))
    return found


def _read_type(text: str) -> Model:
    match = re.fullmatch(r"(\S+) \((.*)\)", text)
    assert match, text
    parameters = match[2].split(", ") if match[2] else []
    return Model(match[1], tuple(p for p in parameters if p != "..."), variadic="..." in parameters)


def test_the_table_is_what_the_sources_define(tmp_path: Path) -> None:
    defined: dict[str, Model] = {}
    for source in sorted(LIBC.rglob("*.c")):
        defined.update(_models_of(source, tmp_path))
    assert defined == MODELS


@pytest.mark.parametrize(
    "source",
    [*sorted(LIBC.rglob("*.c")), RUNTIME / "input" / "sources.c"],
    ids=lambda path: path.relative_to(RUNTIME).as_posix(),
)
def test_sources_compile_without_warnings(source: Path) -> None:
    """By the system's compiler and the front end; with the one of the two that made the plain objects, they do."""
    flags = [*INCLUDED, "-std=gnu11", "-O2", *WARNINGS]
    made = shutil.which(COMPILER)
    for compiler in (["cc"], [*front_end().command]):
        if shutil.which(compiler[0]) != made or len(compiler) > 1:
            subprocess.run([*compiler, *flags, "-c", str(source), "-o", "/dev/null"], check=True)


def test_what_must_be_modelled_is() -> None:
    wanted = """memcpy memmove memset memcmp memchr strlen strnlen strcmp strncmp strcasecmp strncasecmp strcpy strncpy
        strcat strncat strchr strrchr strstr strdup strtol strtoul strtoll strtoull atoi atol isalnum isalpha isblank
        iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toupper tolower abs labs ntohl ntohs
        htonl htons read fread fgets getc getline mmap open fopen stat fstat __memcpy_chk __memmove_chk __memset_chk
        __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk __read_chk __fgets_chk __fread_chk"""
    assert not set(wanted.split()) - set(MODELS)


def _build(build: str, factory: pytest.TempPathFactory) -> Path:
    program = factory.mktemp("harness") / "harness"
    objects = [str(path) for source, path in runtime_objects(build, factory).items() if source not in NOT_LINKED]
    sources = [str(path) for path in sorted(HARNESS.glob("*.c"))]
    flags = ["-std=gnu11", "-g1", *BUILDS[build], "-O1", "-fno-builtin", f"-I{RUNTIME}", "-pthread"]
    subprocess.run([COMPILER, *flags, *sources, *objects, "-o", str(program)], check=True)
    return program


@pytest.fixture(scope="module")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _build("plain", tmp_path_factory)


def _play(program: Path, seed: int, rounds: int, others: int = OTHERS) -> Scenes:
    """Runs all scenes; for each the counts that the harness prints."""
    command = [str(program), *map(str, (seed, rounds, others))]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    scenes = {}
    for line in run.stdout.splitlines():
        match = re.fullmatch(r"(.+?) (rounds \d+ .*)", line)
        assert match, line
        words = match[2].split()
        scenes[match[1]] = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    return scenes


def test_models_do_what_the_library_does(harness: Path) -> None:
    """Results, side effects and errno of many random calls: what the model said, and what the real function did."""
    scenes = _play(harness, seed=2, rounds=CALLS // 4, others=3)
    assert len(scenes) > 50
    for name, counts in scenes.items():
        # What a model says that it does not follow is held against the library for the input at hand alone.
        assert name in NOT_FOLLOWED or counts["named"] <= counts["rounds"] // 5, (name, counts)
        calls = counts["others"] + 3 * counts["named"]
        assert calls >= (CALLS // 4 if name in NOT_FOLLOWED else CALLS), (name, counts)


def test_expressions_hold_for_other_inputs(harness: Path) -> None:
    scenes = _play(harness, seed=1, rounds=ROUNDS)
    assert len(scenes) > 50
    for name, counts in scenes.items():
        if name in NOT_FOLLOWED:
            continue
        assert counts["compared"] > counts["others"] // 2, (name, counts)
        assert counts["symbolic"] > ROUNDS // 10, (name, counts)
        assert counts["dropped"] <= ROUNDS // 50, (name, counts)
        if name not in CONCRETE_RESULTS:
            assert counts["different"] > 0, (name, counts)


def test_models_are_clean_under_sanitizers(tmp_path_factory: pytest.TempPathFactory) -> None:
    scenes = _play(_build("sanitized", tmp_path_factory), seed=11, rounds=40, others=OTHERS // 4)
    assert len(scenes) > 50


@dataclass(frozen=True, slots=True)
class Given:
    """What a program is given: argument, stdin and the file conf.txt."""

    argument: bytes
    stdin: bytes
    file: bytes

    def as_input(self) -> bytes:
        """As the flat input of the declared sources."""
        parts = [self.argument.ljust(ARGUMENT_SIZE, b"\0")]
        for data, size in ((self.stdin, STDIN_SIZE), (self.file, FILE_SIZE)):
            parts += [len(data).to_bytes(4, "little"), data.ljust(size, b"\0")]
        return b"".join(parts)

    def run_plain(self, program: Path, folder: Path) -> bytes:
        """What the plain program prints."""
        (folder / "conf.txt").write_bytes(self.file)
        command = [str(program), self.argument.decode()]
        return subprocess.run(command, input=self.stdin, capture_output=True, cwd=folder, timeout=10).stdout


ARGUMENT_SIZE, STDIN_SIZE, FILE_SIZE = 8, 40, 12
DECLARED = (
    Source(SourceKind.ARGUMENT, ARGUMENT_SIZE, index=1),
    Source(SourceKind.STDIN, STDIN_SIZE),
    Source(SourceKind.FILE, FILE_SIZE, name="conf.txt"),
)
GIVEN = [
    Given(b"hello", b" key=1234\nabc\n", b"ab#de"),
    Given(b"", b"", b""),
    Given(b"hell", b"Q\nkey=999999", b"zzzzzzz"),
    Given(b"x", b"key=-7\n\n\nzabc", b"#"),
]


@pytest.fixture(scope="module")
def inputs_programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The program plain and instrumented."""
    folder, source = tmp_path_factory.mktemp("inputs"), Path(__file__).parent / "inputs.c"
    plain, instrumented = folder / "plain", folder / "instrumented"
    subprocess.run(["cc", str(source), "-o", str(plain)], check=True)
    command = [sys.executable, "-c", "import sys; from untaken.cli.start import untaken; sys.exit(untaken())", "cc"]
    subprocess.run([*command, str(source), "-o", str(instrumented)], check=True)
    return plain, instrumented


@pytest.mark.parametrize("given", GIVEN)
def test_declared_inputs_reach_the_program(inputs_programs: tuple[Path, Path], tmp_path: Path, given: Given) -> None:
    plain, instrumented = inputs_programs
    expected = given.run_plain(plain, tmp_path)
    with Session(instrumented, SessionSettings(sources=DECLARED, capture=True)) as session:
        path = session.run(given.as_input())
        assert session.output == expected and path.exit.kind is ExitKind.CODE
        assert check(session.expressions, path) == []
        assert [field.kind for field in path.fields] == [
            FieldKind.ARGUMENT,
            FieldKind.LENGTH,
            FieldKind.STDIN,
            FieldKind.LENGTH,
            FieldKind.FILE,
        ]
        assert len(path.symbolic) >= 6
        session.run(given.as_input(), concrete=True)
        assert session.output == expected
