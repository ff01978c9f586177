"""Memory that a library function wrote to has no labels any more, even if the same bytes were there before."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from untaken.build.driver import build_program
from untaken.build.library.models.table import MODELS
from untaken.build.library.writes import SIZES, WRITES
from untaken.build.toolchain.compilers import front_end
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.input import Source, SourceKind

HEADERS = """arpa/inet.h fcntl.h glob.h grp.h mqueue.h netinet/in.h pthread.h pwd.h regex.h sched.h semaphore.h setjmp.h
signal.h stdio.h stdlib.h sys/msg.h sys/resource.h sys/shm.h sys/stat.h sys/statfs.h sys/statvfs.h sys/sysinfo.h
sys/time.h sys/times.h sys/timex.h sys/utsname.h termios.h time.h ucontext.h wchar.h""".split()
# The object is what the function writes by itself: it is asked twice, and the input is what came first.
ROOM = 1024
ASKS = r"""
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
static _Alignas(16) unsigned char object[ROOM];
static void ask(void) {
    time_t moment = 1000000;
    (void)moment;
    CALL;
}
int main(void) {
    ask();
    fwrite(object, 1, ROOM, stdout);
    if (fread(object, 1, ROOM, stdin) != ROOM) return 1;
    ask();
    for (int i = 0; i < SIZE; i++) if (object[i] == 200) return 2;
    return object[ROOM - 1] == 200 ? 3 : 0;
}
"""
CALLS = {
    "getrlimit(RLIMIT_NOFILE, (void *)object)": 16,
    "uname((void *)object)": 390,
    "sigaction(SIGUSR1, NULL, (void *)object)": 8,
    "sigemptyset((void *)object)": 128,
    "localtime_r(&moment, (void *)object)": 56,
    'strftime((char *)object, 100, "%Y-%m", gmtime(&moment))': 8,
    "frexp(0.75, (void *)object)": 4,
    "modf(1.5, (void *)object)": 8,
    "getcwd((char *)object, 500)": 2,
    'readlink("/proc/self/exe", (char *)object, 500) > 3': 3,
    "getsockopt(0, SOL_SOCKET, SO_TYPE, object, (socklen_t *)(object + 64)), sigfillset((void *)object)": 128,
}


@pytest.mark.parametrize("call", CALLS)
def test_what_was_written_is_concrete(call: str, tmp_path: Path) -> None:
    source, program = tmp_path / "asks.c", tmp_path / "asks"
    source.write_text(ASKS.replace("CALL", call).replace("ROOM", str(ROOM)).replace("SIZE", str(CALLS[call])))
    build_program([source], program, ["-w", "-lm"])
    settings = SessionSettings(sources=(Source(SourceKind.STDIN, ROOM),), capture=True)
    with Session(program, settings) as session:
        session.run(b"")
        written = session.output
        path = session.run(ROOM.to_bytes(4, "little") + written)
        assert path.exit.code == 0
        # That there is enough to read, and what the last byte is: nothing else depends on the input.
        assert [kind for kind in path.constraints["kind"].tolist() if kind == 0] == [0, 0]


def test_sizes_are_those_of_this_system(tmp_path: Path) -> None:
    names = {name: "void *" if name == "pointer" else name for name in SIZES}
    checks = [f'_Static_assert(sizeof({kind}) == {SIZES[name]}, "{name}");' for name, kind in names.items()]
    source = tmp_path / "sizes.c"
    source.write_text("\n".join(["#define _GNU_SOURCE", *(f"#include <{name}>" for name in HEADERS), *checks]))
    subprocess.run([*front_end().command, "-w", "-c", source, "-o", tmp_path / "sizes.o"], check=True)


def test_models_see_to_it_themselves() -> None:
    assert not WRITES.keys() & MODELS.keys()
