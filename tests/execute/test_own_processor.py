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
from untaken.execute.own_processor import Claim, go_anywhere, is_together, own_processor

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


def test_what_was_started_before_stays_where_it_is() -> None:
    """Processes of a program that calls us are none of our business."""
    with subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=-1) as child:
        with own_processor():
            assert os.sched_getaffinity(child.pid) == ALLOWED
        child.kill()


def test_what_is_left_of_what_it_started_goes_anywhere_afterwards() -> None:
    with own_processor():
        child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=-1)
        assert len(os.sched_getaffinity(child.pid)) == 1
    with child:
        assert os.sched_getaffinity(child.pid) == ALLOWED
        child.kill()


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


def test_of_campaigns_in_several_threads_one_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    claim_one, places = module._claim_one, []
    both = threading.Barrier(2)

    def slowly(allowed: frozenset[int]) -> Claim | None:
        time.sleep(0.1)
        return claim_one(allowed)

    def campaign() -> None:
        both.wait()
        with own_processor():
            places.append(os.sched_getaffinity(0))
            both.wait()

    monkeypatch.setattr(module, "_claim_one", slowly)
    threads = [threading.Thread(target=campaign, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)
    assert sorted(map(len, places)) == [1, len(ALLOWED)]


@pytest.mark.parametrize("name", ["_waited", "_idle", "_claim_one"])
def test_where_nothing_is_told_of_processors_it_goes_where_it_is_put(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, refused)
    with own_processor():
        assert os.sched_getaffinity(0) == ALLOWED


def test_where_processors_cannot_be_chosen_it_leaves_no_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_setaffinity", refused)
    with own_processor():
        go_anywhere()
        for processor in ALLOWED:
            Claim(processor).close()


def test_who_is_told_no_more_stays_and_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.01)
    with own_processor():
        monkeypatch.setattr(module, "_waited", refused)
        time.sleep(0.1)
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == ALLOWED
    assert not capsys.readouterr().err


def refused(*arguments: object) -> None:
    raise PermissionError(1, "Operation not permitted")


def test_on_an_idle_machine_nobody_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only while others keep all processors busy."""
    clock = time.monotonic
    is_busy = True
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(module, "_idle", lambda all: dict.fromkeys(all, 0.0 if is_busy else clock()))

    def comes_to(together: bool) -> bool:
        deadline = clock() + 10
        while is_together() != together and clock() < deadline:
            time.sleep(0.02)
        return is_together() == together

    with own_processor(always=False):
        assert os.sched_getaffinity(0) == ALLOWED and not is_together()
        assert comes_to(True) and len(os.sched_getaffinity(0)) == 1
        is_busy = False
        assert comes_to(False)
        time.sleep(0.05)
        assert os.sched_getaffinity(0) == ALLOWED
    assert not is_together()
