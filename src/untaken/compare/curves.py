"""Coverage over iterations and over seconds: mean and deviation of all trials of a strategy, as curves with bands."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from untaken.trials.trial import Trial

Points = NDArray[np.float64]

POINTS = 201
# Told apart by those who see no red and green, and on paper by the line.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f", "#8c564b")
LINES = ("-", "--", "-.", ":")
AXES = {"iterations": "iterations", "seconds": "seconds"}


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Mean coverage of one strategy along an axis, with its deviation."""

    strategy: str
    places: Points
    mean: Points
    deviation: Points


def curves(trials: Sequence[Trial], axis: str) -> list[Curve]:
    """One a strategy, in the order in which they first occur."""
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.strategy, []).append(trial)
    return [curve(name, own, axis) for name, own in groups.items()]


def curve(name: str, trials: Sequence[Trial], axis: str) -> Curve:
    """Up to the end of the longest trial; one that ended before stays at what it had."""
    end = max(trial.iterations if axis == "iterations" else trial.seconds for trial in trials)
    places = np.linspace(0.0, float(end), POINTS)
    heights = np.array([height(trial, axis, places) for trial in trials])
    return Curve(name, places, heights.mean(axis=0), heights.std(axis=0, ddof=1 if len(trials) > 1 else 0))


def height(trial: Trial, axis: str, places: Points) -> Points:
    """Branches covered at each place: a staircase."""
    steps = np.array([step.iteration if axis == "iterations" else step.seconds for step in trial.growth])
    branches = np.array([0, *(step.branches for step in trial.growth)], np.float64)
    found: Points = branches[np.searchsorted(steps, places, side="right")]
    return found


def figure(drawn: Sequence[Curve], axis: str, title: str) -> Figure:
    """The curves as a picture, drawn without a screen."""
    picture = Figure(figsize=(9, 5), layout="constrained")
    FigureCanvasAgg(picture)
    axes = picture.add_subplot()
    for number, each in enumerate(drawn):
        colour = COLOURS[number % len(COLOURS)]
        line = LINES[number // len(COLOURS) % len(LINES)]
        axes.plot(each.places, each.mean, line, color=colour, label=each.strategy, linewidth=1.4)
        low, high = each.mean - each.deviation, each.mean + each.deviation
        axes.fill_between(each.places, np.maximum(low, 0), high, color=colour, alpha=0.12, linewidth=0)
    axes.set(xlabel=AXES[axis], ylabel="branches covered", title=title, xlim=(0, None), ylim=(0, None))
    axes.grid(alpha=0.25)
    picture.legend(loc="outside right upper", fontsize="small")
    return picture


def as_svg(picture: Figure) -> str:
    """Without a date and with fixed ids, so that the same trials give the same file."""
    text = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "untaken", "svg.fonttype": "path"}):
        picture.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def write_curves(trials: Sequence[Trial], title: str, folder: Path) -> dict[str, str]:
    """Both pictures as SVG and PNG files; returns the SVG texts by axis."""
    texts = {}
    for axis in AXES:
        with matplotlib.rc_context({"text.parse_math": False}):  # a name may have dollars
            picture = figure(curves(trials, axis), axis, title)
        texts[axis] = as_svg(picture)
        (folder / f"{axis}.svg").write_text(texts[axis])
        picture.savefig(folder / f"{axis}.png", dpi=120)
    return texts
