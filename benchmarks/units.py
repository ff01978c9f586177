"""`untaken unit --all` on the functions of whole libraries, and whether the tests that it exports are worth committing.

    python benchmarks/units.py --work DIR [--iterations N | --seconds S] [--functions N] [--jobs J] [LIBRARY ...]
    python benchmarks/units.py --work DIR --table

Gets the libraries' sources by their Debian package name, builds them once with a compiler that writes
compile_commands.json, and explores every function of every file, with 100 executions of each. `--functions N` takes
files by lot until they have N functions of a library: a file is explored as a whole. The tests are then
compiled with gcc and with clang, with -Wall -Wextra, and run twice, and once more with AddressSanitizer and UBSan.
Warnings count that are about the test file itself. Nothing is installed.

The figures of each library are kept in the work folder, with what was asked for and the version that was measured. So
libraries can be explored one after the other, and the table at the end has all of them; `--table` prints that alone.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))
import untaken
from benchmarks.real.fetch import CannotFetch, fetch
from benchmarks.real.steps import BuildFailed, adopt_orphans, processor_seconds, step
from benchmarks.unit_real import COMPILER, DATABASE
from untaken.build.storage import digest
from untaken.unit.compile_commands import database_files, project_flags
from untaken.unit.probe import compile_module
from untaken.unit.project.survey import own_functions

SEED = 1
UNTAKEN = (sys.executable, "-c", "import sys; from untaken.cli.start import untaken; sys.exit(untaken())")
TOLD = "told.json"  # in the output folder: all that was found
SECONDS = 600  # for all tests of a file
MOST_CALL = 12  # lines of a call that shows a finding
SMALL = 40  # branches of a function that can be expected to be covered
COMPILERS = ("gcc", "clang")
SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=undefined"


# jq's sources come without a configure script, and making one takes autotools. So its library is compiled as its
# Makefile.am says, with what configure would find in the C library.
JQ_BUILTINS = r"""sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/' src/builtin.jq > src/builtin.inc"""
JQ_LIBRARY = r"""set -e
found=$(grep -oh 'HAVE_[A-Z0-9_]*' src/libm.h | grep -v POW10 | sort -u | sed 's/^/-D/')
more=$(for each in TIMEGM STRPTIME GMTIME_R LOCALTIME_R STRFTIME GETTIMEOFDAY MKTIME TM_TM_GMT_OFF MEMMEM ISATTY \
    ALLOCA_H FREXP MODF LGAMMA_R PTHREAD_KEY_CREATE PTHREAD_ONCE; do echo -DHAVE_$each; done)
for name in builtin bytecode compile execute jv jv_alloc jv_aux jv_dtoa jv_file jv_parse jv_print jv_unicode linker \
    locfile util lexer parser; do
    $CC -g -w -I. -DIEEE_8087 $found $more -c src/$name.c -o src/$name.o
done"""


@dataclass(frozen=True, slots=True)
class Library:
    """How it is built: commands in order, each in the folder of the sources. `{cc}` is the compiler."""

    package: str
    commands: tuple[tuple[str, ...], ...]


LIBRARIES = {
    library.package: library
    for library in (
        Library("zlib", (("./configure", "--static"), ("make", "libz.a"))),
        Library("json-c", (("cmake", "-S", ".", "-B", "build", "-DBUILD_SHARED_LIBS=OFF", "-DBUILD_TESTING=OFF",
            "-DCMAKE_BUILD_TYPE=Debug"), ("make", "-C", "build", "json-c"))),
        Library("libyaml", (("cmake", "-S", ".", "-B", "build", "-DBUILD_SHARED_LIBS=OFF", "-DBUILD_TESTING=OFF",
            "-DCMAKE_BUILD_TYPE=Debug"), ("make", "-C", "build", "yaml"))),
        Library("libconfig", (("./configure", "--disable-shared", "--disable-cxx", "--disable-examples"),
            ("make", "-C", "lib"))),
        Library("jq", (("sh", "-c", JQ_BUILTINS), ("sh", "-c", JQ_LIBRARY))),
        # The parts of gnulib that GNU diff takes: all files of its lib/.
        Library("diffutils", (("./configure", "--disable-nls"), ("make", "-C", "lib"))),
    )
}  # fmt: skip


