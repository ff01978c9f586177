"""Models of strings: comparing, searching, copying. Each table is named after its file in runtime/libc/."""

from __future__ import annotations

from untaken.build.library.models.model import Model

_COMPARE: dict[str, Model] = {
    "bcmp": Model("i32", ("ptr", "ptr", "i64")),
    "memcmp": Model("i32", ("ptr", "ptr", "i64")),
    "strcasecmp": Model("i32", ("ptr", "ptr")),
    "strcmp": Model("i32", ("ptr", "ptr")),
    "strcoll": Model("i32", ("ptr", "ptr")),
    "strncasecmp": Model("i32", ("ptr", "ptr", "i64")),
    "strncmp": Model("i32", ("ptr", "ptr", "i64")),
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

STRING = _COMPARE | _SEARCH | _COPY
