"""The library functions that the runtime has a model of (runtime/libc/), with their types.

The instrumentation calls `untaken_model_strlen` in the place of `strlen` where the module declares it with the type
given here; a function of the same name but another type is some other function. A test compares this table with
what the C compiler makes of the models. Each dictionary is named after the C file, or the folder, of its models.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Model:
    """The type of a modelled function, in LLVM's terms."""

    result: str
    parameters: tuple[str, ...]
    variadic: bool = False


_ALLOCATION: dict[str, Model] = {
    "aligned_alloc": Model("ptr", ("i64", "i64")),
    "calloc": Model("ptr", ("i64", "i64")),
    "cfree": Model("void", ("ptr",)),
    "free": Model("void", ("ptr",)),
    "malloc": Model("ptr", ("i64",)),
    "memalign": Model("ptr", ("i64", "i64")),
    "posix_memalign": Model("i32", ("ptr", "i64", "i64")),
    "realloc": Model("ptr", ("ptr", "i64")),
    "reallocarray": Model("ptr", ("ptr", "i64", "i64")),
    "valloc": Model("ptr", ("i64",)),
}

_ARGP: dict[str, Model] = {
    "argp_parse": Model("i32", ("ptr", "i32", "ptr", "i32", "ptr", "ptr")),
}

_RANDOM: dict[str, Model] = {
    "arc4random": Model("i32", ()),
    "arc4random_buf": Model("void", ("ptr", "i64")),
    "arc4random_uniform": Model("i32", ("i32",)),
    "getentropy": Model("i32", ("ptr", "i64")),
    "getrandom": Model("i64", ("ptr", "i64", "i32")),
}

_FORK: dict[str, Model] = {
    "daemon": Model("i32", ("i32", "i32")),
    "fork": Model("i32", ()),
    "getppid": Model("i32", ()),
    "wait": Model("i32", ("ptr",)),
    "wait3": Model("i32", ("ptr", "i32", "ptr")),
    "wait4": Model("i32", ("i32", "ptr", "i32", "ptr")),
    "waitid": Model("i32", ("i32", "i32", "ptr", "i32")),
    "waitpid": Model("i32", ("i32", "ptr", "i32")),
}

_CLOCK: dict[str, Model] = {
    "clock": Model("i64", ()),
    "clock_gettime": Model("i32", ("i32", "ptr")),
    "gettimeofday": Model("i32", ("ptr", "ptr")),
    "time": Model("i64", ("ptr",)),
}

_COMPARE: dict[str, Model] = {
    "bcmp": Model("i32", ("ptr", "ptr", "i64")),
    "memcmp": Model("i32", ("ptr", "ptr", "i64")),
    "strcasecmp": Model("i32", ("ptr", "ptr")),
    "strcmp": Model("i32", ("ptr", "ptr")),
    "strcoll": Model("i32", ("ptr", "ptr")),
    "strncasecmp": Model("i32", ("ptr", "ptr", "i64")),
    "strncmp": Model("i32", ("ptr", "ptr", "i64")),
}

_CHARACTER_CLASSES: dict[str, Model] = {
    "__ctype_b_loc": Model("ptr", ()),
    "__ctype_tolower_loc": Model("ptr", ()),
    "__ctype_toupper_loc": Model("ptr", ()),
    "isalnum": Model("i32", ("i32",)),
    "isalpha": Model("i32", ("i32",)),
    "isascii": Model("i32", ("i32",)),
    "isblank": Model("i32", ("i32",)),
    "iscntrl": Model("i32", ("i32",)),
    "isdigit": Model("i32", ("i32",)),
    "isgraph": Model("i32", ("i32",)),
    "islower": Model("i32", ("i32",)),
    "isprint": Model("i32", ("i32",)),
    "ispunct": Model("i32", ("i32",)),
    "isspace": Model("i32", ("i32",)),
    "isupper": Model("i32", ("i32",)),
    "isxdigit": Model("i32", ("i32",)),
    "toascii": Model("i32", ("i32",)),
    "tolower": Model("i32", ("i32",)),
    "toupper": Model("i32", ("i32",)),
}

