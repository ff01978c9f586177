"""`untaken export --format simulator`: tests of an image as commands for a simulator, which is not ours.

image.hex, image.elf    the program
run.py                  runs all cases, and compares
cases/NNNNNN/commands   what the simulator is told: memory, where to stop, what ports say there
cases/NNNNNN/expected   where the run ends, and what memory holds then
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from untaken.build.plain import Variant
from untaken.errors import CampaignError, PlainBuildError
from untaken.executables.lifting import Lifted, lift
from untaken.executables.simulators.mspdebug import Mspdebug
from untaken.executables.simulators.observed_run import DEFINE, READS_VARIABLE, SimulatedRun, observed_run
from untaken.executables.simulators.qemu import Qemu
from untaken.executables.simulators.simavr import Simavr
from untaken.executables.simulators.simulator import Simulator
from untaken.executables.simulators.ucsim import Ucsim
from untaken.executables.target import read_image_options, read_learnt, source_names
from untaken.execute.sandbox import Sandbox
from untaken.model.path import ExitKind
from untaken.suite.replay.alone import Means, run_alone
from untaken.suite.replay.confined import MOST_OUTPUT
from untaken.suite.replay.native import build_native
from untaken.suite.replay.runners import PATIENCE
from untaken.suite.tests import SavedTest, Suite

SIMULATORS: dict[str, type[Simulator]] = {
    "8051": Ucsim,
    "avr": Simavr,
    "msp430": Mspdebug,
    "ppc": Qemu,
    "arm": Qemu,
    "x86-64": Qemu,
}
OBSERVED = Variant("the lifted program, which tells what it is given", (DEFINE,))
COMPARED = {"8051": ("iram", "xram"), "avr": ("data",), "msp430": ("memory",)}


def write_simulator(suite: Suite, target: Path) -> int:
    """Writes the folder; how many cases."""
    lifted = _lifted(suite)
    simulator = _simulator(lifted)
    loads = _many_loads(lifted)
    runs = [(test, run) for test in _tests(suite) if (run := _observe(suite, test, loads)) is not None]
    for name, content in simulator.files().items():
        (target / name).write_bytes(content)
    (target / "run.py").write_text(_runner(simulator))
    for test, run in runs:
        folder = target / "cases" / test.name
        folder.mkdir(parents=True)
        (folder / "commands").write_text("".join(f"{line}\n" for line in simulator.commands(run)))
        (folder / "expected").write_text("".join(f"{line}\n" for line in _expected(lifted, simulator, run)))
    return len(runs)


def _runner(simulator: Simulator) -> str:
    text = files(__package__).joinpath("run.py.txt").read_text()
    named = {"@SIMULATOR@": simulator.runner, "@PROGRAMS@": " ".join(simulator.programs)}
    for mark, word in {**named, "@PACKAGES@": simulator.packages}.items():
        text = text.replace(mark, word)
    return text


def _lifted(suite: Suite) -> Lifted:
    options = read_image_options(suite.folder)
    if options is None:
        raise CampaignError(f"{suite.folder} is no campaign of an executable without source: see --format script")
    if not options.path.exists():
        raise CampaignError(f"{options.path} is gone: put the image back where it was")
    return lift(options, read_learnt(suite.folder), source_names(options)[1])


def _simulator(lifted: Lifted) -> Simulator:
    processor = lifted.setting.processor
    kind = SIMULATORS.get(processor.name)
    if kind is None:
        raise CampaignError(
            f"tests are written for simulators of {', '.join(SIMULATORS)}, not of {processor.title}: "
            "see --format script"
        )
    simulator = kind(lifted)
    if simulator.obstacle is not None:
        raise CampaignError(f"{simulator.obstacle}: see --format script")
    return simulator


def _tests(suite: Suite) -> list[SavedTest]:
    """Without findings: what a processor does there is no end to expect."""
    findings = {test.input for test in suite.tests if test.place is not None}
    return [test for test in suite.proper_tests if test.place is None and test.input not in findings]


def _many_loads(lifted: Lifted) -> dict[int, int]:
    """How many loads from memories with ports an instruction makes, each time: those with more than one."""
    names = "|".join({port.memory.name for port in lifted.start.ports})
    found = {}
    for address, instruction in lifted.program.instructions.items():
        text = lifted.lines.get(address, "")
        count = len(re.findall(rf"\bload\d+_(?:{names})\(", text)) if names else 0
        if count > 1 and not any(op.inside for op in instruction.operations):
            found[address] = count
    return found


def _observe(suite: Suite, test: SavedTest, loads: dict[int, int]) -> SimulatedRun | None:
    """None if the run does not end as it did, or has more to tell than is kept."""
    try:
        program = build_native(suite, OBSERVED)
    except PlainBuildError as error:
        raise CampaignError(f"there is no plain program to observe: {error}") from None
    variables = {}
    if test.exit.kind is ExitKind.INPUTS:
        variables[READS_VARIABLE] = str(sum(1 for _ in _reads(suite, test)))
    means = Means(Sandbox(keep_env=suite.recipe.keep_env), suite.recipe.timeout * PATIENCE, variables=variables)
    with TemporaryDirectory(prefix=".observe-", dir=suite.folder, ignore_cleanup_errors=True) as folder:
        ended = run_alone(suite, test, program, Path(folder), means)
    if ended.exit.kind is not ExitKind.CODE or ended.exit.code or len(ended.output) >= MOST_OUTPUT:
        return None
    return observed_run(ended.output.decode(errors="replace"), loads)


def _reads(suite: Suite, test: SavedTest) -> Iterator[str]:
    """Fields that ports were read for, or interrupts decided by: those that the image begins with are no reads."""
    options = read_image_options(suite.folder)
    assert options is not None
    yield from (field.name for field in test.fields[len(options.inputs) :])


def _expected(lifted: Lifted, simulator: Simulator, run: SimulatedRun) -> Iterator[str]:
    yield f"end {' '.join(f'{address:#x}' for address in sorted(simulator.ends(run)))}"
    for port in lifted.start.ports:
        for address in range(port.address, port.address + port.size):
            yield f"port {port.memory.name} {address:#x}"
    for name in COMPARED.get(lifted.setting.processor.name, ("ram",)):
        for address, byte in sorted(run.memory.get(name, {}).items()):
            yield f"{name} {address:#x} {byte:#04x}"
