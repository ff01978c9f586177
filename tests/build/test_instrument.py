"""Programs that once broke the instrumentation, or come close: compiled in checking mode, run, compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.build.graph_walk import Walk
from tests.collection import Outcome, build_plain, run_by_hand, stdin_input, stdin_settings
from tests.execute.evaluate import check
from untaken.build.driver import compile_and_link
from untaken.build.objects.program_map import read_program_map
from untaken.execute.session import Session

STDIN = b"\x07\x21\x63\xff\x80\x01\x00\x10abcdefgh"
START = "#include <stdio.h>\nstatic unsigned char b[16];\nstatic void start(void) { fread(b, 1, 16, stdin); }\n"

RECURSION = """
static int down(int n) { if (n == 0) return b[1]; int r = down(n - 1) + (b[n & 7] == n % 256); return r == -7 ? 0 : r; }
int main(void) { start(); printf("%d\\n", down(60000)); return 0; }
"""
FORK = """
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    start();
    pid_t child = fork();
    if (child == 0) {
        if (b[0] == 3)
            _exit(4);
        _exit(b[1] > 3 && b[2] > 3 ? 5 : 6);
    }
    int status;
    waitpid(child, &status, 0);
    printf("%d\\n", status);
    return 0;
}
"""
SYMBOLIC_COPY = """
struct large { long a[3]; unsigned char c; };
static int weight(struct large x) { return x.c == 'c' ? (int)x.a[1] : x.c; }
int main(void) { start(); struct large all[4] = {{.c = b[0]}, {{1, b[1], 2}, 'c'}, {.c = 'x'}, {.c = b[3]}};
    printf("%d\\n", weight(all[b[4] & 3]) + weight(all[b[5] & 3])); return 0; }
"""
ATOMICS = """
#include <stdatomic.h>
static _Atomic int i; static _Atomic __int128 wide; static int n;
int main(void)
{
    start();
    __int128 expected = 3;
    wide = b[0];
    int done = atomic_compare_exchange_strong(&wide, &expected, b[2]);
    n = b[1];
    int old = __sync_fetch_and_nand(&n, b[3]);
    if (n == -2)
        puts("n");
    printf("%d %d %d %d\\n", done, (int)expected, old, n);
    return 0;
}
"""
HINTS = """
int main(void) { start(); __builtin_prefetch(b + (b[0] & 7)); puts(b[b[0] & 7] > 3 ? "more" : "less"); return 0; }
"""
MANY_CONDITIONALS = "\n".join(
    [
        "#include <unistd.h>",
        "int main(void) { start(); int r = 0, n[] = {4, getpagesize(), 99};",
        *(f"r += n[{i % 3}] > {i % 250} ? 1 : 2;" for i in range(1200)),
        'printf("%d\\n", r); return 0; }\n',
    ]
)
PROGRAMS = {
    "recursion": (RECURSION, ()),
    "fork": (FORK, ()),
    "symbolic_copy": (SYMBOLIC_COPY, ()),
    "atomics": (ATOMICS, ("-mcx16", "-latomic")),
    "hints": (HINTS, ()),
    "many_conditionals": (MANY_CONDITIONALS, ()),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_behaviour_and_walk(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In checking mode a value that the runtime and the program disagree on is counted, and its label dropped."""
    text, flags = PROGRAMS[name]
    source = tmp_path / f"{name}.c"
    source.write_text(START + text)
    plain = build_plain(source, tmp_path / "plain", list(flags))
    program = tmp_path / "program"
    monkeypatch.setenv("UNTAKEN_CHECK", "1")
    assert compile_and_link(["-w", str(source), *flags, "-o", str(program)]) == 0
    expected = run_by_hand(plain, STDIN)
    assert run_by_hand(program, STDIN) == expected
    with Session(program, stdin_settings()) as session:
        path = session.run(stdin_input(STDIN))
        assert Outcome(session.output, path.exit.code) == expected
        assert not check(session.expressions, path)
        assert not session.counters.concretised["undefined"] and not session.counters.concretised["other"]
        walk = Walk(read_program_map(program))
        walk.follow(path.events.tolist())
        assert not walk.stack, "main has returned"


OWN_NAMES = """
int warnx(char kind, int count), error(int x, char y, char z);
int main(void) { start(); printf("%d\\n", warnx(b[0], b[1]) + error(b[2], b[3], b[4])); return 0; }
"""
OWN_FUNCTIONS = """
int warnx(char kind, int count) { return kind == 7 ? count : 1; }
int error(int x, char y, char z) { return x + (y == 1 ? z : 3); }
"""


def test_functions_of_the_program_may_have_names_of_the_c_library_and_take_what_they_like(tmp_path: Path) -> None:
    """Those that take a format, above all: here there is none."""
    caller, functions = tmp_path / "caller.c", tmp_path / "functions.c"
    caller.write_text(START + OWN_NAMES)
    functions.write_text(OWN_FUNCTIONS)
    assert compile_and_link(["-w", str(caller), str(functions), "-o", str(tmp_path / "program")]) == 0
    assert run_by_hand(tmp_path / "program", STDIN).printed == b"135\n"


ASM_GOTO = """
static int zero(int x)
{
    __asm__ goto("test %0, %0\\n\\tjz %l[none]" : : "r"(x) : "cc" : none);
    return 1;
none:
    return 0;
}
int main(void) { start(); if (b[1] > 3) puts("more"); printf("%d\\n", zero(b[0])); return 0; }
"""


def test_what_is_not_understood_stays_concrete_and_is_named(tmp_path: Path) -> None:
    source = tmp_path / "asm_goto.c"
    source.write_text(START + ASM_GOTO)
    program = tmp_path / "program"
    assert compile_and_link(["-w", str(source), "-o", str(program)]) == 0
    mapped = read_program_map(program)
    assert [line for line in mapped.uninstrumented if line.startswith("zero: ") and "callbr" in line]
    assert len(mapped.branches) == 2
    with Session(program, stdin_settings()) as session:
        path = session.run(stdin_input(STDIN))
        assert session.output == b"more\n1\n"
        assert len(path.symbolic) == 1
