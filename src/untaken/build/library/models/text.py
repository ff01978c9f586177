"""Models about text: character classes, patterns, options. Each table is named after its file in runtime/libc/."""

from __future__ import annotations

from untaken.build.library.models.model import Model

_ARGP: dict[str, Model] = {
    "argp_parse": Model("i32", ("ptr", "i32", "ptr", "i32", "ptr", "ptr")),
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

_FNMATCH: dict[str, Model] = {
    "fnmatch": Model("i32", ("ptr", "ptr", "i32")),
}

_GETOPT: dict[str, Model] = {
    "__posix_getopt": Model("i32", ("i32", "ptr", "ptr")),
    "getopt": Model("i32", ("i32", "ptr", "ptr")),
    "getopt_long": Model("i32", ("i32", "ptr", "ptr", "ptr", "ptr")),
    "getopt_long_only": Model("i32", ("i32", "ptr", "ptr", "ptr", "ptr")),
}

_STRFTIME: dict[str, Model] = {
    "strftime": Model("i64", ("ptr", "i64", "ptr", "ptr")),
}

TEXT = _ARGP | _CHARACTER_CLASSES | _FNMATCH | _GETOPT | _STRFTIME
