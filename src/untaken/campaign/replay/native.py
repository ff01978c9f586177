"""The plain program: the campaign's sources and options without any instrumentation.

The input functions come from libuntaken_native.a, which reads the file that UNTAKEN_INPUT names.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from untaken.build.driver import MATHEMATICS
from untaken.build.front_end import INCLUDE
from untaken.build.runtime_library import runtime_library
from untaken.build.storage import fresh_name
from untaken.build.toolchain import FrontEnd, Kind, environment, front_end, linker
from untaken.campaign.suite import Suite
from untaken.errors import CampaignError, CompileError

FOLDER = "native"
ZIG_HABITS = ("-fno-sanitize=undefined", "-fno-stack-protector")


def build_native(suite: Suite) -> Path:
    """Builds the plain program into the campaign's folder; what the compiler says goes to standard error."""
    compiler = front_end()
    program = suite.folder / FOLDER / suite.sources[0].stem
    aside = Path(fresh_name(os.fspath(program)))
    try:
        program.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise CampaignError(f"cannot write {program.parent}: {error.strerror}; --instrumented does without") from None
    # Relative names in the options mean what they meant to the campaign.
    code = subprocess.run(
        native_command(compiler, suite, aside), cwd=suite.directory, env=environment(), check=False
    ).returncode
    if code:
        names = ", ".join(suite.recipe.sources)
        raise CompileError(f"{names} could not be built natively, see above; --instrumented does without", 2)
    os.replace(aside, program)
    return program


def native_command(compiler: FrontEnd, suite: Suite, output: Path) -> list[str]:
    """Compiles and links in one go."""
    return [
        *plain_compiler(compiler),
        "-g",
        *(word for word in suite.recipe.cflags if not (word.startswith("-fsanitize=") and "fuzzer" in word)),
        *("-idirafter", INCLUDE),
        *suite.recipe.sources,
        runtime_library(compiler).native,
        *(word for word in suite.recipe.cflags if word.startswith(("-l", "-L", "-Wl,"))),
        *MATHEMATICS,
        *("-o", os.fspath(output)),
    ]


def plain_compiler(compiler: FrontEnd) -> tuple[str, ...]:
    """clang where there is one: it understands the same options. Else the system's, for zig's first link is slow."""
    if compiler.kind is Kind.CLANG:
        return (*compiler.command, "-Qunused-arguments")
    found = linker()
    return (*found.command, *ZIG_HABITS) if found.kind is Kind.ZIG else found.command
