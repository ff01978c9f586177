"""Models of files, descriptors and sockets. Each table is named after its file in runtime/libc/."""

from __future__ import annotations

from untaken.build.library.models.model import Model

_DESCRIPTORS: dict[str, Model] = {
    "__open64_2": Model("i32", ("ptr", "i32")),
    "__open_2": Model("i32", ("ptr", "i32")),
    "__openat64_2": Model("i32", ("i32", "ptr", "i32")),
    "__openat_2": Model("i32", ("i32", "ptr", "i32")),
    "__pread64_chk": Model("i64", ("i32", "ptr", "i64", "i64", "i64")),
    "__pread_chk": Model("i64", ("i32", "ptr", "i64", "i64", "i64")),
    "__read_chk": Model("i64", ("i32", "ptr", "i64", "i64")),
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
    "preadv": Model("i64", ("i32", "ptr", "i32", "i64")),
    "preadv64": Model("i64", ("i32", "ptr", "i32", "i64")),
    "read": Model("i64", ("i32", "ptr", "i64")),
    "readv": Model("i64", ("i32", "ptr", "i32")),
}

_NAMES: dict[str, Model] = {
    "__realpath_chk": Model("ptr", ("ptr", "ptr", "i64")),
    "access": Model("i32", ("ptr", "i32")),
    "canonicalize_file_name": Model("ptr", ("ptr",)),
    "eaccess": Model("i32", ("ptr", "i32")),
    "euidaccess": Model("i32", ("ptr", "i32")),
    "faccessat": Model("i32", ("i32", "ptr", "i32", "i32")),
    "opendir": Model("ptr", ("ptr",)),
    "realpath": Model("ptr", ("ptr", "ptr")),
    "remove": Model("i32", ("ptr",)),
    "rename": Model("i32", ("ptr", "ptr")),
    "renameat": Model("i32", ("i32", "ptr", "i32", "ptr")),
    "unlink": Model("i32", ("ptr",)),
    "unlinkat": Model("i32", ("i32", "ptr", "i32")),
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

FILES = _DESCRIPTORS | _NAMES | _SOCKETS | _STATUS
