"""Where both commands begin: a request to end has a quiet answer before the first of our modules is imported.

Until `interrupts.py` is there, nothing is under way that would have to be tidied up. `_signal` is built into Python;
`signal` would import a dozen modules first, and an interrupt in one of them is a traceback.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import gc
import os
import sys

INTERRUPTED = 130
_REQUESTS = (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP)


def untaken() -> int:
    """The entry point of the `untaken` command; gives its exit code."""
    _answer_requests(_leave)
    from untaken.cli.main import main

    return _completed(main())


def untaken_cc() -> int:
    """The `untaken-cc` command, for build tools that want a compiler of one word."""
    _answer_requests(_leave)
    from untaken.cli.cc import run
    from untaken.cli.main import guarded

    return _completed(guarded(run, sys.argv[1:]))


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
