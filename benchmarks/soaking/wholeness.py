"""Whether a campaign's folder is whole, and has lost nothing since it was looked at last."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path


@dataclass
class Remembered:
    """What was seen in a folder; `loss` compares and remembers."""

    inputs: dict[str, bytes] = field(default_factory=dict)
    findings: set[str] = field(default_factory=set)
    counts: tuple[float, ...] = ()

    def loss(self, out: Path) -> str | None:
        """What was lost or runs backwards, if anything is and does."""
        found = {path.name: path.read_bytes() for path in (out / "tests").glob("[0-9]*.bin")}
        findings = {path.parent.name for path in out.glob("crashes/*/input.bin")}
        told = _torn(out) or _backwards(out)
        if gone := [name for name, data in self.inputs.items() if found.get(name) != data]:
            told = f"{len(gone)} tests are gone or changed: {gone[0]}"
        if self.findings - findings:
            told = f"findings are gone: {sorted(self.findings - findings)}"
        counts = _counts(out)
        if any(now < before for now, before in zip(counts, self.counts, strict=False)):
            told = f"counts ran backwards: {self.counts} to {counts}"
        self.inputs, self.findings, self.counts = found, findings, counts or self.counts
        return told


def _torn(out: Path) -> str | None:
    for path in (out / "tests").glob("[0-9]*.bin"):
        try:
            if json.loads(path.with_suffix(".json").read_bytes())["bytes"] != path.stat().st_size:
                return f"{path.name} and its description differ"
        except (OSError, ValueError, KeyError) as error:
            return f"{path.name} has no description: {error}"
    for path in out.glob("crashes/*/input.bin"):
        if not path.with_name("finding.json").exists() and path.stat().st_mtime:
            return f"{path.parent.name} has no description"
    return None


def _backwards(out: Path) -> str | None:
    try:
        lines = (out / "timeline.csv").read_text().splitlines()[1:]
        rows = [tuple(map(float, line.split(","))) for line in lines]
    except (OSError, ValueError):
        return None  # a kill in the middle of a line: the next run writes it anew from the database
    for before, after in pairwise(rows):
        if len(after) == 3 and any(now < then for now, then in zip(after, before, strict=True)):
            return f"the timeline runs backwards: {before} to {after}"
    return None


def _counts(out: Path) -> tuple[float, ...]:
    try:
        known = json.loads((out / "summary.json").read_bytes())
    except FileNotFoundError:
        return ()
    return (known["iterations"], known["seconds"], known["branches_covered"], known["tests"])
