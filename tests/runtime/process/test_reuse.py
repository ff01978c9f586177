"""One process is used for many runs, where the program leaves nothing behind but memory (runtime/process/reuse.c)."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest

from untaken.build.driver import build_program, compile_and_link
from untaken.build.library.noted_calls import noted_functions
from untaken.build.objects.program_map import read_program_map
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.input import Source, SourceKind
from untaken.model.path import Exit, ExitKind
from untaken.model.program import Containment

EXAMPLES = Path(__file__).parents[3] / "examples"
RUNS = 300
OFTEN = 1_000
STDIN = (Source(SourceKind.STDIN, 16),)

# What the last run did shows in its exit code, if anything of it is left: variables, the heap and its end, what lies
# below the stack, the state of the library, rounding, descriptors.
REMEMBERS = r"""
#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xmmintrin.h>
static unsigned char pages[300][4096];
static int counter = 40;
static jmp_buf place;
static char *last;
static unsigned deep(unsigned depth) {
    volatile unsigned char frame[2000];
    unsigned sum = frame[depth % 2000];
    frame[depth % 2000] = (unsigned char)depth;
    return depth == 0 ? sum : sum + deep(depth - 1);
}
static unsigned heap(unsigned count, unsigned size) {
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned char *block = malloc(size);
        sum += block[0] + block[size / 2] + (unsigned)((unsigned long)block >> 4);
        memset(block, 'x', size);
        if (i % 3 == 0) free(block);
    }
    return sum;
}
int main(void) {
    volatile float one = 1.0f, three = 3.0f;
    unsigned sum = (unsigned)counter++ + (unsigned)rand() + (last ? (unsigned)strlen(last) : 7);
    float third = one / three;
    unsigned char line[16] = "";
    if (fread(line, 1, sizeof line, stdin) == 0) return 1;
    sum += third * three == 1.0f;
    switch (line[0] % 16) {
    case 0: for (int i = 0; i < line[1] + 20; i++) sum += pages[i][9]++; break;
    case 1: sum += heap(line[1] + 1u, 500); break;
    case 2: sum += heap(3, 100000); break;
    case 3: sum += heap(2, 300000); break;
    case 4: sum += deep(line[1] / 8u); break;
    case 5: sum += deep(line[1] * 5u); break;
    case 6: if (setjmp(place) == 0) longjmp(place, 3); break;
    case 7: _mm_setcsr(_mm_getcsr() | 0x6000); break;
    case 8: last = strdup("abc"); srand(line[1]); break;
    case 9: printf("%d %s\n", line[1], line); break;
    case 10: sum += (unsigned)open("/dev/zero", O_RDONLY); break;
    case 11: sum += (unsigned)fileno(fopen("/dev/null", "r")) + (unsigned)dup(0); break;
    case 12: fclose(stdin); sum += (unsigned)dup(2); break;
    case 13: for (int i = 0; i < line[1] / 7; i++) sum += (unsigned)dup(1); break;
    case 14: if (line[1] > 200) abort(); break;
    default: if (line[1] > 200) *(volatile int *)0 = 1; break;
    }
    return (int)(sum % 200);
}
"""
TELLS_ITS_NUMBER = """
#include <stdio.h>
#include <unistd.h>
int main(void) { return getpid() % 250 + (getchar() == 'x' && getchar() == 'y'); }
"""
MAPS = """
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) { return memset(malloc(1 << 20), 1, 1 << 20) != NULL ? getpid() % 250 : 251; }
"""
CLOSES = """
#include <fcntl.h>
#include <unistd.h>
int main(void) { return close(0) + close(1) + close(2) + open("/dev/zero", O_RDONLY) + getpid() % 250; }
"""
# 251: it begins where the run before has gone.
GOES_ELSEWHERE = r"""
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    char folder[4096] = "";
    if (getcwd(folder, sizeof folder) == NULL || strcmp(folder, "/usr") == 0 || strcmp(folder, "/etc") == 0) return 251;
    if (chdir("/usr") != 0 || (getpid() % 2 && fchdir(open("/etc", O_RDONLY)) != 0)) return 252;
    return getpid() % 250;
}
"""
# 251: flags are those that the run before has set.
SETS_FLAGS = """
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    int flags = fcntl(2, F_GETFL), input = fcntl(0, F_GETFL);
    if ((flags | input) & O_NONBLOCK) return 251;
    return fcntl(2, F_SETFL, flags | O_NONBLOCK) + fcntl(0, F_SETFL, input | O_NONBLOCK) + getpid() % 250;
}
"""
# Handlers, masks, what waits behind a mask, the stack of handlers, the rights of new files: what is left of them shows.
HANDLES_SIGNALS = r"""
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
static volatile sig_atomic_t caught;
static char room[16384];
static void catch(int number) { caught += number; }
static unsigned state(void) {
    struct sigaction action;
    sigset_t mask, waiting;
    stack_t stack;
    unsigned sum = 0;
    mode_t rights = umask(0);
    umask(rights);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    sigpending(&waiting);
    sigaltstack(NULL, &stack);
    for (int i = 1; i < 32; i++) {
        sigaction(i, NULL, &action);
        sum += (unsigned)i * ((action.sa_handler != SIG_DFL) + 2u * (sigismember(&mask, i) > 0) +
                              4u * (sigismember(&waiting, i) > 0) + 8u * ((action.sa_flags & SA_RESTART) != 0));
    }
    return sum + rights + (unsigned)stack.ss_flags;
}
int main(void) {
    unsigned sum = state();
    unsigned char line[16] = "";
    struct sigaction action = {.sa_handler = catch};
    sigset_t mask;
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    if (fread(line, 1, sizeof line, stdin) == 0) return 1;
    int number = line[1] % 4 == 0 ? SIGUSR1 : line[1] % 4 == 1 ? SIGHUP : 1 + line[1] % 31;
    sigemptyset(&mask);
    sigaddset(&mask, number);
    switch (line[0] % 8) {
    case 0: signal(SIGUSR1, catch); raise(SIGUSR1); break;
    case 1: sigaction(number, &action, NULL); break;
    case 2: sigprocmask(SIG_BLOCK, &mask, NULL); break;
    case 3: sigprocmask(SIG_BLOCK, &mask, NULL); raise(line[1] % 2 ? SIGHUP : SIGUSR1); break;
    case 4: signal(SIGINT, SIG_IGN); signal(SIGTERM, SIG_IGN); break;
    case 5: sigaltstack(&stack, NULL); break;
    case 6: umask(line[1]); break;
    default: action.sa_flags = SA_RESETHAND; sigaction(SIGUSR2, &action, NULL); raise(SIGUSR2); break;
    }
    return (int)((sum + (unsigned)caught) % 200);
}
"""
# What cannot be put back: the folder, a clock that runs, flags of a descriptor, a child, what is mapped and never
# touched, or taken away, a thread, a name, the folder by a system call that no library makes. What is left shows.
LEAVES_TRACES = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#define PLACE ((void *)0x200000000000)
static char page[8192] __attribute__((aligned(4096)));
static void *work(void *nothing) { return nothing; }
static long enter(const char *folder) {
    long result = SYS_chdir;
    __asm__ volatile("syscall" : "+a"(result) : "D"(folder) : "rcx", "r11", "memory");
    return result;
}
int main(void) {
    char folder[4096] = "", name[16] = "";
    unsigned char line[16] = "";
    pthread_t thread;
    unsigned sum = getcwd(folder, sizeof folder) ? (unsigned)strlen(folder) : 0;
    sum += 3u * (unsigned)fcntl(1, F_GETFD) + (unsigned)ioctl(0, TIOCGWINSZ, folder);
    FILE *file = fopen("/proc/self/comm", "r");
    if (file == NULL || fread(name, 1, 15, file) == 0) return 2;
    sum += (unsigned char)name[0];
    sum += 9u * (write(1, PLACE, 1) == 1); /* if it is mapped */
    if (fread(line, 1, sizeof line, stdin) == 0) return 1;
    switch (line[0] % 24) {
    case 0: if (chdir("/usr") == 0) sum += 20; break;
    case 1: sum += 30 + alarm(1000); break;
    case 2: sum += 40 + (unsigned)fcntl(1, F_SETFD, FD_CLOEXEC); break;
    case 3: sum += 50 + (unsigned)system("exit 3"); break;
    case 4: if (fork() == 0) _exit(0); wait(NULL); sum += 60; break;
    case 5: sum += 70 + alarm(line[1] / 128); break;
    case 6: sum += mmap(PLACE, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == PLACE; break;
    case 7: if (mmap(page, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != page) sum += 90; break;
    case 8: sum += 100 + (unsigned)dup2(0, 77); break;
    case 9: if (pthread_create(&thread, NULL, work, NULL) == 0) pthread_join(thread, NULL); break;
    case 10: sum += 110 + (unsigned)prctl(PR_SET_NAME, "other"); break;
    case 11: sum += 120 + (unsigned)enter("/usr"); break;
    case 12: page[0] = (char)line[1]; sum += (unsigned char)page[4096]++; break;
    default: sum += line[1] % 8u; break;
    }
    return (int)(sum % 200);
}
"""
NOTHING, FILES = Containment(True, False), Containment(True, True)
ADDRESSES = Containment(True, True, takes_addresses=True)
SIGNALS = Containment(True, False, True)


