"""For the fork server of `processes.py` alone: importing this makes it, and what it forks, not hear Ctrl-C.

Ctrl-C reaches the whole group of processes, and who ends a campaign is the one who started it. The campaign itself
could say so only after Python set it up; a Ctrl-C until then would print a traceback. Until this is imported Ctrl-C is
blocked; programs under test would inherit that, so it is not afterwards.
"""

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
