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
from untaken.search.budget import Ending
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


SURVIVES = (
    HEAD
    + """
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf back;
static volatile long where;
static void told(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    where = (long)info->si_addr;
    siglongjmp(back, 1);
}
int main(void) {
    unsigned char b = 0;
    struct sigaction action = {.sa_sigaction = told, .sa_flags = SA_SIGINFO};
    read(0, &b, 1);
    sigaction(SIGSEGV, &action, NULL);
    if (!sigsetjmp(back, 1)) *(volatile char *)(long)(b * 8);
    return where == 77 * 8;
}
"""
)
FLOATING = "#include <errno.h>\n#include <fenv.h>\n#include <math.h>\n" + HEAD
RAISES_FLAGS = FLOATING + (
    "int main(void) { unsigned char b = 0; read(0, &b, 1); volatile double third = b; third /= 3;"
    " return fetestexcept(FE_INEXACT) ? 1 : 0; }\n"
)
COUNTS_PRINTED = HEAD + (
    'int main(void) { char b[9] = ""; int n; read(0, b, 8); printf("%5s%n", b, &n); return n == 7; }\n'
)


@pytest.mark.parametrize(
    ("text", "doubt"),
    [(SURVIVES, Doubt.FAULTS), (RAISES_FLAGS, Doubt.ASIDE), (COUNTS_PRINTED, Doubt.ASIDE)],
    ids=["faults", "flags", "printed"],
)
def test_what_is_left_aside_is_told(tmp_path: Path, text: str, doubt: Doubt) -> None:
    summary = explored(tmp_path, text, "--stdin", 8)
    assert not summary.exhausted and doubt in summary.doubts


def test_percent_signs_before_an_n_count_nothing(tmp_path: Path) -> None:
    text = HEAD + 'int main(void) { char b = 0; read(0, &b, 1); printf("%d%%n\\n%x", b, b); return b == 7; }\n'
    assert explored(tmp_path, text, "--stdin", 1).exhausted


@pytest.mark.parametrize("call", ["sqrt(b)", "log(b)", "exp(b * 9.0)", "powf(b, 70)"])
def test_what_functions_of_mathematics_leave_in_errno_is_a_decision(tmp_path: Path, call: str) -> None:
    text = (
        FLOATING
        + f"""
int main(void) {{
    signed char b = 1;
    read(0, &b, 1);
    errno = 0;
    volatile double result = {call};
    (void)result;
    return errno ? 1 : 0;
}}
"""
    )
    summary = explored(tmp_path, text, "--stdin", 1, "--cflags=-lm")
    assert summary.covered == summary.total == 2