_DESCRIPTORS: dict[str, Model] = {
    "__open64_2": Model("i32", ("ptr", "i32")),
    "__open_2": Model("i32", ("ptr", "i32")),
    "__openat64_2": Model("i32", ("i32", "ptr", "i32")),
    "__openat_2": Model("i32", ("i32", "ptr", "i32")),
    "__pread64_chk": Model("i64", ("i32", "ptr", "i64", "i64", "i64")),
    "__pread_chk": Model("i64", ("i32", "ptr", "i64", "i64", "i64")),
    "__read_chk": Model("i64", ("i32", "ptr", "i64", "i64")),
    "access": Model("i32", ("ptr", "i32")),
    "close": Model("i32", ("i32",)),
    "creat": Model("i32", ("ptr", "i32")),
    "creat64": Model("i32", ("ptr", "i32")),
    "dup": Model("i32", ("i32",)),
    "dup2": Model("i32", ("i32", "i32")),
    "dup3": Model("i32", ("i32", "i32", "i32")),
    "fcntl": Model("i32", ("i32", "i32"), variadic=True),
    "fcntl64": Model("i32", ("i32", "i32"), variadic=True),
    "lseek": Model("i64", ("i32", "i64", "i32")),
    "lseek64": Model("i64", ("i32", "i64", "i32")),
    "open": Model("i32", ("ptr", "i32"), variadic=True),
    "open64": Model("i32", ("ptr", "i32"), variadic=True),
    "openat": Model("i32", ("i32", "ptr", "i32"), variadic=True),
    "openat64": Model("i32", ("i32", "ptr", "i32"), variadic=True),
    "pread": Model("i64", ("i32", "ptr", "i64", "i64")),
    "pread64": Model("i64", ("i32", "ptr", "i64", "i64")),
    "read": Model("i64", ("i32", "ptr", "i64")),
    "readv": Model("i64", ("i32", "ptr", "i32")),
}

_PRINTF: dict[str, Model] = {
    "__asprintf_chk": Model("i32", ("ptr", "i32", "ptr"), variadic=True),
    "__snprintf_chk": Model("i32", ("ptr", "i64", "i32", "i64", "ptr"), variadic=True),
    "__sprintf_chk": Model("i32", ("ptr", "i32", "i64", "ptr"), variadic=True),
    "__vasprintf_chk": Model("i32", ("ptr", "i32", "ptr", "ptr")),
    "__vsnprintf_chk": Model("i32", ("ptr", "i64", "i32", "i64", "ptr", "ptr")),
    "__vsprintf_chk": Model("i32", ("ptr", "i32", "i64", "ptr", "ptr")),
    "asprintf": Model("i32", ("ptr", "ptr"), variadic=True),
    "snprintf": Model("i32", ("ptr", "i64", "ptr"), variadic=True),
    "sprintf": Model("i32", ("ptr", "ptr"), variadic=True),
    "vasprintf": Model("i32", ("ptr", "ptr", "ptr")),
    "vsnprintf": Model("i32", ("ptr", "i64", "ptr", "ptr")),
    "vsprintf": Model("i32", ("ptr", "ptr", "ptr")),
}

_IPC: dict[str, Model] = {
    "flock": Model("i32", ("i32", "i32")),
    "mq_open": Model("i32", ("ptr", "i32"), variadic=True),
    "msgget": Model("i32", ("i32", "i32")),
    "sem_open": Model("ptr", ("ptr", "i32"), variadic=True),
    "semget": Model("i32", ("i32", "i32", "i32")),
    "shm_open": Model("i32", ("ptr", "i32", "i32")),
    "shmget": Model("i32", ("i32", "i64", "i32")),
}

_LINES: dict[str, Model] = {
    "__fgets_chk": Model("ptr", ("ptr", "i64", "i32", "ptr")),
    "__fgets_unlocked_chk": Model("ptr", ("ptr", "i64", "i32", "ptr")),
    "__getdelim": Model("i64", ("ptr", "ptr", "i32", "ptr")),
    "__gets_chk": Model("ptr", ("ptr", "i64")),
    "fgets": Model("ptr", ("ptr", "i32", "ptr")),
    "fgets_unlocked": Model("ptr", ("ptr", "i32", "ptr")),
    "getdelim": Model("i64", ("ptr", "ptr", "i32", "ptr")),
    "getline": Model("i64", ("ptr", "ptr", "ptr")),
    "gets": Model("ptr", ("ptr",)),
}

