"""A crash of a stack that is full is told as one; other crashes are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
from untaken.campaign.findings.confirm import STACK_IS_FULL

DEEP = "int f(int n) { return n < 0 ? 0 : f(n + (n & 1)) + n; }"  # even numbers have no end
LARGE = "int f(int n) { volatile char a[100 << 20]; a[n & 1023] = 1; return a[n & 1023]; }"
WILD = "int f(int n) { return *(volatile int *)(long)(n & 8); }"
TASK = """
#include <unistd.h>
{function}
int main(void) {{
    int n;
    return read(0, &n, sizeof n) != sizeof n || n < 1000 ? 0 : f(n);
}}
"""


@pytest.mark.parametrize(
    ("function", "cause"), [(DEEP, STACK_IS_FULL), (LARGE, STACK_IS_FULL), (WILD, "")], ids=["deep", "large", "wild"]
)
def test_why_it_crashes_is_told(tmp_path: Path, function: str, cause: str) -> None:
    program = written(tmp_path, TASK.format(function=function))
    limits = "--stdin", 4, "--iterations", 200, "--first-finding", "--seed", 1
    (finding,) = campaign(program, *limits, "--out", tmp_path / "out").findings
    assert (finding.what, finding.confirmation.cause) == ("SIGSEGV", cause)
    assert finding.in_words == (f"SIGSEGV: {cause}" if cause else "SIGSEGV")
