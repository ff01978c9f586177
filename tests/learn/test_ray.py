"""Tuning and comparing on a Ray cluster of two nodes, started here as a user would start them on two machines."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.commands import command
from tests.pool.ray_nodes import PATIENCE, Cluster, two_nodes
from untaken.campaign.config import Config
from untaken.execute.target import find_target
from untaken.pool.parcel import parcel
from untaken.trials.cluster import remote_trial
from untaken.trials.plan import Job, TrialId

pytest.importorskip("ray", reason="ray is not installed: pip install 'untaken[ray]'")

PROGRAM = Path(__file__).parent / "program.c"
SETTINGS = ("--method", "random", "--samples", 4, "--iterations", 12, "--seed", 3, "--jobs", 2)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with two_nodes() as made:
        yield made


def untaken(*words: object) -> None:
    done = subprocess.run(command(*words), capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def trials(folder: Path) -> dict[str, Any]:
    """Everything but how long it took."""
    found = {}
    for path in sorted((folder / "trials").glob("*.json")):
        trial = json.loads(path.read_text())
        timeless = {name: value for name, value in trial.items() if "seconds" not in name}
        found[path.name] = timeless | {"growth": [[step, branches] for step, _, branches in trial["growth"]]}
    return found


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same tuning on this machine's cores."""
    out = tmp_path_factory.mktemp("local") / "learned.json"
    untaken("tune", PROGRAM, *SETTINGS, "--out", out)
    return out


def test_a_cluster_learns_what_this_machine_learns(cluster: Cluster, local: Path, tmp_path: Path) -> None:
    out = tmp_path / "learned.json"
    untaken("tune", PROGRAM, *SETTINGS, "--ray", cluster.address, "--out", out)
    assert out.read_bytes() == local.read_bytes()
    assert trials(tmp_path / "learned.json.tuning") == trials(local.with_name("learned.json.tuning"))


def test_compare_runs_there_too(cluster: Cluster, tmp_path: Path) -> None:
    """With seeds, which travel with the program."""
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    (seeds / "one").write_bytes(b"a\x03" + bytes(14))
    words = ("compare", PROGRAM, "--strategies", "cfg,parametric", "--trials", 2, "--iterations", 12, "--seeds", seeds)
    untaken(*words, "--ray", cluster.address, "--out", tmp_path / "there")
    untaken(*words, "--jobs", 2, "--out", tmp_path / "here")
    assert trials(tmp_path / "there") == trials(tmp_path / "here")
    assert len(trials(tmp_path / "there")) == 4


def test_a_lost_node_costs_only_its_trials(cluster: Cluster, local: Path, tmp_path: Path) -> None:
    """The second node is killed when some campaigns are done. This comes last: the node does not come back."""
    out = tmp_path / "learned.json"
    done = tmp_path / "learned.json.tuning" / "trials"
    process = subprocess.Popen(command("tune", PROGRAM, *SETTINGS, "--ray", cluster.address, "--out", out))
    deadline = time.monotonic() + PATIENCE
    while len(list(done.glob("*.json"))) < 3 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    cluster.kill(1)
    assert process.wait(PATIENCE) == 0
    assert out.read_bytes() == local.read_bytes()


def test_a_worker_with_another_version_says_so() -> None:
    target = find_target([str(PROGRAM)])
    sent = parcel(target, None)
    job = Job(TrialId("dfs", 1, 7), Config(targets=(), strategy="dfs", iterations=2), Path("nowhere"))
    assert not isinstance(remote_trial(sent, job), str)
    said = remote_trial(replace(sent, version="0.0.0"), job)
    assert isinstance(said, str) and "0.0.0 is wanted" in said