_MAPPING: dict[str, Model] = {
    "mmap": Model("ptr", ("ptr", "i64", "i32", "i32", "i32", "i64")),
    "mmap64": Model("ptr", ("ptr", "i64", "i32", "i32", "i32", "i64")),
    "mprotect": Model("i32", ("ptr", "i64", "i32")),
    "mremap": Model("ptr", ("ptr", "i64", "i64", "i32"), variadic=True),
    "munmap": Model("i32", ("ptr", "i64")),
}

_FNMATCH: dict[str, Model] = {
    "fnmatch": Model("i32", ("ptr", "ptr", "i32")),
}

_MATHEMATICS: dict[str, Model] = {
    **{name: Model("double", ("double",)) for name in ("sqrt", "round", "ceil", "floor", "trunc")},
    **{name: Model("float", ("float",)) for name in ("sqrtf", "roundf", "ceilf", "floorf", "truncf")},
}

_MEMORY_MOVES: dict[str, Model] = {
    "__memcpy_chk": Model("ptr", ("ptr", "ptr", "i64", "i64")),
    "__memmove_chk": Model("ptr", ("ptr", "ptr", "i64", "i64")),
    "__mempcpy_chk": Model("ptr", ("ptr", "ptr", "i64", "i64")),
    "__memset_chk": Model("ptr", ("ptr", "i32", "i64", "i64")),
    "bcopy": Model("void", ("ptr", "ptr", "i64")),
    "bzero": Model("void", ("ptr", "i64")),
    "explicit_bzero": Model("void", ("ptr", "i64")),
    "memccpy": Model("ptr", ("ptr", "ptr", "i32", "i64")),
    "memcpy": Model("ptr", ("ptr", "ptr", "i64")),
    "memmove": Model("ptr", ("ptr", "ptr", "i64")),
    "mempcpy": Model("ptr", ("ptr", "ptr", "i64")),
    "memset": Model("ptr", ("ptr", "i32", "i64")),
}

_MULTIBYTE: dict[str, Model] = {
    "btowc": Model("i32", ("i32",)),
    "mblen": Model("i32", ("ptr", "i64")),
    "mbrlen": Model("i64", ("ptr", "i64", "ptr")),
    "mbrtowc": Model("i64", ("ptr", "ptr", "i64", "ptr")),
    "mbstowcs": Model("i64", ("ptr", "ptr", "i64")),
    "mbtowc": Model("i32", ("ptr", "ptr", "i64")),
    "wctob": Model("i32", ("i32",)),
}

_PARSING: dict[str, Model] = {
    "__isoc23_strtoimax": Model("i64", ("ptr", "ptr", "i32")),
    "__isoc23_strtol": Model("i64", ("ptr", "ptr", "i32")),
    "__isoc23_strtoll": Model("i64", ("ptr", "ptr", "i32")),
    "__isoc23_strtoul": Model("i64", ("ptr", "ptr", "i32")),
    "__isoc23_strtoull": Model("i64", ("ptr", "ptr", "i32")),
    "__isoc23_strtoumax": Model("i64", ("ptr", "ptr", "i32")),
    "abs": Model("i32", ("i32",)),
    "atof": Model("double", ("ptr",)),
    "atoi": Model("i32", ("ptr",)),
    "atol": Model("i64", ("ptr",)),
    "atoll": Model("i64", ("ptr",)),
    "htonl": Model("i32", ("i32",)),
    "htons": Model("i16", ("i16",)),
    "labs": Model("i64", ("i64",)),
    "llabs": Model("i64", ("i64",)),
    "ntohl": Model("i32", ("i32",)),
    "ntohs": Model("i16", ("i16",)),
    "strtod": Model("double", ("ptr", "ptr")),
    "strtof": Model("float", ("ptr", "ptr")),
    "strtoimax": Model("i64", ("ptr", "ptr", "i32")),
    "strtol": Model("i64", ("ptr", "ptr", "i32")),
    "strtoll": Model("i64", ("ptr", "ptr", "i32")),
    "strtoul": Model("i64", ("ptr", "ptr", "i32")),
    "strtoull": Model("i64", ("ptr", "ptr", "i32")),
    "strtoumax": Model("i64", ("ptr", "ptr", "i32")),
}

