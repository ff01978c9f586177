"""Findings: one for each distinct place, with the shortest input, told with functions and lines."""

from __future__ import annotations

import json
import signal
from pathlib import Path as FilePath

import numpy as np

from tests.campaign.commands import campaign, untaken, written
from tests.compilers import NEEDS_SANITIZERS
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import find_target
from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.model.program import ProgramMap
from untaken.suite.call_stack import stack_of, telling_events
from untaken.suite.findings import Confirmation, Finding, Triage
from untaken.suite.replay.verdict import trouble_shown
from untaken.suite.tests import SavedTest

PLACES = """#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
#include <untaken.h>
static jmp_buf home;
static void inner(int x) {
    if (x > 100)
        *(volatile int *)0 = x;
}
static void outer(int x) {
    if (x % 2)
        inner(x);
    else
        inner(x + 1);
}
static void jump(int x) { if (x == 50) longjmp(home, 1); }
int main(void) {
    int x, y;
    untaken_input_int(&x, "x");
    untaken_input_int(&y, "y");
    if (setjmp(home)) {
        if (y == 3) abort();
        return 1;
    }
    jump(x);
    assert(x != 77);
    outer(x);
    return 0;
}
"""


def test_places_are_told_apart(tmp_path: FilePath) -> None:
    summary = campaign(written(tmp_path, PLACES), "--iterations", 300, "--out", tmp_path / "out")
    found = {finding.what: finding for finding in summary.findings}
    assert {"SIGSEGV", "SIGABRT", "assertion `x != 77' failed"} == set(found)
    # Two ways lead to the null pointer, by different calls.
    crashes = [finding for finding in summary.findings if finding.what == "SIGSEGV"]
    ways = [tuple((frame.function, frame.line) for frame in finding.frames) for finding in crashes]
    assert sorted(ways) == [
        (("inner", 7), ("outer", 12), ("main", 27)),
        (("inner", 7), ("outer", 14), ("main", 27)),
    ]
    # The longjmp left the function that called it.
    assert [frame.function for frame in found["SIGABRT"].frames] == ["main"]
    assert found["assertion `x != 77' failed"].location == f"{tmp_path / 'program.c'}:26"


RECURSIVE = """#include <stdlib.h>
#include <untaken.h>
static void tree(int depth, int x) {
    if (depth > 2)
        return;
    tree(depth + 1, 0);
    if (x == 7)
        abort();
}
int main(void) {
    int x;
    untaken_int(&x);
    tree(0, x);
    return 0;
}
"""


def test_a_call_of_itself_that_returned_is_not_on_the_stack(tmp_path: FilePath) -> None:
    summary = campaign(written(tmp_path, RECURSIVE), "--iterations", 100, "--out", tmp_path / "out")
    [finding] = summary.findings
    assert [(frame.function, frame.line) for frame in finding.frames] == [("tree", 7), ("main", 13)]


ENDLESS = """#include <stdio.h>
static int helper(int x) { return x > 2 ? x : 1; }
static void spin(unsigned x) {
    for (int n = 0; x != 1; n += helper(n))
        if (x % 2)
            n++;
}
int main(void) {
    spin(getchar() + 5u);
    return 0;
}
"""


def test_what_an_endless_loop_did_over_and_over_is_not_looked_at_again(tmp_path: FilePath) -> None:
    target = find_target([str(written(tmp_path, ENDLESS))])
    with Session(target.program, SessionSettings(timeout=0.5)) as session:
        path = session.run(b"")
    assert path.exit.kind is ExitKind.TIMEOUT and len(path.events) > 10_000
    names = [target.map.function_of_entry[event].name for event in telling_events(path, target.map)[:2].tolist()]
    assert names == ["main", "spin"]
    assert len(telling_events(path, target.map)) < 6
    assert [frame.function for frame in stack_of(path, target.map)][-2:] == ["spin", "main"]


def test_a_run_without_a_trace_has_no_stack() -> None:
    """As when it took the fork server with it."""
    path = Path(b"", np.zeros(0, np.uint32), np.zeros(0, CONSTRAINT_DTYPE), Exit(ExitKind.SIGNAL, 9))
    triage = Triage(ProgramMap((), {}, 0))
    trouble = triage.trouble(path.exit)
    assert trouble is not None
    assert triage.add(trouble, path, 1).frames == ()


