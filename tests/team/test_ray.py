"""`untaken run --ray`: workers on two Ray nodes, and the page that says how."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.campaign.commands import command, written
from tests.pool.ray_nodes import PATIENCE, Cluster, free_port, nodes, two_nodes
from tests.team.test_jobs import ENDLESS, ON, PROGRAM, kept_in
from untaken.campaign.config import Config
from untaken.execute.target import find_target
from untaken.pool.parcel import parcel
from untaken.team.messages import Orders
from untaken.team.remote import remote_worker

pytest.importorskip("ray", reason="ray is not installed: pip install 'untaken[ray]'")

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "cluster.md"
PROJECT = Path(__file__).parents[2] / "pyproject.toml"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with two_nodes() as made:
        yield made


def run(*words: object) -> str:
    done = subprocess.run(command("run", *words), capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_cluster_finds_what_this_machine_finds(cluster: Cluster, tmp_path: Path) -> None:
    """With seeds, which travel too."""
    program = written(tmp_path, PROGRAM)
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "one").write_bytes(b"abcdefgh")
    words = (program, "--stdin", 8, "--iterations", 250, "--jobs", 2, "--seeds", tmp_path / "seeds")
    run(*words, "--ray", cluster.address, "--out", tmp_path / "there")
    run(*words, "--out", tmp_path / "here")
    assert kept_in(tmp_path / "there") == kept_in(tmp_path / "here")


def test_a_lost_node_costs_only_what_it_had_not_sent(cluster: Cluster, tmp_path: Path) -> None:
    """The second node is killed half-way; the folder goes on locally. The node does not come back."""
    program, out = written(tmp_path, ENDLESS), tmp_path / "out"
    words = ("run", program, "--stdin", 8, *ON, "--time", 18, "--out", out)
    process = subprocess.Popen(
        command(*words, "--ray", cluster.address), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    deadline = time.monotonic() + PATIENCE
    while len(list((out / "tests").glob("*.bin"))) < 4 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    kept = kept_in(out)
    cluster.kill(1)
    printed, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, printed
    assert "was lost and is replaced" in printed
    assert kept.items() <= kept_in(out).items() and len(kept) >= 8
    kept = kept_in(out)
    run(program, "--stdin", 8, "--iterations", 20, "--out", out)
    assert kept.items() <= kept_in(out).items()
    assert json.loads((out / "summary.json").read_text())["iterations"] > 20


def test_a_worker_with_another_version_says_so(tmp_path: Path) -> None:
    target = find_target([str(written(tmp_path, PROGRAM))])
    sent = replace(parcel(target), version="0.0.0")
    orders = Orders(0, 0, Config(targets=()), target, (), False, (), 0, 1, None, None)
    said = remote_worker(sent, orders, None)
    assert said is not None and "0.0.0 is wanted" in said


def test_the_commands_of_the_page_do_what_it_says(tmp_path: Path) -> None:
    """From nothing; where the page has two machines there are two nodes here."""
    written(tmp_path, PROGRAM, "parser.c")
    with nodes(free_port()) as made:
        commands = re.findall(r"^    (.+)$", PAGE.read_text(), re.MULTILINE)
        for line in commands:
            words = [word.replace("10.0.0.1:6379", made.address) for word in shlex.split(line)]
            match words:
                case ["python3", "-m", "pip", "install", "untaken[ray]"]:
                    assert "\nray = [" in PROJECT.read_text()
                case ["ray", "start", "--head", "--port=6379"]:
                    made.start_head()
                case ["ray", "start", *rest]:
                    made.start(*rest)
                    made.wait()
                case ["untaken", *rest]:
                    done = subprocess.run(
                        command(*rest), capture_output=True, text=True, timeout=PATIENCE, cwd=tmp_path, check=False
                    )
                    assert done.returncode == 1, done.stdout + done.stderr  # it finds the fault
                case ["ray", "stop"]:
                    assert len(made.nodes) == 2 and all(node.poll() is None for node in made.nodes)
                case _:
                    pytest.fail(f"nobody tries `{line}`")
    assert len(commands) == 6
    assert json.loads((tmp_path / "campaign" / "summary.json").read_text())["branches_covered"] > 10
