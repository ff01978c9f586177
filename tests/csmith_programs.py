"""Random C programs from csmith, with a symbolic input folded into what they compute.

csmith is a Debian package (`apt-get install csmith`). The programs are small, the seeds are fixed. Each reads up to
64 bytes of stdin and xors them into up to eight of its global integers before it starts; with nothing on stdin it is
the program as csmith made it. It then prints a checksum after each global.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from tests.collection import Outcome

HOW_TO_GET_IT = "csmith is not here: apt-get install csmith libcsmith-dev"
OPTIONS = [
    *("--max-funcs", "3", "--max-block-depth", "3", "--max-block-size", "3", "--max-expr-complexity", "6"),
    *("--max-array-dim", "2", "--max-array-len-per-dim", "5", "--max-struct-fields", "5", "--concise"),
]
MOST_FOLDED = 8
PATIENCE = 2.0  # seconds for one run of the plain program; one that takes longer is left out
SHOW_ALL = ("1",)  # the program's argument that makes it print a checksum after each global

# Programs of csmith 2.3.0 that, on some of our inputs, run for ever or do what C leaves undefined.
_UNFIT = frozenset(
    int(seed)
    for seed in (
        "8 25 27 38 43 63 69 123 133 144 159 165 184 247 262 264 265 267 268 274 281 294 298 307 314 345 364 374 382 "
        "384 394 406 410"
    ).split()
)
SEEDS = [seed for seed in range(1, 421) if seed not in _UNFIT]

_GLOBAL = re.compile(r"^static (?:volatile )?(u?int(?:8|16|32|64)_t) (g_\d+) = ", re.MULTILINE)
_MAIN = re.compile(r"^int main \(", re.MULTILINE)
_START = re.compile(r"^    func_1\(\);$", re.MULTILINE)


@cache
def csmith() -> str | None:
    return shutil.which("csmith")


@cache
def include_folder() -> Path | None:
    """Where csmith.h is: beside the program's prefix, with or without a version in the folder's name."""
    program = csmith()
    if program is None:
        return None
    prefix = Path(program).resolve().parent.parent
    found = sorted([*prefix.glob("include/csmith*/csmith.h"), *prefix.glob("include/csmith.h")])
    return found[-1].parent if found else None


def unavailable() -> str | None:
    """Why there can be no random programs here, or None."""
    if csmith() is None:
        return HOW_TO_GET_IT
    return None if include_folder() else "csmith is here but its csmith.h is not: apt-get install libcsmith-dev"


def compiler_flags() -> list[str]:
    return ["-I", str(include_folder())]


def generate(seed: int, folder: Path) -> Path:
    """Writes the program of a seed."""
    command = [csmith() or "csmith", "--seed", str(seed), *OPTIONS]
    text = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
    source = folder / f"csmith{seed}.c"
    source.write_text(with_input(text))
    return source


def plain_outcome(program: Path, stdin: bytes) -> Outcome | None:
    """What the plain program does; None if it does not end in time."""
    try:
        done = subprocess.run([program, *SHOW_ALL], input=stdin, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return None
    return Outcome(done.stdout, done.returncode)


def is_index(name: str, text: str) -> bool:
    """Whether a global chooses an element of an array: csmith knows its values to be small enough."""
    return re.search(rf"\[[^\]]*\b{name}\b", text) is not None


def with_input(text: str) -> str:
    """The program with stdin folded into some of its globals."""
    folded = [(kind, name) for kind, name in _GLOBAL.findall(text) if not is_index(name, text)][:MOST_FOLDED]
    lines = [
        f"    {{ {kind} value; __builtin_memcpy(&value, bytes + {8 * i}, sizeof value); {name} ^= value; }}"
        for i, (kind, name) in enumerate(folded)
    ]
    reader = [
        "extern long read(int, void *, unsigned long);",
        "static void fold_in(void)",
        "{",
        f"    unsigned char bytes[{8 * MOST_FOLDED}] = {{0}};",
        "    read(0, bytes, sizeof bytes);",
        *lines,
        "}",
        "",
    ]
    text, mains = _MAIN.subn("\n".join(reader) + "\nint main (", text)
    text, starts = _START.subn("    fold_in();\n    func_1();", text)
    assert (mains, starts) == (1, 1), "csmith writes its main in another way than we know"
    return text
