"""What the experiments of learning.py have found so far, as Markdown; its place is docs/measurements/learning.md."""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from untaken.search.heuristics.heuristic_files import read_heuristic

BEGIN, END = "<!-- figures: written by benchmarks/learning.py report -->", "<!-- end of figures -->"
LEARNED = "parametric"
Course = list[dict[str, Any]]  # the rounds of a tuning


def report(options: argparse.Namespace) -> None:
    """Prints what there is, and puts it into the docs if they are named."""
    text = "\n".join(lines(options.work, options.programs)).strip() + "\n"
    print(text)
    if options.docs is not None:
        for plot in methods_plots(options.work, options.programs):
            shutil.copyfile(plot, options.docs / docs_name(plot))
        page = options.docs / "learning.md"
        page.write_text(with_figures(page.read_text(), text))


def with_figures(page: str, figures: str) -> str:
    """The page with the part between the marks replaced."""
    before, _, rest = page.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise SystemExit(f"learning.md has no place for figures: it needs the lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{figures}\n{END}{after}"


def methods_plots(work: Path, programs: Sequence[str]) -> list[Path]:
    return [plot for name in programs if (plot := work / f"{name}-methods.svg").exists()]


def docs_name(plot: Path) -> str:
    return f"learning-{plot.name}"


def lines(work: Path, programs: Sequence[str]) -> Iterator[str]:
    for name in programs:
        yield from compared(work, name)
    for name in programs:
        yield from methods(work, name)
    yield from left_out(work)


# ---- learned against hand-made


def compared(work: Path, name: str) -> Iterator[str]:
    place = work / f"{name}-comparison" / "results.json"
    if not place.exists():
        return
    known = json.loads(place.read_text())
    figures = read_heuristic(work / f"{name}.json").figures
    assert figures is not None
    yield (
        f"\n**{name}**: {known['total']:,} branches, {known['rows'][0]['iterations']:,.0f} iterations. Tuning took "
        f"{figures.executions:,} executions, in campaigns of {figures.iterations:,}.\n"
    )
    yield "| strategy | trials | mean | sd | most | p against learned |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    chances = {frozenset((pair["first"], pair["second"])): pair["p"] for pair in known["pairs"]}
    for row in known["rows"]:
        p = chances.get(frozenset((row["strategy"], LEARNED)))
        label = f"{LEARNED}, learned" if row["strategy"] == LEARNED else row["strategy"]
        yield (
            f"| {label} | {row['trials']} | {row['mean']:.1f} | {row['deviation']:.1f} | {row['most']} | {chance(p)} |"
        )


def chance(p: float | None) -> str:
    if p is None:
        return ""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


# ---- methods side by side


def methods(work: Path, name: str) -> Iterator[str]:
    place = work / f"{name}-methods.json"
    if not place.exists():
        return
    runs: dict[str, dict[str, Course]] = json.loads(place.read_text())
    yield (
        f"\n*Methods* on **{name}**: how each tuning ended, its checked average, and the mean of {judged(runs)} trials "
        "with fresh seeds. There are as many figures as there were tunings, each with a seed of its own; behind them "
        "is their mean.\n"
    )
    yield "| method | executions | mean | checked average | mean | fresh seeds | mean |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for method in dict.fromkeys(method for courses in runs.values() for method in courses):
        last = [courses[method][-1] for courses in runs.values() if method in courses]
        cells = [
            *listed([each["executions"] for each in last], ",.0f"),
            *listed([each["average"] for each in last], ".1f"),
            *listed([each["fresh"] for each in last], ".1f"),
        ]
        yield f"| {method} | {' | '.join(cells)} |"
    yield f"\n![Branches against executions spent on {name}]({docs_name(work / f'{name}-methods.svg')})"


def judged(runs: dict[str, dict[str, Course]]) -> str:
    """How often what was learned was tried on fresh seeds."""
    counts = {rounds[-1]["fresh_trials"] for courses in runs.values() for rounds in courses.values()}
    return " or ".join(str(count) for count in sorted(counts))


def listed(of_tunings: Sequence[float], form: str) -> tuple[str, str]:
    return ", ".join(format(each, form) for each in of_tunings), format(fmean(of_tunings), form)


# ---- leaving one out


def left_out(work: Path) -> Iterator[str]:
    place = work / "leave-one-out.json"
    if not place.exists():
        return
    rows: dict[str, dict[str, float]] = json.loads(place.read_text())
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    yield (
        "\n*Leaving one out*: *unseen* are weights that were learned over the other programs, *shipped* those that "
        "are the default, *by hand* those that were before anything was learned.\n"
    )
    yield f"| program | {' | '.join(columns)} |"
    yield "| --- |" + " ---: |" * len(columns)
    for name, row in rows.items():
        yield f"| {name} | " + " | ".join(f"{row[column]:.1f}" if column in row else "" for column in columns) + " |"
