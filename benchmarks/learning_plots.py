"""The plot of docs/learning.md: what a tuning has found against what it has spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from untaken.compare.curves import COLOURS, as_svg

MARKS = {"paper": "o", "fast": "s", "fast, alone": "D", "random": "^"}
Course = Sequence[Mapping[str, Any]]


def draw_methods(name: str, runs: Mapping[str, Mapping[str, Course]], place: Path) -> None:
    """One line a method and tuning: the average of its best weights on fresh seeds, after each of its rounds."""
    picture = Figure(figsize=(8, 4.5), layout="constrained")
    FigureCanvasAgg(picture)
    axes = picture.add_subplot()
    for run, courses in enumerate(runs.values()):
        for (method, rounds), colour in zip(courses.items(), COLOURS, strict=False):
            spent = [ended["executions"] for ended in rounds]
            found = [ended["fresh"] for ended in rounds]
            label = method if run == 0 else None
            axes.plot(spent, found, marker=MARKS.get(method, "."), color=colour, label=label, linewidth=1.2)
    axes.set(xlabel="executions of the program spent", ylabel="branches covered, mean of 10 fresh trials", title=name)
    axes.set_xscale("log")
    axes.grid(alpha=0.25)
    axes.legend()
    place.write_text(as_svg(picture))
