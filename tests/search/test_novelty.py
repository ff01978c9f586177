"""What is new to a search that has forgotten what the campaign covered, and what that is good for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as FilePath
from random import Random

from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.watcher import Watcher
from untaken.execute.target import find_target
from untaken.model.path import Exit, ExitKind
from untaken.search.attempts import Outcome, Verdict
from untaken.search.knowledge.novelty import CampaignNovelty, NoveltySince
from untaken.search.program.distance import FAR
from untaken.search.view import new_search

from .programs import Program, random_program

HTTP = FilePath(__file__).parents[2] / "examples/http_request.c"


def program_of_one() -> Program:
    return random_program(Random(11), 8, 14, loops=True)


def test_what_the_campaign_covered_is_new_once_more() -> None:
    program = program_of_one()
    first, second = program.run(b""), program.run(b"\1\2\3\1\2\3\1\2\3\1\2\3")
    search = new_search(program.map, Random(0))
    search.coverage.add_run(first)
    search.coverage.add_run(second)
    since = NoveltySince(search, first)
    assert not since.is_in(Outcome(Verdict.HELD, first))
    assert since.is_in(Outcome(Verdict.HELD, second))
    assert not since.is_in(Outcome(Verdict.HELD, second))
    assert not CampaignNovelty(search).is_in(Outcome(Verdict.HELD, second))
    assert not since.is_in(Outcome(Verdict.INFEASIBLE))


def test_distances_are_to_what_is_new_to_the_search() -> None:
    program = program_of_one()
    first = program.run(b"")
    search = new_search(program.map, Random(0))
    for input in (b"", b"\1\2\3\1\2\3\1\2\3\1\2\3", bytes(range(12))):
        search.coverage.add_run(program.run(input))
    since, whole = NoveltySince(search, first).distances(), CampaignNovelty(search).distances()
    assert (since <= whole).all() and (since < whole).any()
    assert (since[search.coverage.uncovered()] == 0).all()
    assert (whole < FAR).any()


def test_a_run_that_failed_an_assumption_covers_nothing() -> None:
    program = program_of_one()
    first = program.run(b"")
    refused = replace(program.run(b"\1\2\3\1\2\3\1\2\3\1\2\3"), exit=Exit(ExitKind.ASSUME))
    since = NoveltySince(new_search(program.map, Random(0)), first)
    assert not since.is_in(Outcome(Verdict.HELD, refused))


def test_a_search_that_forgets_finds_other_ways_through_a_parser(tmp_path: FilePath) -> None:
    """On http_request.c at 1,000 iterations and three seeds: 101, 117, 109 branches; 41 each if it does not."""
    target = find_target([str(HTTP)])

    def branches(strategy: str) -> int:
        folder = tmp_path / strategy.partition(":")[2]
        config = Config(targets=(), strategy=strategy, seed=1, iterations=500, out=folder, stdin=64)
        return run_campaign(config, target, Watcher()).covered

    assert branches("cfg:forget=yes") > 1.5 * branches("cfg:forget=no")
