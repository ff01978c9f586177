"""Which source files are not the program's own: headers of the system, and drivers."""

from __future__ import annotations

SYSTEM_FOLDERS = ("/usr/include/", "/usr/local/include/", "/usr/lib/", "/lib/")
DRIVER_SUFFIX = ".untaken.c"  # of the drivers that `untaken unit` writes


def is_system_file(file: str) -> bool:
    """Inline functions of system headers are tracked, but their branches are not the program's; a driver's neither."""
    within = file.startswith(SYSTEM_FOLDERS) or "/ziglang/lib/" in file or "/lib/clang/" in file
    return within or file.endswith(DRIVER_SUFFIX)
