"""A Ray cluster. Ray is an extra, known to this module alone."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from untaken.errors import UsageError

CONNECT_SECONDS = 10.0


class Cluster:
    """What we use of Ray; `Any` stops here."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self.errors: type[Exception] = ray.exceptions.RayError
        self.put: Callable[[Any], Any] = ray.put
        self.get: Callable[[Any], Any] = ray.get

    @property
    def cores(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def task(self, function: Callable[..., Any], *, cores: float, retries: int) -> Callable[..., Any]:
        """A function that is called on any machine, and gives a reference to what comes of it."""
        remote: Callable[..., Any] = self._ray.remote(
            num_cpus=cores, max_retries=retries, scheduling_strategy="SPREAD"
        )(function).remote
        return remote

    def service(self, kind: type[Any]) -> Any:
        """An object in a process of its own, on the machine that we are connected to."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        here = NodeAffinitySchedulingStrategy(self._ray.get_runtime_context().get_node_id(), soft=False)
        return self._ray.remote(num_cpus=0, scheduling_strategy=here)(kind).remote()

    def finished(self, references: list[Any], *, wait: bool) -> list[Any]:
        """Those whose calls are over; with `wait` at least one."""
        if not references:
            return []
        ready: list[Any] = self._ray.wait(references, num_returns=1 if wait else len(references),
                                          timeout=None if wait else 0)[0]  # fmt: skip
        return ready

    def cancel(self, reference: Any) -> None:
        self._ray.cancel(reference, force=True)

    def end(self, service: Any) -> None:
        self._ray.kill(service)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """For as long as it is open."""
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
        yield Cluster(ray)
    finally:
        ray.shutdown()


def cluster_here() -> Cluster:
    """On a worker: the cluster that it is a part of."""
    import ray

    return Cluster(ray)


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
