"""Models about numbers: parsing, mathematics. Each table is named after its file in runtime/libc/."""

from __future__ import annotations

from untaken.build.library.models.model import Model

_MATHEMATICS: dict[str, Model] = {
    **{name: Model("double", ("double",)) for name in ("sqrt", "round", "ceil", "floor", "trunc")},
    **{name: Model("float", ("float",)) for name in ("sqrtf", "roundf", "ceilf", "floorf", "truncf")},
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

NUMBERS = _MATHEMATICS | _PARSING
