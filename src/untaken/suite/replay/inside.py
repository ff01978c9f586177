"""Process 1 of a replay's sandbox: starts the plain program, waits, and tells how it ended.

    python -I -S inside.py SETTINGS        started by execute/launcher/

The program cannot be process 1 itself: the kernel keeps signals such as that of abort() from it. Needs the standard
library alone. Writes one line to the descriptor that the environment variable VARIABLE names: the wait status, or
"timeout". If a crash is to be explained, the program is traced, and a word follows the status: the name of what led to
it (see Traced.cause), as far as that can be told.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress

TYPE_CHECKING = False  # as in `typing`, which would take longer to load than any other module here
if TYPE_CHECKING:
    from typing import Any, NoReturn

VARIABLE = "UNTAKEN_REPLAY"
CHANGED_BY_PYTHON = (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ)
CANNOT_START = 127
EXPLAINED = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE)
PTRACE_TRACEME, PTRACE_CONT, PTRACE_GETREGS, PTRACE_GETSIGINFO = 0, 7, 12, 0x4202
# Words of struct user_regs_struct, and which of them are rip and rsp; words of siginfo_t, and which is si_addr.
REGISTERS, INSTRUCTION, STACK_POINTER = 27, 16, 19
SIGNAL_WORDS, ADDRESS = 16, 2
# Values of si_code: of the kernel without an address; of a signal for memory that is not there, or not for this.
SI_KERNEL, NOT_THERE, NOT_ALLOWED = 128, 1, 2
PR_SET_DUMPABLE = 4
WATCH_SECONDS = 0.02
NEAR = 64 << 10  # bytes below the stack pointer that a call may touch
LOWEST = 64 << 10  # the first address at which Linux lets a program have memory


def become(settings: dict[str, Any]) -> NoReturn:
    """Turns this process into the program."""
    os.setpgid(0, 0)
    for number in CHANGED_BY_PYTHON:
        signal.signal(number, signal.SIG_DFL)
    os.chdir(settings["directory"])
    os.dup2(os.open(settings["stdin"], os.O_RDONLY), 0)
    for name, limit in (("RLIMIT_AS", settings["memory"]), ("RLIMIT_FSIZE", settings["file"])):
        if limit:
            resource.setrlimit(getattr(resource, name), (limit, limit))
    os.closerange(3, 65536)
    words = [os.fsencode(word) for word in settings["argv"]]
    if settings["explain"]:
        Traced.begin()
    os.execv(settings["program"], words)


def ended_in_time(child: int, seconds: float, memory: int) -> bool:
    """Waits. A program whose processes take more memory together than it may is killed, as the kernel would."""
    latest = time.monotonic() + seconds
    poll = select.poll()
    poll.register(os.pidfd_open(child), select.POLLIN)
    while not poll.poll(min(WATCH_SECONDS, max(0.0, latest - time.monotonic())) * 1000):
        if time.monotonic() >= latest:
            return False
        if memory and takes_more(child, memory):
            os.kill(child, signal.SIGKILL)
    return True


def takes_more(child: int, memory: int) -> bool:
    """Whether the processes below the child, if it has some, use more than that. What they share counts once."""
    processes = [child]
    for process in processes:
        processes += children_of(process)
    return len(processes) > 1 and sum(map(resident, processes)) > memory and sum(map(share, processes)) > memory


def children_of(process: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children") as file:
                found += map(int, file.read().split())
    return found


def resident(process: int) -> int:
    """Bytes, with what it shares with others: never less than its share."""
    with suppress(OSError), open(f"/proc/{process}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
    return 0


def share(process: int) -> int:
    with suppress(OSError), open(f"/proc/{process}/smaps_rollup") as file:
        return sum(int(line.split()[1]) << 10 for line in file if line.startswith("Pss:"))
    return resident(process)


def main() -> int:
    settings = json.loads(sys.argv[1])  # as it is: confined.py wrote it, and nothing else of ours is loaded here
    answer = int(os.environ.pop(VARIABLE).partition(",")[0])  # what the launcher fills up with comes after it
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # the program cannot trace this process, and answer for it
    child = os.fork()
    if child == 0:
        try:
            become(settings)
        except OSError as error:
            os.write(2, f"cannot start {settings['program']}: {error.strerror}\n".encode())
        os._exit(CANNOT_START)
    if settings["explain"]:
        os.write(answer, explained(child, settings["seconds"]).encode())
        return 0
    in_time = ended_in_time(child, settings["seconds"], settings["memory"])
    os.kill(child, signal.SIGKILL)  # not waited for yet, so the number is still its own
    status = os.waitpid(child, 0)[1]
    os.write(answer, f"{status}\n".encode() if in_time else b"timeout\n")
    return 0


def explained(child: int, seconds: float) -> str:
    """How a program that is traced ends, and what led to that if it is known."""
    traced, latest, cause = Traced(child), time.monotonic() + seconds, ""
    while time.monotonic() < latest:
        ended, status = os.waitpid(child, os.WNOHANG)
        if not ended:
            time.sleep(0.001)
        elif not os.WIFSTOPPED(status):
            return f"{status}{cause}\n"
        else:
            number = os.WSTOPSIG(status)
            cause = f" {traced.cause(number)}" if number in EXPLAINED else ""
            traced.go_on(0 if number == signal.SIGTRAP else number)
    os.kill(child, signal.SIGKILL)
    return "timeout\n"


class Traced:
    """A child that stops at each signal."""

    def __init__(self, child: int) -> None:
        self._child = child
        self._ptrace = Traced.call()

    @staticmethod
    def call() -> Any:
        function = ctypes.CDLL(None).ptrace
        function.restype = ctypes.c_long
        function.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        return function

    @staticmethod
    def begin() -> None:
        """In the child: it is to be traced from now on."""
        Traced.call()(PTRACE_TRACEME, 0, None, None)

    def go_on(self, number: int) -> None:
        """With this signal, if it is one."""
        self._ptrace(PTRACE_CONT, self._child, None, number)

    def cause(self, number: int) -> str:
        """What led to the signal that it has stopped at; empty if that cannot be told, or if somebody sent it."""
        registers, told = (ctypes.c_uint64 * REGISTERS)(), (ctypes.c_uint64 * SIGNAL_WORDS)()
        self._ptrace(PTRACE_GETREGS, self._child, None, ctypes.byref(registers))
        self._ptrace(PTRACE_GETSIGINFO, self._child, None, ctypes.byref(told))
        code, address = ctypes.c_int32(told[1] & 0xFFFFFFFF).value, told[ADDRESS]
        if code <= 0:
            return ""
        if number == signal.SIGFPE:
            return "division"
        if code == SI_KERNEL:
            return "impossible"
        if registers[STACK_POINTER] - NEAR <= address < self._stack_start():
            return "stack"
        if address == registers[INSTRUCTION]:
            return "null-call" if address < LOWEST else "no-code"
        if address < LOWEST:
            return "null"
        return {NOT_THERE: "nothing", NOT_ALLOWED: "not-allowed"}.get(code, "") if number == signal.SIGSEGV else ""

    def _stack_start(self) -> int:
        with open(f"/proc/{self._child}/maps") as maps:
            return next((int(line.partition("-")[0], 16) for line in maps if "[stack]" in line), 0)


if __name__ == "__main__":
    sys.exit(main())
