"""Commands as the soak gives them: in a forked copy of this process, which has imported everything already."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ALLOWED_CODES = (0, 1, 2, 130)
TRACEBACK = 99  # of a command that ended by an exception
PATIENCE = 120.0
SIGNS_OF_FAULT = ("Traceback", "Exception ignored", "went wrong in untaken itself")


@dataclass(frozen=True, slots=True)
class Said:
    """How a command ended and what it printed; code None: it hung."""

    code: int | None
    text: str

    @property
    def fault(self) -> str | None:
        """What is wrong with that, if anything is."""
        if self.code is None:
            return "hangs"
        if self.code not in ALLOWED_CODES or any(sign in self.text for sign in SIGNS_OF_FAULT):
            return f"exit code {self.code}: {self.text.strip()[-1500:]}"
        if self.code == 2 and not self.text.strip():
            return "exit code 2 without a word"
        return None


def forked(words: Sequence[str], patience: float = PATIENCE) -> Said:
    """Runs an `untaken` command in a forked process group."""
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if child == 0:
            become(words, output.fileno())
        code = _waited(child, patience)
        output.seek(0)
        return Said(code, output.read().decode(errors="replace"))


def become(words: Sequence[str], output: int) -> None:
    from untaken.cli.main import guarded, run

    try:
        os.setpgid(0, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        code = guarded(run, list(words))
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except SystemExit as end:  # after --help
        sys.stdout.flush()
        code = int(end.code or 0)
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
        code = TRACEBACK
    os._exit(code)


def _waited(child: int, patience: float) -> int | None:
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def prepared(folder: Path, source: str, *words: str) -> Path:
    """A program, and a campaign of it in `folder`/out."""
    program = folder / "program.c"
    program.write_text(source)
    said = forked(["run", str(program), "--out", str(folder / "out"), "--quiet", *words])
    if said.code not in (0, 1):
        raise SystemExit(f"the campaign to begin with failed: {said.text}")
    return program
