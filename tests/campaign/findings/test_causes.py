"""Why a program crashed is told with its finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
from untaken.campaign.findings.causes import CAUSES, library_message

DEEP = "int f(int n) { return n < 0 ? 0 : f(n + (n & 1)) + n; }"  # even numbers have no end
LARGE = "int f(int n) { volatile char a[100 << 20]; a[n & 1023] = 1; return a[n & 1023]; }"
NULL = "int f(int n) { return *(volatile int *)(long)(n & 8); }"
CALL = "int f(int n) { int (*volatile g)(int) = 0; return g(n); }"
DATA = "int f(int n) { static int data[1]; int (*volatile g)(int) = (int (*)(int))data; return g(n); }"
NOWHERE = "int f(int n) { return *(volatile char *)(0x10000000L + (n & 8)); }"
CONSTANT = 'int f(int n) { char *volatile text = "abc"; text[n & 1] = 1; return 0; }'
IMPOSSIBLE = "int f(int n) { return *(volatile char *)(0x4141414141414140L + (n & 8)); }"
DIVISION = "int f(int n) { volatile int zero = 0; return n / zero; }"
RAISED = "#include <signal.h>\nint f(int n) { return raise(SIGSEGV) + n; }"
FREED = "#include <stdlib.h>\nint f(int n) { char *volatile p = malloc(n & 8); free(p); free(p); return 0; }"
ABORTED = "#include <stdlib.h>\nint f(int n) { abort(); return n; }"
TASK = """
#include <unistd.h>
{function}
int main(void) {{
    int n;
    return read(0, &n, sizeof n) != sizeof n || n < 1000 ? 0 : f(n);
}}
"""


@pytest.mark.parametrize(
    ("function", "what", "cause"),
    [
        pytest.param(DEEP, "SIGSEGV", CAUSES["stack"], id="deep"),
        pytest.param(LARGE, "SIGSEGV", CAUSES["stack"], id="large"),
        pytest.param(NULL, "SIGSEGV", CAUSES["null"], id="null"),
        pytest.param(CALL, "SIGSEGV", CAUSES["null-call"], id="call"),
        pytest.param(DATA, "SIGSEGV", CAUSES["no-code"], id="data"),
        pytest.param(NOWHERE, "SIGSEGV", CAUSES["nothing"], id="nowhere"),
        pytest.param(CONSTANT, "SIGSEGV", CAUSES["not-allowed"], id="constant"),
        pytest.param(IMPOSSIBLE, "SIGSEGV", CAUSES["impossible"], id="impossible"),
        pytest.param(DIVISION, "SIGFPE", CAUSES["division"], id="division"),
        pytest.param(RAISED, "SIGSEGV", "", id="raised"),
        pytest.param(FREED, "SIGABRT", "free(): double free detected in tcache 2", id="freed"),
        pytest.param(ABORTED, "SIGABRT", "", id="aborted"),
    ],
)
def test_why_it_crashes_is_told(tmp_path: Path, function: str, what: str, cause: str) -> None:
    program = written(tmp_path, TASK.format(function=function))
    limits = "--stdin", 4, "--iterations", 200, "--first-finding", "--seed", 1
    (finding,) = campaign(program, *limits, "--out", tmp_path / "out").findings
    assert (finding.what, finding.confirmation.cause) == (what, cause)
    assert finding.in_words == (f"{what}: {cause}" if cause else what)


def test_the_last_message_of_the_library_counts() -> None:
    printed = b"ready\n*** buffer overflow detected ***: terminated\ncorrupted size vs. prev_size\nbye\n"
    assert library_message(printed) == "corrupted size vs. prev_size"
    assert library_message(b"malloc() failed\nabort\n") == ""
