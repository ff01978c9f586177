"""Verification tasks whose runs grow with a number that they ask for: what they come to is met by small numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written

TASK = """
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
{functions}
int main(void) {{
    int n = __VERIFIER_nondet_int();
    {body}
}}
"""
SUM = "int sum(int n, int m) { return n <= 0 ? m + n : sum(n - 1, m + 1); }"
FIBONACCI = "int fibonacci(int n) { return n < 1 ? 0 : n == 1 ? 1 : fibonacci(n - 1) + fibonacci(n - 2); }"
HANOI = """
int moves;
void hanoi(int n) {
    if (n == 1) { moves++; return; }
    hanoi(n - 1);
    moves++;
    hanoi(n - 1);
}
"""
ACKERMANN = """
int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
"""
GCD = """
int gcd(int a, int b) {
    while (a != b)
        if (a > b) a -= b;
        else b -= a;
    return a;
}
"""
RECURSIVE_GCD = """
long gcd(long a, long b) {
    if (a <= 0 || b <= 0) return 0;
    return a == b ? a : a > b ? gcd(a - b, b) : gcd(a, b - a);
}
"""
COUNT = "int count(int n) { int c = 0; for (int i = 0; i < n; i++) c++; return c; }"
SUM_UP = "unsigned sum_up(unsigned n) { return n ? n + sum_up(n - 1) : 0; }"


@pytest.mark.parametrize(
    ("functions", "body"),
    [
        (SUM, "int m = __VERIFIER_nondet_int(); if (sum(n, m) - m == 15) reach_error();"),
        (FIBONACCI, "if (fibonacci(n) == 34) reach_error();"),
        (HANOI, "if (n < 1 || n > 31) return 0; hanoi(n); if (moves == 127) reach_error();"),
        (
            ACKERMANN,
            "int m = __VERIFIER_nondet_int(); if (m < 0 || m > 3 || n < 0 || n > 23) return 0;"
            "if (ackermann(m, n) == 7 && m == 2) reach_error();",
        ),
        (GCD, "int m = __VERIFIER_nondet_int(); if (n > 0 && m > 0 && gcd(n, m) == 12) reach_error();"),
        (RECURSIVE_GCD, "int m = __VERIFIER_nondet_int(); if (n != m && gcd(n, m) == 7) reach_error();"),
        (COUNT, "if (count(n) == 37) reach_error();"),
        (SUM_UP, "if (sum_up(n) == 55) reach_error();"),
    ],
    ids=["sum", "fibonacci", "hanoi", "ackermann", "gcd", "recursive-gcd", "count", "sum-up"],
)
def test_what_it_comes_to_is_met(tmp_path: Path, functions: str, body: str) -> None:
    program = written(tmp_path, TASK.format(functions=functions, body=body))
    limits = "--iterations", 600, "--coverage", 100, "--timeout", 0.2, "--seed", 1
    assert campaign(program, *limits, "--out", tmp_path / "out").ended_by == "enough coverage"


READ = """
#include <stdlib.h>
#include <{header}>
{function}
int main(void) {{
    int n = 0;
    if ({read}) return 1;
    if (count(n) == 20) abort();
    return 0;
}}
"""


@pytest.mark.parametrize(
    ("header", "read"),
    [("stdio.h", 'scanf("%d", &n) != 1'), ("unistd.h", "read(0, &n, sizeof n) != sizeof n")],
    ids=["scanf", "read"],
)
def test_numbers_may_come_from_anywhere(tmp_path: Path, header: str, read: str) -> None:
    program = written(tmp_path, READ.format(header=header, read=read, function=COUNT))
    limits = "--stdin", 12, "--iterations", 1_000, "--coverage", 100, "--timeout", 0.2, "--seed", 1
    assert campaign(program, *limits, "--out", tmp_path / "out").ended_by == "enough coverage"