def anything(*obstacles: str) -> Containment:
    return Containment(False, True, obstacles=obstacles)


def strange(name: str) -> Containment:
    """Of a program with something that nobody knows: it may also read anything."""
    return Containment(False, True, obstacles=(name,), strangers=(name,))


CALLS = {
    "compute": ('#include <stdlib.h>\nint main(void) { return abs(-3) + atoi("4"); }', NOTHING),
    "long mathematics": ("#include <math.h>\nint main(void) { return fmal(2, 3, 4) > sinl(1); }", NOTHING),
    "spawn's list": (
        "#include <spawn.h>\nint main(void) { posix_spawnattr_t set; return posix_spawnattr_init(&set); }",
        NOTHING,
    ),
    "processors": (
        "#define _GNU_SOURCE\n#include <sched.h>\n"
        "int main(void) { cpu_set_t all; return sched_getaffinity(0, sizeof all, &all) + CPU_COUNT(&all); }",
        Containment(True, False, about_processors=True),
    ),
    "a processor": (
        "#define _GNU_SOURCE\n#include <sched.h>\n"
        "int main(void) { cpu_set_t one = {{2}}; return sched_setaffinity(0, sizeof one, &one); }",
        Containment(True, True, about_processors=True),
    ),
    "never called": (
        "int strange(void);\nint main(void) { int wanted = 0; if (wanted > 0) return strange(); return 0; }",
        NOTHING,
    ),
    "open": ('#include <stdio.h>\nint main(void) { return fopen("x", "r") != NULL; }', FILES),
    "folder": ('#include <unistd.h>\nint main(void) { return chdir("x"); }', SIGNALS),
    "signal": ("#include <signal.h>\nint main(void) { return signal(SIGINT, SIG_IGN) == SIG_ERR; }", SIGNALS),
    "process": ('#include <stdlib.h>\nint main(void) { return system("true"); }', FILES),
    "pointer": (
        "#include <stdlib.h>\nint (*f)(const char *) = system;\nint main(void) { return f(0); }",
        anything("system"),
    ),
    "handed on": (
        "#include <stdlib.h>\nint main(int c, char **v) { return (c > 1 ? system : atoi)(*v); }",
        anything("system"),
    ),
    "threads": ("#include <sched.h>\nint main(void) { return unshare(0); }", FILES),
    "assembly": ('int main(void) { long x = 39; __asm__ volatile("syscall" : "+a"(x)); return x == 0; }', NOTHING),
    "assembly apart": ('__asm__(".globl odd\\nodd: ret");\nint main(void) { return 0; }', strange("assembly")),
    "unused": ("int strange(void);\nextern inline int odd(void) { return 3; }\nint main(void) { return 0; }", NOTHING),
    "unknown": ("int strange(void);\nint main(void) { return strange(); }", strange("strange")),
    "alias": (
        'int f(void) { return 1; }\nint g(void) __attribute__((alias("f")));\nint main(void) { return g(); }',
        NOTHING,
    ),
}


