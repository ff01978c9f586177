"""What the closing words claim about all paths, and which reasons they give for claiming nothing."""

from __future__ import annotations

import io
import os
import subprocess
from pathlib import Path

import pytest
from rich.console import Console

from tests.campaign.commands import campaign, command, untaken, written
from untaken.campaign.summary import Summary
from untaken.report.closing import DECLARE, READS_ELSEWHERE, print_summary
from untaken.search.doubts import Doubt

HEAD = """
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
"""
SUM = (
    HEAD
    + """
__attribute__((noinline)) static double sum(int count, ...) {
    va_list list;
    double result = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) result += va_arg(list, double);
    va_end(list);
    return result;
}
int main(void) {
    unsigned char b[4];
    if (read(0, b, 4) != 4) return 1;
    if (sum(3, (double)b[0], (double)b[1], (double)b[2]) == 300) return 2;
    return sum(11, b[0] + 0., 1., 2., 3., b[1] + 0., 5., 6., 7., 8., b[2] + 0., b[3] + 0.) == 555 ? 3 : 0;
}
"""
)
# The frame of `called` lies where that of `fill` was.
FRAMES = (
    HEAD
    + """
__attribute__((noinline)) static int zeros(int count, ...) {
    va_list list;
    int found = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        if (va_arg(list, int) == 0) found++;
    va_end(list);
    return found;
}
__attribute__((noinline)) static int called(volatile int *z) {
    return zeros(14, *z, *z, *z, *z, *z, *z, *z, *z, *z, *z, *z, *z, *z, *z);
}
__attribute__((noinline)) static int fill(void) {
    unsigned char frame[4096];
    memset(frame, 0, sizeof frame);
    return read(0, frame, sizeof frame) > 0 && frame[0] == 'x';
}
int main(void) {
    int zero = 0, filled = fill(), found = called(&zero);
    if (filled) puts("x");
    return found != 14;
}
"""
)
NOTHING = "#include <unistd.h>\nint main(int argc, char **argv) { char c; return argc > 5 && read(0, &c, 1) == 1; }\n"
RUNS_ANOTHER = HEAD + 'int main(void) { return system("read x; test \\"$x\\" = a") ? 1 : 0; }\n'
BECOMES_ANOTHER = HEAD + 'int main(void) { execl("/bin/cat", "cat", (char *)0); return 1; }\n'
WAKES = HEAD + "int main(int argc, char **argv) { alarm(100); return argc > 5; }\n"
READS_WIDE = '#include <wchar.h>\nint main(void) { int n; return wscanf(L"%d", &n) == 1 && n == 4711; }\n'
READS_BY_HAND = (
    HEAD + "#include <sys/syscall.h>\nint main(void) { char c = 0; syscall(SYS_read, 0, &c, 1L); return c == 'x'; }\n"
)
TWO_THREADS = (
    HEAD
    + """
static char c;
static void *work(void *nothing) { return c == 'x' ? &c : nothing; }
int main(void) {
    pthread_t other;
    void *result = NULL;
    if (read(0, &c, 1) != 1) return 1;
    if (pthread_create(&other, NULL, work, NULL) != 0) return 2;
    pthread_join(other, &result);
    return result != NULL ? 3 : 0;
}
"""
)
LIBRARY = "int known(int c);\nint known(int c) { return c == 'k'; }\n"
USES_LIBRARY = (
    HEAD
    + """
int known(int c);
int main(void) {
    char c;
    if (read(0, &c, 1) != 1) return 1;
    return known(c) ? 3 : 0;
}
"""
)
CLEARS_ERRORS = r"""
#include <stdio.h>
int main(void) {
    char text[4];
    if (fread(text, 1, sizeof text, stdin) < 3) return 1;
    clearerr(stdin);
    if (feof(stdin)) return 2;
    if (ferror(stdin)) return 3;
    return text[0] == 'x' ? 4 : 0;
}
"""


def explored(folder: Path, text: str, *words: object) -> Summary:
    given = words or ("--stdin", 4)
    return campaign(written(folder, text), *given, "--strategy", "dfs", "--iterations", 30, "--out", folder / "out")


def closing(summary: Summary) -> str:
    text = io.StringIO()
    print_summary(Console(file=text, width=1000), summary)
    return text.getvalue()


def test_doubles_among_variable_arguments_keep_their_expressions(tmp_path: Path) -> None:
    summary = explored(tmp_path, SUM)
    assert summary.covered == summary.total and summary.totals.divergences == 0
    assert "Nothing that the program decided" not in closing(summary)


