"""Library functions whose calls are noted in the trace: after them it does not show all that the program does."""

from __future__ import annotations

import re

from untaken.model.gap import Gap

_MODEL = "untaken_model_"
_PROCESSES = "system popen fork vfork _Fork clone daemon forkpty posix_spawn posix_spawnp"
_REPLACED = "execl execlp execle execv execvp execve execvpe execveat fexecve"
_TIMERS = "alarm ualarm setitimer timer_create timer_settime"
# Of stdin, or of what the program itself sent: neither has labels there. And what is found by its name has no model.
_READS = """
    preadv2 preadv64v2 aio_read aio_read64 lio_listio lio_listio64 recvmsg recvmmsg msgrcv mq_receive mq_timedreceive
    wscanf fwscanf vwscanf vfwscanf __isoc99_wscanf __isoc99_fwscanf __isoc99_vwscanf __isoc99_vfwscanf
    __isoc23_wscanf __isoc23_fwscanf __isoc23_vwscanf __isoc23_vfwscanf
    statx copy_file_range shmat getxattr lgetxattr fgetxattr pthread_getname_np process_vm_readv
    dlsym dlvsym ppoll pselect
"""
_ASIDE = "fetestexcept fegetexceptflag fegetenv feenableexcept"
_CHANCE = """
    time gettimeofday clock_gettime clock ftime timespec_get times getrusage getrandom getentropy arc4random
    arc4random_uniform arc4random_buf getpid getppid gettid
    getenv secure_getenv isatty ttyname ttyname_r tcgetattr getuid geteuid getgid getegid getlogin getlogin_r
    gethostname uname
"""
_GAPS = {
    name: gap
    for gap, names in (
        (Gap.PROCESSES, _PROCESSES),
        (Gap.REPLACED, _REPLACED),
        (Gap.TIMERS, _TIMERS),
        (Gap.READS, _READS),
        (Gap.ASIDE, _ASIDE),
        (Gap.CHANCE, _CHANCE),
    )
    for name in names.split()
}


# FIONREAD asks how much there is to read.
_CONTROL, _HOW_MUCH = "ioctl", "21531"
# By their numbers on x86-64: what the program asks the kernel for itself.
_SYSTEM_CALL = "syscall"
_BY_NUMBER = {
    56: Gap.PROCESSES,
    57: Gap.PROCESSES,
    58: Gap.PROCESSES,
    59: Gap.REPLACED,
    322: Gap.REPLACED,
    435: Gap.PROCESSES,
    # read, fstat, lseek, mmap, pread64, readv, sendfile, recvfrom, recvmsg, msgrcv, splice, tee, preadv, recvmmsg,
    # process_vm_readv, copy_file_range, preadv2, statx, io_uring_enter
    **dict.fromkeys(
        (0, 5, 8, 9, 17, 19, 40, 45, 47, 70, 275, 276, 295, 299, 310, 326, 327, 332, 426),
        Gap.READS,
    ),
}
# The number of a signal, and what is to be done when it comes, a constant if it is no function of the program's.
_HANDLES = frozenset("signal bsd_signal sysv_signal __sysv_signal ssignal sigset sigaction __sigaction".split())
_FAULTS = frozenset("4 5 7 8 11".split())  # SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV
_NO_HANDLER = re.compile(r"null|inttoptr \(i64 -?\d+ to ptr\)")  # SIG_DFL and SIG_IGN, or a sigaction that only asks
# Instructions of x86-64, in assembly and as intrinsics of LLVM (`x86.sse.stmxcsr`).
_CLOCKS_AND_CHANCE = re.compile(r"\b(rdtscp?|rdrand|rdseed|rdpid|rdpmc|readcyclecounter|readsteadycounter)\b")
_STATE_OF_FLOATS = re.compile(r"\b(v?stmxcsr|fn?stsw|fn?stenv|fx?save(64)?|xsave(c|opt|s)?(64)?)\b")
_SYSTEM_CALLS = re.compile(r"\b(syscall|sysenter|int +\$\$0x80)\b")
_OF_INSTRUCTIONS = (
    (_CLOCKS_AND_CHANCE, Gap.CHANCE),
    (_STATE_OF_FLOATS, Gap.ASIDE),
    (_SYSTEM_CALLS, Gap.READS),
)


def _handles_faults(arguments: list[str]) -> bool:
    """A signal whose number is not constant may be any."""
    if len(arguments) < 2 or _NO_HANDLER.fullmatch(arguments[1]):
        return False
    return arguments[0] in _FAULTS or not arguments[0].isdigit()


def gap_of(callee: str, arguments: list[str]) -> Gap | None:
    """What a call of the function leaves out of the trace; None: nothing. An argument is a number if it is constant."""
    name = callee.removeprefix(_MODEL)
    if name == _CONTROL and arguments[1:2] == [_HOW_MUCH]:
        return Gap.READS
    if name in _HANDLES:
        return Gap.FAULTS if _handles_faults(arguments) else None
    if name == _SYSTEM_CALL and arguments and arguments[0].isdigit():
        return _BY_NUMBER.get(int(arguments[0]))
    return _GAPS.get(name)


def gap_of_instructions(text: str) -> Gap | None:
    """The same of assembly, or of an intrinsic by its name."""
    return next((gap for found, gap in _OF_INSTRUCTIONS if found.search(text)), None)