def build(folder: Path, text: str, *others: Path) -> Path:
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    build_program([source, *others], program)
    return program


def random_inputs(seed: int) -> list[bytes]:
    random = Random(seed)
    return [(16).to_bytes(4, "little") + random.randbytes(16) for _ in range(RUNS)]


def outcomes(program: Path, inputs: list[bytes], most_runs: int) -> list[tuple[Exit, bytes, bytes, int]]:
    with Session(program, SessionSettings(sources=STDIN, most_runs=most_runs)) as session:
        paths = [session.run(data) for data in inputs]
    return [(path.exit, path.event_bytes, path.constraint_bytes, path.input_used) for path in paths]


def test_nothing_is_left_of_the_run_before(tmp_path: Path) -> None:
    program, inputs = build(tmp_path, REMEMBERS), random_inputs(3)
    assert read_program_map(program).containment.contained
    alone = outcomes(program, inputs, 1)
    assert outcomes(program, inputs, OFTEN) == alone
    assert len({str(exit) for exit, *_ in alone}) > 20


def test_signals_are_those_of_a_new_process(tmp_path: Path) -> None:
    program, inputs = build(tmp_path, HANDLES_SIGNALS), random_inputs(5)
    assert read_program_map(program).containment == SIGNALS
    alone = outcomes(program, inputs, 1)
    assert outcomes(program, inputs, OFTEN) == alone
    assert len({str(exit) for exit, *_ in alone}) > 3