SIZES = {
    "lseek": 'int f = open("kept", O_RDWR | O_CREAT, 0600); write(f, b, n); return lseek(f, 0, SEEK_CUR) == 5;',
    "fstat": 'int f = open("kept", O_RDWR | O_CREAT, 0600); write(f, b, n); fstat(f, &s); return s.st_size == 5;',
    "stat": 'FILE *f = fopen("kept", "w"); fwrite(b, 1, n, f); fclose(f); stat("kept", &s); return s.st_size == 5;',
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_of_what_was_written_are_told(tmp_path: Path, name: str) -> None:
    head = HEAD + "#include <fcntl.h>\n#include <sys/stat.h>\n"
    text = f'{head}int main(void) {{ struct stat s; char b[8] = ""; long n = read(0, b, 8); {SIZES[name]} }}\n'
    summary = explored(tmp_path, text, "--stdin", 8, "--after-coverage", 0)
    assert not summary.exhausted and f"{name} (of what was written)" in summary.limits.externals


AWAITED = {
    "poll": "struct pollfd p = {e[0], POLLIN, 0}; return poll(&p, 1, 0) == 0;",
    "select": "fd_set s; FD_ZERO(&s); FD_SET(e[0], &s); return select(e[0] + 1, &s, 0, 0, &(struct timeval){0, 0});",
}


@pytest.mark.parametrize("name", AWAITED)
def test_whether_a_pipe_has_something_is_told(tmp_path: Path, name: str) -> None:
    head = HEAD + "#include <poll.h>\n#include <sys/select.h>\n"
    body = f"int e[2]; pipe(e); write(e[1], b, n); {AWAITED[name]}"
    text = f'{head}int main(void) {{ char b[8] = ""; long n = read(0, b, 8); {body} }}\n'
    summary = explored(tmp_path, text, "--stdin", 8, "--after-coverage", 0)
    assert not summary.exhausted and f"{name} (of a pipe or socket)" in summary.limits.externals


def test_the_input_is_always_there_to_be_read(tmp_path: Path) -> None:
    body = "struct pollfd p = {0, POLLIN, 0}; if (poll(&p, 1, 0) != 1) return 2; return getchar() == 'x';"
    assert explored(tmp_path, f"{HEAD}#include <poll.h>\nint main(void) {{ {body} }}\n", "--stdin", 1).exhausted


CHANCES = {
    "time": "long now = time(NULL);",
    "getpid": "long now = getpid();",
    "getenv": 'long now = getenv("HOME") ? 3 : 4;',
    "isatty": "long now = isatty(0) ? 3 : 4;",
    "/dev/urandom": 'long now = getc(fopen("/dev/urandom", "r"));',
}


@pytest.mark.parametrize("name", CHANCES)
def test_only_paths_of_the_input_are_claimed_where_chance_decides_too(tmp_path: Path, name: str) -> None:
    """But what no input changes is no reason to go on."""
    text = f"{HEAD}#include <time.h>\nint main(void) {{ {CHANCES[name]} return getchar() == 'x' && now % 7 == 3; }}\n"
    summary = explored(tmp_path, text, "--stdin", 1)
    assert summary.ended_by == Ending.ALL_OF_INPUT.value and not summary.exhausted
    assert summary.doubts == (Doubt.CHANCE,) and Doubt.CHANCE.value in closing(summary)
    assert summary.totals.iterations < 100


def test_a_program_that_reads_nothing_and_asks_for_the_time_ends_with_advice(tmp_path: Path) -> None:
    text = HEAD + "#include <time.h>\nint main(void) { srand(time(NULL)); return rand() % 3 == 1; }\n"
    summary = explored(tmp_path, text)
    assert summary.ended_by == Ending.ALL_OF_INPUT.value and READS_ELSEWHERE in closing(summary)


def test_what_follows_on_input_is_not_named_with_it(tmp_path: Path) -> None:
    text = """#include <stdio.h>
int main(void) { FILE *f = fopen("in", "r"); int c = fgetc(f); rewind(f); return c == 'x' && fgetc(f) == 'x'; }
"""
    summary = explored(tmp_path, text, "--file", "in=4")
    assert summary.exhausted and not summary.limits.externals


ASKS_EARLY = """
#include <stdio.h>
#include <untaken.h>
static int c;
static void __attribute__((constructor)) ask(void) { ASK }
int main(void) { return c == 7; }
"""


@pytest.mark.parametrize("ask", ["c = getchar();", "untaken_int(&c);"])
def test_input_that_is_asked_for_before_main_is_told(tmp_path: Path, ask: str) -> None:
    """Constructors run once for all runs, before there is an input."""
    summary = explored(tmp_path, ASKS_EARLY.replace("ASK", ask))
    assert not summary.exhausted and summary.doubts == (Doubt.EARLY,)


def test_other_files_may_be_read_before_main(tmp_path: Path) -> None:
    ask = 'FILE *f = fopen("/dev/zero", "r"); if (f) c = getc(f);'
    summary = explored(tmp_path, ASKS_EARLY.replace("ASK", ask))
    assert summary.exhausted and summary.doubts == ()


ASKS_HOW_MUCH = (
    HEAD
    + """
#include <sys/ioctl.h>
int main(void) { int left = 0; return ioctl(0, FIONREAD, &left) == 0 && left == 5; }
"""
)
CALLS_BY_NAME = (
    "#define _GNU_SOURCE\n#include <dlfcn.h>\n"
    + HEAD
    + """
int main(void) {
    char b[8] = "";
    read(0, b, 7);
    size_t (*length)(const char *) = (size_t (*)(const char *))dlsym(RTLD_NEXT, "strlen");
    return length(b) == 5;
}
"""
)
READS = {"dlsym": CALLS_BY_NAME, "wscanf": READS_WIDE, "system call": READS_BY_HAND, "FIONREAD": ASKS_HOW_MUCH}


@pytest.mark.parametrize("text", READS.values(), ids=READS)
def test_input_that_is_read_unseen_is_told(tmp_path: Path, text: str) -> None:
    summary = explored(tmp_path, text, "--stdin", 8)
    assert not summary.exhausted and Doubt.READS in summary.doubts
    assert "Nothing that the program decided" not in closing(summary)


JUMPS_WITH_INPUT = (
    HEAD
    + """
#include <setjmp.h>
static jmp_buf start;
int main(void) {
    int number = 0;
    if (read(0, &number, 4) != 4) return 4;
    int result = setjmp(start);
    if (result == 0) longjmp(start, number);
    if (result == 1) return number == 0 ? 1 : 2;
    return result == 4711 ? 3 : 0;
}
"""
)
ENDS_WITH_INPUT = (
    HEAD
    + """
static void last(int code, void *nothing) { (void)nothing; if (code == 77) abort(); }
int main(void) { char c = 0; on_exit(last, NULL); read(0, &c, 1); exit(c); }
"""
)


def test_setjmp_returns_what_longjmp_is_given(tmp_path: Path) -> None:
    summary = explored(tmp_path, JUMPS_WITH_INPUT)
    assert summary.covered == summary.total and summary.exhausted
    assert summary.totals.divergences == 0


JUMPS_WITHOUT_LIBRARY = (
    HEAD
    + """
static void *start[5];
__attribute__((noinline)) static void jump(void) { __builtin_longjmp(start, 1); }
int main(void) {
    char c = 0;
    if (read(0, &c, 1) != 1) return 4;
    if (__builtin_setjmp(start)) return c == 'A' ? 1 : 2;
    if (c & 1) jump();
    return c == 'B' ? 3 : 0;
}
"""
)


def test_jumps_that_the_compiler_makes_itself_are_followed(tmp_path: Path) -> None:
    summary = explored(tmp_path, JUMPS_WITHOUT_LIBRARY)
    assert summary.covered == summary.total and summary.exhausted
    assert summary.totals.divergences == 0


def test_functions_that_are_told_the_exit_code_are_named(tmp_path: Path) -> None:
    summary = explored(tmp_path, ENDS_WITH_INPUT, "--stdin", 1)
    assert not summary.exhausted and "on_exit" in summary.limits.externals


READS_AT_A_PLACE = (
    HEAD
    + """
#include <sys/uio.h>
int main(void) {
    char a[2] = {0}, b[4] = {0};
    struct iovec parts[2] = {{a, 2}, {b, 4}};
    return preadv(0, parts, 2, 1) == 5 && a[1] == 'A' && b[2] == 'z';
}
"""
)


def test_preadv_reads_the_input(tmp_path: Path) -> None:
    summary = explored(tmp_path, READS_AT_A_PLACE, "--stdin", 6)
    assert summary.covered == summary.total and not summary.limits.externals


LOOKS_INTO_STDIO = """
#include <stdio.h>
int main(void) {{
    char t[2], kept[64] = {{0}};
    {before}
    if (fread(t, 1, 2, stdin) != 2) return 1;
    return {look} == 'q' ? 7 : 3;
}}
"""


def test_looks_into_the_buffer_of_a_stream_are_told(tmp_path: Path) -> None:
    summary = explored(tmp_path, LOOKS_INTO_STDIO.format(before="", look="*stdin->_IO_read_ptr"), "--stdin", 4)
    assert not summary.exhausted and Doubt.READS in summary.doubts


def test_a_buffer_of_its_own_for_what_a_program_reads_is_told(tmp_path: Path) -> None:
    text = LOOKS_INTO_STDIO.format(before="setvbuf(stdin, kept, _IOFBF, 64);", look="kept[3]")
    summary = explored(tmp_path, text, "--stdin", 4)
    assert not summary.exhausted and Doubt.EXTERNAL in summary.doubts


def test_a_buffer_for_what_a_program_writes_matters_not(tmp_path: Path) -> None:
    text = LOOKS_INTO_STDIO.format(before="setvbuf(stdout, kept, _IOFBF, 64);", look="t[1]")
    assert explored(tmp_path, text, "--stdin", 4).exhausted


PRINTS = (
    HEAD
    + """
int main(void) {
    char t[4] = {0};
    if (read(0, t, 3) != 3) return 1;
    if (t[0] < 'a' || t[0] > 'b') return 2;
    return PRINT ? 3 : 4;
}
"""
)


@pytest.mark.parametrize("print", ['printf("%s", t) == 2', 'printf("%d", t[0]) > 2', "putchar(t[0]) == 'b'"])
def test_a_program_that_decides_on_what_it_printed_is_told(tmp_path: Path, print: str) -> None:
    summary = explored(tmp_path, PRINTS.replace("PRINT", print))
    assert not summary.exhausted and Doubt.EXTERNAL in summary.doubts


@pytest.mark.parametrize("print", ['printf("%s", t) < 0', "putchar(t[0]) == EOF", '(printf("%d", t[0]), 0)'])
def test_whether_printing_failed_does_not_depend_on_the_input(tmp_path: Path, print: str) -> None:
    assert explored(tmp_path, PRINTS.replace("PRINT", print)).exhausted


# Ways by which what a program wrote comes back to it, and the function that is named.
ROUND_TRIPS = {
    "fopen": 'FILE *f = fopen("kept", "w"); fwrite(t, 1, 8, f); fclose(f); f = fopen("kept", "r"); fread(b, 1, 8, f);',
    "read": 'int f = creat("kept", 0600); write(f, t, 8); close(f); f = open("kept", O_RDONLY); read(f, b, 8);',
    "pread": 'int f = memfd_create("kept", 0); write(f, t, 8); pread(f, b, 8, 0);',
    "mmap": 'int f = memfd_create("kept", 0); write(f, t, 8); memcpy(b, mmap(0, 8, PROT_READ, MAP_SHARED, f, 0), 8);',
    "tmpfile": "FILE *f = tmpfile(); fwrite(t, 1, 8, f); rewind(f); fread(b, 1, 8, f);",
    "fdopen": 'int p[2]; pipe(p); write(p[1], t, 8); FILE *f = fdopen(p[0], "r"); fread(b, 1, 8, f);',
    "fmemopen": 'FILE *f = fmemopen(t, 8, "r"); fread(b, 1, 8, f);',
    "open_memstream": "char *o; size_t n; FILE *f = open_memstream(&o, &n); fwrite(t, 1, 8, f), fclose(f), b[0] = *o;",
}
ROUND_TRIP = """#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
{head}int main(void) {{
    char t[8] = {{0}}, b[8] = {{0}};
    read(0, t, 8);
    {way}
    return b[0] == 'A' && b[1] == 'z';
}}
"""


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_what_was_written_and_comes_back_is_told(tmp_path: Path, name: str) -> None:
    text = ROUND_TRIP.format(head=HEAD, way=ROUND_TRIPS[name])
    summary = explored(tmp_path, text, "--stdin", 8)
    assert not summary.exhausted
    assert Doubt.EXTERNAL in summary.doubts
    assert name in summary.limits.externals


READS_FILES = (
    HEAD
    + """
int main(void) {
    char b[8] = {0};
    FILE *status = fopen("/proc/self/status", "r"), *table = fopen("table", "r"), *log = fopen("log", "w");
    if (!status || !table || !log) return 2;
    fgetc(status), fgetc(table), fputs("one", log);
    return read(0, b, 1) == 1 && b[0] == 'A';
}
"""
)


def test_files_that_were_there_before_say_nothing_of_the_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "table").write_text("1 2 3\n")
    os.utime(tmp_path / "table", (1e9, 1e9))
    monkeypatch.chdir(tmp_path)
    summary = explored(tmp_path, READS_FILES, "--stdin", 1)
    assert summary.exhausted
    assert summary.limits.externals == {}


