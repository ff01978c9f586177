"""Which features a heuristic favours and which it avoids: its weights as bars, in the terminal and as a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from untaken.errors import CampaignError
from untaken.search.heuristics.features.table import FEATURES, STATIC
from untaken.search.heuristics.heuristic import LARGEST, Heuristic
from untaken.visible_text import visible

LEAST_BAR = 8
FULL = "█"


@dataclass(frozen=True, slots=True)
class WeightBar:
    """One feature and its weight, as a bar of the chart."""

    number: int
    name: str
    sentence: str
    weight: float
    static: bool

    @property
    def share(self) -> float:
        """Of the largest weight there can be."""
        return abs(self.weight) / LARGEST


def ranked(heuristic: Heuristic) -> list[WeightBar]:
    """The most favoured first, the most avoided last."""
    made = [
        WeightBar(number, feature.name, feature.sentence, heuristic.weights[feature.name], number <= len(STATIC))
        for number, feature in enumerate(FEATURES, 1)
    ]
    return sorted(made, key=lambda bar: (-bar.weight, bar.number))


def bars(heuristic: Heuristic, width: int) -> Iterator[str]:
    """Lines of a chart: what is avoided grows to the left of the middle, what is favoured to the right."""
    yield from story(heuristic)
    names = max(len(bar.name) for bar in ranked(heuristic))
    room = max(LEAST_BAR, (width - names - 14) // 2)
    for bar in ranked(heuristic):
        length = round(bar.share * room)
        drawn = FULL * length
        left, right = (drawn, "") if bar.weight < 0 else ("", drawn)
        yield f"{bar.number:>3} {bar.name:<{names}} {bar.weight:>7.2f} {left:>{room}}|{right}"


def story(heuristic: Heuristic) -> Iterator[str]:
    """What a heuristic was learned from, line by line."""
    yield f"learned on {visible(heuristic.program) or 'no program'} ({heuristic.branches} branches)"
    figures = heuristic.figures
    if figures is not None:
        yield (
            f"{figures.checked_average:.1f} branches on average over {figures.trials} campaigns of "
            f"{figures.iterations:,} iterations, method {visible(figures.method)}, {figures.executions:,} executions, "
            f"seed {figures.seed}, untaken {visible(heuristic.untaken)}"
        )


def write_page(place: Path, heuristic: Heuristic) -> Path:
    """Self-contained HTML beside the heuristic's file."""
    page = place.with_suffix(".html")
    environment = Environment(
        loader=PackageLoader("untaken.learn", "."), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    text = environment.get_template("page.html").render(
        title=visible(place.name), story=list(story(heuristic)), bars=ranked(heuristic)
    )
    try:
        page.write_text(text)
    except OSError as error:
        raise CampaignError(f"cannot write {page}: {error.strerror}; copy {place} to a folder that you own") from error
    return page
