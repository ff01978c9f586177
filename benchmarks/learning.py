"""The experiments of docs/measurements/learning.md: what learned heuristics are worth, and what they cost.

    python benchmarks/learning.py STAGE... --work DIR [--jobs N] [--programs A,B] [options]

Stages, each of which keeps every campaign in the work folder and goes on from there when it is called again:

    tune           learns a heuristic for each program (fast)
    compare        learned against the hand-made strategies, and against auto
    methods        paper, random and fast side by side, with a plot for each program
    general        learns one heuristic over all programs, and for each one over all others
    leave-one-out  tries them on fresh seeds, each on the program that it has not seen
    report         prints what there is as Markdown; with --docs DIR, puts it and the plots into DIR/learning.md

Sources of Debian packages are fetched and built in the work folder. Programs are run from an empty folder in there.
Budgets are in executions, so that the figures do not depend on the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))
from benchmarks.learning_bench import SUBJECTS, Bench, bench, command, fresh_average
from benchmarks.learning_general import general, leave_one_out, place_of
from benchmarks.learning_plots import draw_methods
from benchmarks.learning_report import report
from benchmarks.real.fetch import CannotFetch
from benchmarks.real.steps import BuildFailed
from untaken.learn.campaigns import Campaigns
from untaken.learn.ledger import CHECK_TRIALS, Ledger, Round, Stage
from untaken.learn.methods.fast import fast_from
from untaken.learn.methods.paper import paper
from untaken.learn.methods.random_samples import random_samples
from untaken.learn.objective import Weights
from untaken.learn.tuning import described
from untaken.search.heuristics.heuristic_files import read_heuristic

HAND_MADE = "random,dfs,random-branch,uniform,cfg,cgs,generational,frontier"
MIXED = "auto"  # the hand-made ones and the general heuristic by turns


# ---- tune and compare


def tune(options: argparse.Namespace) -> None:
    for name in options.programs:
        one = bench(name, options)
        words = ["--iterations", options.tune_iterations, "--samples", options.samples, "--seed", options.seed]
        words += ["--jobs", options.jobs, "--out", options.work / f"{name}.json"]
        command(["tune", *one.config.targets, *words, *SUBJECTS[name].inputs])


def compare(options: argparse.Namespace) -> None:
    for name in options.programs:
        one = bench(name, options)
        words = ["--heuristic", options.work / f"{name}.json", "--strategies", f"parametric,{options.strategies}"]
        words += ["--trials", options.trials, "--iterations", options.iterations, "--jobs", options.jobs]
        out = options.work / f"{name}-comparison"
        command(["compare", *one.config.targets, *words, "--out", out, *SUBJECTS[name].inputs])


# ---- methods side by side


def methods(options: argparse.Namespace) -> None:
    """What other seeds or methods gave before stays in the file."""
    for name in options.programs:
        place = options.work / f"{name}-methods.json"
        runs = json.loads(place.read_text()) if place.exists() else {}
        for seed in range(options.seed, options.seed + options.tunings):
            of_seed = argparse.Namespace(**vars(options) | {"seed": seed})
            one = bench(name, of_seed)
            runs.setdefault(str(seed), {}).update({each: COURSES[each](one, of_seed) for each in options.methods})
            place.write_text(json.dumps(runs, indent=1))
        draw_methods(name, runs, options.work / f"{name}-methods.svg")


Course = list[dict[str, Any]]  # the rounds of a tuning


def by_paper(one: Bench, options: argparse.Namespace) -> Course:
    return course(one, options, "paper", lambda ledger, rng: paper(ledger, rng, options.samples))


def by_fast(one: Bench, options: argparse.Namespace) -> Course:
    """From what `general` learned without this program, as for any program that the general heuristic has not seen."""
    known = [read_heuristic(place_of(options.work, one.name)).vector]
    return course(one, options, "fast", lambda ledger, rng: fast_from(known, ledger, rng, options.samples))


def by_fast_alone(one: Bench, options: argparse.Namespace) -> Course:
    """From random vectors alone."""
    return course(one, options, "fast-alone", lambda ledger, rng: fast_from((), ledger, rng, options.samples))


def by_random(one: Bench, options: argparse.Namespace) -> Course:
    """As many random vectors as the paper's algorithm has drawn, and half and a quarter of them on the way."""
    drawn = options.samples * len(by_paper(one, options))
    counts = sorted({max(2, drawn // 4), max(2, drawn // 2), drawn})
    return [course(one, options, "random", partial_of(count))[-1] for count in counts]


COURSES = {"paper": by_paper, "fast": by_fast, "fast-alone": by_fast_alone, "random": by_random}


def partial_of(count: int) -> Callable[[Ledger, Random], Round]:
    """The best of so many random vectors: the first of them are the same for every count."""
    return lambda ledger, rng: random_samples(ledger, rng, count)


def course(one: Bench, options: argparse.Namespace, method: str, learn: Callable[[Ledger, Random], Round]) -> Course:
    """Its rounds; the weights of each are checked again on fresh seeds, which costs the method nothing.

    Those that it ends with are checked more often.
    """
    campaigns = one.campaigns(f"{one.name}-{method}-{options.seed}", options.method_iterations)
    ledger = Ledger(campaigns, said(f"{one.name}, {method}, seed {options.seed}"), told)
    learned = learn(ledger, Random(options.seed))
    judge = one.campaigns(f"{one.name}-judge-{options.seed}", options.method_iterations)
    trials = {ended.weights: CHECK_TRIALS for ended in ledger.rounds} | {learned.weights: options.fresh}
    return [described(ended) | fresh(judge, ended.weights, trials[ended.weights]) for ended in ledger.rounds]


def fresh(judge: Campaigns, weights: Weights, trials: int) -> dict[str, Any]:
    return {"fresh": fresh_average(judge, weights, trials), "fresh_trials": trials}


def said(what: str) -> Callable[[Stage], None]:
    def tell(stage: Stage) -> None:
        if stage.executions:
            print(f"{what}: {stage.name}, {stage.executions:,} executions", flush=True)

    return tell


def told(ended: Round) -> None:
    print(f"  best so far {ended.average:.2f} ({ended.trials} trials), {ended.executions:,} executions", flush=True)


STAGES = {
    "tune": tune,
    "compare": compare,
    "methods": methods,
    "general": general,
    "leave-one-out": leave_one_out,
    "report": report,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="+", choices=STAGES)
    parser.add_argument("--work", type=Path, required=True, help="keeps sources, builds and campaigns")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--programs", type=lambda text: text.split(","), default=["tree", "editor", "par", "dos2unix"])
    parser.add_argument("--strategies", default=f"{HAND_MADE},{MIXED}", help="to compare learned heuristics with")
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--iterations", type=int, default=4000, help="of the campaigns that are compared")
    parser.add_argument("--tune-iterations", type=int, default=1000, help="of the campaigns that learn")
    parser.add_argument("--method-iterations", type=int, default=300, help="where methods and programs are many")
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tunings", type=int, default=1, help="of each method, with seeds from --seed on")
    parser.add_argument(
        "--methods", type=lambda text: text.split(","), default=list(COURSES), help="to put side by side"
    )
    parser.add_argument("--fresh", type=int, default=30, help="trials that judge what a method has learned")
    parser.add_argument("--docs", type=Path, help="the folder of learning.md, for report")
    options = parser.parse_args()
    for what, given, there in (("program", options.programs, SUBJECTS), ("method", options.methods, COURSES)):
        unknown = [name for name in given if name not in there]
        if unknown:
            parser.error(f"no such {what}: {', '.join(unknown)}; there are: {', '.join(there)}")
    options.work = options.work.absolute()
    options.docs = options.docs and options.docs.absolute()
    empty = options.work / "empty"
    empty.mkdir(parents=True, exist_ok=True)
    os.chdir(empty)  # tree lists it
    try:
        for stage in options.stages:
            STAGES[stage](options)
    except (CannotFetch, BuildFailed, subprocess.TimeoutExpired) as problem:
        print(f"not possible here: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