VECTOR_IN = (
    "typedef int four __attribute__((vector_size(16)));\nint main(void) { four x; read(0, &x, 16); return x[1] == 7; }"
)
QUAD_IN = "int main(void) { __float128 x; read(0, &x, 16); return x * 2 == 9; }"


@pytest.mark.parametrize(("text", "reason"), [(VECTOR_IN, "vector"), (QUAD_IN, "float")], ids=["vector", "__float128"])
def test_a_value_without_expression_is_lost_for_the_right_reason(tmp_path: Path, text: str, reason: str) -> None:
    summary = explored(tmp_path, HEAD + text, "--stdin", 16)
    assert set(summary.limits.concretised) == {reason}


FORKS_BY_HAND = (
    HEAD
    + """
#include <sys/syscall.h>
#include <sys/wait.h>
int main(void) {
    long child = syscall(SYS_fork);
    if (child == 0) _exit(3);
    return waitpid((int)child, NULL, 0) < 0;
}
"""
)


def test_processes_that_the_kernel_is_asked_for_are_told(tmp_path: Path) -> None:
    assert Doubt.PROCESSES in explored(tmp_path, FORKS_BY_HAND, "--stdin", 1).doubts


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


TAKES_INPUT = (
    "#define _GNU_SOURCE\n"
    + HEAD
    + """
#include <argz.h>
#include <errno.h>
#include <fcntl.h>
#include <immintrin.h>
#include <math.h>
#include <netinet/ether.h>
#include <poll.h>
#include <search.h>
#include <signal.h>
#include <termios.h>
#include <threads.h>
#include <sched.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <wchar.h>
static char b[64] __attribute__((aligned(16)));
struct pair { int zero, value; };
int same_value(const void *key, const void *other);
int same_value(const void *key, const void *other) {
    return ((const struct pair *)key)->value - ((const struct pair *)other)->value;
}
void nothing(void);
void nothing(void) {}
__attribute__((target("avx2"))) static int gathered(const int *from) {
    return _mm_cvtsi128_si32(_mm_i32gather_epi32(from, _mm_setzero_si128(), 4));
}
int main(void) {
    read(0, b, 16);
    BODY
    return 0;
}
"""
)
# What the program decided on came from the input by a way that nobody follows; its name, and what it did.
HIDDEN_WAYS = {
    "argz_count": "if (argz_count(b, 16) == 7) return 1;",
    "ether_ntoa": 'if (!strcmp(ether_ntoa((struct ether_addr *)b), "1:2:3:4:5:6")) return 1;',
    "__sched_cpucount": """
        cpu_set_t set;
        memset(&set, 0, sizeof set);
        memcpy(&set, b, 4);
        if (CPU_COUNT(&set) == 13) return 1;""",
    "close": "if (close(b[0]) == 0) return 1;",
    "dup2": """
        int file = b[0] & 63;
        if (file > 2) {
            dup2(1, file);
            if (fcntl(40, F_GETFD) >= 0) return 1;
        }""",
    "read": """
        int file = eventfd(0, EFD_NONBLOCK);
        uint64_t sum = (unsigned char)b[0] + 1ul;
        write(file, &sum, 8);
        read(file, &sum, 8);
        if (sum == 77) return 1;""",
    "pread": """
        char c = 0;
        int file = open("/proc/self/mem", O_RDONLY);
        pread(file, &c, 1, (off_t)b);
        if (c == 'Q') return 1;""",
    "nanosleep": """
        struct timespec wait = {0, (unsigned char)b[0] * 1000}, start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        nanosleep(&wait, NULL);
        clock_gettime(CLOCK_MONOTONIC, &end);
        if (end.tv_nsec - start.tv_nsec > 250000) return 1;""",
    "inline assembly": """
        char c;
        __asm__("movb %1, %%al; movb %%al, %0" : "=m"(c) : "m"(b[0]) : "al");
        if (c == 'Q') return 1;""",
    "snprintf": """
        char text[99];
        errno = b[0] & 63;
        snprintf(text, sizeof text, "%m");
        if (!strcmp(text, "No such file or directory")) return 1;""",
    "sigaction": """
        struct sigaction mine = {.sa_handler = SIG_IGN, .sa_flags = (b[0] & 1) * SA_RESTART}, old;
        sigaction(SIGUSR1, &mine, NULL);
        sigaction(SIGUSR1, NULL, &old);
        if (old.sa_flags & SA_RESTART) return 1;""",
    "sigaltstack": """
        static char room[70000];
        stack_t mine = {.ss_sp = room, .ss_size = 20000u + (unsigned char)b[0]}, old;
        sigaltstack(&mine, NULL);
        sigaltstack(NULL, &old);
        if (old.ss_size == 20000 + 'Q') return 1;""",
    "cfgetospeed": "struct termios t = {.c_cflag = b[0] & 15u}; if (cfgetospeed(&t) == B9600) return 1;",
    "call_once": "once_flag f; memcpy(&f, b, sizeof f); call_once(&f, nothing); return *(int *)&f == 2;",
    "totalorder": "double x[2] = {1, 0}; memcpy(x + 1, b, 8); if (!totalorder(x, x + 1)) return 1;",
    "poll": "struct pollfd p = {b[0] & 63, POLLIN, 0}; poll(&p, 1, 0); if (p.revents == POLLNVAL) return 1;",
    "select": """
        fd_set set;
        memset(&set, 0, sizeof set);
        memcpy(&set, b, 1);
        if (select(8, NULL, &set, NULL, &(struct timeval){0, 0}) < 0) return 1;""",
    "lfind": """
        struct pair all[2] = {{0, 7}, {0, 'Q'}}, wanted = {0, b[0]};
        size_t count = 2;
        if (lfind(&wanted, all, &count, sizeof *all, same_value)) return 1;""",
    "x86.avx2.gather.d.d": "if (gathered((const int *)b) == 0x51515151) return 1;",
}


