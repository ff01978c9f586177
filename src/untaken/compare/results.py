"""Writes what a comparison found: tables, curves, CSV, JSON, and one page that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from untaken import __version__
from untaken.compare.curves import write_curves
from untaken.compare.statistics import Comparison
from untaken.compare.tables import markdown, tables, write_csv
from untaken.errors import CampaignError
from untaken.model.program import BranchId, ProgramMap
from untaken.suite.corpus import write_json
from untaken.trials.trial import Trial

RESULTS = "results.json"
PAGE = "comparison.html"


def write_results(folder: Path, title: str, trials: Sequence[Trial], found: Comparison, program: ProgramMap) -> None:
    """Everything beside the trials themselves."""
    try:
        write_csv(trials, folder)
        (folder / "tables.md").write_text(markdown(tables(found)))
        pictures = write_curves(trials, title, folder)
        (folder / PAGE).write_text(page(title, found, pictures, program))
    except OSError as error:
        raise CampaignError(f"cannot write to {folder}: {error.strerror}; what was written before is kept") from error
    write_json(folder / RESULTS, as_json(title, trials, found))


def as_json(title: str, trials: Sequence[Trial], found: Comparison) -> dict[str, Any]:
    """All figures and where they come from."""
    ended: dict[str, dict[str, int]] = {}
    for trial in trials:
        reasons = ended.setdefault(trial.strategy, {})
        reasons[trial.ended_by] = reasons.get(trial.ended_by, 0) + 1
    return {
        "untaken": __version__,
        "title": title,
        **asdict(found),
        "pairs": [{**asdict(pair), "significant": pair.significant, "size": pair.size} for pair in found.pairs],
        "ended_by": ended,
    }


def page(title: str, found: Comparison, pictures: dict[str, str], program: ProgramMap) -> str:
    """The comparison as one HTML file that needs no other."""
    environment = Environment(
        loader=PackageLoader("untaken.compare", "."), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template("page.html").render(
        title=title,
        version=__version__,
        tables=tables(found),
        pictures={axis: Markup(inline(text)) for axis, text in pictures.items()},
        exclusive={row.strategy: [place(program, branch) for branch in row.exclusive] for row in found.rows},
    )


def inline(svg: str) -> str:
    """Without what belongs to a file of its own."""
    return svg[svg.index("<svg") :]


def place(program: ProgramMap, branch: int) -> str:
    """Where a branch is, and which of the two it is."""
    found = program.branches[BranchId(branch)]
    function = program.functions[found.function].name
    return f"{found.location} {function}, {'true' if found.side else 'false'} side"
