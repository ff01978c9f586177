"""Conditions over uncovered branches are flipped wherever they show, and runs that go astray are mended."""

from __future__ import annotations

from pathlib import Path as FilePath
from random import Random

import numpy as np
import pytest

from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.watcher import Watcher
from untaken.execute.target import find_target
from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.search.budget import Budget
from untaken.search.coverage import Coverage
from untaken.search.driver import Driver
from untaken.search.knowledge.openings import Openings
from untaken.search.registry import strategy
from untaken.search.world import World

from .programs import Condition, Part, Program
from .trees import UntilCovered

PROGRAM = Program(
    [[Part(reads=(0,), test=Condition(0, 4, 1, 2)), Part(reads=(0,), test=Condition(0, 4, 2, 2)), Part()]]
)
FIRST, SECOND = (PROGRAM.map.functions[0].blocks[block].edges for block in (0, 1))


def run(input: bytes, *decisions: tuple[int, int]) -> Path:
    """One that made these decisions: the branch that was taken, and the number of the condition."""
    events = np.array([PROGRAM.map.functions[0].entry_id, *(branch for branch, _ in decisions)], np.uint32)
    constraints = np.zeros(len(decisions), CONSTRAINT_DTYPE)
    for place, (branch, node) in enumerate(decisions):
        constraints[place]["id"], constraints[place]["node"], constraints[place]["position"] = branch, node, place + 1
    return Path(input, events, constraints, Exit(ExitKind.CODE))


def known() -> tuple[Openings, Coverage]:
    coverage = Coverage(PROGRAM.map)
    return Openings(coverage, PROGRAM.map.id_count), coverage


def test_each_condition_over_an_uncovered_branch_is_shown_once() -> None:
    openings, coverage = known()
    first, second = run(b"a", (FIRST[0].branch, 7)), run(b"b", (FIRST[0].branch, 8))
    coverage.add_run(first)
    assert openings.observe(first) and not openings.observe(first)
    assert openings.observe(second), "another condition of the same branch"
    goals = [openings.next(), openings.next(), openings.next()]
    assert [each and (each.input, each.goal) for each in goals] == [
        (b"b", FIRST[1].branch),
        (b"a", FIRST[1].branch),
        None,
    ]


def test_what_was_covered_since_is_no_opening() -> None:
    openings, coverage = known()
    path = run(b"a", (FIRST[0].branch, 7))
    openings.observe(path)
    coverage.add_run(path)
    coverage.add_run(run(b"b", (FIRST[1].branch, 7)))
    assert openings.next() is None


def test_the_goal_that_was_tried_least_comes_first() -> None:
    openings, _ = known()
    for node in range(3):
        openings.observe(run(b"%d" % node, (FIRST[0].branch, node)))
    assert openings.next() is not None
    openings.observe(run(b"new", (SECOND[0].branch, 9)))
    opening = openings.next()
    assert opening is not None and opening.input == b"new"


@pytest.mark.parametrize("seed", range(3))
def test_alone_it_covers_what_is_one_flip_away(seed: int) -> None:
    world = World(PROGRAM.map, PROGRAM, PROGRAM)
    driver = Driver(world, strategy("openings"), Random(seed), Budget(30), observer=UntilCovered())
    driver.run()
    assert driver.search.coverage.full


CHECKSUM = """
#include <untaken.h>
int main(void)
{
    unsigned char data[6], sum = 1;
    untaken_input(data, sizeof data, "data");
    for (int i = 0; i < 5; i++)
        for (int bit = 0; bit < 8; bit++)
            sum = (unsigned char)((data[i] >> bit ^ sum) & 1 ? sum >> 1 ^ 0x8c : sum >> 1);
    if (sum != data[5])
        return 1;
    switch (data[0]) {
    case 10: return 2;
    case 20: return 3;
    case 30: return 4;
    }
    return 0;
}
"""


def test_a_checksum_over_what_is_changed_is_mended(tmp_path: FilePath) -> None:
    source = tmp_path / "checksum.c"
    source.write_text(CHECKSUM)
    config = Config(targets=(), strategy="openings", seed=1, iterations=300, out=tmp_path / "out", after_coverage=0)
    summary = run_campaign(config, find_target([str(source)]), Watcher())
    assert summary.covered == summary.total


# The length says where the checksum is, and how often its loop goes round.
FRAME = """
#include <stdio.h>
int main(void)
{
    unsigned char data[24];
    size_t size = fread(data, 1, sizeof data, stdin);
    if (size < 4)
        return 1;
    size_t length = data[1];
    if (length > 12)
        return 2;
    if (length + 4 > size)
        return 3;
    unsigned a = 1, b = 0;
    for (size_t i = 0; i < length + 2; i++) {
        a = (a + data[i]) % 251;
        b = (b + a) % 251;
    }
    if ((b << 8 | a) != (unsigned)(data[length + 2] << 8 | data[length + 3]))
        return 4;
    if (data[0] != 9)
        return 5;
    if (length < 5)
        return 6;
    return data[2] == 'U' && data[3] == 'S' ? 7 : 8;
}
"""

# A word is looked for only in lines whose checksum, in hexadecimal digits behind a star, is right.
SENTENCE = """
#include <stdio.h>
#include <string.h>
static int digit(int c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}
int main(void)
{
    char line[40] = "", *star;
    unsigned sum = 0;
    if (!fgets(line, sizeof line, stdin) || !(star = strchr(line, '*')))
        return 1;
    for (char *at = line; at < star; at++)
        sum ^= (unsigned char)*at;
    if (digit(star[1]) * 16 + digit(star[2]) != sum)
        return 2;
    *star = 0;
    if (strcmp(line, "GPGGA") == 0)
        return 3;
    return 0;
}
"""


@pytest.mark.parametrize("seed", range(1, 9))
@pytest.mark.parametrize(("text", "stdin", "most"), [(FRAME, 24, 2_000), (SENTENCE, 32, 3_000)])
def test_behind_checksums_auto_goes_on(text: str, stdin: int, most: int, seed: int, tmp_path: FilePath) -> None:
    source = tmp_path / "checked.c"
    source.write_text(text)
    config = Config(targets=(), stdin=stdin, seed=seed, iterations=most, out=tmp_path / "out", after_coverage=0)
    summary = run_campaign(config, find_target([str(source)]), Watcher())
    assert summary.covered == summary.total
