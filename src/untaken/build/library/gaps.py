"""Library functions whose calls are noted in the trace: after them it does not show all that the program does."""

from __future__ import annotations

from untaken.model.gap import Gap

_MODEL = "untaken_model_"
_PROCESSES = "system popen fork vfork _Fork clone daemon forkpty posix_spawn posix_spawnp"
_REPLACED = "execl execlp execle execv execvp execve execvpe execveat fexecve"
_TIMERS = "alarm ualarm setitimer timer_create timer_settime"
_GAPS = {
    name: gap
    for gap, names in ((Gap.PROCESSES, _PROCESSES), (Gap.REPLACED, _REPLACED), (Gap.TIMERS, _TIMERS))
    for name in names.split()
}


def gap_of(callee: str) -> Gap | None:
    """What a call of the function leaves out of the trace; None: nothing."""
    return _GAPS.get(callee.removeprefix(_MODEL))
