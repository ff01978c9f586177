"""`untaken lift`: writes the C of an executable."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from untaken.cli.images import add_image_options, image_options
from untaken.cli.parser import Parser
from untaken.executables.lifting import lift
from untaken.executables.machine_code.control_flow import Learnt
from untaken.executables.machine_code.sleigh import languages
from untaken.executables.processors.registry import PROCESSORS
from untaken.executables.target import source_names
from untaken.suite.corpus import told, write_file

DESCRIPTION = (
    "Writes the C of an executable, ELF, Intel HEX, S-records or raw: one line an instruction, with its disassembly "
    "as a comment, and a function for each that is called. `untaken run` explores the same C."
)


def run(arguments: Sequence[str]) -> int:
    """Writes two files: the program, and what it includes."""
    if "--list-cpus" in arguments:
        print(processor_list())
        return 0
    known: dict[str, Any] = vars(make_parser().parse_args(arguments))
    options = image_options([known["image"]], known)
    program, support = source_names(options)
    lifted = lift(options, Learnt(), support)
    for note in lifted.notes:
        print(f"untaken: {note}", file=sys.stderr)
    folder: Path = known["out"]
    with told(folder):
        folder.mkdir(parents=True, exist_ok=True)
        write_file(folder / support, lifted.support_text.encode())
        write_file(folder / program, lifted.program_text.encode())
    count = f"{len(lifted.program.instructions)} instructions in {len(lifted.program.functions)} functions"
    print(f"{count}: {folder / program}, which includes {support}")
    return 0


def make_parser() -> Parser:
    parser = Parser("lift", DESCRIPTION)
    parser.add_argument("image", metavar="FILE", help="the executable")
    parser.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="where the C goes (default: here)")
    parser.add_argument("--list-cpus", action="store_true", help="say which processors there are, and stop")
    add_image_options(parser.add_argument_group("the image").add_argument)
    return parser


def processor_list() -> str:
    """Those that are checked first, then SLEIGH's."""
    lines = [f"{processor.name:<8}{processor.title}" for processor in PROCESSORS.values()]
    return "\n".join([*lines, "", "untested, by SLEIGH's names:", *languages()])
