"""The clock of a run and its random numbers (runtime/libc/system) are the same in each run."""

from __future__ import annotations

import subprocess
from pathlib import Path

from untaken.build.driver import build_program
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings

SHOWS = """
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long milliseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
static int wait_for_nobody(void) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += (end.tv_nsec + 20000000) / 1000000000;
    end.tv_nsec = (end.tv_nsec + 20000000) % 1000000000;
    pthread_mutex_lock(&mutex);
    return pthread_cond_timedwait(&condition, &mutex, &end);
}
int main(void) {
    struct timeval now;
    gettimeofday(&now, NULL);
    printf("%ld %ld %ld\\n", (long)time(NULL), (long)now.tv_usec, (long)clock());
    long begun = milliseconds(CLOCK_MONOTONIC);
    int times = 0;
    while (milliseconds(CLOCK_MONOTONIC) < begun + 30) { usleep(10000); times++; }
    poll(NULL, 0, 20);
    printf("%d waits, %ld ms\\n", times, milliseconds(CLOCK_MONOTONIC) - begun);
    begun = milliseconds(CLOCK_REALTIME);
    int error = wait_for_nobody();
    printf("%d, %ld ms\\n", error == ETIMEDOUT, milliseconds(CLOCK_REALTIME) - begun);
    return 0;
}
"""


def test_the_clock_is_the_same_in_each_run(tmp_path: Path) -> None:
    source, program = tmp_path / "shows.c", tmp_path / "shows"
    source.write_text(SHOWS)
    build_program([source], program, ["-pthread"])
    with Session(program, SessionSettings(capture=True, timeout=20.0)) as session:
        session.run(b"")
        first = session.output.decode()
        session.run(b"")
        assert session.output.decode() == first
    lines = first.splitlines()
    assert lines[0].startswith("1000000000 ")
    assert lines[1:] == ["3 waits, 50 ms", "1, 20 ms"]


DRAWS = """
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>
int main(void) {
    unsigned long one = 0, other = 0, third = 0, fourth = 0;
    char piped = 0;
    if (getrandom(&one, sizeof one, 0) != sizeof one || getentropy(&other, sizeof other)) return 1;
    int device = open("/dev/urandom", O_RDONLY), pair[2];
    FILE *file = fopen("/dev/random", "rb");
    if (read(device, &third, sizeof third) != sizeof third || fread(&fourth, sizeof fourth, 1, file) != 1) return 2;
    fclose(file);
    close(device);
    if (pipe(pair) || write(pair[1], "x", 1) != 1 || read(pair[0], &piped, 1) != 1 || piped != 'x') return 3;
    printf("%lx %lx %lx %lx\\n", one, other, third, fourth);
    return one == other || third == fourth || third == 0;
}
"""


def test_random_numbers_are_the_same_in_each_run(tmp_path: Path) -> None:
    source, program = tmp_path / "draws.c", tmp_path / "draws"
    source.write_text(DRAWS)
    build_program([source], program, [])
    with Session(program, SessionSettings(capture=True)) as session:
        codes = [session.run(b"").exit.code for _ in range(2)]
        drawn = session.output
        session.run(b"")
        assert (session.output, codes) == (drawn, [0, 0])
    plain = {subprocess.run([program], capture_output=True, check=True).stdout for _ in range(2)}
    assert len(plain) == 2, "started by hand, it draws as ever"
