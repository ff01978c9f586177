"""Models of stdio: streams, lines, printf and scanf. Each table is named after its file in runtime/libc/."""

from __future__ import annotations

from untaken.build.library.models.model import Model

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
    "fdopen": Model("ptr", ("i32", "ptr")),
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
    "fwrite": Model("i64", ("ptr", "i64", "i64", "ptr")),
    "fwrite_unlocked": Model("i64", ("ptr", "i64", "i64", "ptr")),
    "rewind": Model("void", ("ptr",)),
    "setbuf": Model("void", ("ptr", "ptr")),
    "setbuffer": Model("void", ("ptr", "ptr", "i64")),
    "setvbuf": Model("i32", ("ptr", "ptr", "i32", "i64")),
    "tmpfile": Model("ptr", ()),
    "tmpfile64": Model("ptr", ()),
    "ungetc": Model("i32", ("i32", "ptr")),
}

_MEMORY_STREAMS: dict[str, Model] = {
    "fmemopen": Model("ptr", ("ptr", "i64", "ptr")),
    "fopencookie": Model("ptr", ("ptr", "ptr", "ptr")),
    "open_memstream": Model("ptr", ("ptr", "ptr")),
    "open_wmemstream": Model("ptr", ("ptr", "ptr")),
}

STDIO = _PRINTF | _LINES | _SCANF | _STDIO | _MEMORY_STREAMS
