"""The settings of a campaign: one frozen object, made once from the command line.

Each field says its own flag, help and how its text is read, so that the command line and its help come from here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from untaken.campaign.option_text import (
    file_source,
    folder,
    goal,
    range_bias,
    seconds,
    share,
    values_bias,
    variable_name,
    whole,
)
from untaken.errors import UsageError
from untaken.model.input import LARGEST_SOURCE, Bias, Source, SourceKind
from untaken.search.coverage_goals import Criterion
from untaken.search.heuristics.heuristic import Heuristic
from untaken.search.heuristics.heuristic_files import read_heuristic
from untaken.search.pruning.registry import check_pruning, offered
from untaken.search.registry import DEFAULT, strategies, strategy
from untaken.solve.backends.registry import BACKENDS, check_backend
from untaken.solve.backends.registry import DEFAULT as DEFAULT_SOLVER
from untaken.suite.dictionary import read_dictionary

DEFAULT_SECONDS = 60.0
DEFAULT_STDIN = 64
LARGEST_COUNT = (1 << 31) - 1
LARGEST_MEMORY = 1 << 24  # MiB
DEFAULT_OUT = Path("untaken-out")
# Settings that not every strategy has a use for.
PARTICULAR = ("heuristic", "dictionary", "saturation", "inputs_per_search", "range", "values", "printable")
ENDLESS_INPUTS = 20
MOST_ENDLESS_INPUTS = ENDLESS_INPUTS << 8


@dataclass(frozen=True, slots=True)
class CampaignOption:
    """How a field is given on the command line."""

    flag: str
    help: str
    read: Callable[[str], Any] | None = None  # None: the flag takes no value
    metavar: str = "N"
    many: bool = False


def option(default: Any, option: CampaignOption) -> Any:
    return field(default=default, metadata={"option": option})


@dataclass(frozen=True, slots=True)
class Config:
    """What `untaken run` was asked to do."""

    targets: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    strategy: str = option(
        DEFAULT, CampaignOption("--strategy", "how to choose the next branch; --list-strategies shows them", str, "S")
    )
    heuristic: Heuristic | None = option(
        None,
        CampaignOption(
            "--heuristic",
            "weights that `untaken tune` learned, for strategies that score branches by their features",
            read_heuristic,
            "FILE.json",
        ),
    )
    prune: str = option(
        "", CampaignOption("--prune", f"rules that skip branches, with commas between: {offered()}", str, "R")
    )
    max_path: int | None = option(
        None, CampaignOption("--max-path", "flip only the first N decisions of a path", whole("--max-path", 1))
    )
    goal: Criterion = option(
        Criterion.BRANCHES,
        CampaignOption("--goal", "what to cover: statements, branches (the default), conditions or mcdc", goal, "WHAT"),
    )
    only_in: tuple[str, ...] = ()  # functions: what lies in others need not be covered; empty: all counts
    tested: str = ""  # a function: what goes wrong before it is called, while its arguments are made, is no finding
    iterations: int | None = option(
        None, CampaignOption("--iterations", "end after N executions of the program", whole("--iterations", 1))
    )
    time: float | None = option(
        None,
        CampaignOption(
            "--time",
            f"end after S seconds, beside those of the compiler (default {DEFAULT_SECONDS:g} if no budget is given)",
            seconds("--time"),
            "S",
        ),
    )
    no_new: int | None = option(
        None, CampaignOption("--no-new", "end after N executions that covered nothing new", whole("--no-new", 1))
    )
    after_coverage: int = option(
        1000,
        CampaignOption(
            "--after-coverage",
            "once all is covered, go on for N executions in search of faults, then end (default 1000)",
            whole("--after-coverage"),
        ),
    )
    coverage: float | None = option(
        None, CampaignOption("--coverage", "end when P percent of the goal are covered", share("--coverage"), "P")
    )
    first_finding: bool = option(False, CampaignOption("--first-finding", "end at the first crash or failed assertion"))
    inputs: int | None = option(
        None,
        CampaignOption(
            "--inputs",
            "an execution ends when it has asked for N inputs (default: as many as it asks for; if that has no end, "
            f"{ENDLESS_INPUTS} and then more, as long as nothing new is covered)",
            whole("--inputs", 1, LARGEST_COUNT),
        ),
    )
    saturation: int | None = option(
        None,
        CampaignOption(
            "--saturation",
            "hybrid: N random inputs without a new branch begin a search",
            whole("--saturation", 1, LARGEST_COUNT),
        ),
    )
    inputs_per_search: int | None = option(
        None,
        CampaignOption(
            "--inputs-per-search",
            "hybrid: how many inputs a search looks ahead",
            whole("--inputs-per-search", 1, LARGEST_COUNT),
        ),
    )
    range: tuple[Bias, ...] = option(
        (),
        CampaignOption(
            "--range", "random inputs of this name lie between LOW and HIGH", range_bias, "NAME=LOW..HIGH", True
        ),
    )
    values: tuple[Bias, ...] = option(
        (), CampaignOption("--values", "random inputs of this name are A, B or C", values_bias, "NAME=A,B,C", True)
    )
    printable: bool = option(
        False, CampaignOption("--printable", "random text is made of printable characters and newlines")
    )
    jobs: int | None = option(
        None,
        CampaignOption(
            "--jobs", "explore with N workers at the same time, 0: one for each core (default 1)", whole("--jobs")
        ),
    )
    ray: str | None = option(
        None,
        CampaignOption(
            "--ray",
            "explore on the Ray cluster at this address, with --jobs workers or one for each of its cores",
            str,
            "ADDRESS",
        ),
    )
    minimise: bool = option(
        False, CampaignOption("--minimise", "at the end, shorten each test as long as it covers or shows what it did")
    )
    seed: int = option(
        0, CampaignOption("--seed", "the same seed and --iterations give the same tests", whole("--seed"))
    )
    stdin: int | None = option(
        None,
        CampaignOption("--stdin", "up to N bytes of standard input are explored", whole("--stdin", 1, LARGEST_SOURCE)),
    )
    arg: tuple[int, ...] = option(
        (),
        CampaignOption(
            "--arg", "one more argument of up to N bytes is explored", whole("--arg", 1, LARGEST_SOURCE), many=True
        ),
    )
    file: tuple[Source, ...] = option(
        (), CampaignOption("--file", "the file NAME of up to N bytes is explored", file_source, "NAME=N", many=True)
    )
    fail_malloc: bool = option(
        False, CampaignOption("--fail-malloc", "allocations may fail: which ones do is explored as an input")
    )
    seeds: Path | None = option(None, CampaignOption("--seeds", "start from the inputs in a folder", Path, "DIR"))
    dictionary: tuple[tuple[bytes, ...], ...] = option(
        (),
        CampaignOption(
            "--dict", "words to put into inputs, in the format of AFL and libFuzzer", read_dictionary, "FILE", many=True
        ),
    )
    sync: Path | None = option(
        None,
        CampaignOption(
            "--sync", "take part in an output folder of AFL++: run what others find, offer what is found", Path, "DIR"
        ),
    )
    out: Path = option(
        DEFAULT_OUT,
        CampaignOption(
            "--out", "where tests and findings go; an earlier campaign there is continued", folder("--out"), "DIR"
        ),
    )
    fail_under: float | None = option(
        None,
        CampaignOption(
            "--fail-under", "exit code 1 if less than P percent of the goal are covered", share("--fail-under"), "P"
        ),
    )
    baseline: Path | None = option(
        None,
        CampaignOption(
            "--baseline",
            "compare with the campaign in DIR, whose tests are run first: exit code 1 only if findings are new or "
            "coverage is lost",
            Path,
            "DIR",
        ),
    )
    changed_since: str | None = option(
        None,
        CampaignOption(
            "--changed-since",
            "cover only functions that have changed since a revision of git, and explore only what leads to them",
            str,
            "REV",
        ),
    )
    cflags: str = option("", CampaignOption("--cflags", "options of the compiler, in one word", str, '"..."'))
    solver: str = option(
        DEFAULT_SOLVER,
        CampaignOption(
            "--solver",
            f"{', '.join(BACKENDS)} (default {DEFAULT_SOLVER}); check asks both of them and evaluates each answer",
            str,
            "S",
        ),
    )
    timeout: float = option(
        1.0, CampaignOption("--timeout", "seconds that one execution may take (default 1)", seconds("--timeout"), "S")
    )
    memory: int = option(
        2048,
        CampaignOption(
            "--memory", "MiB that one execution may use (default 2048)", whole("--memory", 1, LARGEST_MEMORY), "MIB"
        ),
    )
    no_sandbox: bool = option(False, CampaignOption("--no-sandbox", "let the program change files and use the network"))
    allow_write: tuple[Path, ...] = option(
        (), CampaignOption("--allow-write", "a folder that the program may change", Path, "DIR", many=True)
    )
    keep_env: tuple[str, ...] = option(
        (),
        CampaignOption(
            "--keep-env", "a variable of your environment that the program sees, too", variable_name, "NAME", many=True
        ),
    )
    trust: bool = option(
        False,
        CampaignOption(
            "--trust", "the program was built elsewhere, and the compiler options that it asks for may be used"
        ),
    )
    json: bool = option(
        False, CampaignOption("--json", "print the summary as JSON on standard output, and nothing else there")
    )
    serve: bool = option(
        False, CampaignOption("--serve", "show the campaign's page while it goes on, to browsers on this machine")
    )
    serve_port: int | None = option(
        None,
        CampaignOption(
            "--serve-port", "the same on this port (default: one that is free)", whole("--serve-port", 1, 65535), "PORT"
        ),
    )
    quiet: bool = option(False, CampaignOption("--quiet", "print nothing but errors"))

    @property
    def sources(self) -> tuple[Source, ...]:
        """The inputs that the command line declares, in the order in which they are drawn."""
        arguments = tuple(Source(SourceKind.ARGUMENT, size) for size in self.arg)
        stdin = (Source(SourceKind.STDIN, self.stdin),) if self.stdin is not None else ()
        return arguments + stdin + self.file

    @property
    def seconds(self) -> float | None:
        """The budget of time: the default only if nothing else ends the campaign."""
        if self.time is None and self.iterations is None and self.no_new is None:
            return DEFAULT_SECONDS
        return self.time

    @property
    def served_port(self) -> int | None:
        """Where the page is shown meanwhile; 0: any port; None: nowhere."""
        return self.serve_port if self.serve_port is not None or not self.serve else 0

    @property
    def strategy_name(self) -> str:
        return strategy_name(self.strategy)

    @property
    def whole_strategy(self) -> str:
        """With the options that have flags of their own."""
        given = {"saturation": self.saturation, "inputs-per-search": self.inputs_per_search}
        return self.strategy + "".join(f":{name}={value}" for name, value in given.items() if value is not None)

    @property
    def words(self) -> tuple[bytes, ...]:
        """Of all dictionaries, each once."""
        return tuple(dict.fromkeys(word for words in self.dictionary for word in words))

    @property
    def biases(self) -> tuple[Bias, ...]:
        return self.range + self.values

    def given_of(self, names: Sequence[str]) -> dict[str, Any]:
        """The settings of these names that are not the default."""
        return {name: value for name in names if (value := getattr(self, name)) != options()[name][1].default}

    def fitted(self, spec: str) -> Config:
        """For this strategy, without what is for others."""
        foreign: dict[str, Any] = {
            name: options()[name][1].default for name in PARTICULAR if not has_use_for(spec, name)
        }
        return replace(self, strategy=spec, **foreign)

    def check(self) -> None:
        """What can be said to be wrong before anything is built."""
        if self.strategy_name not in (known := strategies()):
            raise UsageError(f"no strategy is called {self.strategy_name!r}; there are: {', '.join(known)}")
        if self.heuristic is not None:
            self._check_use("heuristic", "--heuristic is")
        if self.dictionary:
            self._check_use("dictionary", "--dict is")
        strategy(self.whole_strategy)
        if self.biases or self.printable:
            self._check_use("range", "--range, --values and --printable are")
        if len({bias.name for bias in self.biases}) < len(self.biases):
            raise UsageError("the same name has two of --range and --values")
        check_backend(self.solver)
        check_pruning(self.prune, self.max_path, self.strategy_name, known[self.strategy_name].declaration)
        if self.seeds is not None and not self.seeds.is_dir():
            raise UsageError(f"--seeds {self.seeds} is no folder")
        if self.baseline is not None and not self.baseline.is_dir():
            raise UsageError(f"--baseline {self.baseline} is no folder: name the --out folder of an earlier campaign")
        for place in self.allow_write:
            if not place.exists():
                raise UsageError(f"--allow-write {place}: there is no such folder; make it first")
        if len({source.name for source in self.file}) < len(self.file):
            raise UsageError("the same --file is declared twice")

    def _check_use(self, setting: str, subject: str) -> None:
        """Refuses a setting that the strategy has no use for, and names those that have."""
        if has_use_for(self.strategy, setting):
            return
        *users, last = (name for name, entry in strategies().items() if entry.has_use_for(setting))
        named = f"{', '.join(users)} and {last}" if users else last
        raise UsageError(f"{subject} for the strategies {named}, not for {self.strategy_name}")


def strategy_name(spec: str) -> str:
    """The name of a strategy that was given with its options."""
    return spec.partition(":")[0]


def has_use_for(spec: str, setting: str) -> bool:
    """Whether a setting that is for some strategies is for this one."""
    return strategies()[strategy_name(spec)].has_use_for(setting)


def options() -> dict[str, tuple[CampaignOption, Field[Any]]]:
    """Every field that has a flag."""
    return {each.name: (each.metadata["option"], each) for each in fields(Config) if "option" in each.metadata}
