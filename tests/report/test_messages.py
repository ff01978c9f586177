"""The list of messages has everything that a campaign may say about itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from untaken.campaign.obstacles import Obstacle
from untaken.report.words import CONCRETISED, ENDINGS
from untaken.search.doubts import Doubt

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "messages.md").read_text()
SAID = [
    *(text.format(item="branch", where="") for text in ENDINGS.values()),
    *(obstacle.value for obstacle in Obstacle),
    *(doubt.value for doubt in Doubt),
    *CONCRETISED.values(),
]


@pytest.mark.parametrize("text", SAID)
def test_every_message_has_its_row_with_what_to_do(text: str) -> None:
    row = next(line for line in PAGE.splitlines() if f"| {text} |" in line)
    assert all(cell.strip() for cell in row.strip("|").split("|"))
