"""Which functions of the C library read what their arguments point to.

They have no model: a call is named if there is input where they look. Of a function that computes, or has to do with
files and processes, that is believed of each pointer, unless it is known to write there: one that nobody thought of
would hide input without a word. Functions of other libraries are not here. Sizes are those of Linux on x86-64.
"""

from __future__ import annotations

from dataclasses import dataclass

from untaken.build.library.contained_functions import COMPUTES, HANDLES_FILES, LEAVES_TRACES
from untaken.build.library.writes import WRITES

_CONVERSIONS = """
    a64l getdate nan nanf nanl strfmon strptime strtold strtoq strtouq strtod_l strtof_l strtol_l strtoll_l strtoul_l
    strtoull_l
"""
_COMPARISONS = "rpmatch strcasecmp_l strcasestr strcoll_l strncasecmp_l strverscmp strxfrm strxfrm_l tfind tsearch"
_PATTERNS = "glob regcomp regexec wordexp lfind lsearch hsearch"
_WIDE = """
    swscanf wcscasecmp wcscat wcscoll wcscspn wcsdup wcsncat wcsncasecmp wcsncpy wcspbrk wcsrchr wcsspn wcsstr wcstod
    wcstok wcstol wcstoll wcstombs wcstoul wcstoull wcswidth wcsxfrm wmemchr wmemcmp __mbstowcs_chk __isoc99_swscanf
    __isoc23_swscanf __isoc23_wcstol __isoc23_wcstoul
"""
_PATHS = """
    basename dirname __xpg_basename chdir chmod chown dlopen dlsym ftw lchown link lutimes mkdir mkfifo mknod nftw
    pathconf readlink rmdir scandir statfs statvfs symlink truncate utime utimes
"""
_SYSTEM = """
    crypt getenv getgrnam getgrnam_r getpwnam getpwnam_r getspnam secure_getenv setenv unsetenv putenv
    ether_aton getaddrinfo gethostbyname gethostbyname2 gethostbyname_r getprotobyname getservbyname if_nametoindex
    inet_addr inet_aton inet_network inet_pton
"""
_TABLES = """
    fgetgrent fgetpwent fgetspent putgrent putpwent sgetspent addmntent hasmntopt getaliasbyname getnetbyname
    getnetgrent innetgr getrpcbyname ether_hostton ether_line ether_ntoa ether_ntoa_r ether_ntohost
"""
_MESSAGES = """
    dn_comp dn_expand dn_skipname ns_get16 ns_get32 ns_initparse ns_name_ntop ns_name_pton ns_name_uncompress
    ns_parserr ns_skiprr ns_sprintrr res_query res_search b64_ntop b64_pton inet6_opt_find inet6_opt_next
    inet6_rth_getaddr inet6_rth_segments inet_net_ntop inet_net_pton inet_neta inet_nsap_addr
"""
_OTHERS = "fmemopen ftok getdate_r mq_open sigandset sigorset dlmopen parse_printf_format setstate wcswcs"
_TEXTS = (_CONVERSIONS, _COMPARISONS, _PATTERNS, _WIDE, _PATHS, _SYSTEM, _TABLES, _MESSAGES, _OTHERS)
STRINGS = frozenset(" ".join(_TEXTS).split())
# They take blocks to give them back or to ask about them, and objects of the library's own.
_LOOKS_AT_NOTHING = frozenset(
    """
    free cfree realloc reallocarray malloc_usable_size munmap madvise posix_madvise mprotect mlock munlock msync mincore
    shmdt closedir readdir readdir64 rewinddir dirfd telldir seekdir fts_read fts_close freeaddrinfo freeifaddrs
    endmntent dlclose iconv_close catclose freelocale hdestroy hdestroy_r twalk twalk_r tdestroy tdelete regfree
    regerror globfree globfree64 wordfree obstack_free _obstack_free _obstack_newchunk _obstack_begin _obstack_begin_1
    _obstack_allocated_p _obstack_memory_used sem_wait sem_trywait sem_post sem_init sem_destroy sem_close
    explicit_bzero __explicit_bzero_chk bzero memset __memset_chk arc4random_buf getrandom getentropy
    recv recvfrom getgroups getloadavg wait waitpid wait3 wait4 waitid
    pthread_create pthread_join pthread_exit pthread_cond_wait pthread_cond_timedwait thrd_create thrd_join
    fclose fopencookie readdir_r readdir64_r syscall ioctl fcntl fcntl64
    initstate initstate_r srandom_r srand48_r mbsinit
    getcontext setcontext swapcontext makecontext pthread_barrier_wait pthread_barrier_destroy cnd_init cnd_signal
    cnd_broadcast cnd_wait cnd_destroy thrd_exit mcheck mprobe register_printf_function register_printf_modifier
    register_printf_specifier register_printf_type
    """.split()
)
# The argument points to a pointer to the string.
BEHIND = frozenset("getsubopt iconv mbsnrtowcs mbsrtowcs wcsnrtombs wcsrtombs".split())


@dataclass(frozen=True, slots=True)
class ReadObject:
    """An argument by its number, and how many bytes are read where it points to."""

    argument: int
    size: int


# Of the printf family that writes elsewhere than to memory: which argument is the format.
_FORMAT_AT = (
    "printf vprintf warn warnx vwarn vwarnx",
    "fprintf vfprintf dprintf vdprintf syslog vsyslog err errx verr verrx __printf_chk __vprintf_chk",
    "error __fprintf_chk __vfprintf_chk __dprintf_chk __vdprintf_chk __syslog_chk __vsyslog_chk",
)
FORMATS = {name: position for position, names in enumerate(_FORMAT_AT) for name in names.split()}

