"""A campaign has a processor of its own, with all that it starts; nothing of that is left when it is over."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from untaken.execute import own_processor as module
from untaken.execute.own_processor import Claim, go_anywhere, own_processor

ALLOWED = os.sched_getaffinity(0)
pytestmark = pytest.mark.skipif(len(ALLOWED) < 2, reason="needs two processors")
ASK = "import os; print(sorted(os.sched_getaffinity(0)))"
HOLD = "import sys; from untaken.execute.own_processor import own_processor\nwith own_processor():\n "
HOLD += "import os; print(*os.sched_getaffinity(0), flush=True); sys.stdin.read()"


@pytest.fixture(autouse=True)
def unclaimed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Campaigns of other tests, which run at the same time, have claims too."""
    name = f"\0untaken/test/{os.getpid()}/"
    monkeypatch.setattr(module, "NAME", name)


@contextmanager
def another() -> Iterator[int]:
    """Another process with a claim; gives the processor that it has."""
    code = f"from untaken.execute import own_processor as m; m.NAME = {module.NAME!r}\n{HOLD}"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline())
        process.kill()


def affinity_of_child() -> str:
    return subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True).stdout.strip()


def test_what_it_starts_stays_with_it() -> None:
    with own_processor():
        here = os.sched_getaffinity(0)
        assert len(here) == 1
        assert affinity_of_child() == str(sorted(here))
    assert os.sched_getaffinity(0) == ALLOWED


def test_a_second_one_within_changes_nothing() -> None:
    with own_processor():
        here = os.sched_getaffinity(0)
        with own_processor():
            assert os.sched_getaffinity(0) == here
        assert os.sched_getaffinity(0) == here


def test_no_other_campaign_has_it() -> None:
    with another() as taken, own_processor():
        assert os.sched_getaffinity(0).isdisjoint({taken})


def test_where_all_are_taken_it_goes_where_it_is_put() -> None:
    claims = [Claim(processor) for processor in ALLOWED]
    with own_processor():
        assert os.sched_getaffinity(0) == ALLOWED
    for claim in claims:
        claim.close()


def test_a_claim_ends_with_its_process() -> None:
    with another() as taken:
        pass
    Claim(taken).close()


def test_work_beside_the_campaign_goes_anywhere() -> None:
    seen: list[set[int]] = []

    def beside() -> None:
        go_anywhere()
        seen.append(os.sched_getaffinity(0))

    with own_processor():
        thread = threading.Thread(target=beside)
        thread.start()
        thread.join()
    assert seen == [ALLOWED]


def test_it_moves_to_an_idle_one_with_all_that_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = time.monotonic
    first: set[int] = set()
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(module, "_waited", lambda thread: clock())  # it does nothing but wait
    monkeypatch.setattr(module, "_idle", lambda all: {one: 0.0 if one in first else clock() for one in all})
    with own_processor(), subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=-1) as child:
        first |= os.sched_getaffinity(0)
        deadline = clock() + 10
        while os.sched_getaffinity(child.pid) == first and clock() < deadline:
            time.sleep(0.02)
        assert os.sched_getaffinity(0) != first
        assert os.sched_getaffinity(child.pid) == os.sched_getaffinity(0)
        child.kill()