@dataclass(slots=True)
class Figures:
    """Of one library, or of all."""

    name: str
    conditions: str = ""  # version, and how it was explored
    functions: int = 0
    drivers: int = 0
    branches: int = 0
    covered: int = 0
    small_branches: int = 0
    small_covered: int = 0
    statements: int = 0  # lines with code, of the functions that were explored
    seconds: float = 0.0
    processor_seconds: float = 0.0
    tests: int = 0
    files: int = 0
    clean: dict[str, int] = field(default_factory=dict)  # test files that compile without warnings and pass twice
    findings: int = 0
    made_up: int = 0
    driver_only: int = 0

    def add(self, other: Figures) -> None:
        for name in self.__slots__:
            ours, theirs = getattr(self, name), getattr(other, name)
            if isinstance(ours, dict):
                for key, value in theirs.items():
                    ours[key] = ours.get(key, 0) + value
            elif not isinstance(ours, str):
                setattr(self, name, ours + theirs)


def build(library: Library, work: Path) -> Path:
    """The folder with the sources and their database; built only once."""
    folder = work / f"{library.package}-units"
    database = folder / DATABASE
    if database.exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(fetch(library.package, work / "sources"), folder, symlinks=True)
    log, compiler = work / f"{library.package}.log", work / f"{library.package}-cc"
    compiler.write_text(COMPILER.format(python=sys.executable, database=str(log)))
    compiler.chmod(0o755)
    environment = {**os.environ, "CC": str(compiler), "CFLAGS": "-g"}
    for number, command in enumerate(library.commands):
        if command[0] == "make":
            log.unlink(missing_ok=True)  # what configure tried out is not the library
        step(f"step-{number}", list(command), folder, environment)
    entries = {entry["file"]: entry for entry in map(json.loads, log.read_text().splitlines())}
    own = [entry for entry in entries.values() if "CMakeFiles" not in entry["directory"]]
    database.write_text(json.dumps(own, indent=1))
    return folder


def chosen_files(folder: Path, functions: int) -> list[Path]:
    """Files by lot until there are so many functions; all if that is 0."""
    database = folder / DATABASE
    files = database_files(database)
    if not functions:
        return files
    random.Random(SEED).shuffle(files)
    found: list[Path] = []
    count = 0
    for file in files:
        if count >= functions:
            break
        module = compile_module(file, ("-w", *(project_flags(database, file) or ())))
        count += len(own_functions(module, file))
        found.append(file)
    return found