_TIME, _CALENDAR, _DRAND = 8, 36, 6  # time_t; struct tm up to tm_isdst; three numbers of 16 bits
_OF_TIME = "ctime ctime_r gmtime gmtime_r localtime localtime_r __gmtime64 __localtime64"
_OF_CALENDAR = "asctime asctime_r mktime timegm timelocal"
_OF_TERMINALS = "cfgetispeed cfgetospeed cfsetispeed cfsetospeed cfsetspeed cfmakeraw"
_OF_ATTRIBUTES = "getstacksize setstacksize setdetachstate"
_OF_SIGNALS = "sigaddset sigdelset sigismember sigisemptyset sigsuspend"
OBJECTS = {
    **{name: ReadObject(0, _TIME) for name in _OF_TIME.split()},
    **{name: ReadObject(0, _CALENDAR) for name in _OF_CALENDAR.split()},
    "wcsftime": ReadObject(3, _CALENDAR),
    **{name: ReadObject(0, _DRAND) for name in "erand48 nrand48 jrand48 seed48".split()},
    "rand_r": ReadObject(0, 4),
    "swab": ReadObject(0, 2),  # at least
    "__sched_cpucount": ReadObject(1, 128),
    **{name: ReadObject(0, 128) for name in _OF_SIGNALS.split()},
    **{name: ReadObject(0, 60) for name in _OF_TERMINALS.split()},
    **{f"pthread_attr_{name}": ReadObject(0, 56) for name in _OF_ATTRIBUTES.split()},
    "pthread_mutexattr_gettype": ReadObject(0, 4),
    "sigaction": ReadObject(1, 152),
    "sigaltstack": ReadObject(0, 24),
    "fsetpos": ReadObject(1, 16),
    "fsetpos64": ReadObject(1, 16),
    "call_once": ReadObject(0, 4),
    "pthread_once": ReadObject(0, 4),
    "clock_nanosleep": ReadObject(2, 16),
    "sem_getvalue": ReadObject(0, 32),
    "sigprocmask": ReadObject(1, 128),
    "pthread_sigmask": ReadObject(1, 128),
    "timerfd_settime": ReadObject(2, 32),
    "epoll_ctl": ReadObject(3, 12),
    "semop": ReadObject(1, 6),
    "utime": ReadObject(1, 16),
    "utimes": ReadObject(1, 32),
    "futimes": ReadObject(1, 32),
    "futimens": ReadObject(1, 32),
    "utimensat": ReadObject(2, 32),
    "dn_skipname": ReadObject(0, 1),
    "ether_ntoa": ReadObject(0, 6),
    "ether_ntoa_r": ReadObject(0, 6),
    "setrlimit": ReadObject(1, 16),
    "setrlimit64": ReadObject(1, 16),
    "inet_ntop": ReadObject(1, 16),  # of an IPv6 address; one of IPv4 has four
}

# What they are given is no text: a zero in it does not end it.
_BLOCKS = frozenset(
    """
    lfind lsearch tsearch tfind hsearch_r setsockopt bind connect send sendto sendmsg sendmmsg msgsnd msgctl shmctl
    semctl semtimedop tcsetattr prctl ptrace sched_setparam sched_setscheduler sched_setaffinity signalfd sigwait
    sigwaitinfo sigtimedwait sigandset sigorset sigset siginterrupt sigvec aio_write aio_write64 mq_send mq_timedsend
    mq_notify mq_setattr vmsplice writev pwritev pwritev2 timer_settime timerfd_settime clock_settime settimeofday
    adjtime adjtimex clock_adjtime ntp_adjtime setitimer setrlimit prlimit prlimit64 epoll_pwait epoll_pwait2
    canonicalize getpayload totalorder totalordermag
    """.split()
)
LOOKED_AT = 64  # of those, where nobody says how large they are

# They look at what is there before they write.
_READ_AND_WRITTEN = frozenset("mktemp mkdtemp mkstemp mkostemp mkstemps drand48_r lrand48_r mrand48_r random_r".split())
_WRITTEN_FIRST = frozenset(
    """
    mbstowcs mbsrtowcs mbsnrtowcs wcstombs wcsrtombs wcsnrtombs wcscpy wcsncpy wcpcpy wcpncpy wmemcpy wmemmove wmempcpy
    wmemset swprintf vswprintf strxfrm strxfrm_l wcsxfrm wcsxfrm_l strfromd strfromf strfroml strfmon strftime_l mbrtowc
    mbtowc mbrtoc8 mbrtoc16 mbrtoc32 wcrtomb wctomb c8rtomb c16rtomb c32rtomb __mbstowcs_chk
    """.split()
)
_LOOKS = (COMPUTES | HANDLES_FILES | LEAVES_TRACES | STRINGS | BEHIND | OBJECTS.keys()) - _LOOKS_AT_NOTHING


def reads_behind_pointers(name: str) -> bool:
    """Whether a function of the library may look at what its arguments point to."""
    return name in _LOOKS


def is_read(name: str, argument: int) -> bool:
    """Whether such a function may look behind that pointer."""
    if (known := OBJECTS.get(name)) is not None and known.argument == argument:
        return True
    if known is not None and name not in STRINGS:
        return False
    return name in _READ_AND_WRITTEN or argument not in _written(name)


def size_read(name: str, argument: int) -> int | None:
    """How many bytes such a function may read there; None: a text, or nobody knows."""
    known = OBJECTS.get(name)
    if known is not None and known.argument == argument:
        return known.size
    return LOOKED_AT if name in _BLOCKS else None


def _written(name: str) -> set[int]:
    """The arguments behind which a function writes."""
    known = WRITES.get(name)
    first = {0} if name in _WRITTEN_FIRST else set()
    return first if known is None else {place.argument for place in known.places} | first
