"""Programs that fork: the trace follows parents and children, and a child's crash is a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, untaken, written
from untaken.campaign.summary import Summary
from untaken.search.doubts import Doubt
from untaken.suite.export.files import write_files
from untaken.suite.tests import read_suite

HEAD = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <sys/wait.h>
#include <unistd.h>
"""
CHILD = (
    HEAD
    + """
int main(void) {
    char c;
    int status;
    if (read(0, &c, 1) != 1) return 1;
    if (fork() == 0) {
        if (c == 'A') abort();
        _exit(0);
    }
    if (wait(&status) < 0) return 2;
    return c == 'B';
}
"""
)
# One child for each connection, which nobody waits for.
SERVER = (
    HEAD
    + """
static void serve(int client) {
    char line[8] = "";
    if (read(client, line, sizeof line - 1) <= 0) return;
    if (strncmp(line, "GET", 3) == 0 && line[3] == '!') abort();
}
int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(4711)};
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 5)) return 1;
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        int client = accept(listener, NULL, NULL);
        if (client < 0) return 2;
        if (fork() == 0) {
            close(listener);
            serve(client);
            exit(0);
        }
        close(client);
    }
}
"""
)
# A daemon forks twice, and its parents are gone; the last child talks to another one through a pipe.
DAEMON = (
    HEAD
    + """
int main(void) {
    char c, answer = 0;
    int ends[2];
    if (read(0, &c, 1) != 1) return 1;
    if (fork() != 0) _exit(0);
    setsid();
    if (daemon(1, 1) != 0 || pipe(ends) != 0) return 2;
    pid_t child = fork();
    if (child == 0) {
        if (write(ends[1], c == 'x' ? "y" : "n", 1) != 1) _exit(1);
        pause();
    }
    if (read(ends[0], &answer, 1) != 1) return 3;
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    if (c == 'D' && answer == 'n') abort();
    return 0;
}
"""
)
VFORK = (
    HEAD
    + """
int main(void) {
    char c[2];
    int status = 0;
    if (read(0, c, 2) != 2) return 1;
    pid_t child = vfork();
    if (child == 0) {
        if (c[0] == 'A') _exit(3);
        _exit(0);
    }
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) == 3 && c[1] == 'B') abort();
    return 0;
}
"""
)
ASKING = """
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "untaken.h"
int main(void) {
    int first, second, status;
    untaken_input_int(&first, "first");
    if (fork() == 0) {
        untaken_input_int(&second, "second");
        if (first == 7 && second == 11) abort();
        _exit(0);
    }
    wait(&status);
    return 0;
}
"""


def explored(folder: Path, text: str, *words: object) -> Summary:
    given = words or ("--stdin", 8)
    return campaign(written(folder, text), *given, "--strategy", "dfs", "--iterations", 40, "--out", folder / "out")


@pytest.mark.parametrize("text", [CHILD, SERVER, DAEMON, VFORK], ids=["child", "server", "daemon", "vfork"])
def test_a_crash_behind_a_fork_is_found(tmp_path: Path, text: str) -> None:
    summary = explored(tmp_path, text)
    assert [finding.kind for finding in summary.findings] == ["signal"]
    assert all(function.entered for function in summary.functions)
    assert summary.totals.divergences == 0
    assert not summary.exhausted and Doubt.PROCESSES in summary.doubts


def test_branches_of_parent_and_child_are_covered(tmp_path: Path) -> None:
    summary = explored(tmp_path, CHILD)
    assert summary.covered == summary.total - 1  # wait does not fail


def test_tests_of_children_are_replayed_by_the_instrumented_program(tmp_path: Path) -> None:
    explored(tmp_path, CHILD)
    for words in ([], ["--instrumented"]):
        answer = untaken("replay", tmp_path / "out", *words)
        assert "different" not in answer.said + answer.printed, answer
        assert answer.code == 1  # the finding was seen again


def test_whom_to_follow_is_no_input_of_the_program(tmp_path: Path) -> None:
    summary = explored(tmp_path, ASKING, "--seed", 0)
    assert [finding.kind for finding in summary.findings] == ["signal"]
    suite = read_suite(tmp_path / "out")
    crash = suite.tests[-1]
    assert [field.kind.name for field in crash.fields] == ["SIGNED", "PROCESS", "SIGNED"]
    (tmp_path / "files").mkdir()
    write_files(suite, tmp_path / "files")
    written_crash = (tmp_path / "files" / crash.name.replace("/", "-")).read_bytes()
    assert written_crash == b"\7\0\0\0\x0b\0\0\0"


# Filters that pass text on: the first reads until the second ends, which waits for children that it has not.
PIPELINE = (
    HEAD
    + """
int main(void) {
    int ends[2], c = getchar(), seen = 0;
    char byte;
    if (pipe(ends) != 0) return 9;
    if (fork() == 0) {
        close(ends[1]);
        while (read(ends[0], &byte, 1) == 1) seen++;
        if (seen == 3 && c == 'x') abort();
        return seen;
    }
    if (fork() == 0) {
        if (write(ends[1], "abc", 3) != 3) return 8;
        while (wait(NULL) > 0) seen++;
        return seen;
    }
    close(ends[0]);
    close(ends[1]);
    while (wait(NULL) > 0) seen++;
    return seen;
}
"""
)


def test_a_child_does_not_wait_for_one_that_its_parent_has_forked(tmp_path: Path) -> None:
    words = ("--stdin", 1, "--strategy", "dfs", "--iterations", 30, "--out", tmp_path / "out")
    summary = campaign(written(tmp_path, PIPELINE), *words)
    assert [finding.what for finding in summary.findings] == ["SIGABRT"] and not summary.unconfirmed
