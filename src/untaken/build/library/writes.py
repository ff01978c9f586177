"""What functions of the C library write through their arguments. They are not instrumented: after a call, labels that
were on this memory before are those of something else, even if the same bytes were written.

Functions that have a model are not here; models see to that themselves. Sizes are those of Linux on x86-64; a test asks
the compiler.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class When(Enum):
    """Which results say that something was written."""

    ALWAYS = "always"
    ZERO = "zero"
    NOT_NEGATIVE = "not negative"
    SOME = "some"  # neither zero nor a null pointer


class Amount(Enum):
    """How the size of what was written is found."""

    FIXED = "fixed"  # that many bytes
    ARGUMENT = "argument"  # the argument with this number says it, in units
    BEHIND = "behind"  # the 32 bits that the argument with this number points to say it
    RESULT = "result"  # the function returned it, in units
    STRING = "string"  # up to the end of the string that is there now


@dataclass(frozen=True, slots=True)
class Write:
    """One argument that is written through."""

    argument: int
    amount: Amount
    number: int = 0
    unit: int = 1


@dataclass(frozen=True, slots=True)
class Writes:
    """All that one function of the library writes to, and when."""

    when: When
    places: tuple[Write, ...]


SIZES = {
    "int": 4,
    "long": 8,
    "float": 4,
    "double": 8,
    "pointer": 8,
    "struct rlimit": 16,
    "struct rusage": 144,
    "struct statfs": 120,
    "struct statvfs": 112,
    "struct statx": 256,
    "struct utsname": 390,
    "struct tms": 32,
    "struct sysinfo": 112,
    "struct itimerval": 32,
    "struct timex": 208,
    "struct timespec": 16,
    "struct timeval": 16,
    "struct itimerspec": 32,
    "struct tm": 56,
    "struct sigaction": 152,
    "struct termios": 60,
    "struct passwd": 48,
    "struct group": 32,
    "struct sched_param": 4,
    "struct drand48_data": 24,
    "struct random_data": 48,
    "struct mq_attr": 64,
    "struct shmid_ds": 112,
    "struct msqid_ds": 120,
    "struct in_addr": 4,
    "siginfo_t": 128,
    "sigset_t": 128,
    "stack_t": 24,
    "glob_t": 72,
    "regex_t": 64,
    "ucontext_t": 968,
    "jmp_buf": 200,
    "pthread_t": 8,
    "pthread_attr_t": 56,
    "pthread_mutex_t": 40,
    "pthread_cond_t": 48,
    "pthread_mutexattr_t": 4,
    "pthread_rwlock_t": 56,
    "pthread_key_t": 4,
    "sem_t": 32,
    "timer_t": 8,
    "fpos_t": 16,
    "mbstate_t": 8,
}

# Each line: when; functions; then what they write: the number of the argument, and its type, or `arg NUMBER UNIT`,
# `behind NUMBER`, `result UNIT`, `string`.
_TABLE = """
zero; getrlimit getrlimit64; 1 struct rlimit
zero; getrusage; 1 struct rusage
zero; prlimit prlimit64; 3 struct rlimit
zero; uname; 0 struct utsname
zero; sysinfo; 0 struct sysinfo
not negative; times; 0 struct tms
zero; statfs statfs64 fstatfs fstatfs64; 1 struct statfs
zero; statvfs statvfs64 fstatvfs fstatvfs64; 1 struct statvfs
zero; statx; 4 struct statx
not negative; adjtimex; 0 struct timex
zero; getitimer; 1 struct itimerval
zero; setitimer; 2 struct itimerval
zero; clock_getres; 1 struct timespec
always; timespec_get; 0 struct timespec
zero; timer_create; 2 timer_t
zero; timer_gettime; 1 struct itimerspec
zero; timer_settime timerfd_settime; 3 struct itimerspec
zero; timerfd_gettime; 1 struct itimerspec
some; localtime_r gmtime_r; 1 struct tm
always; mktime timegm timelocal; 0 struct tm
some; strptime; 2 struct tm
some; asctime_r ctime_r; 1 string
zero; sigaction; 2 struct sigaction
zero; sigprocmask pthread_sigmask; 2 sigset_t
zero; sigemptyset sigfillset sigpending; 0 sigset_t
zero; sigaltstack; 1 stack_t
zero; sigwait; 1 int
not negative; sigwaitinfo sigtimedwait; 1 siginfo_t
zero; getcontext; 0 ucontext_t
always; setjmp _setjmp __sigsetjmp; 0 jmp_buf
zero; tcgetattr; 1 struct termios
always; cfmakeraw; 0 struct termios
zero; pipe pipe2; 0 long
zero; socketpair; 3 long
zero; getsockname getpeername; 1 behind 2; 2 int
zero; getsockopt; 3 behind 4; 4 int
zero; getaddrinfo; 3 pointer
some; inet_ntop; 2 string
not negative; inet_aton; 1 struct in_addr
zero; gethostname getlogin_r; 0 string
zero; ttyname_r ptsname_r; 1 string
some; getcwd; 0 string
not negative; readlink; 1 result
not negative; readlinkat; 2 result
some; tmpnam tmpnam_r mktemp mkdtemp; 0 string
not negative; mkstemp mkostemp mkstemps; 0 string
zero; __xpg_strerror_r; 1 string
zero; getresuid getresgid; 0 int; 1 int; 2 int
zero; getpwnam_r getpwuid_r; 1 struct passwd; 4 pointer
zero; getgrnam_r getgrgid_r; 1 struct group; 4 pointer
not negative; sched_getaffinity; 2 arg 1
zero; sched_getparam; 1 struct sched_param
zero; sched_rr_get_interval; 1 struct timespec
zero; pthread_create; 0 pthread_t
zero; pthread_join; 1 pointer
zero; pthread_attr_init; 0 pthread_attr_t
zero; pthread_mutex_init; 0 pthread_mutex_t
zero; pthread_mutexattr_init; 0 pthread_mutexattr_t
zero; pthread_cond_init; 0 pthread_cond_t
zero; pthread_rwlock_init; 0 pthread_rwlock_t
zero; pthread_key_create; 0 pthread_key_t
zero; sem_init; 0 sem_t
zero; sem_getvalue; 1 int
zero; mq_getattr; 1 struct mq_attr
not negative; mq_receive; 1 result
not negative; shmctl; 2 struct shmid_ds
not negative; msgctl; 2 struct msqid_ds
zero; fgetpos fgetpos64; 1 fpos_t
always; frexp frexpf; 1 int
always; modf; 1 double
always; modff; 1 float
always; remquo remquof; 2 int
always; lgamma_r lgammaf_r; 1 int
always; sincos; 1 double; 2 double
always; sincosf; 1 float; 2 float
always; rand_r; 0 int
zero; srand48_r seed48_r; 1 struct drand48_data
zero; drand48_r; 0 struct drand48_data; 1 double
zero; lrand48_r mrand48_r; 0 struct drand48_data; 1 long
zero; random_r; 0 struct random_data; 1 int
zero; regcomp; 0 regex_t
zero; regexec; 3 arg 2 8
always; regerror; 2 arg 3
zero; glob glob64; 3 glob_t
always; swab; 1 arg 2
not negative; getgroups; 1 result 4
not negative; wctomb wcrtomb wcstombs; 0 result
"""


def _read_place(text: str) -> Write:
    argument, what = text.strip().split(" ", 1)
    if what in SIZES:
        return Write(int(argument), Amount.FIXED, SIZES[what])
    match what.split():
        case ["arg", number, *unit]:
            return Write(int(argument), Amount.ARGUMENT, int(number), int(unit[0]) if unit else 1)
        case ["behind", number]:
            return Write(int(argument), Amount.BEHIND, int(number))
        case ["result", *unit]:
            return Write(int(argument), Amount.RESULT, unit=int(unit[0]) if unit else 1)
        case ["string"]:
            return Write(int(argument), Amount.STRING)
    raise ValueError(text)


def _read_table() -> dict[str, Writes]:
    found: dict[str, Writes] = {}
    for line in _TABLE.strip().splitlines():
        when, names, *places = line.split(";")
        for name in names.split():
            found[name] = Writes(When(when), tuple(map(_read_place, places)))
    return found


WRITES = _read_table()
