"""Where both commands begin: a request to end has a quiet answer before the first of our modules is imported.

Until `interrupts.py` is there, nothing is under way that would have to be tidied up. `_signal` is built into Python;
`signal` would import a dozen modules first, and an interrupt in one of them is a traceback.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import gc
import os
import sys

UNTAKEN, UNTAKEN_CC, COMPILE = "untaken", "untaken-cc", "cc"
INTERRUPTED = 130
_REQUESTS = (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP)


def untaken() -> int:
    """The entry point of the `untaken` command; gives its exit code."""
    _answer_requests(_leave)
    if sys.argv[1:2] == [COMPILE]:
        _make_elsewhere([UNTAKEN, *sys.argv[1:]])
    return here(UNTAKEN)


def untaken_cc() -> int:
    """The `untaken-cc` command, for build tools that want a compiler of one word."""
    _answer_requests(_leave)
    _make_elsewhere([UNTAKEN_CC, *sys.argv[1:]])
    return here(UNTAKEN_CC)


def here(command: str) -> int:
    """What one of the two commands does in this process, with the words that follow in `sys.argv`."""
    _answer_requests(_leave)
    from untaken.cli.main import guarded, main

    if command == UNTAKEN:
        return _completed(main())
    from untaken.cli.cc import run

    return _completed(guarded(run, sys.argv[1:]))


def _make_elsewhere(words: list[str]) -> None:
    """Ends here if a resident compiler made the call."""
    from untaken.cli.bytecode import keep_bytecode

    keep_bytecode()
    from untaken.cli.resident.client import make_elsewhere

    try:
        make_elsewhere(words)
    except KeyboardInterrupt:
        _leave(0, None)


def _leave(_number: int, _frame: object) -> None:
    os.write(2, b"untaken: interrupted\n")
    os._exit(INTERRUPTED)


def _completed(code: int) -> int:
    """Python has only to end: what comes now is too late, and nothing has to be looked through for garbage."""
    _answer_requests(_signal.SIG_IGN)
    gc.freeze()
    return code


def _answer_requests(handler: object) -> None:
    """What the process ignores, it goes on ignoring."""
    for number in _REQUESTS:
        if _signal.getsignal(number) != _signal.SIG_IGN:
            _signal.signal(number, handler)
