"""Chains of checks on integers of more than 64 bits and on long doubles, as challenges for fuzzers have them."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.campaign.commands import written
from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.watcher import Watcher
from untaken.execute.target import find_target

ITERATIONS = 1_500  # each takes some fifty

HEAD = """
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
typedef unsigned __int128 u128;
typedef __int128 s128;
#define READ(object) do { if (read(0, &object, sizeof object) != sizeof object) return 0; } while (0)
"""

EQUAL = """
int main(void) {
    unsigned char text[96];
    READ(text);
    for (int i = 0; i < 6; i++) {
        u128 *found = (u128 *)(text + 16 * i), wanted;
        memset(&wanted, 'A' + 3 * i, sizeof wanted);
        if (*found != wanted)
            return 1;
    }
    abort();
}
"""

ARITHMETIC = """
int main(void) {
    u128 x[6];
    READ(x);
    if (x[0] * 3 != ((u128)0x123456789abcdef0 << 64 | 0x1122334455667788))
        return 1;
    if (x[1] + x[0] != (u128)7 << 100)
        return 2;
    if (x[2] / 1000003 != (u128)0x1234567 << 70)
        return 3;
    if (x[3] <= ~(u128)5)
        return 4;
    if (x[4] >> 77 != 0x1abcd)
        return 5;
    if ((s128)x[5] >= -((s128)1 << 90) || (x[5] ^ x[4]) % 7 != 3)
        return 6;
    abort();
}
"""

# Arguments and results, a table, a switch, overflow, casts to and from floating point, choices.
AROUND = """
static s128 scaled(s128 x, int by) { return x * by - 1; }
static u128 table[4] = {5, (u128)6 << 80, 7, (u128)8 << 64 | 1};
int main(void) {
    struct { s128 a, b; u128 c; unsigned i; double d; } in;
    READ(in);
    s128 sum;
    if (scaled(in.a, -5) != -((s128)3 << 90) - 1)
        return 1;
    if (!__builtin_add_overflow(in.a, in.b, &sum))
        return 2;
    if (table[in.i % 4] >> 64 != 8)
        return 3;
    switch (in.c) {
    case 1: return 4;
    case (u128)1 << 127: break;
    case ((u128)1 << 127) - 1: return 5;
    default: return 6;
    }
    if ((u128)in.d != (u128)3 << 98)
        return 7;
    abort();
}
"""

ODD_WIDTHS = """
#ifdef __BITINT_MAXWIDTH__
typedef unsigned _BitInt(100) u100;
typedef _BitInt(77) s77;
static s77 moved(s77 x) { return x - 1000; }
int main(void) {
    struct { u100 a; s77 b; unsigned long c; } in;
    READ(in);
    if (in.a * 7 != ((u100)0x1234567 << 70) + 3)
        return 1;
    if (moved(in.b) != -((s77)1 << 70))
        return 2;
    if ((u100)in.c << 30 != ((u100)0xabcdef << 60))
        return 3;
    abort();
}
#else
int main(void) { abort(); }
#endif
"""

LONG_DOUBLES = """
int main(void) {
    long double x[6];
    READ(x);
    if (x[0] + 15.0L != 30.65625L)
        return 1;
    if (x[1] * 2.5L != 1000.0L)
        return 2;
    if (x[2] <= 1e100L || x[2] >= 1e101L)
        return 3;
    if (x[3] + x[4] != 3.25L || x[3] * x[4] <= 2.0L)
        return 4;
    if (x[5] / 3.0L != 7.0L)
        return 5;
    if (fabsl(x[5]) - 0.1L <= 20.8L)
        return 6;
    abort();
}
"""

CONVERTED = """
static long double scaled(long double x, int by) { return x * by - 0.5L; }
int main(void) {
    struct { long double a, sum[4]; int i; double d; float f; u128 w; } in;
    long double sum = 0;
    READ(in);
    for (int i = 0; i < 4; i++)
        sum += in.sum[i];
    if (sum != 10.125L)
        return 1;
    if (scaled(in.a, 3) != 123456789.5L)
        return 2;
    if (in.i * 0.1L <= 77.7L || in.i * 0.1L >= 77.85L)
        return 3;
    if (in.d * 1.5L != 4.5L || (long)(in.f + 0.25L) != 1000)
        return 4;
    if ((long double)in.w <= 1e30L || (long double)in.w >= 1.1e30L)
        return 5;
    abort();
}
"""

VARIABLE_ARGUMENTS = """
#include <stdarg.h>
static long double sum(int count, ...) {
    va_list list;
    long double result = 0;
    va_start(list, count);
    while (count--)
        result += va_arg(list, long double);
    va_end(list);
    return result;
}
/* Two arguments are in registers, the others on the stack. No one is in both: clang 14 is at odds with itself there. */
static u128 product(int count, unsigned first, ...) {
    va_list list;
    u128 result = first;
    va_start(list, first);
    while (count--)
        result *= va_arg(list, u128);
    va_end(list);
    return result;
}
int main(void) {
    struct { long double x, y; u128 a, b, c; } in;
    READ(in);
    if (sum(2, in.x, in.y) != 300.5L)
        return 1;
    if (product(4, 1, in.a, (u128)1, in.b, in.c) != (u128)35 << 70 || in.a != 5 || in.b <= 1)
        return 2;
    abort();
}
"""


@pytest.mark.parametrize(
    "source",
    [EQUAL, ARITHMETIC, AROUND, ODD_WIDTHS, LONG_DOUBLES, CONVERTED, VARIABLE_ARGUMENTS],
    ids=["equal", "arithmetic", "around", "odd_widths", "long_doubles", "converted", "variable_arguments"],
)
def test_the_end_of_a_chain_is_reached(tmp_path: Path, source: str) -> None:
    program = written(tmp_path, HEAD + source)
    config = Config((str(program),), stdin=192, iterations=ITERATIONS, first_finding=True, out=tmp_path / "out")
    summary = run_campaign(config, find_target([str(program)]), Watcher())
    assert [finding.signal for finding in summary.findings] == [signal.SIGABRT], summary.frontier
    assert not {"wide", "float", "other"} & summary.limits.concretised.keys()


LARGE_HEAD = """
typedef unsigned _BitInt(256) u256;
typedef _BitInt(200) s200;
"""

LARGE_EQUAL = """
int main(void) {
    u256 x[6];
    READ(x);
    for (int i = 0; i < 6; i++) {
        u256 wanted;
        memset(&wanted, 'A' + 3 * i, sizeof wanted);
        if (x[i] != wanted)
            return 1;
    }
    abort();
}
"""

LARGE_ARITHMETIC = """
int main(void) {
    struct { u256 x[3]; s200 y[3]; } in;
    READ(in);
    if (in.x[0] * 3 + 1 != ((u256)0x123456789abcdef0 << 190) + 4)
        return 1;
    if (in.x[1] + in.x[0] != (u256)7 << 220)
        return 2;
    if (in.x[2] >> 177 != 0x1abcd)
        return 3;
    if (in.y[0] >= -((s200)1 << 150))
        return 4;
    if ((in.y[1] ^ in.y[0]) != 3)
        return 5;
    if (in.y[2] / 1000003 != (s200)0x1234567 << 70)
        return 6;
    abort();
}
"""

LARGE_AROUND = """
static s200 scaled(s200 x, int by) { return x * by - 1; }
static u256 table[4] = {5, (u256)6 << 180, 7, (u256)8 << 164 | 1};
int main(void) {
    struct { s200 a; u256 b, c, f; unsigned i, by; __int128 d; unsigned long e; } in;
    READ(in);
    if (scaled(in.a, -5) != -((s200)15 << 160) - 1)
        return 1;
    if (in.b << (in.by & 255) != (u256)0xabcd << 230 || in.by <= 200)
        return 2;
    if (table[in.i % 4] >> 164 != 8)
        return 3;
    switch (in.c) {
    case 1: return 4;
    case (u256)1 << 255: break;
    case ((u256)1 << 255) - 1: return 5;
    default: return 6;
    }
    if ((s200)in.d * -77 != (s200)154 << 110)
        return 7;
    if ((u256)in.e * in.f != (u256)35 << 130 || in.f <= in.e)
        return 8;
    abort();
}
"""


@pytest.mark.parametrize("source", [LARGE_EQUAL, LARGE_ARITHMETIC, LARGE_AROUND], ids=["equal", "arithmetic", "around"])
def test_the_end_of_a_chain_of_large_integers_is_reached(
    tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNTAKEN_CLANG", "zig")
    program = written(tmp_path, HEAD + LARGE_HEAD + source)
    config = Config((str(program),), stdin=192, iterations=ITERATIONS, first_finding=True, out=tmp_path / "out")
    summary = run_campaign(config, find_target([str(program)]), Watcher())
    assert [finding.signal for finding in summary.findings] == [signal.SIGABRT], summary.frontier
    assert not {"wide", "float", "other"} & summary.limits.concretised.keys()


# Of 200 bits in a run, which clang 14 reads and writes as one integer.
BIT_FIELDS = """
struct run {
    unsigned a : 20, b : 12, c : 31, d : 1, e : 7, f : 25, g : 30, h : 2, i : 3, j : 29;
    unsigned long k : 40;
};
int main(void) {
    struct run in;
    READ(in);
    in.c += 5;
    if (in.a != 0x12345 || in.c != 0x2345678 || in.e != 77)
        return 1;
    if (in.g * 3 != 0x369369 || in.j != in.f + 9 || in.k != 0x123456789a)
        return 2;
    abort();
}
"""


def test_runs_of_bit_fields_are_followed(tmp_path: Path) -> None:
    program = written(tmp_path, HEAD + BIT_FIELDS)
    config = Config((str(program),), stdin=64, iterations=ITERATIONS, first_finding=True, out=tmp_path / "out")
    summary = run_campaign(config, find_target([str(program)]), Watcher())
    assert [finding.signal for finding in summary.findings] == [signal.SIGABRT], summary.frontier
    assert "wide" not in summary.limits.concretised


LARGE_DIVISORS = """
int main(void) {
    u256 x[2];
    READ(x);
    if (x[1] != 0 && x[0] / x[1] == 77)
        return 1;
    return 0;
}
"""


def test_divisions_of_large_integers_by_others_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNTAKEN_CLANG", "zig")
    program = written(tmp_path, HEAD + LARGE_HEAD + LARGE_DIVISORS)
    config = Config((str(program),), stdin=64, iterations=50, out=tmp_path / "out")
    summary = run_campaign(config, find_target([str(program)]), Watcher())
    assert summary.limits.concretised["wide"] > 0
    assert not summary.exhausted
