"""Options of campaigns on the command line, from the settings themselves; for every command that runs campaigns."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from untaken.campaign.config import Config, options
from untaken.campaign.folder.recipe import with_default_input
from untaken.campaign.option_text import whole
from untaken.campaign.wanted_target import wanted_target
from untaken.cli.building import building
from untaken.cli.parser import Parser
from untaken.execute.target import Target
from untaken.report.prose import say

if TYPE_CHECKING:
    from argparse import _ArgumentGroup


# Fields of a Config that have options, by what they are about, in the order in which the help shows them.
GROUPS = {
    "what is explored": ("stdin", "arg", "file", "fail_malloc", "inputs", "seeds", "dictionary"),
    "when it ends": ("time", "iterations", "coverage", "no_new", "after_coverage", "first_finding"),
    "how it is searched": ("goal", "strategy", "heuristic", "prune", "max_path", "solver", "seed"),
    "random inputs, and hybrid search": ("range", "values", "printable", "saturation", "inputs_per_search"),
    "what comes of it": ("out", "minimise", "json", "quiet", "serve", "serve_port"),
    "as a check": ("fail_under", "baseline", "changed_since"),
    "together with others": ("jobs", "ray", "sync"),
    "the program and its sandbox": (
        "cflags",
        "timeout",
        "memory",
        "no_sandbox",
        "allow_write",
        "keep_env",
        "trust",
    ),
}


def add_campaign_options(
    parser: Parser, names: Collection[str] | None = None, said: Mapping[str, str] | None = None
) -> None:
    """Those of these names, or all; `said` is what they mean here, where it is not what `run` says of them."""
    for title, members in GROUPS.items():
        wanted = [name for name in members if names is None or name in names]
        if wanted:
            group = parser.add_argument_group(title)
            for name in wanted:
                _add_option(group, name, (said or {}).get(name))


def _add_option(group: _ArgumentGroup, name: str, said: str | None) -> None:
    option, field = options()[name]
    text = (said or option.help).replace("%", "%%")
    details: dict[str, Any] = {"dest": name, "help": text, "default": field.default}
    if option.read is None:
        details["action"] = "store_true"
    else:
        details |= {"type": option.read, "metavar": option.metavar}
        if option.many:
            details |= {"action": "append", "default": None}
    group.add_argument(option.flag, **details)


def add_pool_options(parser: Parser) -> None:
    """Adds the options that say where many campaigns run."""
    add: Any = parser.add_argument
    add("--jobs", type=whole("--jobs", 1), metavar="N", help="campaigns at the same time (default: all cores)")
    add("--ray", metavar="ADDRESS", help="run campaigns on the Ray cluster at this address instead of this machine")


def campaign_settings(known: Mapping[str, Any]) -> dict[str, Any]:
    """What was given for the fields of a Config; what may be given many times is a tuple, also if it was not."""
    given = {name: option for name, (option, _) in options().items() if name in known}
    return {name: tuple(known[name] or ()) if option.many else known[name] for name, option in given.items()}


def ready(config: Config, console: Console) -> tuple[Config, Target]:
    """The program, built if need be, and the settings with its input; says so where that was not given."""

    def tell(text: str) -> None:
        say(console, Text(f"untaken: {text}"))

    with building(tell, config.targets):
        target = wanted_target(config)
    config, note = with_default_input(config, target)
    if note is not None:
        tell(note)
    return config, target
