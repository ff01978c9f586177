"""Options of campaigns on the command line, from the settings themselves; for every command that runs campaigns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from untaken.campaign.config import Config, options
from untaken.campaign.folder.recipe import with_default_input
from untaken.campaign.option_text import whole
from untaken.campaign.wanted_target import wanted_target
from untaken.cli.parser import Parser
from untaken.execute.target import Target


def add_campaign_options(
    add: Callable[..., object], names: Collection[str] | None = None, said: Mapping[str, str] | None = None
) -> None:
    """Those of these names, or all; `said` is what they mean here, where it is not what `run` says of them."""
    for name, (option, field) in options().items():
        if names is not None and name not in names:
            continue
        text = (said or {}).get(name, option.help).replace("%", "%%")
        details: dict[str, Any] = {"dest": name, "help": text, "default": field.default}
        if option.read is None:
            details["action"] = "store_true"
        else:
            details |= {"type": option.read, "metavar": option.metavar}
            if option.many:
                details |= {"action": "append", "default": None}
        add(option.flag, **details)


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
    target = wanted_target(config)
    config, note = with_default_input(config, target)
    if note is not None:
        console.print(Text(f"untaken: {note}"), soft_wrap=True)
    return config, target
