"""Models of the system: clocks, processes, randomness, waiting. Each table is named after its file in runtime/libc/."""

from __future__ import annotations

from untaken.build.library.models.model import Model

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

_LEAVING: dict[str, Model] = {
    "_Exit": Model("void", ("i32",)),
    "__longjmp_chk": Model("void", ("ptr", "i32")),
    "_exit": Model("void", ("i32",)),
    "_longjmp": Model("void", ("ptr", "i32")),
    "longjmp": Model("void", ("ptr", "i32")),
    "on_exit": Model("i32", ("ptr", "ptr")),
    "siglongjmp": Model("void", ("ptr", "i32")),
}

_CLOCK: dict[str, Model] = {
    "clock": Model("i64", ()),
    "clock_gettime": Model("i32", ("i32", "ptr")),
    "gettimeofday": Model("i32", ("ptr", "ptr")),
    "time": Model("i64", ("ptr",)),
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

_LOCALE: dict[str, Model] = {
    "setlocale": Model("ptr", ("i32", "ptr")),
}

_ASSERTIONS: dict[str, Model] = {
    "__assert_fail": Model("void", ("ptr", "ptr", "i32", "ptr")),
    "__assert_perror_fail": Model("void", ("i32", "ptr", "i32", "ptr")),
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

SYSTEM = _RANDOM | _FORK | _LEAVING | _CLOCK | _IPC | _LOCALE | _ASSERTIONS | _WAITING
