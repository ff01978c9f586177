"""`untaken run --jobs`: several workers, one campaign."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.commands import PATIENCE, command, files_of, untaken, written

# Something new for a good while: eight bytes, each with a value of its own, and a fault behind four of them.
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned char text[8];
    if (fread(text, 1, 8, stdin) != 8) return 1;
    int score = 0;
    for (int i = 0; i < 8; i++) {
        switch (text[i] % 16) {
        case 1: score += i == 0; break;
        case 3: score += i == 1; break;
        case 5: score += i == 2; break;
        case 7: score += i == 3; break;
        case 9: score *= 2; break;
        default: break;
        }
        if (text[i] == 'a' + i) puts("letter");
        if (text[i] > 200 && text[7 - i] < 20) puts("apart");
    }
    if (score == 4) abort();
    return 0;
}
"""
ON = ("--after-coverage", 1_000_000_000)  # and never end because all is covered
ENDLESS = PROGRAM.replace("if (score == 4) abort();", "for (volatile int i = 0; i < 20000; i++);")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("program"), PROGRAM)


@pytest.fixture(scope="module")
def slow_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("slow"), ENDLESS)


def test_more_workers_than_a_machine_can_have_are_refused(program: Path, tmp_path: Path) -> None:
    answer = untaken("run", program, "--jobs", 10**6, "--time", 1, "--out", tmp_path / "out")
    assert answer.code == 2 and "--jobs 1000000 is too much for" in answer.said


def run(*words: object) -> dict[str, Any]:
    answer = untaken("run", *words, "--json")
    assert answer.code in (0, 1), answer.said
    return answer.summary


def kept_in(out: Path) -> dict[str, bytes]:
    return {name: data for name, data in files_of(out).items() if name.startswith(("tests/", "crashes/"))}


