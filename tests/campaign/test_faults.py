"""When something goes wrong in untaken itself, nothing that was found is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
from untaken.search.questions import Questions

PROGRAM = """
#include <untaken.h>
int main(void) {
    int x;
    untaken_int(&x);
    return x == 4711 ? 1 : x > 100 ? 2 : 3;
}
"""


def test_the_folder_is_whole_and_the_campaign_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, out = written(tmp_path, PROGRAM), tmp_path / "out"
    original, flips = Questions.ask, []

    def failing(self: Questions, *words: object) -> object:
        flips.append(1)
        if len(flips) == 2:
            raise KeyError("on purpose")
        return original(self, *words)  # type: ignore[arg-type]

    with monkeypatch.context() as patch, pytest.raises(KeyError):
        patch.setattr(Questions, "ask", failing)
        campaign(source, "--iterations", 50, "--out", out)
    told = json.loads((out / "summary.json").read_text())
    assert told["ended_by"] == "fault of untaken"
    assert list((out / "tests").glob("*.bin"))
    summary = campaign(source, "--iterations", 50, "--out", out)
    assert summary.covered == summary.total