@pytest.mark.parametrize(("name", "body"), HIDDEN_WAYS.items(), ids=HIDDEN_WAYS)
def test_input_that_goes_out_of_sight_is_named(tmp_path: Path, name: str, body: str) -> None:
    summary = explored(tmp_path, TAKES_INPUT.replace("BODY", body), "--stdin", 16)
    assert not summary.exhausted and name in summary.limits.externals
    assert "Nothing that the program decided" not in closing(summary)


# The same for instructions that are not given the input itself, but know where it is.
CODE_THAT_LOOKS = {
    "a variable by its name": '__asm__("movb b(%%rip), %0" : "=q"(c) : : "memory");',
    "what a context leads to": """
        struct { void *other; char *text; } context = {NULL, b};
        __asm__("movq 8(%1), %%rax; movb (%%rax), %0" : "=q"(c) : "r"(&context) : "rax", "memory");""",
}


@pytest.mark.parametrize("look", CODE_THAT_LOOKS.values(), ids=CODE_THAT_LOOKS)
def test_assembly_that_finds_the_input_is_named(tmp_path: Path, look: str) -> None:
    text = TAKES_INPUT.replace("static char b", "char b").replace("BODY", f"char c; {look} if (c == 'Q') return 1;")
    summary = explored(tmp_path, text, "--stdin", 16)
    assert not summary.exhausted and "inline assembly" in summary.limits.externals


