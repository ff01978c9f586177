"""The plot of docs/measurements/learning.md: what a tuning has found against what it has spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from untaken.compare.curves import COLOURS, as_svg

MARKS = {"paper": "o", "fast": "s", "fast-alone": "D", "random": "^"}
Course = Sequence[Mapping[str, Any]]


def draw_methods(name: str, runs: Mapping[str, Mapping[str, Course]], place: Path) -> None:
    """Two lines a method and tuning: what its best weights cover after each of its rounds, by its own checked average
    and, dashed, on fresh seeds."""
    picture = Figure(figsize=(8, 4.5), layout="constrained")
    FigureCanvasAgg(picture)
    axes = picture.add_subplot()
    colours = dict(zip(MARKS, COLOURS, strict=False))
    named: set[str] = set()
    for courses in runs.values():
        for method, rounds in courses.items():
            spent = [ended["executions"] for ended in rounds]
            label = None if method in named else method
            style: dict[str, Any] = {"marker": MARKS[method], "color": colours[method], "linewidth": 1.2}
            axes.plot(spent, [ended["average"] for ended in rounds], label=label, **style)
            axes.plot(spent, [ended["fresh"] for ended in rounds], linestyle="--", alpha=0.5, **style)
            named.add(method)
    axes.set(xlabel="executions of the program spent", ylabel="branches: checked, dashed: fresh seeds", title=name)
    axes.set_xscale("log")
    axes.grid(alpha=0.25)
    axes.legend()
    place.write_text(as_svg(picture))
