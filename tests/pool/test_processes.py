"""Processes forked from a warm server."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

from untaken.pool.processes import DEAF


def test_what_the_fork_server_imports_is_there() -> None:
    """It would pass over a wrong name, and Ctrl-C would print a traceback for each worker that is just being set up."""
    assert find_spec(DEAF) is not None


INTERRUPTED_AT_BIRTH = """
import os, signal
from multiprocessing import util
from untaken.pool.processes import start_process

spawn = util.spawnv_passfds

def interrupted(*arguments):
    process = spawn(*arguments)
    os.kill(process, signal.SIGINT)
    return process

util.spawnv_passfds = interrupted
process = start_process(os.getpid, ())
process.join()
assert process.exitcode == 0
assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
"""


def test_a_fork_server_that_is_just_starting_does_not_hear_ctrl_c() -> None:
    """It takes a quarter of a second to start, and ended with a traceback, and the campaign as a fault of ours."""
    done = subprocess.run([sys.executable, "-c", INTERRUPTED_AT_BIRTH], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