# What a run left in the flags and modes of both units for floating point would show in the next.
RAISES_FLAGS = r"""
#define _GNU_SOURCE
#include <fenv.h>
#include <stdio.h>
int main(void) {
    unsigned char line[16] = "";
    unsigned sum = (unsigned)fetestexcept(FE_ALL_EXCEPT) + (unsigned)fegetround() / 64 + (unsigned)fegetexcept();
    volatile long double wide = 1.0L;
    volatile double narrow = 1.0;
    if (fread(line, 1, sizeof line, stdin) == 0) return 1;
    switch (line[0] % 6) {
    case 0: feraiseexcept(FE_OVERFLOW); break;
    case 1: wide /= 3; break;
    case 2: narrow /= 3; break;
    case 3: fesetround(FE_UPWARD); break;
    case 4: feenableexcept(FE_INVALID); break;
    default: wide = wide / (line[1] > 250 ? 0 : 1); break;
    }
    return (int)((sum + 3u * (unsigned)fetestexcept(FE_ALL_EXCEPT)) % 200);
}
"""


def test_floating_point_is_that_of_a_new_process(tmp_path: Path) -> None:
    source, program, inputs = tmp_path / "program.c", tmp_path / "program", random_inputs(9)
    source.write_text(RAISES_FLAGS)
    build_program([source], program, ("-lm",))
    assert read_program_map(program).containment == NOTHING
    alone = outcomes(program, inputs, 1)
    assert outcomes(program, inputs, OFTEN) == alone
    assert len({str(exit) for exit, *_ in alone}) >= 3


@pytest.mark.parametrize("name", ["calculator", "strings", "recursion", "tables"])
def test_paths_are_those_of_processes_of_their_own(name: str, tmp_path: Path) -> None:
    program, inputs = tmp_path / name, random_inputs(4)
    build_program([EXAMPLES / f"{name}.c"], program)
    assert outcomes(program, inputs, OFTEN) == outcomes(program, inputs, 1)


def numbers(program: Path, most_runs: int, *, takes_addresses: bool = True) -> set[int]:
    settings = SessionSettings(sources=STDIN, most_runs=most_runs, takes_addresses=takes_addresses)
    with Session(program, settings) as session:
        exits = [session.run(b"\0\0\0\0").exit for _ in range(60)]
    assert {exit.kind for exit in exits} == {ExitKind.CODE}
    return {exit.code for exit in exits}


def test_a_process_has_many_runs_only_if_that_is_allowed(tmp_path: Path) -> None:
    program = build(tmp_path, TELLS_ITS_NUMBER)
    assert len(numbers(program, 1)) == 60
    few = numbers(program, OFTEN)
    if len(few) == 60:
        pytest.skip("the kernel does not tell which pages a process has written to")
    assert len(few) < 20
    assert 20 <= len(numbers(program, 2)) < 60


def test_a_process_that_has_left_traces_has_no_further_run(tmp_path: Path) -> None:
    program, inputs = build(tmp_path, LEAVES_TRACES), random_inputs(6)
    assert read_program_map(program).containment == Containment(True, True, True)
    alone = outcomes(program, inputs, 1)
    assert outcomes(program, inputs, OFTEN) == alone
    assert len({str(exit) for exit, *_ in alone}) > 8


@pytest.mark.parametrize("text", [MAPS, CLOSES, GOES_ELSEWHERE, SETS_FLAGS])
def test_a_process_goes_on_after_a_run_that_has_mapped_closed_gone_elsewhere_or_set_flags(
    text: str, tmp_path: Path
) -> None:
    if len(numbers(build(tmp_path, TELLS_ITS_NUMBER), OFTEN)) == 60:
        pytest.skip("the kernel does not tell which pages a process has written to")
    found = numbers(build(tmp_path, text), OFTEN)
    assert len(found) < 20 and max(found) < 250