def test_a_finding_is_kept_with_its_input(tmp_path: FilePath) -> None:
    summary = campaign(written(tmp_path, PLACES), "--iterations", 300, "--out", tmp_path / "out")
    for finding in summary.findings:
        folder = tmp_path / "out" / "crashes" / finding.name
        described = json.loads((folder / "finding.json").read_text())
        assert described["what"] == finding.what
        values = {field["name"]: field["value"] for field in described["fields"]}
        if finding.kind == "assertion":
            assert values["x"] == 77
        assert (folder / "input.bin").read_bytes()[:4] == int(values["x"]).to_bytes(4, "little", signed=True)


def test_the_shortest_input_is_kept(tmp_path: FilePath) -> None:
    source = written(
        tmp_path,
        """
        #include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            char text[40];
            size_t size = fread(text, 1, sizeof text, stdin);
            if (size > 2 && text[0] == 'b') abort();
            return 0;
        }
        """,
    )
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    (seeds / "a").write_bytes(b"b" * 30)
    (seeds / "b").write_bytes(b"bcd")
    (seeds / "c").write_bytes(b"b" * 20)
    words = ["--stdin", 40, "--seeds", seeds, "--iterations", 3, "--out", tmp_path / "out"]
    summary = campaign(source, *words)
    assert [finding.times for finding in summary.findings] == [3]
    described = json.loads((tmp_path / "out/crashes/0001-sigabrt/finding.json").read_text())
    assert described["fields"][1]["value"] == "bcd"
    assert described["bytes"] == 3


def test_leaving_by_abort_is_no_finding_in_test_comp_programs(tmp_path: FilePath) -> None:
    source = written(
        tmp_path,
        """
        #include <stdlib.h>
        extern int __VERIFIER_nondet_int(void);
        extern void __assert_fail(const char *, const char *, unsigned, const char *);
        void reach_error(void) { __assert_fail("0", "f.c", 3, "reach_error"); }
        void assume_abort_if_not(int c) { if (!c) abort(); }
        int main(void) {
            int x = __VERIFIER_nondet_int();
            assume_abort_if_not(x > 10);
            if (x == 100) reach_error();
            return 0;
        }
        """,
    )
    summary = campaign(source, "--iterations", 50, "--out", tmp_path / "out")
    assert [(finding.kind, finding.what) for finding in summary.findings] == [("error", "reach_error")]
    assert summary.findings[0].location == f"{source}:10"


@NEEDS_SANITIZERS
def test_sanitizer_reports_are_findings(tmp_path: FilePath) -> None:
    source = written(
        tmp_path,
        """
        #include <stdlib.h>
        #include <untaken.h>
        int main(void) {
            int x, y;
            untaken_input_int(&x, "x");
            untaken_input_int(&y, "y");
            char *block = malloc(8);
            if (x == 9) block[x] = 1;
            if (x == 10 && y == 2147483647) return y + x > 0;
            free(block);
            return 0;
        }
        """,
    )
    words = ["--cflags", "-fsanitize=address,undefined", "--iterations", 120, "--timeout", 5]
    answer = untaken("run", source, *words, "--json", "--out", tmp_path / "out")
    assert answer.code == 1, answer.said
    found = {crash["what"].split(":")[0]: crash["kind"] for crash in answer.summary["crashes"]}
    assert found == {"heap-buffer-overflow": "sanitizer", "signed integer overflow": "sanitizer"}


def test_a_crash_that_the_campaign_had_no_time_for_is_told_as_one() -> None:
    """The plain program was faster, and came to the end of its stack."""
    finding = Finding("0001-timeout", "timeout", "the run did not end in time", None, (), None, 1)
    finding.confirmation = Confirmation(True, "the plain program", "a timeout")
    assert finding.in_words == "the run did not end in time"
    finding.confirmation = Confirmation(True, "the plain program", "SIGSEGV", "the stack is full")
    assert finding.in_words == "SIGSEGV, before which time ran out in the campaign: the stack is full"


def test_an_error_that_the_campaign_had_no_time_for_is_told_as_one() -> None:
    """An abort may be a failed assumption; what the C library's assert says tells which it was."""
    late = SavedTest("0001-timeout", FilePath("0001-timeout"), b"", (), Exit(ExitKind.TIMEOUT))
    aborted = Exit(ExitKind.SIGNAL, signal.SIGABRT)
    said = b"prog: task.c:3: reach_error: Assertion `0' failed.\n"
    assert trouble_shown(late, aborted, b"", abort_is_an_end=True) is None
    assert trouble_shown(late, aborted, said, abort_is_an_end=True) == "reach_error"
    finding = Finding("0001-timeout", "timeout", "the run did not end in time", None, (), None, 1)
    finding.confirmation = Confirmation(True, "the plain program", "reach_error")
    assert finding.in_words == "reach_error, before which time ran out in the campaign"
