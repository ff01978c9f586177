"""Campaigns on a Ray cluster. The program and its inputs travel with the job; workers need only untaken installed.

Ray is an extra, known to this module alone. A worker or a whole machine that is lost costs the trial that it had: Ray
gives it to another. The results are those of the local pool, since a campaign depends on its settings and its seed
only.
"""

from __future__ import annotations

import logging
import os
import socket
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from untaken import __version__
from untaken.build.objects.shared_objects import linked_objects
from untaken.errors import UntakenError, UsageError
from untaken.execute.target import Target
from untaken.json_records import checked
from untaken.trials.plan import Job
from untaken.trials.trial import Trial, read_trial, run_trial, write_trial
from untaken.trials.workers import failure

RETRIES = 8  # of a trial whose worker is lost
CONNECT_SECONDS = 10.0
AHEAD = 2  # trials handed out for each core of the cluster


@dataclass(frozen=True, slots=True)
class Parcel:
    """What a worker needs of the machine that asks: the program, its own libraries, the user's seeds."""

    version: str
    target: Target
    program: bytes
    libraries: dict[str, bytes]
    seeds: dict[str, bytes] | None

    @contextmanager
    def unpacked(self, job: Job) -> Iterator[tuple[Target, Job]]:
        """The program and the job as they are on this machine."""
        with tempfile.TemporaryDirectory(prefix="untaken-job-") as name:
            folder = Path(name)
            program = folder / self.target.program.name
            program.write_bytes(self.program)
            program.chmod(0o755)
            for library, content in self.libraries.items():
                (folder / library).write_bytes(content)
            config = job.config
            if self.seeds is not None:
                config = replace(config, seeds=folder / "seeds")
                (folder / "seeds").mkdir()
                for seed, content in self.seeds.items():
                    (folder / "seeds" / seed).write_bytes(content)
            with _libraries_found(folder if self.libraries else None):
                yield replace(self.target, program=program), replace(job, config=config, place=folder / "trial.json")


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


def parcel(target: Target, seeds: Path | None) -> Parcel:
    """Everything that must travel to another machine to run a campaign there."""
    libraries = {path.name: path.read_bytes() for path in linked_objects(target.program)}
    given = None
    if seeds is not None:
        given = {path.name: path.read_bytes() for path in sorted(seeds.iterdir()) if path.is_file()}
    return Parcel(__version__, target, target.program.read_bytes(), libraries, given)


def remote_trial(sent: Parcel, job: Job) -> dict[str, Any] | str:
    """On the worker: the trial as JSON, or what went wrong."""
    if sent.version != __version__:
        return f"the worker has untaken {__version__}, and {sent.version} is wanted: install the same on all machines"
    try:
        with sent.unpacked(job) as (target, own):
            run_trial(own, target)
            return read_trial(own.place).as_json() if own.done else "it was interrupted"
    except UntakenError as error:
        return str(error)


class RayPool:
    """The cores of a cluster."""

    def __init__(self, ray: Any, target: Target) -> None:
        self._ray = ray
        self._target = target
        self._remote = ray.remote(num_cpus=1, max_retries=RETRIES)(remote_trial)
        self._parcels: dict[Path | None, Any] = {}

    def run(self, jobs: Sequence[Job]) -> Iterator[Job]:
        """Gives each out when its result lies in its place."""
        missing = list(jobs)
        running: dict[Any, Job] = {}
        try:
            while missing or running:
                while missing and len(running) < self._most():
                    job = missing.pop(0)
                    running[self._remote.remote(self._parcel(job.config.seeds), job)] = job
                ready, _ = self._ray.wait(list(running), num_returns=1)
                for reference in ready:
                    job = running.pop(reference)
                    self._keep(job, reference)
                    yield job
        finally:
            for reference in running:
                self._ray.cancel(reference, force=True)

    def _most(self) -> int:
        return AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def _parcel(self, seeds: Path | None) -> Any:
        if seeds not in self._parcels:
            self._parcels[seeds] = self._ray.put(parcel(self._target, seeds))
        return self._parcels[seeds]

    def _keep(self, job: Job, reference: Any) -> None:
        try:
            found = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            found = f"the cluster lost it {RETRIES + 1} times ({type(error).__name__})"
        if isinstance(found, str):
            raise failure(job, found)
        write_trial(job.place, checked(found, Trial))


@contextmanager
def ray_pool(target: Target, address: str) -> Iterator[RayPool]:
    """Connected for as long as it is open."""
    try:
        import ray
    except ImportError:
        raise UsageError("--ray needs the package ray: pip install 'untaken[ray]'") from None
    _check_reachable(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise UsageError(f"cannot use a Ray cluster at {address}: {said}") from error
    try:
        yield RayPool(ray, target)
    finally:
        ray.shutdown()


def _check_reachable(address: str) -> None:
    """Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdigit():
        return  # "auto": the cluster that runs here
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS):
            return
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            f"cannot reach a Ray cluster at {address}: {reason}; start one with `ray start --head`"
        ) from error