@pytest.mark.parametrize("name", CALLS)
def test_programs_that_may_leave_something_behind(name: str, tmp_path: Path) -> None:
    text, contained = CALLS[name]
    other = tmp_path / "other.s"
    other.write_text(".globl strange\nstrange: mov $1, %eax\nret\n.section .note.GNU-stack\n")
    assert read_program_map(build(tmp_path, text, *[other] * (name == "unknown"))).containment == contained


def test_a_driver_whose_branches_do_not_count_is_followed_all_the_same(tmp_path: Path) -> None:
    driver = tmp_path / "f.untaken.c"
    driver.write_text("int f(int); int main(void) { return f(3); }")
    (tmp_path / "f.c").write_text("int f(int a) { return a > 2; }")
    build_program([driver, tmp_path / "f.c"], tmp_path / "program")
    found = read_program_map(tmp_path / "program")
    assert [each.name for each in found.functions] == ["f"]
    assert found.containment == NOTHING


# How much is mapped, by lines; and every other run leaves traces, so that its process has no further one.
LOOKS_AT_ITSELF = r"""
#include <stdio.h>
#include <unistd.h>
int main(void) {
    unsigned char line[16] = "";
    int lines = 0, character;
    if (read(0, line, sizeof line) <= 0) return 1;
    FILE *file = fopen("/proc/self/maps", "r");
    while (file != NULL && (character = getc(file)) != EOF) lines += character == '\n';
    if (line[0] % 2 && alarm(0) != 0) return 2;
    return lines % 250;
}
"""


def test_programs_see_the_same_mapped_in_each_run(tmp_path: Path) -> None:
    program = build(tmp_path, LOOKS_AT_ITSELF)
    with Session(program, SessionSettings(sources=STDIN, most_runs=OFTEN)) as session:
        exits = [session.run(data).exit for data in random_inputs(11)[:120]]
    assert {exit.kind for exit in exits} == {ExitKind.CODE} and len({exit.code for exit in exits}) == 1


# It ends at once: with text in a buffer, a handler that would be called at exit, from a handler of a signal on a stack
# of its own, and in a child that shares its memory.
LEAVES_AT_ONCE = r"""
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static char room[16384];
static unsigned sum;
static void leave(int number) { _exit((int)(sum + (unsigned)number) % 200); }
static void never(void) { abort(); }
int main(int count, char **arguments) {
    unsigned char line[16] = "";
    int status = 0;
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
    setvbuf(stdout, NULL, _IOFBF, 4096);
    atexit(never);
    if (read(0, line, sizeof line) <= 0) _Exit(1);
    printf("%d", line[1]);
    sum += line[1] / 2u;
    if (count > 1) _exit(getpid() % 250);
    switch (line[0] % 4) {
    case 0: sigaltstack(&stack, NULL); sigaction(SIGUSR1, &action, NULL); raise(SIGUSR1); break;
    case 1: if (vfork() == 0) _exit(line[2]); wait(&status); sum += (unsigned)WEXITSTATUS(status); break;
    case 2: if (line[2] > 128) leave(3); break;
    default: break;
    }
    (void)arguments;
    _exit((int)(sum % 200));
}
"""


def test_programs_that_leave_at_once_have_further_runs(tmp_path: Path) -> None:
    program, inputs = build(tmp_path, LEAVES_AT_ONCE), random_inputs(10)
    assert read_program_map(program).containment.contained
    alone = outcomes(program, inputs, 1)
    assert outcomes(program, inputs, OFTEN) == alone
    assert len({str(exit) for exit, *_ in alone}) > 50
    if len(numbers(build(tmp_path, TELLS_ITS_NUMBER), OFTEN)) < 60:
        with Session(build(tmp_path, LEAVES_AT_ONCE), SessionSettings(("number",), STDIN, most_runs=OFTEN)) as session:
            assert len({session.run(data).exit.code for data in inputs[:60]}) < 20


