"""Which programs leave nothing behind but memory and open files: then one process can be used for many runs
(runtime/process/reuse.c).

A program is contained if all that it calls is its own, instrumented code, or one of these library functions: they
compute, allocate, read and write, or set signal handlers and masks, which are put back. Whatever else maps, locks or
starts something, or changes the process itself, as chdir does, is not among them. (What the files hold is another
matter: see execute/copies.py.)

Some functions that leave more behind are in many programs but in few of their runs: system, say. Where such a function
is called by its name, the program notes that it does so, and a process that has noted it has no further run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from untaken.model.mathematics import NUMBERS
from untaken.model.program import Containment

_INTERFACES = ("llvm.", "untaken_", "klee_", "__VERIFIER_", "__Crest")
_MODEL = "untaken_model_"
_OWN_LIBRARIES = frozenset({"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"})
ASSEMBLY = "asm"

_MEMORY = """
    malloc calloc realloc reallocarray free aligned_alloc memalign posix_memalign alloca
    memcpy memmove memset memcmp memchr memrchr mempcpy memccpy memmem bcmp bcopy bzero rawmemchr
    __memcpy_chk __memmove_chk __memset_chk __mempcpy_chk __stack_chk_fail
"""
_STRINGS = """
    strlen strnlen strcpy strncpy stpcpy stpncpy strcat strncat strcmp strncmp strcasecmp strncasecmp strcoll strxfrm
    strchr strrchr strchrnul strstr strcasestr strpbrk strspn strcspn strtok strtok_r strsep strdup strndup strerror
    index rindex ffs ffsl ffsll strverscmp basename
    __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk __stpcpy_chk __stpncpy_chk __strdup __strndup
    __xpg_strerror_r strlcpy strlcat __xpg_basename strsignal fnmatch
    regcomp regexec regerror regfree re_compile_pattern re_compile_fastmap re_search re_search_2 re_match re_match_2
    re_set_syntax re_set_registers
"""
_CHARACTERS = """
    isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit
    tolower toupper toascii __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc
    __ctype_get_mb_cur_max
"""
_WIDE_CHARACTERS = """
    mblen mbtowc wctomb mbstowcs wcstombs mbrlen mbrtowc wcrtomb mbsinit btowc wctob wcwidth
    iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit
    towlower towupper wcslen wcscpy wcsncpy wcscat wcscmp wcsncmp wcschr wcsrchr wcsstr wmemcpy wmemset wmemcmp wmemchr
    wctype iswctype wcswidth mbsrtowcs wcsrtombs
"""
_NUMBERS = """
    atoi atol atoll atof strtol strtoul strtoll strtoull strtoimax strtoumax strtof strtod strtold
    __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull __isoc23_strtoimax __isoc23_strtoumax
    abs labs llabs div ldiv lldiv rand srand rand_r random srandom drand48 srand48 lrand48 mrand48 erand48
    qsort qsort_r bsearch htons htonl ntohs ntohl
    sqrt sqrtf fabs fabsf floor floorf ceil ceilf
    round roundf lround lroundf llround trunc truncf rint rintf lrint nearbyint modf modff frexp
    copysign copysignf fmin fminf fmax fmaxf nan __isnan __isinf __finite __isnanf __isinff
    __fpclassify __fpclassifyf __signbit __signbitf getrandom arc4random
"""
_INPUT_STREAMS = """
    getchar getc fgetc getchar_unlocked getc_unlocked fgets gets fread getline getdelim ungetc _IO_getc
    __fgets_chk __fread_chk __read_chk fread_unlocked fgets_unlocked __uflow read
    scanf fscanf vscanf vfscanf __isoc99_scanf __isoc99_fscanf __isoc99_vscanf __isoc99_vfscanf
    __isoc23_scanf __isoc23_fscanf __isoc23_vscanf __isoc23_vfscanf
"""
_STREAMS = """
    putchar putc fputc putchar_unlocked putc_unlocked puts fputs fwrite perror _IO_putc
    printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf dprintf asprintf vasprintf
    __printf_chk __fprintf_chk __sprintf_chk __snprintf_chk __vprintf_chk __vfprintf_chk __vsprintf_chk __vsnprintf_chk
    __asprintf_chk __vasprintf_chk sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf
    feof ferror clearerr fflush fileno fseek ftell fseeko ftello rewind setbuf setvbuf setlinebuf
    feof_unlocked ferror_unlocked fputs_unlocked fwrite_unlocked __overflow
    clearerr_unlocked fflush_unlocked fputc_unlocked __fpending __freading __fwriting error error_at_line
    write lseek isatty
