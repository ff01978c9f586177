"""From the command line to what campaign.json says and to what is explored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from untaken.campaign.config import DEFAULT_STDIN, Config
from untaken.errors import UsageError
from untaken.execute.target import Target
from untaken.model.input import LARGEST_SOURCE
from untaken.model.program import Function, ProgramMap
from untaken.search.coverage_goals import CoverageGoals, Criterion, coverage_goals, with_call
from untaken.search.program.callees import led_to
from untaken.suite.corpus import Recipe


def recipe(config: Config, target: Target) -> Recipe:
    """What campaign.json says: enough to run the same campaign again."""
    return Recipe(
        program=str(target.program),
        sources=target.sources,
        cflags=target.cflags,
        arguments=config.arguments,
        declared=config.sources,
        strategy=config.strategy,
        seed=config.seed,
        timeout=config.timeout,
        directory=str(Path.cwd()),
        keep_env=config.keep_env,
    )


def with_default_input(config: Config, target: Target) -> tuple[Config, str | None]:
    """Explores stdin where nothing was said about inputs; and what to tell the user about it."""
    if not config.sources and target.is_fuzzed and (config.seeds is not None or config.sync is not None):
        return replace(config, stdin=max(DEFAULT_STDIN, longest_seed(config.seeds))), None
    if config.sources or target.asks_for_input:
        return config, None
    if target.reads_nothing and config.fail_malloc:
        return config, None
    if target.reads_nothing:
        return config, "the program asks for no input and reads nothing, so it has one test; --arg N explores arguments"
    note = f"the program calls no input function and no input was declared: exploring --stdin {DEFAULT_STDIN}"
    return replace(config, stdin=DEFAULT_STDIN), note


def wanted_goals(config: Config, program: ProgramMap) -> CoverageGoals:
    """What the campaign is to cover."""
    if not config.only_in:
        return coverage_goals(program, config.goal)
    chosen = [function.index for function in program.functions if function.name in config.only_in]
    missing = set(config.only_in) - {program.functions[index].name for index in chosen}
    if missing:
        raise UsageError(f"the program has no function {min(missing)!r} whose coverage could be the goal")
    goals = coverage_goals(program, config.goal, chosen)
    tested = next((function for function in program.functions if function.name == config.tested), None)
    return goals if tested is None else _of_tested(goals, tested, program)


def _of_tested(goals: CoverageGoals, tested: Function, program: ProgramMap) -> CoverageGoals:
    """Functions that the tested one does not lead to make its arguments: what they do is no progress, the call is."""
    aside = frozenset(range(len(program.functions))) - led_to(program, tested)
    goals = replace(goals, aside=aside)
    return goals if goals.criterion is Criterion.MCDC else with_call(goals, tested.entry_id)


def longest_seed(folder: Path | None) -> int:
    """Bytes of the longest file of a corpus, as far as they can be explored; 0: there is none."""
    files = [] if folder is None else [path for path in folder.iterdir() if path.is_file()]
    return min(LARGEST_SOURCE, max((path.stat().st_size for path in files), default=0))