_GETOPT: dict[str, Model] = {
    "__posix_getopt": Model("i32", ("i32", "ptr", "ptr")),
    "getopt": Model("i32", ("i32", "ptr", "ptr")),
    "getopt_long": Model("i32", ("i32", "ptr", "ptr", "ptr", "ptr")),
    "getopt_long_only": Model("i32", ("i32", "ptr", "ptr", "ptr", "ptr")),
}

_ASSERTIONS: dict[str, Model] = {
    "__assert_fail": Model("void", ("ptr", "ptr", "i32", "ptr")),
    "__assert_perror_fail": Model("void", ("i32", "ptr", "i32", "ptr")),
}

_SCANF: dict[str, Model] = {
    "__isoc23_fscanf": Model("i32", ("ptr", "ptr"), variadic=True),
    "__isoc23_scanf": Model("i32", ("ptr",), variadic=True),
    "__isoc23_sscanf": Model("i32", ("ptr", "ptr"), variadic=True),
    "__isoc23_vfscanf": Model("i32", ("ptr", "ptr", "ptr")),
    "__isoc23_vscanf": Model("i32", ("ptr", "ptr")),
    "__isoc23_vsscanf": Model("i32", ("ptr", "ptr", "ptr")),
    "__isoc99_fscanf": Model("i32", ("ptr", "ptr"), variadic=True),
    "__isoc99_scanf": Model("i32", ("ptr",), variadic=True),
    "__isoc99_sscanf": Model("i32", ("ptr", "ptr"), variadic=True),
    "__isoc99_vfscanf": Model("i32", ("ptr", "ptr", "ptr")),
    "__isoc99_vscanf": Model("i32", ("ptr", "ptr")),
    "__isoc99_vsscanf": Model("i32", ("ptr", "ptr", "ptr")),
    "fscanf": Model("i32", ("ptr", "ptr"), variadic=True),
    "scanf": Model("i32", ("ptr",), variadic=True),
    "sscanf": Model("i32", ("ptr", "ptr"), variadic=True),
    "vfscanf": Model("i32", ("ptr", "ptr", "ptr")),
    "vscanf": Model("i32", ("ptr", "ptr")),
    "vsscanf": Model("i32", ("ptr", "ptr", "ptr")),
}

_SEARCH: dict[str, Model] = {
    "index": Model("ptr", ("ptr", "i32")),
    "memchr": Model("ptr", ("ptr", "i32", "i64")),
    "memmem": Model("ptr", ("ptr", "i64", "ptr", "i64")),
    "memrchr": Model("ptr", ("ptr", "i32", "i64")),
    "rawmemchr": Model("ptr", ("ptr", "i32")),
    "rindex": Model("ptr", ("ptr", "i32")),
    "strchr": Model("ptr", ("ptr", "i32")),
    "strchrnul": Model("ptr", ("ptr", "i32")),
    "strcspn": Model("i64", ("ptr", "ptr")),
    "strlen": Model("i64", ("ptr",)),
    "strnlen": Model("i64", ("ptr", "i64")),
    "strpbrk": Model("ptr", ("ptr", "ptr")),
    "strrchr": Model("ptr", ("ptr", "i32")),
    "strspn": Model("i64", ("ptr", "ptr")),
    "strstr": Model("ptr", ("ptr", "ptr")),
}

