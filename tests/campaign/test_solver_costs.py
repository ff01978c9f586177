"""The lines that the solver's time went to are named, with what makes them hard."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
from untaken.campaign import solver_costs
from untaken.model.path import Path as Run
from untaken.search.knowledge.place_records import PlaceRecords

HARD = """
#include <stdint.h>
#include <untaken.h>
int main(void) {
    uint64_t a, b;
    untaken_input(&a, sizeof a, "a");
    untaken_input(&b, sizeof b, "b");
    if (a == 1) return 1;
    if (a > 3 && b > 3 && a * b == 0x1234567890abcdefu)
        return 2;
    if (a / (b | 1) == 77 && a % (b | 1) == 5)
        return 3;
    return 0;
}
"""


def test_costly_lines_have_their_operation(tmp_path: Path) -> None:
    program = written(tmp_path, HARD)
    found = campaign(program, "--strategy", "dfs", "--iterations", 12, "--seed", 1, "--out", tmp_path / "out")
    solver = found.as_json()["solver"]
    lines = solver["costliest_lines"]
    assert 1 <= len(lines) <= 5
    assert lines == sorted(lines, key=lambda line: -line["seconds"])
    assert sum(line["questions"] for line in lines) <= solver["queries"]
    of = {int(line["at"].rsplit(":", 1)[1]): line["operation"] for line in lines}
    assert of[9] == "multiplication"
    assert of[11] == "division"


def test_looking_at_what_took_long_spends_none_of_the_steps_that_the_search_decides_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long a question took differs from machine to machine; what the search does must not."""
    program = written(tmp_path, HARD)
    original, spent = PlaceRecords.asked, list[int]()

    def asked(records: PlaceRecords, path: Run, index: int, steps: int) -> None:
        spent.append(steps)
        original(records, path, index, steps)

    monkeypatch.setattr(PlaceRecords, "asked", asked)
    steps = []
    for share in (0.0, 1e9):
        monkeypatch.setattr(solver_costs, "_SHARE", share)
        campaign(program, "--strategy", "dfs", "--iterations", 12, "--seed", 1, "--out", tmp_path / f"out{share}")
        steps.append(spent.copy())
        spent.clear()
    assert len(steps[0]) > 10
    assert steps[0] == steps[1]
