"""Programs that misbehave are contained, and what they do is reported; the campaign goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written

HEAD = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <untaken.h>
static void misbehave(void) {
    %s
}
int main(void) {
    int x;
    untaken_input_int(&x, "x");
    if (x == 4711) misbehave();
    if (x == 1147) return 3;
    return 0;
}
"""
TROUBLE = {
    "hangs": ("for (;;) ;", "timeout"),
    "sleeps": ("sleep(1000);", "timeout"),
    "overflows the stack": ("volatile char big[1 << 16]; big[0] = 1; misbehave();", "signal"),
    "fails an assertion of its own": ("kill_me();", "signal"),
    "dies by a signal that nobody knows": ("raise_one(40);", "signal"),
}
CALM = {
    "prints without end": 'for (int i = 0; i < 200000; i++) puts("a line of some length, again and again");',
    "eats memory": "for (int i = 0; i < 100; i++) { char *p = malloc(64 << 20); if (!p) break; memset(p, 1, 4096); }",
    "closes all descriptors": "for (int i = 0; i < 1024; i++) close(i);",
    "leaves children": "for (int i = 0; i < 4; i++) if (fork() == 0) { sleep(100); _exit(0); }",
    "leaves files": 'for (int i = 0; i < 9; i++) { char n[9]; snprintf(n, 9, "x%d", i); FILE *f = fopen(n, "w"); '
    "if (f) fclose(f); }",
}
PARTS = """
#include <signal.h>
#include <stdlib.h>
static void raise_one(int n) { raise(n); }
static void kill_me(void) { abort(); }
"""


def program(folder: Path, body: str) -> Path:
    return written(folder, PARTS + HEAD % body)


@pytest.mark.parametrize("what", TROUBLE)
def test_trouble_is_a_finding(what: str, tmp_path: Path) -> None:
    body, kind = TROUBLE[what]
    source = program(tmp_path, body)
    # A busy machine may need long for what ends by itself.
    seconds = 0.2 if kind == "timeout" else 10
    words = ("--timeout", seconds, "--iterations", 15, "--strategy", "dfs", "--out", tmp_path / "out")
    summary = campaign(source, *words)
    assert [finding.kind for finding in summary.findings] == [kind]
    assert summary.covered == summary.total


@pytest.mark.parametrize("what", CALM)
def test_excess_is_contained(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    source = program(tmp_path, CALM[what])
    words = ["--strategy", "dfs", "--memory", 256, "--timeout", 2, "--iterations", 15]
    summary = campaign(source, *words, "--out", tmp_path / "out")
    assert summary.findings == ()
    # The branch after the misbehaviour was still found, and nothing was left where we are.
    assert {function.name for function in summary.functions if function.covered} >= {"main"}
    main = next(function for function in summary.functions if function.name == "main")
    assert main.covered == main.total
    assert list(work.iterdir()) == []
