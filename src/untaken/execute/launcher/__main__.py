"""Started once a session, as a program of its own: puts the fork server into its sandbox and watches over it.

    python -I -S launcher/__main__.py ORDER -- PROGRAM [ARGUMENT]...

The launcher stays as supervisor outside the sandbox: when the driver goes, however it goes, the lifeline
descriptor closes and the server and everything that it started are killed. It needs the standard library alone,
and says what happens on the report descriptor, one line each:

    note TEXT       the sandbox is not whole: what the system refuses, and what is left open
    started PID     the program is running
    refused TEXT    the system allows no sandbox, so the program was not started
    failed TEXT     it could not be started
    ended STATUS    it is gone; STATUS as os.waitpid gives it

The sandbox: user, mount, pid, network, ipc and uts namespaces. The server is process 1 of its pid namespace, so no
run can kill it, and everything ends with it. The file system is read-only, with a /dev of harmless devices and a
private, size-limited scratch area. What the program writes to its own directory or to /tmp goes there, too. Where
other programs have their sockets, there is nothing. Landlock and seccomp close what mounts leave open; where
namespaces are refused, they are all that there is. docs/explanation/security.md has the whole of it.

Isolated, Python looks for nothing beside a program. So the folder that our package lies in is added here; from there
only modules of this folder are imported, and those that keep Python's own compiled form, which starts fast.
"""

import os
import sys

sys.path.append(os.path.abspath(__file__).rsplit(os.sep, 4)[0])

from untaken.execute.launcher.supervisor import main

sys.exit(main())