# What it is like in the locale before and after it is set, by line: at the end it is another one than at the beginning.
SETS_LOCALE = r"""
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
static unsigned state(void) {
    wchar_t wide = 0;
    const char *name = setlocale(LC_ALL, NULL), *codes = nl_langinfo(CODESET);
    unsigned sum = (unsigned)MB_CUR_MAX + (unsigned)strlen(name) + (unsigned)strlen(codes) + (unsigned char)name[0];
    return sum + (unsigned)mbtowc(&wide, "\xc3\xa4", 2) + 3u * (unsigned)wide + 5u * (unsigned)towupper(0xe4);
}
int main(int count, char **arguments) {
    unsigned char line[16] = "";
    unsigned sum = state();
    if (fread(line, 1, sizeof line, stdin) == 0) return 1;
    sum += 7u * (setlocale(line[0] % 2 ? LC_ALL : LC_CTYPE, line[0] % 4 == 3 ? "C" : "") != NULL) + 11u * state();
    if (line[1] > 100) sum += 13u * (setlocale(LC_ALL, line[1] > 200 ? "nowhere" : "POSIX") == NULL) + 17u * state();
    (void)arguments;
    return count > 1 ? getpid() % 250 : (int)(sum % 200);
}
"""


def locale_settings(most_runs: int, sets_locale: bool, *arguments: str) -> SessionSettings:
    environment = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    return SessionSettings(
        arguments, STDIN, environment=environment, most_runs=most_runs, sets_locale=sets_locale, uses_files=False
    )


def test_a_locale_that_is_loaded_once_is_set_in_each_run(tmp_path: Path) -> None:
    program, found = build(tmp_path, SETS_LOCALE), []
    containment = read_program_map(program).containment
    assert containment.contained and containment.sets_locale
    for most_runs, sets_locale in ((1, False), (1, True), (OFTEN, True)):
        with Session(program, locale_settings(most_runs, sets_locale)) as session:
            paths = [session.run(data) for data in random_inputs(8)]
        found.append([(path.exit, path.event_bytes, path.constraint_bytes, path.input_used) for path in paths])
    assert found[0] == found[1] == found[2]
    assert len({str(exit) for exit, *_ in found[0]}) > 3


ASKS_FOR_ERRNO = r"""
#include <errno.h>
#include <locale.h>
#include <stdio.h>
int main(void) {
    int before = errno;
    setlocale(LC_ALL, "");
    int first = errno;
    errno = 3;
    setlocale(LC_CTYPE, "");
    return getchar() == 'a' ? 100 + 10 * before + first : errno;
}
"""


@pytest.mark.parametrize("text", [b"a", b"b"])
def test_a_locale_that_is_loaded_once_leaves_errno_as_in_the_plain_program(tmp_path: Path, text: bytes) -> None:
    program, settings = build(tmp_path, ASKS_FOR_ERRNO), locale_settings(OFTEN, True)
    by_hand = subprocess.run([program], input=text, env=dict(settings.environment or {})).returncode
    with Session(program, settings) as session:
        codes = {session.run(len(text).to_bytes(4, "little") + text).exit.code for _ in range(20)}
    assert codes == {by_hand}


def test_a_process_that_sets_its_locale_has_further_runs(tmp_path: Path) -> None:
    if len(numbers(build(tmp_path, TELLS_ITS_NUMBER), OFTEN)) == 60:
        pytest.skip("the kernel does not tell which pages a process has written to")
    with Session(build(tmp_path, SETS_LOCALE), locale_settings(OFTEN, True, "number")) as session:
        exits = [session.run(data).exit for data in random_inputs(9)[:60]]
    assert len({exit.code for exit in exits}) < 20


EMPTY_ASSEMBLY = r"""
#include <stdio.h>
#include <unistd.h>
int main(void) {
    __asm__ volatile("" ::: "memory");
    return getpid() % 250 + (getchar() == 'x');
}
"""


def test_assembly_without_instructions_leaves_nothing(tmp_path: Path) -> None:
    if len(numbers(build(tmp_path, TELLS_ITS_NUMBER), OFTEN)) == 60:
        pytest.skip("the kernel does not tell which pages a process has written to")
    assert len(numbers(build(tmp_path, EMPTY_ASSEMBLY), OFTEN)) < 20


def test_a_main_that_is_not_instrumented_may_do_anything(tmp_path: Path) -> None:
    main = tmp_path / "main.c"
    main.write_text('int twice(int);\n#include <unistd.h>\nint main(void) { return chdir("/") + twice(2); }\n')
    subprocess.run(["cc", "-c", str(main), "-o", str(tmp_path / "main.o")], check=True)
    program = build(tmp_path, "int twice(int x) { return 2 * x; }\n", tmp_path / "main.o")
    assert read_program_map(program).containment == strange("a main that is not instrumented")