# Functions that look at `g`, and that nobody sees into.
STRANGERS = {
    "assembly of the module": '__asm__(".globl look\\nlook: movzbl g(%rip), %eax\\n ret");',
    "a naked function": '__attribute__((naked)) int look(void) { __asm__("movzbl g(%rip), %eax\\n ret"); }',
    "asm goto": """
        int look(void) {
            __asm__ goto("cmpb $81, %0; je %l1" : : "m"(g[0]) : "cc" : yes);
            return 0;
        yes:
            return 'Q';
        }""",
}
LOOKS_AT_G = HEAD + (
    "char g[8];\nint look(void);\nSTRANGER\nint main(void) { read(0, g, 8); return look() == 'Q' ? 1 : 0; }\n"
)


@pytest.mark.parametrize("stranger", STRANGERS.values(), ids=STRANGERS)
def test_code_that_nobody_can_follow_is_told(tmp_path: Path, stranger: str) -> None:
    summary = explored(tmp_path, LOOKS_AT_G.replace("STRANGER", stranger), "--stdin", 8)
    assert not summary.exhausted and summary.doubts == (Doubt.STRANGERS,)
    assert "Nothing that the program decided" not in closing(summary)


def test_an_object_file_that_is_not_instrumented_is_told(tmp_path: Path) -> None:
    (tmp_path / "look.c").write_text("extern char g[8]; int look(void) { return g[0]; }\n")
    (tmp_path / "main.c").write_text(LOOKS_AT_G.replace("STRANGER", ""))
    for words in (["cc", "-c", "look.c"], command("cc", "main.c", "look.o", "-o", "program")):
        subprocess.run(words, cwd=tmp_path, check=True)
    summary = campaign(tmp_path / "program", "--stdin", 8, "--iterations", 20, "--out", tmp_path / "out")
    assert not summary.exhausted and Doubt.STRANGERS in summary.doubts