_SOCKETS: dict[str, Model] = {
    "__recv_chk": Model("i64", ("i32", "ptr", "i64", "i64", "i32")),
    "__recvfrom_chk": Model("i64", ("i32", "ptr", "i64", "i64", "i32", "ptr", "ptr")),
    "accept": Model("i32", ("i32", "ptr", "ptr")),
    "accept4": Model("i32", ("i32", "ptr", "ptr", "i32")),
    "bind": Model("i32", ("i32", "ptr", "i32")),
    "listen": Model("i32", ("i32", "i32")),
    "recv": Model("i64", ("i32", "ptr", "i64", "i32")),
    "recvfrom": Model("i64", ("i32", "ptr", "i64", "i32", "ptr", "ptr")),
    "send": Model("i64", ("i32", "ptr", "i64", "i32")),
    "sendto": Model("i64", ("i32", "ptr", "i64", "i32", "ptr", "i32")),
    "setsockopt": Model("i32", ("i32", "i32", "i32", "ptr", "i32")),
    "shutdown": Model("i32", ("i32", "i32")),
    "write": Model("i64", ("i32", "ptr", "i64")),
}

_SORT: dict[str, Model] = {
    "bsearch": Model("ptr", ("ptr", "ptr", "i64", "i64", "ptr")),
    "qsort": Model("void", ("ptr", "i64", "i64", "ptr")),
    "qsort_r": Model("void", ("ptr", "i64", "i64", "ptr", "ptr")),
}

_STATUS: dict[str, Model] = {
    "__fxstat": Model("i32", ("i32", "i32", "ptr")),
    "__lxstat": Model("i32", ("i32", "ptr", "ptr")),
    "__xstat": Model("i32", ("i32", "ptr", "ptr")),
    "fstat": Model("i32", ("i32", "ptr")),
    "fstat64": Model("i32", ("i32", "ptr")),
    "fstatat": Model("i32", ("i32", "ptr", "ptr", "i32")),
    "lstat": Model("i32", ("ptr", "ptr")),
    "lstat64": Model("i32", ("ptr", "ptr")),
    "stat": Model("i32", ("ptr", "ptr")),
    "stat64": Model("i32", ("ptr", "ptr")),
}

_STDIO: dict[str, Model] = {
    "_IO_getc": Model("i32", ("ptr",)),
    "__fread_chk": Model("i64", ("ptr", "i64", "i64", "i64", "ptr")),
    "__fread_unlocked_chk": Model("i64", ("ptr", "i64", "i64", "i64", "ptr")),
    "__uflow": Model("i32", ("ptr",)),
    "clearerr": Model("void", ("ptr",)),
    "clearerr_unlocked": Model("void", ("ptr",)),
    "fclose": Model("i32", ("ptr",)),
    "feof": Model("i32", ("ptr",)),
    "feof_unlocked": Model("i32", ("ptr",)),
    "ferror": Model("i32", ("ptr",)),
    "ferror_unlocked": Model("i32", ("ptr",)),
    "fgetc": Model("i32", ("ptr",)),
    "fgetc_unlocked": Model("i32", ("ptr",)),
    "fopen": Model("ptr", ("ptr", "ptr")),
    "fopen64": Model("ptr", ("ptr", "ptr")),
    "fread": Model("i64", ("ptr", "i64", "i64", "ptr")),
    "fread_unlocked": Model("i64", ("ptr", "i64", "i64", "ptr")),
    "freopen": Model("ptr", ("ptr", "ptr", "ptr")),
    "freopen64": Model("ptr", ("ptr", "ptr", "ptr")),
    "fseek": Model("i32", ("ptr", "i64", "i32")),
    "fseeko": Model("i32", ("ptr", "i64", "i32")),
    "fseeko64": Model("i32", ("ptr", "i64", "i32")),
    "ftell": Model("i64", ("ptr",)),
    "ftello": Model("i64", ("ptr",)),
    "ftello64": Model("i64", ("ptr",)),
    "getc": Model("i32", ("ptr",)),
    "getc_unlocked": Model("i32", ("ptr",)),
    "getchar": Model("i32", ()),
    "getchar_unlocked": Model("i32", ()),
    "rewind": Model("void", ("ptr",)),
    "ungetc": Model("i32", ("i32", "ptr")),
}

