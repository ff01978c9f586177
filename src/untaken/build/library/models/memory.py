"""Models of memory: allocation, mapping, moves, sorting. Each table is named after its file in runtime/libc/."""

from __future__ import annotations

from untaken.build.library.models.model import Model

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

# Which arguments say how much is allocated. _FORTIFY_SOURCE=3 asks; of the library's own names clang knows it by heart.
ALLOCATED_SIZES = {
    "aligned_alloc": "1",
    "calloc": "0, 1",
    "malloc": "0",
    "memalign": "1",
    "realloc": "1",
    "reallocarray": "1, 2",
    "valloc": "0",
}

_MAPPING: dict[str, Model] = {
    "mmap": Model("ptr", ("ptr", "i64", "i32", "i32", "i32", "i64")),
    "mmap64": Model("ptr", ("ptr", "i64", "i32", "i32", "i32", "i64")),
    "mprotect": Model("i32", ("ptr", "i64", "i32")),
    "mremap": Model("ptr", ("ptr", "i64", "i64", "i32"), variadic=True),
    "munmap": Model("i32", ("ptr", "i64")),
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
    "_obstack_newchunk": Model("void", ("ptr", "i32")),
    "memcpy": Model("ptr", ("ptr", "ptr", "i64")),
    "memmove": Model("ptr", ("ptr", "ptr", "i64")),
    "mempcpy": Model("ptr", ("ptr", "ptr", "i64")),
    "memset": Model("ptr", ("ptr", "i32", "i64")),
}

_SORT: dict[str, Model] = {
    "bsearch": Model("ptr", ("ptr", "ptr", "i64", "i64", "ptr")),
    "qsort": Model("void", ("ptr", "i64", "i64", "ptr")),
    "qsort_r": Model("void", ("ptr", "i64", "i64", "ptr", "ptr")),
}

MEMORY = _ALLOCATION | _MAPPING | _MEMORY_MOVES | _SORT