def test_functions_of_other_files_are_the_programs_own(tmp_path: Path) -> None:
    other = tmp_path / "other.c"
    other.write_text("int twice(int x) { return 2 * x; }\n")
    program = build(tmp_path, "int twice(int);\nint main(void) { return twice(2); }\n", other)
    assert read_program_map(program).containment.contained


# As GNU programs do with `close_stdout`: the unit only declares the function whose address it takes.
AT_EXIT = r"""
#include <stdlib.h>
#include <unistd.h>
void goodbye(void);
int main(void) {
    if (atexit(goodbye)) return 251;
    return getpid() % 250;
}
"""


def test_addresses_of_the_programs_own_functions_leave_nothing(tmp_path: Path) -> None:
    if len(numbers(build(tmp_path, TELLS_ITS_NUMBER), OFTEN)) == 60:
        pytest.skip("the kernel does not tell which pages a process has written to")
    other = tmp_path / "other.c"
    other.write_text("void goodbye(void) {}\n")
    program = build(tmp_path, AT_EXIT, other)
    containment = read_program_map(program).containment
    assert containment.contained and not containment.takes_addresses
    assert len(numbers(program, OFTEN, takes_addresses=False)) < 20
    assert len(numbers(program, OFTEN, takes_addresses=True)) == 60