def descendants(pid: int) -> list[int]:
    """Processes below one, the nearest first."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found = [pid]
    for each in found:
        found += parents.get(each, [])
    return found[1:]


def workers_of(owner: int) -> list[int]:
    """The fork server that Python keeps, and its children."""
    servers = [pid for pid in descendants(owner) if b"forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    nearest = servers[0]
    return [pid for pid in servers[1:] if _parent(pid) == nearest]


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def started(*words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(command("run", *words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for_tests(out: Path, process: subprocess.Popen[str], count: int = 4) -> None:
    deadline = time.monotonic() + PATIENCE
    while len(list((out / "tests").glob("*.bin"))) < count:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)


def wait_until_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def test_the_same_seed_jobs_and_iterations_give_the_same_tests(program: Path, tmp_path: Path) -> None:
    words = (program, "--stdin", 8, "--iterations", 501, "--jobs", 2, "--seed", 4)
    first, second = (run(*words, "--out", tmp_path / name) for name in ("one", "two"))
    assert first["iterations"] == second["iterations"] == 501
    assert first["ended_by"] == "iterations"
    assert kept_in(tmp_path / "one") == kept_in(tmp_path / "two")
    assert first["branches_covered"] >= 18 and first["crashes"]


def test_random_changes_end_with_the_share_of_each_worker(slow_program: Path, tmp_path: Path) -> None:
    words = (slow_program, "--stdin", 8, "--strategy", "havoc", "--iterations", 303, "--jobs", 2, *ON)
    assert [each["iterations"] for each in run(*words, "--out", tmp_path / "out")["workers"]] == [152, 151]


def test_many_go_on_where_one_was_and_one_where_many_were(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = (program, "--stdin", 8, "--out", out)
    one = run(*words, "--iterations", 30)
    kept = kept_in(out)
    many = run(*words, "--iterations", 400, "--jobs", 2)
    assert many["iterations"] == 430
    assert many["branches_covered"] > one["branches_covered"]
    assert kept.items() <= kept_in(out).items()
    kept = kept_in(out)
    again = run(*words, "--iterations", 20)
    assert again["branches_covered"] >= many["branches_covered"]
    assert again["iterations"] == 450 and kept.items() <= kept_in(out).items()
    inputs = [data for name, data in kept_in(out).items() if name.endswith(".bin") and name.startswith("tests/")]
    assert len(set(inputs)) == len(inputs)


def test_a_worker_that_is_lost_is_replaced(slow_program: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = started(slow_program, "--stdin", 8, *ON, "--time", 6, "--jobs", 2, "--out", out)
    wait_for_tests(out, process)
    kept = kept_in(out)
    os.kill(workers_of(process.pid)[0], signal.SIGKILL)
    printed, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, printed
    assert "was lost and is replaced" in printed
    assert kept.items() <= kept_in(out).items()
    summary = json.loads((out / "summary.json").read_text())
    assert summary["ended_by"] == "time" and summary["tests"] == len(list((out / "tests").glob("*.bin")))


def test_ctrl_c_ends_all_of_them_and_keeps_what_was_found(slow_program: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = started(slow_program, "--stdin", 8, *ON, "--time", 60, "--jobs", 2, "--out", out)
    wait_for_tests(out, process)
    below, kept = descendants(process.pid), kept_in(out)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, printed
    assert "Traceback" not in printed
    assert json.loads((out / "summary.json").read_text())["interrupted"]
    assert kept.items() <= kept_in(out).items()
    wait_until_gone(below)


def test_an_owner_that_is_killed_leaves_no_workers_and_a_campaign_that_goes_on(
    slow_program: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    process = started(slow_program, "--stdin", 8, *ON, "--time", 60, "--jobs", 2, "--out", out)
    wait_for_tests(out, process)
    below = descendants(process.pid)
    process.kill()
    process.communicate()
    wait_until_gone(below)
    kept = kept_in(out)
    again = run(slow_program, "--stdin", 8, "--iterations", 5, "--out", out)
    assert again["tests"] >= 4 and kept.items() <= kept_in(out).items()


@pytest.mark.parametrize(("words", "ending"), [(["--first-finding"], "first finding"), (["--coverage", 30], "enough")])
def test_what_ends_a_campaign_ends_all_of_it(words: list[object], ending: str, program: Path, tmp_path: Path) -> None:
    summary = run(program, "--stdin", 8, "--time", 60, "--jobs", 2, *words, "--out", tmp_path / "out")
    assert summary["ended_by"].startswith(ending)
    assert summary["seconds"] < 50


def test_a_path_space_that_one_of_them_exhausts_is_exhausted(tmp_path: Path) -> None:
    text = '#include "untaken.h"\nint main(void) { int n; untaken_input_int(&n, "n"); return n > 7 ? 1 : 0; }\n'
    summary = run(written(tmp_path, text), "--jobs", 2, "--strategy", "dfs", "--time", 60, "--out", tmp_path / "out")
    assert summary["exhausted"] and summary["branches_covered"] == 2


def test_what_keeps_workers_from_starting_is_said_once(tmp_path: Path) -> None:
    program = written(tmp_path, "__attribute__((constructor)) static void f(void) { for (;;) __builtin_trap(); }\n"
        "int main(void) { return 0; }\n")  # fmt: skip
    answer = untaken("run", program, "--stdin", 4, "--jobs", 2, "--time", 20, "--out", tmp_path / "out")
    assert answer.code == 2
    assert answer.said.count("did not start") == 1 and "Traceback" not in answer.said


def test_unit_takes_jobs(tmp_path: Path) -> None:
    source = written(tmp_path, "int sign(int n) { return n > 0 ? 1 : n < 0 ? -1 : 0; }\n")
    answer = untaken("unit", source, "sign", "--jobs", 2, "--iterations", 60, "--json", "--out", tmp_path / "out")
    assert answer.code == 0, answer.said
    assert answer.summary["unit"]["branches_covered"] == answer.summary["unit"]["branches_total"] == 4