def test_variable_arguments_on_the_stack_have_no_labels_of_what_was_there_before(tmp_path: Path) -> None:
    summary = explored(tmp_path, FRAMES, "--stdin", 4096)
    assert summary.totals.divergences == 0 and not summary.limits.concretised
    assert summary.exhausted and summary.doubts == ()


def test_a_program_that_decides_nothing_is_said_to(tmp_path: Path) -> None:
    summary = explored(tmp_path, NOTHING)
    assert summary.exhausted and "Nothing that the program decided depended on an input" in closing(summary)
    assert DECLARE not in closing(summary), "standard input was declared"
    assert READS_ELSEWHERE in closing(summary)


def test_errors_of_a_stream_do_not_depend_on_what_is_read(tmp_path: Path) -> None:
    summary = explored(tmp_path, CLEARS_ERRORS, "--stdin", 5)
    assert summary.exhausted and summary.totals.divergences == 0
    assert summary.covered == summary.total - 2 and not summary.limits.externals


@pytest.mark.parametrize(
    ("text", "doubt"),
    [(RUNS_ANOTHER, Doubt.PROCESSES), (BECOMES_ANOTHER, Doubt.REPLACED), (WAKES, Doubt.TIMERS)],
    ids=["processes", "replaced", "timers"],
)
def test_a_program_that_does_something_unseen_is_not_said_to(tmp_path: Path, text: str, doubt: Doubt) -> None:
    summary = explored(tmp_path, text)
    said = closing(summary)
    assert not summary.exhausted and doubt in summary.doubts and doubt.value in said
    assert "Nothing that the program decided" not in said
    assert "That is no proof" in said


@pytest.mark.parametrize("text", [READS_WIDE, READS_BY_HAND], ids=["wscanf", "system call"])
def test_input_that_is_read_unseen_is_told(tmp_path: Path, text: str) -> None:
    summary = explored(tmp_path, text, "--stdin", 8)
    assert not summary.exhausted and Doubt.READS in summary.doubts
    assert "Nothing that the program decided" not in closing(summary)


def test_branches_of_another_thread_are_covered_in_the_replay_too(tmp_path: Path) -> None:
    summary = explored(tmp_path, TWO_THREADS)
    assert not summary.exhausted and Doubt.THREADS in summary.doubts
    answer = untaken("replay", tmp_path / "out", "--instrumented")
    assert "different" not in answer.printed + answer.said and answer.code == 0, answer


# ---- libraries ----------------------------------------------------------------------------------------------------


def built(folder: Path, program: str = USES_LIBRARY) -> Path:
    """A program with an instrumented library beside it, and a plain one of the same name in `plain`."""
    (folder / "plain").mkdir()
    (folder / "known.c").write_text(LIBRARY)
    (folder / "main.c").write_text(program)
    for words in (
        command("cc", "-shared", "-fPIC", "known.c", "-o", "libknown.so"),
        ["cc", "-shared", "-fPIC", "known.c", "-o", "plain/libknown.so"],
        command("cc", "main.c", "-L.", "-lknown", "-o", "program"),
    ):
        subprocess.run(words, cwd=folder, check=True)
    return folder / "program"


def test_a_library_that_is_not_instrumented_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = built(tmp_path)
    words = (program, "--stdin", 1, "--strategy", "dfs", "--iterations", 20)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path / "plain"))
    summary = campaign(*words, "--out", tmp_path / "first")
    said = closing(summary)
    assert not summary.exhausted and Doubt.UNINSTRUMENTED in summary.doubts
    assert f"{tmp_path}/plain/libknown.so; an instrumented libknown.so lies in {tmp_path}" in said
    assert f"LD_LIBRARY_PATH={tmp_path}" in said and "--stdin N" not in said
    monkeypatch.setenv("LD_LIBRARY_PATH", os.fspath(tmp_path))
    summary = campaign(*words, "--out", tmp_path / "second")
    assert summary.covered == summary.total and summary.exhausted


def test_a_finding_is_confirmed_where_the_loader_is_told_of_the_instrumented_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = built(tmp_path, USES_LIBRARY.replace("return known(c) ? 3 : 0;", "if (known(c)) abort();"))
    monkeypatch.setenv("LD_LIBRARY_PATH", os.fspath(tmp_path))
    summary = campaign(program, "--stdin", 1, "--strategy", "dfs", "--iterations", 20, "--out", tmp_path / "out")
    assert [finding.what for finding in summary.findings] == ["SIGABRT"] and not summary.unconfirmed
