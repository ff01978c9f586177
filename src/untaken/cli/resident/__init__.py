"""A compiler that stays: a process that has loaded everything, and is forked for each call of `untaken cc`.

To load LLVM and our modules takes several times as long as to compile a small file, and builds call a compiler hundreds
of times. So the second call within a minute starts a process that waits at a socket (`server.py`). This call and later
ones hand over to it what makes them up (`client.py`): words, environment, standard streams, current folder. A copy of
that process does the work under these (`worker.py`), and the exit code comes back. It ends after some seconds without
work.

Only calls that could be made in its place are its business (`circumstances.py`); all others, and all where anything
goes wrong, are made as if there were no such process.
"""
