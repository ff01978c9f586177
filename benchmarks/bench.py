"""Figures of the build and the runtime: `make bench`.

Each figure is a ratio of two things measured in one run, side by side. Prints a table, or JSON with --json.

"ns a new node" charges to the new nodes of a run all that it takes more than a concrete run: it is the figure that is
held against the goal. Programs that look at the same values again and again (sorting, pointers) make few new nodes for
much work, so the figure is also given for each node that was asked for, whether or not it was there already.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from statistics import geometric_mean

sys.path.insert(0, str(Path(__file__).parent.parent))
from benchmarks.measure import Figures, compiler_version, empty_main_seconds, measure
from benchmarks.workloads import build, plain_compiler, workloads

MOST_SLOWDOWN = 6.0
MOST_NS_A_NODE = 25.0
LEAST_RATE = 0.7
MOST_COMPILE = 4.0
MOST_EMPTY_SECONDS = 0.3


def goals(figures: list[Figures], empty_seconds: float) -> list[tuple[str, float, str, bool]]:
    """What was aimed at: name, figure, goal, reached."""
    slowdown = geometric_mean(f.concrete_slowdown for f in figures)
    recorded = geometric_mean(f.recorded_slowdown for f in figures)
    nodes = geometric_mean(f.ns_a_node for f in figures)
    rate = geometric_mean(f.rate_ratio for f in figures)
    compiling = geometric_mean(f.compile_ratio for f in figures)
    return [
        ("slowdown with concrete input", slowdown, f"at most {MOST_SLOWDOWN:g}", slowdown <= MOST_SLOWDOWN),
        ("and with its branches recorded", recorded, f"at most {MOST_SLOWDOWN:g}", recorded <= MOST_SLOWDOWN),
        ("ns a new node", nodes, f"at most {MOST_NS_A_NODE:g}", nodes <= MOST_NS_A_NODE),
        ("of the bare fork server's rate", rate, f"at least {LEAST_RATE:g}", rate >= LEAST_RATE),
        ("compile time", compiling, f"at most {MOST_COMPILE:g}", compiling <= MOST_COMPILE),
        (
            "s more for an empty main",
            empty_seconds,
            f"at most {MOST_EMPTY_SECONDS:g}",
            empty_seconds <= MOST_EMPTY_SECONDS,
        ),
    ]


HEADER = "program   concrete  recorded  symbolic    nodes  ns/node    asked ns/asked   runs/s   bare/s   rate   compile"


def row(f: Figures) -> str:
    return (
        f"{f.name:<9}{f.concrete_slowdown:>8.1f}x{f.recorded_slowdown:>9.1f}x{f.symbolic_slowdown:>9.0f}x"
        f"{f.nodes:>9}{f.ns_a_node:>9.1f}{f.asked:>9}{f.ns_asked:>9.1f}"
        f"{f.runs_a_second:>9.0f}{f.bare_runs_a_second:>9.0f}{f.rate_ratio:>7.2f}{f.compile_ratio:>9.1f}x"
    )


def print_table(figures: list[Figures], empty_seconds: float) -> None:
    print(f"against {compiler_version(plain_compiler())} -O2; medians of interleaved runs, of short ones the fastest")
    print(HEADER)
    for f in figures:
        print(row(f))
    print()
    for name, value, goal, reached in goals(figures, empty_seconds):
        print(f"{value:8.2f}  {name:<34} goal: {goal:<14} {'reached' if reached else 'not reached'}")
    asked = geometric_mean(f.ns_asked for f in figures)
    print(f"{asked:8.2f}  ns a node asked for, new or there already; for comparison, the goal is about new ones")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--repetitions", type=int, default=5, help="of each timed run (default 5)")
    parser.add_argument("programs", nargs="*", help="only these programs")
    options = parser.parse_args()
    chosen = [load for load in workloads() if not options.programs or load.name in options.programs]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        figures = [measure(build(load, folder), options.repetitions) for load in chosen]
        empty_seconds = empty_main_seconds(folder, options.repetitions)
    if options.json:
        reached = {name: value for name, value, _, _ in goals(figures, empty_seconds)}
        json.dump({"programs": [asdict(f) for f in figures], "means": reached}, sys.stdout, indent=2)
        print()
    else:
        print_table(figures, empty_seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
