"""C sources: real ones with words, lines and bytes exchanged, and with what compilers have beyond C put in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.malforming.desk import Desk
from benchmarks.soaking.commands import forked
from benchmarks.soaking.mutations import cut, flip, overwrite
from benchmarks.soaking.outcomes import SoakTrial
from benchmarks.soaking.processes import processes_left

ROOT = Path(__file__).parents[2]
PATIENCE = 1800.0  # seconds: this is often run beside other work
RUN_SHARE = 0.15  # of the sources are explored; the others are only compiled
_WORD = re.compile(r"\w+|\s+|[^\w\s]")
NUMBERS = (
    "0",
    "1",
    "-1",
    "255",
    "2147483648",
    "18446744073709551615",
    "1e400",
    "0x1p-1074",
    "0b1",
    "1.0L",
    "99999999999999999999",
)
SNIPPETS = (
    "__attribute__((aligned(4096))) ",
    "__attribute__((packed)) ",
    "__attribute__((weak)) ",
    "_Atomic ",
    "_Thread_local ",
    "_Complex double ",
    "__int128 ",
    "_BitInt(77) ",
    "typeof(0) ",
    "__attribute__((vector_size(32))) ",
    "_Noreturn ",
    "static ",
    "inline ",
    "extern ",
    "volatile ",
    "register ",
    "const ",
    "restrict ",
    "union { int a; float b; } ",
    'asm volatile("nop");',
    'asm("" : : : "memory");',
    "({ int t = 1; t; })",
    "&&label",
    "goto *0;",
    "label: ",
    "case 1 ... 9: ",
    "__builtin_trap();",
    "__builtin_unreachable();",
    "__builtin_expect(1, 0)",
    "__builtin_alloca(9)",
    "alloca(1 << 20)",
    "_Generic(0, int: 1, default: 2)",
    "int v[n];",
    "struct s { int n; int f[]; } ",
    "enum { A = 1, B = A } ",
    "return;",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    "\\\n",
    "/*",
    "*/",
    '"',
    "'",
    "\0",
    "\x1a",
    "\r",
    "\u00e9",
    "\U0001f600",
    'L"w"',
    'u8"x"',
    "#if 0\n",
    "#endif\n",
    "#define x x\n",
    '#line 2147483647 "a\\nb"\n',
    "#pragma pack(1)\n",
    '#include "nothing.h"\n',
    "#error no\n",
    "#include <math.h>\n",
    "for (;;) ",
    "while (1) ",
    "switch (0) ",
    "if (0) ",
    "else ",
    "do ",
    "?:",
    "->",
    "...",
    "int main(void) { }\n",
)


def c_sources(desk: Desk, random: Random, most: int) -> Iterator[SoakTrial]:
    """One after the other, in a folder of their own."""
    folder = desk.folder
    real = [path.read_text() for part in ("examples", "tests/programs") for path in sorted((ROOT / part).glob("*.c"))]
    (folder / "collection.h").write_text((ROOT / "tests/programs/collection.h").read_text())
    for number in range(most):
        file = folder / "torn" / "torn.c"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(torn(random.choice(real), random))
        text, words = file.read_bytes(), commands(file, random)
        said = forked(words, patience=PATIENCE)
        changed = None if file.read_bytes() == text else "the source was changed"
        fault = said.fault or processes_left() or desk.lost() or changed
        if fault is not None:
            (folder.parent / f"malformed-{number}.c").write_bytes(text)
        yield SoakTrial("C sources", f"source {number}, untaken {words[0]}", f"exit {said.code}", fault)


def commands(file: Path, random: Random) -> list[str]:
    """What is done with a source."""
    if random.random() < RUN_SHARE:
        budget = ["--iterations", "2", "--time", "3", "--timeout", "0.5", "--quiet"]
        return ["run", str(file), *budget, "--out", str(file.parent / f"out-{random.getrandbits(40)}")]
    return ["cc", "-g", "-c", str(file), "-o", str(file.with_suffix(".o")), f"-I{file.parent.parent}"]


def torn(text: str, random: Random) -> bytes:
    """A source with something wrong in it, or several things."""
    for _ in range(random.choice((1, 1, 2, 4))):
        text = random.choice((_words, _words, _lines, _numbers, _snippet, _snippet, _snippet))(text, random)
    data = text.encode(errors="surrogatepass")
    return random.choice((cut, flip, overwrite))(data, random) if random.random() < 0.2 else data


def _words(text: str, random: Random) -> str:
    words = _WORD.findall(text)
    one, other = random.randrange(len(words)), random.randrange(len(words))
    words[one] = random.choice(("", words[other], words[one] * 2, words[one] * 300))
    return "".join(words)


def _lines(text: str, random: Random) -> str:
    lines = text.split("\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    here, there = lines[one], lines[other]
    lines[one], lines[other] = random.choice(((there, here), ("", there), (there, there)))
    return "\n".join(lines)


def _numbers(text: str, random: Random) -> str:
    places = list(re.finditer(r"\b\d+\b", text))
    if not places:
        return text
    place = random.choice(places)
    return text[: place.start()] + random.choice(NUMBERS) + text[place.end() :]


def _snippet(text: str, random: Random) -> str:
    places = [match.start() for match in re.finditer(r"\b|\n", text)] or [0]
    place = random.choice(places)
    return text[:place] + random.choice(SNIPPETS) + text[place:]
