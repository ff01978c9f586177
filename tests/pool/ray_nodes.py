"""A Ray cluster of two nodes, started as a user would start them on two machines."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

PATIENCE = 300.0  # seconds; a cluster starts a dozen processes, and the machine may be busy
WAIT = """
import ray, sys, time, logging
ray.init(address=sys.argv[1], log_to_driver=False, logging_level=logging.ERROR)
while sum(node["Alive"] for node in ray.nodes()) < 2: time.sleep(0.2)
"""


@dataclass
class Cluster:
    """Two nodes of one core each; every node is a process group of its own."""

    folder: Path
    address: str
    nodes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, *words: str) -> None:
        ray = shutil.which("ray", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
        assert ray is not None
        common = ("start", "--block", "--num-cpus=1", "--node-ip-address=127.0.0.1", "--disable-usage-stats")
        room = ("--object-store-memory=100000000", "--min-worker-port=0", "--max-worker-port=0")
        log = (self.folder / f"node{len(self.nodes)}.log").open("wb")
        self.nodes.append(
            subprocess.Popen(
                [ray, *common, *room, *words], stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
        )

    def start_head(self) -> None:
        """It listens once this returns."""
        port = int(self.address.rpartition(":")[2])
        self.start("--head", f"--port={port}", "--include-dashboard=false", f"--temp-dir={self.folder / 'ray'}")
        while self.nodes[0].poll() is None and not _listens(port):
            time.sleep(0.2)

    def wait(self) -> None:
        """Until both nodes are there."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            answer = subprocess.run(
                [sys.executable, "-c", WAIT, self.address], capture_output=True, timeout=PATIENCE, check=False
            )
            if answer.returncode == 0:
                return
            time.sleep(1)
        pytest.fail("".join(log.read_text() for log in self.folder.glob("node*.log")))

    def kill(self, number: int) -> None:
        """A whole node, with all its workers: only what was started here is in its group."""
        node = self.nodes[number]
        if node.poll() is None:
            os.killpg(node.pid, signal.SIGKILL)
            node.wait(PATIENCE)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


@contextmanager
def nodes(port: int) -> Iterator[Cluster]:
    """None yet; all are ended with it."""
    folder = Path(tempfile.mkdtemp(prefix="untaken-ray-", dir="/tmp"))  # short: Ray keeps sockets in it
    made = Cluster(folder, f"127.0.0.1:{port}")
    try:
        yield made
    finally:
        for number in reversed(range(len(made.nodes))):
            made.kill(number)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def two_nodes() -> Iterator[Cluster]:
    """The first one is the head."""
    with nodes(free_port()) as made:
        made.start_head()
        made.start(f"--address={made.address}")
        made.wait()
        yield made


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
