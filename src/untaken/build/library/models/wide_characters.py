"""Models of wide and multibyte characters. Each table is named after its file in runtime/libc/."""

from __future__ import annotations

from untaken.build.library.models.model import Model

_MULTIBYTE: dict[str, Model] = {
    "btowc": Model("i32", ("i32",)),
    "mblen": Model("i32", ("ptr", "i64")),
    "mbrlen": Model("i64", ("ptr", "i64", "ptr")),
    "mbrtowc": Model("i64", ("ptr", "ptr", "i64", "ptr")),
    "mbstowcs": Model("i64", ("ptr", "ptr", "i64")),
    "mbtowc": Model("i32", ("ptr", "ptr", "i64")),
    "wctob": Model("i32", ("i32",)),
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

WIDE_CHARACTERS = _MULTIBYTE | _WIDE_CHARACTERS
