"""The order in which reports are merged."""

from __future__ import annotations

from untaken.campaign.folder.rows import Totals
from untaken.search.budget import Ending
from untaken.team.exchange import ByCount, ByTime, ReportOrder
from untaken.team.messages import Report


def report(iterations: int, **more: object) -> Report:
    known = {"life": 0, "covered": 0, "input_mattered": True, "is_done": False, "ends_round": True, **more}
    return Report(totals=Totals(iterations=iterations), **known)  # type: ignore[arg-type]


def merged(order: ReportOrder) -> list[tuple[int, int]]:
    """All that can be merged now: worker and iterations."""
    found = []
    while (each := order.next()) is not None:
        found.append((each[0], each[1].totals.iterations))
        order.merged(10 * len(found))
    return found


def test_a_round_is_merged_in_order_of_the_workers_when_all_have_reported() -> None:
    order = ByCount(2)
    order.arrived(1, report(100))
    assert merged(order) == []
    order.arrived(1, report(200))
    order.arrived(0, report(101))
    assert merged(order) == [(0, 101), (1, 100)]
    order.arrived(0, report(202))
    assert merged(order) == [(0, 202), (1, 200)]


def test_a_worker_goes_on_while_another_is_at_most_a_round_behind() -> None:
    order = ByCount(2)
    order.arrived(1, report(100))
    assert order.may_hear(1) == 0  # nothing is merged yet, and nothing has to be
    order.arrived(1, report(200))
    assert order.may_hear(1) is None
    order.arrived(0, report(100))
    assert merged(order) == [(0, 100), (1, 100)]
    assert order.may_hear(1) == 20
    assert order.may_hear(0) == 0  # as it would have been if nobody had been ahead


def test_who_has_ended_is_not_waited_for() -> None:
    order = ByCount(2)
    order.arrived(0, report(50, ends_round=False, ending=Ending.STUCK))
    order.left(0)
    order.arrived(1, report(100))
    assert merged(order) == [(0, 50), (1, 100)]
    order.arrived(1, report(200))
    assert merged(order) == [(1, 200)]


def test_by_time_the_first_worker_first_tells_what_the_known_tests_do() -> None:
    order = ByTime(known=True)
    order.arrived(1, report(5))
    order.arrived(0, report(0, has_run_known=False))
    assert merged(order) == [(0, 0)]
    order.arrived(0, report(1))
    assert merged(order) == [(0, 1), (1, 5)]


def test_only_who_counts_waits_for_an_answer_that_says_nothing() -> None:
    assert ByCount(2).waits_for_answers
    assert not ByTime(known=False).waits_for_answers


def test_what_was_not_merged_is_not_lost() -> None:
    order = ByCount(2)
    order.arrived(1, report(100))
    assert [number for number, _ in order.rest()] == [1]
