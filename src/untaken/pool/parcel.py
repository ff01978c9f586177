"""What travels to a worker on another machine: the program, the libraries of ours that it is linked with, the seeds."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from untaken import __version__
from untaken.build.objects.shared_objects import linked_objects
from untaken.execute.target import Target

SEEDS = "seeds"


@dataclass(frozen=True, slots=True)
class Parcel:
    """Everything that a worker needs of the machine that asks, but untaken itself."""

    version: str
    target: Target
    program: bytes
    libraries: dict[str, bytes]
    seeds: dict[str, bytes] | None

    @property
    def complaint(self) -> str | None:
        """Why it cannot be used here; None: it can."""
        if self.version == __version__:
            return None
        return f"the worker has untaken {__version__}, and {self.version} is wanted: install the same on all machines"

    @contextmanager
    def unpacked(self) -> Iterator[tuple[Target, Path]]:
        """The program as it is on this machine, and the folder with all that came."""
        with tempfile.TemporaryDirectory(prefix="untaken-job-") as name:
            folder = Path(name)
            program = folder / self.target.program.name
            program.write_bytes(self.program)
            program.chmod(0o755)
            for library, content in self.libraries.items():
                (folder / library).write_bytes(content)
            if self.seeds is not None:
                (folder / SEEDS).mkdir()
                for seed, content in self.seeds.items():
                    (folder / SEEDS / seed).write_bytes(content)
            with _libraries_found(folder if self.libraries else None):
                yield replace(self.target, program=program), folder


@contextmanager
def _libraries_found(folder: Path | None) -> Iterator[None]:
    before = os.environ.get("LD_LIBRARY_PATH")
    if folder is not None:
        os.environ["LD_LIBRARY_PATH"] = os.pathsep.join([str(folder), *([before] if before else [])])
    try:
        yield
    finally:
        if folder is not None and before is None:
            del os.environ["LD_LIBRARY_PATH"]
        elif before is not None:
            os.environ["LD_LIBRARY_PATH"] = before


def parcel(target: Target, seeds: Path | None = None) -> Parcel:
    """Everything that must travel to another machine to run the program there."""
    libraries = {path.name: path.read_bytes() for path in linked_objects(target.program)}
    given = None
    if seeds is not None:
        given = {path.name: path.read_bytes() for path in sorted(seeds.iterdir()) if path.is_file()}
    return Parcel(__version__, target, target.program.read_bytes(), libraries, given)
