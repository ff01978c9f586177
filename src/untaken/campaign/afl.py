"""A place of our own in the output folder of AFL++: what others find is run here, what is found here they can run.

    DIR/NAME/queue/id:NNNNNN,...   inputs that covered something, one folder for each instance
    DIR/untaken/queue/             ours, with names as AFL gives them
    DIR/untaken/fuzzer_stats       figures, for tools that look at all instances

AFL knows one stream: stdin, or the first declared file.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path as FilePath

from untaken import __version__
from untaken.atomic_files import replace_file
from untaken.campaign.folder.rows import Totals
from untaken.campaign.seeds import LARGEST_SEED, place_of_seeds, placed
from untaken.errors import CampaignError, UsageError
from untaken.given_files import read_beginning
from untaken.model.input import Source, SourceKind
from untaken.model.path import Path
from untaken.suite.delivery import delivered

OWN = "untaken"
QUEUE = "queue"
LOOK_SECONDS = 1.0  # between two looks at what others found
MOST_AT_ONCE = 64  # inputs that are taken at one look: the search has its turn between
_ENTRY = re.compile(r"id:(\d+)")


class AflFolder:
    """Reads the queues of the others, and writes one."""

    def __init__(self, folder: FilePath, sources: tuple[Source, ...]) -> None:
        stream = place_of_seeds(sources)
        if stream is None:
            raise UsageError("--sync wants to know what AFL's inputs are: --stdin N, or --file NAME=N")
        self._stream = stream
        self._folder = folder
        self._sources = sources
        self._queue = folder / OWN / QUEUE
        self._begun = time.time()
        self._next_look = 0.0
        self._taken: dict[str, int] = {}  # by instance: the number of the next entry
        self._waiting: list[FilePath] = []
        try:
            self._queue.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot use {folder} for --sync: {error.strerror}") from None
        self._number = 1 + max((_number(name) for name in os.listdir(self._queue)), default=-1)

    def entries(self) -> Iterable[bytes]:
        """Inputs that others found since this was asked last, some at a time; nothing if it is too soon to look."""
        now = time.monotonic()
        if now < self._next_look:
            return
        if not self._waiting:
            self._waiting = self._new_entries()
        taken, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
        self._next_look = now if self._waiting else now + LOOK_SECONDS
        for path in taken:
            with suppress(OSError):  # the others may remove what they have
                yield placed(read_beginning(path, LARGEST_SEED), self._sources)

    def _new_entries(self) -> list[FilePath]:
        found = []
        for queue in sorted(self._folder.glob(f"*/{QUEUE}")):
            name = queue.parent.name
            if name == OWN:
                continue
            with suppress(OSError):
                numbered = sorted((_number(entry), entry) for entry in os.listdir(queue))
                fresh = [(number, entry) for number, entry in numbered if number >= self._taken.get(name, 0)]
                self._taken[name] = fresh[-1][0] + 1 if fresh else self._taken.get(name, 0)
                found += [queue / entry for _, entry in fresh if f"sync:{OWN}" not in entry]  # theirs, not back again
        return found

    def write(self, path: Path) -> None:
        """A test was kept: the others may have its input."""
        given = delivered(path.input, self._sources, path.fields)
        is_stdin = self._stream.kind is SourceKind.STDIN
        content = given.stdin or b"" if is_stdin else given.files[self._stream.name]
        milliseconds = int(1000 * (time.time() - self._begun))
        self._write_file(self._queue / f"id:{self._number:06},time:{milliseconds},execs:0,op:{OWN}", content)
        self._number += 1

    def write_stats(self, totals: Totals, findings: int) -> None:
        """What tools of AFL show of an instance."""
        now = time.time()
        rows = {
            "start_time": int(self._begun),
            "last_update": int(now),
            "run_time": int(now - self._begun),
            "fuzzer_pid": os.getpid(),
            "execs_done": totals.iterations,
            "execs_per_sec": f"{totals.iterations / max(totals.seconds, 1e-6):.2f}",
            "corpus_count": self._number,
            "saved_crashes": findings,
            "afl_banner": OWN,
            "afl_version": f"untaken {__version__}",
        }
        text = "".join(f"{name:<18}: {value}\n" for name, value in rows.items())
        self._write_file(self._folder / OWN / "fuzzer_stats", text.encode())

    def _write_file(self, path: FilePath, content: bytes) -> None:
        try:
            replace_file(path, content)
        except OSError as error:
            raise CampaignError(f"cannot write {path}: {error.strerror}; what was written before is kept") from error


def _number(entry: str) -> int:
    """Of a file in a queue; -1 if it is none of AFL's."""
    match = _ENTRY.match(entry)
    return int(match[1]) if match else -1
