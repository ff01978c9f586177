"""Which functions of the C library read what their arguments point to, where that decides what they return.

They have no model: a call is named if there is input where they look. Of most functions that are not here it is not
known whether they read or write there. Sizes are those of Linux on x86-64.
"""

from __future__ import annotations

from dataclasses import dataclass

_CONVERSIONS = "a64l strfmon strptime strtold strtoq strtouq strtod_l strtof_l strtol_l strtoll_l strtoul_l strtoull_l"
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
STRINGS = frozenset(" ".join((_CONVERSIONS, _COMPARISONS, _PATTERNS, _WIDE, _PATHS, _SYSTEM)).split())
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
OBJECTS = {
    **{name: ReadObject(0, _TIME) for name in _OF_TIME.split()},
    **{name: ReadObject(0, _CALENDAR) for name in _OF_CALENDAR.split()},
    "wcsftime": ReadObject(3, _CALENDAR),
    **{name: ReadObject(0, _DRAND) for name in "erand48 nrand48 jrand48 seed48".split()},
    "rand_r": ReadObject(0, 4),
    "swab": ReadObject(0, 2),  # at least
    "setrlimit": ReadObject(1, 16),
    "setrlimit64": ReadObject(1, 16),
    "inet_ntop": ReadObject(1, 4),  # of an IPv6 address its first part
}


def reads_behind_pointers(name: str) -> bool:
    return name in STRINGS or name in BEHIND or name in OBJECTS
