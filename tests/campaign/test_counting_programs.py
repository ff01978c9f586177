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
    ],
    ids=["sum", "fibonacci", "hanoi", "ackermann"],
)
def test_what_it_comes_to_is_met(tmp_path: Path, functions: str, body: str) -> None:
    program = written(tmp_path, TASK.format(functions=functions, body=body))
    limits = "--iterations", 600, "--coverage", 100, "--timeout", 0.2, "--seed", 1
    assert campaign(program, *limits, "--out", tmp_path / "out").ended_by == "enough coverage"