"""
_FILES = """
    open open64 openat creat close dup dup2 pipe fopen fopen64 fdopen freopen fclose tmpfile mkstemp mkdtemp
    opendir readdir readdir64 closedir rewinddir pread pwrite readv writev truncate ftruncate fsync fdatasync
    stat fstat lstat stat64 fstat64 lstat64 access readlink realpath getcwd unlink remove rename mkdir rmdir
    symlink link setlocale localeconv nl_langinfo bindtextdomain textdomain gettext dcgettext dgettext ngettext
    fdopendir dirfd mkostemp mktemp chmod fchmod fchmodat chown fchown lchown fchownat
    utime utimes futimesat futimens utimensat unlinkat renameat linkat symlinkat readlinkat mkdirat
    faccessat eaccess fstatat fstatat64 statfs fstatfs pathconf fpathconf
"""
_PROCESS = """
    exit _exit _Exit abort atexit __cxa_atexit __assert_fail __assert reach_error __errno_location getenv secure_getenv
    setjmp _setjmp __sigsetjmp longjmp _longjmp siglongjmp
    getopt getopt_long getopt_long_only argp_parse time clock clock_gettime gettimeofday difftime gmtime_r asctime_r
    gmtime localtime localtime_r mktime timegm asctime ctime ctime_r strftime tzset
    setenv putenv unsetenv getrlimit sigemptyset sigfillset sigaddset sigdelset sigismember
    sleep usleep nanosleep sched_yield getpid getppid getuid geteuid getgid getegid sysconf getpagesize
"""
_SIGNALS = """
    signal sigaction sigprocmask pthread_sigmask sigaltstack siginterrupt sigpending raise umask __sysv_signal
"""
_NOTED = """
    system popen pclose fork vfork wait waitpid wait3 wait4 kill killpg posix_spawn posix_spawnp
    execl execlp execle execv execvp execve execvpe fcntl fcntl64 ioctl chdir fchdir flock lockf
    alarm setitimer setrlimit nice setpriority getpwuid getpwnam getgrgid getgrnam
"""
# What is only asked: F_DUPFD, F_GETFD, F_GETFL, F_DUPFD_CLOEXEC; TCGETS, TIOCGWINSZ, FIONREAD.
_QUESTIONS = {"fcntl": (0, 1, 3, 1030), "fcntl64": (0, 1, 3, 1030), "ioctl": (0x5401, 0x5413, 0x541B)}
READING = frozenset(_INPUT_STREAMS.split())
_COMPUTING = (_MEMORY, _STRINGS, _CHARACTERS, _WIDE_CHARACTERS, _NUMBERS)
_PURE = frozenset(" ".join((*_COMPUTING, _INPUT_STREAMS, _STREAMS, _PROCESS)).split())
_PURE |= NUMBERS.keys()
_HANDLES_FILES = frozenset(_FILES.split())
_CHANGES_PROCESS = frozenset(_SIGNALS.split())
_LEAVES_TRACES = frozenset(_NOTED.split())
_NOTE = "noted:"  # before the name of such a function, if all that is done with it is to call it


def outside(declared: Iterable[str]) -> list[str]:
    """Of the functions that a unit calls but does not define: those that do more than compute, or another's own."""
    names = (name.removeprefix(_MODEL) for name in declared)
    return sorted({name for name in names if name not in _PURE and not name.startswith(_INTERFACES)})


def leaves_traces(callee: str, arguments: list[str]) -> bool:
    """Whether a call by name is to be noted; an argument is a number where it is a constant."""
    name = callee.removeprefix(_MODEL)
    second = arguments[1] if len(arguments) > 1 else ""
    question = second.isdigit() and int(second) in _QUESTIONS.get(name, ())
    return name in _LEAVES_TRACES and not question


def with_notes(outside: list[str], lines: list[str]) -> list[str]:
    """The same names, with a mark at those whose calls are all noted: nothing in the lines takes their address."""
    names = [name for name in outside if name in _LEAVES_TRACES]
    if not names:
        return outside
    named = re.compile(rf"@(?:{_MODEL})?({'|'.join(names)})(?![-\w$.])")
    called = re.compile(r"^\s*(?:%\S+ = )?(?:\w+ )?call [^@]*@[\w.]+\(")
    taken: set[str] = set()
    for line in lines:
        found = named.findall(line)
        call = called.match(line) if found else None
        if found and not (call and len(found) == 1 and named.search(call[0])):
            taken.update(found)
    return [_NOTE + name if name in names and name not in taken else name for name in outside]


def containment(called: Iterable[str], defined: Iterable[str], libraries: Iterable[str]) -> Containment:
    """That of a program of such units, linked with these libraries."""
    left = set(called).difference(defined)
    others = left - _CHANGES_PROCESS
    unknown = {name for name in others - _HANDLES_FILES if not name.startswith(_NOTE)}
    contained = not unknown and _OWN_LIBRARIES.issuperset(libraries)
    return Containment(contained, not contained or bool(others), left != others)
