"""errno is the program's own: at main as its constructors left it, after a call as the real function leaves it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
from untaken.build.driver import build_program
from untaken.build.toolchain.compilers import linker
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.input import Source, SourceKind
from untaken.model.path import ExitKind

CONVERTS = """
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void begin(void) { errno = FIRST; }
int main(void) {
    char text[16];
    int first = errno;
    if (!fgets(text, sizeof text, stdin)) return 0;
    long number = strtol(text, NULL, 10);
    if (errno != FIRST || first != FIRST) abort();
    return number == 12;
}
"""
# Each call is made with errno at 77, and what it is then is printed, whether the call succeeds or fails.
TELLS = r"""
#define _GNU_SOURCE
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static char results[8192];
static size_t used;
static void told(int line) { used += (size_t)sprintf(results + used, "%d:%d ", line, errno); errno = 77; }
static volatile int sink;
#define TELL(call) (sink = (call) != 0, told(__LINE__))
static int order(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static int formatted(char *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int result = vsnprintf(to, 32, format, list);
    va_end(list);
    return result;
}
int main(int argc, char **argv) {
    static char text[64], copy[64], *end, *line;
    size_t room = 0;
    struct stat status;
    struct timespec now = {0, 1};
    struct timeval moment = {0, 1};
    struct pollfd waiting = {0, POLLIN, 0};
    int number;
    double fraction;
    errno = 77;
    TELL(getchar());
    TELL(ungetc('q', stdin));
    TELL(getc(stdin));
    TELL(fgets(text, 8, stdin));
    TELL(ftell(stdin));
    TELL(fseek(stdin, 0, SEEK_SET));
    TELL(fread(text, 1, 6, stdin));
    TELL(getline(&line, &room, stdin));
    TELL(scanf("%d", &number));
    TELL(scanf("%lf", &fraction));
    TELL(feof(stdin));
    TELL((rewind(stdin), 1));
    TELL(lseek(0, 0, SEEK_SET));
    TELL(read(0, text, 12));
    TELL(pread(0, copy, 5, 2));
    TELL(read(-1, text, 12));
    TELL(pread(99, text, 12, 0));
    TELL(lseek(0, -5, SEEK_SET));
    TELL(fstat(0, &status));
    TELL(fstat(-1, &status));
    TELL(stat("no such file", &status));
    TELL(open("no such file", O_RDONLY));
    TELL(fopen("no such file", "r"));
    TELL(access("no such file", R_OK));
    TELL(close(-1));
    TELL(dup(-1));
    TELL(fcntl(-1, F_GETFL));
    TELL(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    TELL(munmap(text + 1, 10));
    TELL(strtol("99999999999999999999", &end, 10));
    TELL(strtol("1", &end, 99));
    TELL(strtol(text, &end, 10));
    TELL(strtoul(text, NULL, 0));
    TELL(strtoumax("-1", NULL, 16));
    TELL(strtod("1e999", &end));
    TELL(strtod(text, &end));
    TELL(strtof("1e-99", &end));
    TELL(atoi("99999999999999999999"));
    TELL(atof(text));
    TELL(strcpy(copy, text));
    TELL(strncpy(copy, text, 9));
    TELL(strcat(copy, "x"));
    TELL(strlen(text));
    TELL(strcmp(text, copy));
    TELL(strncasecmp(text, copy, 4));
    TELL(memcmp(text, copy, 8));
    TELL(strchr(text, '1'));
    TELL(strstr(text, "34"));
    TELL(strspn(text, "0123456789"));
    TELL(strtok(copy, " "));
    TELL(strdup(text));
    TELL(isalpha(text[0] & 127));
    TELL(toupper(text[1] & 127));
    TELL((free(malloc((size_t)(text[0] & 7) + 9)), 1));
    TELL(malloc((size_t)PTRDIFF_MAX + (size_t)(text[0] & 1)));
    TELL(calloc(3, 5));
    TELL(realloc(NULL, 20));
    TELL(reallocarray(NULL, SIZE_MAX, 16));
    TELL((qsort(text, 8, 1, order), 1));
    TELL(bsearch("3", text, 8, 1, order));
    TELL(snprintf(copy, sizeof copy, "%d %s %c", text[0], text, text[1]));
    TELL(formatted(copy, "%x", text[2]));
    TELL(sscanf(text, "%d", &number));
    TELL(sscanf("99999999999999999999", "%d", &number));
    TELL(getopt(argc, argv, "ab:"));
    TELL(time(NULL));
    TELL(gettimeofday(&moment, NULL));
    TELL(clock_gettime(99, &now));
    TELL(clock_gettime(CLOCK_MONOTONIC, &now));
    TELL(nanosleep(&(struct timespec){0, 1}, NULL));
    TELL(nanosleep(&(struct timespec){0, -1}, NULL));
    TELL(poll(&waiting, 1, 0));
    TELL(select(1, NULL, NULL, NULL, &(struct timeval){0, 1}));
    TELL(getrandom(copy, 4, 0));
    TELL(getentropy(copy, 400));
    TELL(send(-1, copy, 4, 0));
    TELL(write(-1, copy, 4));
    TELL(setsockopt(-1, 1, 1, copy, 4));
    TELL(listen(-1, 1));
    puts(results);
    return 0;
}
"""


@pytest.mark.parametrize("first", [0, 5])
def test_main_finds_errno_as_constructors_left_it(first: int, tmp_path: Path) -> None:
    source = written(tmp_path, CONVERTS.replace("FIRST", str(first)))
    summary = campaign(source, "--stdin", 4, "--iterations", 20, "--out", tmp_path / "out")
    assert summary.findings == ()


def test_calls_leave_errno_as_the_real_functions_do(tmp_path: Path) -> None:
    source, plain, program = tmp_path / "tells.c", tmp_path / "plain", tmp_path / "program"
    source.write_text(TELLS)
    text = b"12 345 6.5\n 77 8.25\n"
    stdin = tmp_path / "stdin"
    stdin.write_bytes(text)
    subprocess.run([*linker().command, "-w", source, "-o", plain], check=True)
    with stdin.open("rb") as file:
        expected = subprocess.run([plain], stdin=file, capture_output=True, check=True).stdout
    build_program([source], program, ["-w"])
    with Session(program, SessionSettings(sources=(Source(SourceKind.STDIN, len(text)),), capture=True)) as session:
        path = session.run(len(text).to_bytes(4, "little") + text)
        assert path.exit.kind is ExitKind.CODE
        assert session.output.split() == expected.split()