INSTRUCTIONS = {
    "rdtsc": ("__builtin_ia32_rdtsc() % 7 == 3", Doubt.CHANCE),
    "rdtsc in assembly": ('({ int a; __asm__("rdtsc" : "=a"(a) : : "rdx"); a % 7 == 3; })', Doubt.CHANCE),
    "flags of floating point": ("({ volatile float x = 1; x /= c; __builtin_ia32_stmxcsr() & 4; })", Doubt.ASIDE),
}


@pytest.mark.parametrize(("asked", "doubt"), INSTRUCTIONS.values(), ids=INSTRUCTIONS)
def test_instructions_that_tell_more_than_the_input_are_told(tmp_path: Path, asked: str, doubt: Doubt) -> None:
    text = f"{HEAD}int main(void) {{ int c = getchar(); return c == 'x' && {asked}; }}\n"
    summary = explored(tmp_path, text, "--stdin", 1)
    assert not summary.exhausted and doubt in summary.doubts


COMPARES = (
    HEAD
    + """
static int found;
int by_number(const void *key, const void *one);
int by_number(const void *key, const void *one) { return (int)(long)key - *(const int *)one; }
int with_context(const void *left, const void *right, void *context);
int with_context(const void *left, const void *right, void *context) {
    if ((long)context == 'Q') found = 1;
    return *(const int *)left - *(const int *)right;
}
int main(void) {
    int table[3] = {3, 'Q', 200}, c = getchar();
    CALL
    return found;
}
"""
)
COMPARISONS = {
    "bsearch": "if (bsearch((void *)(long)c, table, 3, sizeof *table, by_number)) return 2;",
    "qsort_r": "qsort_r(table, 3, sizeof *table, with_context, (void *)(long)c);",
}