_COPY: dict[str, Model] = {
    "__stpcpy_chk": Model("ptr", ("ptr", "ptr", "i64")),
    "__stpncpy_chk": Model("ptr", ("ptr", "ptr", "i64", "i64")),
    "__strcat_chk": Model("ptr", ("ptr", "ptr", "i64")),
    "__strcpy_chk": Model("ptr", ("ptr", "ptr", "i64")),
    "__strdup": Model("ptr", ("ptr",)),
    "__strncat_chk": Model("ptr", ("ptr", "ptr", "i64", "i64")),
    "__strncpy_chk": Model("ptr", ("ptr", "ptr", "i64", "i64")),
    "__strndup": Model("ptr", ("ptr", "i64")),
    "__strtok_r": Model("ptr", ("ptr", "ptr", "ptr")),
    "stpcpy": Model("ptr", ("ptr", "ptr")),
    "stpncpy": Model("ptr", ("ptr", "ptr", "i64")),
    "strcat": Model("ptr", ("ptr", "ptr")),
    "strcpy": Model("ptr", ("ptr", "ptr")),
    "strdup": Model("ptr", ("ptr",)),
    "strlcat": Model("i64", ("ptr", "ptr", "i64")),
    "strlcpy": Model("i64", ("ptr", "ptr", "i64")),
    "strncat": Model("ptr", ("ptr", "ptr", "i64")),
    "strncpy": Model("ptr", ("ptr", "ptr", "i64")),
    "strndup": Model("ptr", ("ptr", "i64")),
    "strsep": Model("ptr", ("ptr", "ptr")),
    "strtok": Model("ptr", ("ptr", "ptr")),
    "strtok_r": Model("ptr", ("ptr", "ptr", "ptr")),
}

_STRFTIME: dict[str, Model] = {
    "strftime": Model("i64", ("ptr", "i64", "ptr", "ptr")),
}

_WAITING: dict[str, Model] = {
    "epoll_wait": Model("i32", ("i32", "ptr", "i32", "i32")),
    "nanosleep": Model("i32", ("ptr", "ptr")),
    "poll": Model("i32", ("ptr", "i64", "i32")),
    "pthread_cond_timedwait": Model("i32", ("ptr", "ptr", "ptr")),
    "pthread_mutex_timedlock": Model("i32", ("ptr", "ptr")),
    "select": Model("i32", ("i32", "ptr", "ptr", "ptr", "ptr")),
    "sem_timedwait": Model("i32", ("ptr", "ptr")),
    "sleep": Model("i32", ("i32",)),
    "usleep": Model("i32", ("i32",)),
}

_WIDE_CHARACTERS: dict[str, Model] = {
    **{f"isw{name}": Model("i32", ("i32",)) for name in "alnum alpha blank cntrl digit graph".split()},
    **{f"isw{name}": Model("i32", ("i32",)) for name in "lower print punct space upper xdigit".split()},
    "fgetwc": Model("i32", ("ptr",)),
    "fgetws": Model("ptr", ("ptr", "i32", "ptr")),
    "getwc": Model("i32", ("ptr",)),
    "getwchar": Model("i32", ()),
    "towlower": Model("i32", ("i32",)),
    "towupper": Model("i32", ("i32",)),
    "wcschr": Model("ptr", ("ptr", "i32")),
    "wcscmp": Model("i32", ("ptr", "ptr")),
    "wcscpy": Model("ptr", ("ptr", "ptr")),
    "wcslen": Model("i64", ("ptr",)),
    "wcsncmp": Model("i32", ("ptr", "ptr", "i64")),
    "wmemcpy": Model("ptr", ("ptr", "ptr", "i64")),
}

MODELS: dict[str, Model] = {
    **_ALLOCATION,
    **_ARGP,
    **_RANDOM,
    **_FORK,
    **_CLOCK,
    **_COMPARE,
    **_CHARACTER_CLASSES,
    **_DESCRIPTORS,
    **_PRINTF,
    **_IPC,
    **_LINES,
    **_MAPPING,
    **_FNMATCH,
    **_MATHEMATICS,
    **_MEMORY_MOVES,
    **_MULTIBYTE,
    **_PARSING,
    **_GETOPT,
    **_ASSERTIONS,
    **_SCANF,
    **_SEARCH,
    **_SOCKETS,
    **_SORT,
    **_STATUS,
    **_STDIO,
    **_COPY,
    **_STRFTIME,
    **_WAITING,
    **_WIDE_CHARACTERS,
}