def explore(folder: Path, files: Sequence[Path], out: Path, options: argparse.Namespace) -> None:
    """Keeps what `untaken unit --all --json` says."""
    limits = ["--iterations", str(options.iterations)]
    if options.seconds:
        limits = ["--time", str(options.seconds * options.count)]
    words = ["unit", "--all", *map(str, files), "--compile-commands", str(folder / DATABASE), "--out", str(out)]
    command = [*UNTAKEN, *words, *limits, "--jobs", str(options.jobs), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise BuildFailed(f"untaken ended with {done.returncode}: {done.stderr.strip()[-600:]}")
    (out / TOLD).write_text(done.stdout)


def statements(folder: Path, files: Sequence[Path]) -> int:
    """Lines that have code, as the debug information has them."""
    database = folder / DATABASE
    count = 0
    for file in files:
        module = compile_module(file, ("-w", *(project_flags(database, file) or ())))
        count += sum(module.code_lines(name) for name in own_functions(module, file))
    return count


def tried(tests: Path, names: Sequence[str], compiler: str, sanitized: bool) -> tuple[int, list[str]]:
    """How many test files compile without a warning of their own and pass twice; and the warnings."""
    folder = tests.with_name(f"tests-{compiler}{'-sanitized' if sanitized else ''}")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(tests, folder)
    flags = f"-g -Wall -Wextra {SANITIZERS if sanitized else ''}"
    good, warnings = 0, []
    for name in names:
        program = Path(name).stem
        command = ["make", "-C", str(folder), f"CC={compiler}", f"CFLAGS={flags}", program]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        own = [line for line in done.stderr.splitlines() if line.startswith(f"{name}:") and "warning:" in line]
        warnings += [f"{compiler}: {line}" for line in own]
        if done.returncode:
            warnings.append(f"{compiler}: {name} does not compile: {done.stderr.strip()[-300:]}")
        passes = not done.returncode and all(_passes(folder / program) for _ in range(2))
        if not passes and not done.returncode:
            warnings.append(f"{compiler}{' with sanitizers' if sanitized else ''}: {name} does not pass")
        good += passes and not own
    return good, warnings


def _passes(program: Path) -> bool:
    try:
        done = subprocess.run([str(program)], capture_output=True, check=False, timeout=SECONDS, cwd=program.parent)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def measure(library: Library, work: Path, options: argparse.Namespace) -> Figures:
    """Explores a library, says what is wrong with its tests and what was found, and keeps the figures."""
    folder = build(library, work)
    files = chosen_files(folder, options.functions)
    options.count = count_functions(folder, files)
    out = work / f"{library.package}-out"
    shutil.rmtree(out, ignore_errors=True)
    begun = time.monotonic()
    spent = processor_seconds(lambda: explore(folder, files, out, options))
    figures = Figures(
        library.package,
        conditions=conditions(options, len(files)),
        seconds=time.monotonic() - begun,
        processor_seconds=spent,
        statements=statements(folder, files),
    )
    told = json.loads((out / TOLD).read_text())
    add_functions(figures, told)
    for line in (*add_tests(figures, told, out), *add_findings(figures, told)):
        print(line, flush=True)
    kept(work, library.package).write_text(json.dumps(asdict(figures), indent=1))
    return figures


def kept(work: Path, package: str) -> Path:
    return work / f"{package}-figures.json"


def conditions(options: argparse.Namespace, files: int) -> str:
    budget = f"{options.seconds:g} s a function" if options.seconds else f"{options.iterations} executions of each"
    whole = "all files" if not options.functions else f"{files} files by lot"
    return f"version {source_digest()[:8]}, {whole}, {budget}, {options.jobs or 'all'} jobs"


def source_digest() -> str:
    """What was measured: the text of the package, in C and in Python."""
    package = Path(untaken.__file__).parent
    sources = sorted(path for path in package.rglob("*") if path.suffix in (".py", ".c", ".h"))
    return digest(path.read_bytes() for path in sources)


def count_functions(folder: Path, files: Sequence[Path]) -> int:
    database = folder / DATABASE
    modules = ((compile_module(file, ("-w", *(project_flags(database, file) or ()))), file) for file in files)
    return sum(len(own_functions(module, file)) for module, file in modules)


def add_functions(figures: Figures, told: Mapping[str, Any]) -> None:
    for each in told["functions"]:
        figures.functions += 1
        figures.drivers += not each["problem"]
        total, covered = each["branches_total"], each["branches_covered"]
        figures.branches += total
        figures.covered += covered
        if total <= SMALL:
            figures.small_branches += total
            figures.small_covered += covered


def add_tests(figures: Figures, told: Mapping[str, Any], out: Path) -> Iterator[str]:
    """Tries the test files; what is wrong with them is said."""
    names = [each["file"] for each in told["tests"] if each["tests"]]
    figures.files = len(names)
    figures.tests = sum(len(each["tests"]) for each in told["tests"])
    for compiler in COMPILERS:
        for sanitized in (False, True):
            if shutil.which(compiler) is not None:
                good, warnings = tried(out / "tests", names, compiler, sanitized)
                figures.clean[f"{compiler}{' with sanitizers' if sanitized else ''}"] = good
                yield from warnings
    yield from (problem for each in told["tests"] for problem in each["problems"])


def add_findings(figures: Figures, told: Mapping[str, Any]) -> Iterator[str]:
    """Counts them by how they are reached, and shows those that callers can reach."""
    ways = Counter(each["reached"] for each in told["findings"])
    figures.findings, figures.made_up, figures.driver_only = ways["exported"], ways["arguments"], ways["driver"]
    for each in told["findings"]:
        if each["reached"] == "exported":
            yield f"{figures.name}: {each['what']} at {each['location']}, in {', '.join(each['functions'])}"
            yield from (f"    {line}" for line in each["call"][-MOST_CALL:])


def share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({part / whole:.1%})" if whole else "none"


def an_hour(statements: int, seconds: float) -> str:
    return f"{statements / seconds * 3600:,.0f}" if seconds else "none"


def rows(figures: Figures) -> Iterator[tuple[str, str]]:
    """What is said of a library."""
    yield "functions attempted, drivers that build", share(figures.drivers, figures.functions)
    small = share(figures.small_covered, figures.small_branches)
    yield f"branches covered, in functions with at most {SMALL}", small
    yield "branches covered, in all functions", share(figures.covered, figures.branches)
    yield "tests", f"{figures.tests} in {figures.files} files"
    for how, good in figures.clean.items():
        yield f"files without a warning that pass twice: {how}", share(good, figures.files)
    yield "statements", f"{figures.statements:,}"
    yield "seconds, of which processor time", f"{figures.seconds:,.0f}, {figures.processor_seconds:,.0f}"
    yield "statements an hour, as it was", an_hour(figures.statements, figures.seconds)
    yield "statements an hour of processor time on 2 cores", an_hour(2 * figures.statements, figures.processor_seconds)
    yield "findings that callers can reach", str(figures.findings)
    yield "causes with arguments that only the driver makes", str(figures.made_up)
    yield "causes in functions that callers cannot call", str(figures.driver_only)


def table(every: Sequence[Figures]) -> Iterator[str]:
    """Markdown, a column for each library."""
    if not every:
        return
    whole = Figures("all")
    for figures in every:
        whole.add(figures)
    columns = [dict(rows(figures)) for figures in (*every, whole)]
    yield f"| | {' | '.join(figures.name for figures in (*every, whole))} |"
    yield f"|{' --- |' * (len(columns) + 1)}"
    for row in columns[0]:
        yield f"| {row} | {' | '.join(column.get(row, '') for column in columns)} |"
    for figures in every:
        yield f"{figures.name}: {figures.conditions}"


def known_figures(work: Path) -> list[Figures]:
    """Of all libraries that were explored into this folder."""
    files = (kept(work, name) for name in LIBRARIES)
    return [Figures(**json.loads(path.read_text())) for path in files if path.exists()]


def explore_libraries(options: argparse.Namespace, work: Path) -> None:
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    for name in options.libraries or LIBRARIES:
        try:
            measure(LIBRARIES[name], work, options)
        except (CannotFetch, BuildFailed) as problem:
            print(f"{name}: not possible here: {problem}", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, help="keep sources and figures here, and use what is there already")
    parser.add_argument("--functions", type=int, default=0, help="files by lot with so many functions (default 0: all)")
    parser.add_argument("--seconds", type=float, default=0, help="a function on average, in place of --iterations")
    parser.add_argument("--iterations", type=int, default=100, help="of each function (default 100)")
    parser.add_argument("--jobs", type=int, default=0, help="campaigns at the same time (default: one a core)")
    parser.add_argument("--table", action="store_true", help="explore nothing: print what the work folder knows")
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY", help=f"out of {', '.join(LIBRARIES)} (default: all)")
    options = parser.parse_args()
    unknown = [name for name in options.libraries if name not in LIBRARIES]
    if unknown:
        parser.error(f"no such library: {', '.join(unknown)}")
    adopt_orphans()  # campaigns are processes of a server that outlives its command
    with tempfile.TemporaryDirectory() as scratch:
        work = (options.work or Path(scratch)).absolute()
        work.mkdir(parents=True, exist_ok=True)
        if not options.table:
            explore_libraries(options, work)
        print("\n".join(table(known_figures(work))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