# Memory that a run maps is given back by itself, or by us; what it takes away is not.
MAPS = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#define ROOM 262144
static char page[8192] __attribute__((aligned(4096)));
static char *map(size_t size, int flags) {
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | flags, -1, 0);
}
int main(void) {
    unsigned char line[16] = "";
    char *room = map(ROOM, MAP_ANONYMOUS);
    unsigned sum = (unsigned char)room[4096] + 3u * (unsigned char)page[0]++; /* if it is there */
    if (fread(line, 1, sizeof line, stdin) == 0) return getpid() % 250;
    room[4096] = (char)line[1];
    switch (line[0] % 6) {
    case 0: break;
    case 1: map(4096, MAP_ANONYMOUS); munmap(room, ROOM); break;
    case 2: memset(map(ROOM, MAP_ANONYMOUS), line[1], ROOM); munmap(room, ROOM); break;
    case 3: munmap(room, 4096); munmap(room + 4096, ROOM - 4096); break;
    case 4: munmap(page, 4096); munmap(room, ROOM); break;
    default: munmap(room, ROOM);
    }
    return (int)((sum + line[1] % 8u) % 200);
}
"""


def test_what_is_mapped_is_given_back(tmp_path: Path) -> None:
    program, inputs = build(tmp_path, MAPS), random_inputs(10)
    assert read_program_map(program).containment.contained
    alone = outcomes(program, inputs, 1)
    assert outcomes(program, inputs, OFTEN) == alone
    assert len({str(exit) for exit, *_ in alone}) > 6


def test_a_process_that_unmaps_what_it_mapped_has_further_runs(tmp_path: Path) -> None:
    if len(numbers(build(tmp_path, TELLS_ITS_NUMBER), OFTEN)) == 60:
        pytest.skip("the kernel does not tell which pages a process has written to")
    text = MAPS.replace("return getpid() % 250;", "return munmap(room, ROOM) ? 251 : getpid() % 250;")
    assert len(numbers(build(tmp_path, text), OFTEN)) < 20


# A library that nobody has instrumented: it counts, changes its process, and calls back.
LIBRARY = r"""
#include <unistd.h>
static int count = 5;
int other_count(int more) { return count += more; }
int other_moves(void) { return chdir("/usr"); }
int other_asks(int (*ask)(int)) { return ask(count); }
"""
CALLS_LIBRARY = r"""
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int other_count(int), other_moves(void), other_asks(int (*)(int));
static int twice(int number) { return 2 * number; }
int main(void) {
    unsigned char line[16] = "";
    char folder[4096] = "";
    if (fread(line, 1, sizeof line, stdin) == 0) return getpid() % 250;
    int sum = getcwd(folder, sizeof folder) != NULL ? (int)strlen(folder) : 0;
    switch (line[0] % 8) {
    case 0: sum += other_count(line[1]); break;
    case 1: sum += other_moves() + other_count(3); break;
    case 2: sum += other_asks(twice); break;
    default: sum += line[1] > 128;
    }
    return sum % 200;
}
"""


def build_with_library(folder: Path, text: str, library: str, *more: Path) -> Path:
    (folder / "other.c").write_text(library)
    shared = folder / "libother.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-Wl,-soname,libother.so", folder / "other.c", "-o", shared], check=True)
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    build_program([source, *more, shared], program, (f"-Wl,-rpath,{folder}",))
    return program


@pytest.mark.parametrize(
    ("change", "other_file", "containment"),
    [
        (("", ""), "", FILES),
        (
            ("sum += other_count(line[1])", "{ int (*volatile c)(int) = other_count; sum += c(line[1]); }"),
            "",
            ADDRESSES,
        ),
        (
            (
                "sum += other_count(line[1])",
                "sum += (line[1] > 128 ? other_count : (twice(line[1]), twice))(line[1] / 2)",
            ),
            "",
            ADDRESSES,
        ),
        (
            ("static int twice(int number) { return 2 * number; }", "int twice(int);"),
            "int twice(int x) { return 2 * x; }\n",
            FILES,
        ),
    ],
    ids=["by name", "by an address that code takes", "by one of two addresses", "with a function of another file"],
)
def test_a_process_goes_on_until_a_library_that_is_not_instrumented_was_called(
    change: tuple[str, str], other_file: str, containment: Containment, tmp_path: Path
) -> None:
    text, more = CALLS_LIBRARY.replace(*change), tmp_path / "more.c"
    more.write_text(other_file or "extern int nothing;\n")
    program, inputs = build_with_library(tmp_path, text, LIBRARY, more), random_inputs(8)
    assert read_program_map(program).containment == containment
    alone = outcomes(program, inputs, 1)
    assert outcomes(program, inputs, OFTEN) == alone
    assert len({str(exit) for exit, *_ in alone}) > 8
    if len(numbers(build(tmp_path, TELLS_ITS_NUMBER), OFTEN)) < 60:  # else the kernel does not tell about pages
        assert len(numbers(build_with_library(tmp_path, text, LIBRARY, more), OFTEN)) < 20


OWN_FUNCTION = r"""
#include <stdio.h>
int other_count(int), other_moves(void);
int main(int argc, char **argv) {
    if (argc > 5) return other_moves();
    return other_count(getchar()) == 7 ? 3 : 4;
}
"""


def test_functions_of_the_program_that_a_library_has_too_are_no_calls_of_the_library(tmp_path: Path) -> None:
    own = tmp_path / "own.c"
    own.write_text("int other_count(int more) { return more == 'q' ? 7 : more; }\n")
    program = build_with_library(tmp_path, OWN_FUNCTION, LIBRARY, own)
    assert noted_functions(program) == {"other_moves"}
    assert read_program_map(program).uninstrumented == ()


@pytest.mark.parametrize(
    ("change", "known"),
    [
        (
            ("switch", "static int (*volatile count)(int) = other_count;\n    switch"),
            strange("other_count"),
        ),  # it is handed on
        (("int other_moves", "int rand(void) { return count++; }\nint other_moves"), anything("libother.so")),
    ],
)
def test_libraries_that_may_be_called_unseen_keep_a_process_for_each_run(
    change: tuple[str, str], known: Containment, tmp_path: Path
) -> None:
    program = build_with_library(tmp_path, CALLS_LIBRARY.replace(*change), LIBRARY.replace(*change))
    assert read_program_map(program).containment == known


def test_a_program_is_to_be_linked_again_when_its_library_is_instrumented_later(tmp_path: Path) -> None:
    program = build_with_library(tmp_path, CALLS_LIBRARY, LIBRARY)
    assert read_program_map(program).uninstrumented == ()
    assert compile_and_link(["-shared", "-fPIC", f"{tmp_path}/other.c", "-o", f"{tmp_path}/libother.so"]) == 0
    found = read_program_map(program).uninstrumented
    assert len(found) == 3 and all("link it again" in each for each in found)
    again = tmp_path / "again"
    build_program([tmp_path / "program.c", tmp_path / "libother.so"], again, (f"-Wl,-rpath,{tmp_path}",))
    assert read_program_map(again).uninstrumented == () and read_program_map(again).containment.contained
    assert outcomes(again, random_inputs(8), OFTEN) == outcomes(again, random_inputs(8), 1)