@pytest.mark.parametrize("call", COMPARISONS.values(), ids=COMPARISONS)
def test_numbers_are_handed_on_to_comparisons(tmp_path: Path, call: str) -> None:
    summary = explored(tmp_path, "#define _GNU_SOURCE\n" + COMPARES.replace("CALL", call), "--stdin", 1)
    assert summary.totals.divergences == 0 and not summary.limits.externals
    functions = {function.name: (function.covered, function.total) for function in summary.functions}
    used = "main" if "bsearch" in call else "with_context"
    assert functions[used] == (2, 2)


GROWS = (
    "#include <obstack.h>\n#define obstack_chunk_alloc malloc\n#define obstack_chunk_free free\n"
    + HEAD
    + """
int main(void) {
    static char rest[5000];
    struct obstack all;
    obstack_init(&all);
    BEFORE
    obstack_1grow(&all, getchar());
    obstack_grow(&all, rest, sizeof rest);
    char *text = obstack_finish(&all);
    if (text[0] == 'Q') return 1;
    return 0;
}
"""
)


@pytest.mark.parametrize("before", ["", "obstack_alloc(&all, 99);"], ids=["alone", "behind others"])
def test_objects_that_grow_are_followed_to_where_they_are_moved(tmp_path: Path, before: str) -> None:
    """Whether a byte is the letter Q: the other branches are obstack's own, and ask about sizes."""
    summary = explored(tmp_path, GROWS.replace("BEFORE", before), "--stdin", 1)
    assert summary.exhausted and summary.tests == 2 and summary.totals.divergences == 0


READS_AGAIN = {
    "assembly": """
        char c = 0;
        long result;
        __asm__ volatile("syscall" : "=a"(result) : "a"(0), "D"(0), "S"(&c), "d"(1) : "rcx", "r11", "memory");
        if (c == 'Q') return 1;""",
    "wscanf": 'int number; if (wscanf(L"%d", &number) == 1 && number == 77) return 1;',
    "system call": "char c = 0; syscall(SYS_read, 0, &c, 1L); if (c == 'Q') return 1;",
}


@pytest.mark.parametrize("body", READS_AGAIN.values(), ids=READS_AGAIN)
def test_more_of_the_input_may_be_read_unseen(tmp_path: Path, body: str) -> None:
    summary = explored(tmp_path, TAKES_INPUT.replace("BODY", body), "--stdin", 24)
    assert not summary.exhausted and Doubt.READS in summary.doubts


def test_the_size_of_stdin_is_asked_for_without_a_name(tmp_path: Path) -> None:
    body = 'struct stat status; fstatat(0, "", &status, AT_EMPTY_PATH); if (status.st_size == 9) return 1;'
    summary = explored(tmp_path, TAKES_INPUT.replace("BODY", body), "--stdin", 16)
    assert summary.covered == summary.total
