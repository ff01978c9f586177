"""Before anything else, so that tests depend neither on how busy the machine is nor on how they were started."""

from __future__ import annotations

import os
import signal
import sys

# numpy's threads wait busily for each other, which takes ten times as long on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Hundreds of commands are started: none of them is to compile all of our modules again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# No process stays behind, and none works for two tests, but where that is what is tested.
os.environ.setdefault("UNTAKEN_RESIDENT", "0")
# Shells have their background jobs ignore Ctrl-C, and nohup closed terminals; whatever those start inherits it.
for _number, _handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _handler)
