"""A run finds nothing of the runs before it, whatever they have left outside of their processes."""

from __future__ import annotations

from functools import reduce
from os import getpid
from pathlib import Path
from signal import SIGABRT

import pytest

from tests.campaign.commands import campaign, written

# Each aborts if it finds what a run before has left.
LEAVES = {
    "a flag of stdin": "int f = fcntl(0, F_GETFL); if (f & O_NONBLOCK) abort(); fcntl(0, F_SETFL, f | O_NONBLOCK);",
    "a flag of stdin, set by a library": "if (fcntl(0, F_GETFL) & O_NONBLOCK) abort(); ioctl(0, FIONBIO, &(int){1});",
    "a flag of stdout": "int f = fcntl(1, F_GETFL); if (f & O_APPEND) abort(); fcntl(1, F_SETFL, f | O_APPEND);",
    "a lock of stdin": 'int f = open("/proc/self/fd/0", O_RDONLY); if (flock(f, LOCK_EX | LOCK_NB)) abort(); close(f); '
    "flock(0, LOCK_EX);",
    "shared memory": "if (shmget(KEY, 4096, IPC_CREAT | IPC_EXCL | 0600) < 0 && errno != ENOSYS) abort();",
    "semaphores": "if (semget(KEY, 2, IPC_CREAT | IPC_EXCL | 0600) < 0 && errno != ENOSYS) abort();",
    "messages": "if (msgget(KEY, IPC_CREAT | IPC_EXCL | 0600) < 0 && errno != ENOSYS) abort();",
    "named memory": 'if (shm_open("/untaken-KEY", O_CREAT | O_EXCL | O_RDWR, 0600) < 0 && errno == EEXIST) abort();',
    "a named semaphore": 'if (!sem_open("/untaken-KEY", O_CREAT | O_EXCL, 0600, 1) && errno == EEXIST) abort();',
    "a queue": 'if (mq_open("/untaken-KEY", O_CREAT | O_EXCL | O_RDWR, 0600, NULL) < 0 && errno == EEXIST) abort();',
}
PROGRAM = """
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>
int main(void) {
    LEAVE
    int c = getchar();
    if (c == 'a') return 1;
    if (c == 'b') CRASH;
    if (c == 'c') _exit(3);
    return 0;
}
""".replace("int main", "#include <signal.h>\nstatic void raise_one(void) { raise(SIGTERM); }\nint main")


@pytest.mark.parametrize("sandbox", [(), ("--no-sandbox",)], ids=["in the sandbox", "without"])
@pytest.mark.parametrize("what", LEAVES)
def test_no_run_finds_what_another_has_left(what: str, sandbox: tuple[str, ...], tmp_path: Path) -> None:
    # A finding is confirmed on the plain program, and what that leaves without a sandbox is there to stay.
    changes = {"LEAVE": LEAVES[what], "KEY": str(getpid()), "CRASH": "_exit(4)" if sandbox else "raise(SIGTERM)"}
    text = reduce(lambda text, word: text.replace(word, changes[word]), changes, PROGRAM)
    source = written(tmp_path, text)
    words = ("--stdin", 2, "--strategy", "dfs", "--iterations", 12, *sandbox, "--out", tmp_path / "out")
    summary = campaign(source, *words)
    assert SIGABRT not in {finding.signal for finding in summary.findings}
