"""Functions that only make arguments for the tested one: what they do is no news, and few flips in them are made."""

from __future__ import annotations

from pathlib import Path

import pytest

from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.summary import Summary
from untaken.campaign.watcher import Watcher
from untaken.execute.target import Target, find_target
from untaken.search.program.callees import led_to

PREPARED_C = """
#include <untaken.h>
static int twice(int number) { return number > 100 ? 100 : 2 * number; }
static int by_pointer(int number) { return number < 0 ? -1 : 1; }
static int (*chosen)(int) = by_pointer;
int tested(int number) {
    if (twice(number) == 46) return 1;
    return chosen(number);
}
int prepare(void) {
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        unsigned char byte;
        untaken_uchar(&byte);
        if (byte > 200) sum += 3; else if (byte > 100) sum += 2; else if (byte == 50) sum++;
    }
    return sum;
}
int main(void) {
    int number;
    int made = prepare();
    untaken_int(&number);
    if (made == 1) return tested(number);
    return 0;
}
"""


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Target:
    source = tmp_path_factory.mktemp("prepared") / "prepared.c"
    source.write_text(PREPARED_C)
    return find_target([str(source)])


def explored(target: Target, out: Path, tested: str) -> Summary:
    config = Config(
        targets=target.sources, out=out, iterations=150, after_coverage=20, only_in=("tested",), tested=tested
    )
    return run_campaign(config, target, Watcher())


def test_what_a_function_leads_to_includes_what_pointers_may(target: Target) -> None:
    functions = {function.name: function for function in target.map.functions}
    found = {target.map.functions[index].name for index in led_to(target.map, functions["tested"])}
    assert {"tested", "twice", "by_pointer"} <= found and "prepare" not in found


def test_preparing_is_no_news_but_the_call_is(target: Target, tmp_path: Path) -> None:
    summary = explored(target, tmp_path / "out", "tested")
    assert {each.name for each in summary.functions} == {"tested", "twice", "by_pointer"}
    own = next(each for each in summary.functions if each.name == "tested")
    assert (own.covered, own.total) == (2, 2)
    assert summary.goal.total == 3  # its branches, and that it is called
    everything = explored(target, tmp_path / "all", "")
    assert summary.tests < everything.tests


def test_few_flips_are_made_where_arguments_are_made(target: Target, tmp_path: Path) -> None:
    assert "preparation" in explored(target, tmp_path / "out", "tested").pruned
    assert "preparation" not in explored(target, tmp_path / "all", "").pruned
