"""A stack that is too small is a finding of the program, and the campaign goes on."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import find_target
from untaken.model.path import Exit, ExitKind

HEAD = """
#include <alloca.h>
#include <string.h>
#include <untaken.h>
"""
MAIN = """
int main(void) {
    unsigned n;
    untaken_uint(&n);
    if (fill(n)) return 3;
    return n == 4711;
}
"""
FILL = "memset(a, 7, n < 4096 ? n + 1 : 4096); return a[n / 2] == 8;"
FUNCTIONS = {
    "variable array": "int fill(unsigned n) { char a[n + 1ul]; " + FILL + " }",
    "alloca": "int fill(unsigned n) { char *a = alloca(n + 1ul); " + FILL + " }",
    "recursion": "int fill(unsigned n) { volatile char a[9999]; a[0] = 1; return n ? fill(n - 1) + a[0] > 9 : 0; }",
}
OVERFLOW = Exit(ExitKind.SIGNAL, int(signal.SIGSEGV))


@pytest.fixture(params=FUNCTIONS)
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return written(tmp_path, HEAD + FUNCTIONS[request.param] + MAIN)


def test_what_does_not_fit_ends_the_run_and_nothing_else(program: Path) -> None:
    target = find_target([str(program)])
    with Session(target.program, SessionSettings(timeout=60)) as session:
        for size in (1 << 27, 1 << 29, 3 << 30, (1 << 32) - 1):
            assert session.run(size.to_bytes(4, "little")).exit == OVERFLOW
            assert session.run((77).to_bytes(4, "little")).exit == Exit(ExitKind.CODE, 0)
        assert session.counters.restarts == 0


def test_it_is_a_finding_and_the_campaign_goes_on(program: Path, tmp_path: Path) -> None:
    summary = campaign(program, "--iterations", 40, "--out", tmp_path / "out")
    assert "SIGSEGV" in [finding.what for finding in summary.findings]
    assert summary.totals.iterations == 40
