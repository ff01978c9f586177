"""Process 1 of a replay's sandbox: starts the plain program, waits, and tells how it ended.

    python -I -S inside.py SETTINGS        started by execute/launcher/

The program cannot be process 1 itself: the kernel keeps signals such as that of abort() from it. Needs the standard
library alone. Writes one line to the descriptor that the environment variable VARIABLE names: the wait status, or
"timeout".
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
from typing import Any, NoReturn

VARIABLE = "UNTAKEN_REPLAY"
CHANGED_BY_PYTHON = (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ)
CANNOT_START = 127


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
    os.execv(settings["program"], words)


def ended_in_time(child: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(os.pidfd_open(child), select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def main() -> int:
    settings = json.loads(sys.argv[1])
    answer = int(os.environ.pop(VARIABLE).partition(",")[0])  # what the launcher fills up with comes after it
    child = os.fork()
    if child == 0:
        try:
            become(settings)
        except OSError as error:
            os.write(2, f"cannot start {settings['program']}: {error.strerror}\n".encode())
        os._exit(CANNOT_START)
    in_time = ended_in_time(child, settings["seconds"])
    os.kill(child, signal.SIGKILL)  # not waited for yet, so the number is still its own
    status = os.waitpid(child, 0)[1]
    os.write(answer, f"{status}\n".encode() if in_time else b"timeout\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
