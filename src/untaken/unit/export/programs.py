"""Compiles what was written, and runs it in the sandbox."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from untaken.build.plain import plain_compiler
from untaken.build.storage import scratch_directory
from untaken.build.toolchain.compilers import environment, find_program, front_end
from untaken.errors import CampaignError
from untaken.execute.memory import RunLimits
from untaken.execute.sandbox import Sandbox, program_environment
from untaken.execute.target import SANITIZER_SETTINGS
from untaken.suite.replay.alone import NATIVE_SANITIZER_SETTINGS
from untaken.suite.replay.confined import ConfinedRun, Ended, run_confined
from untaken.suite.replay.runners import PATIENCE
from untaken.suite.tests import Suite
from untaken.unit.driver import rest_text
from untaken.unit.export.frameworks import Framework
from untaken.unit.probe import link_flags
from untaken.unit.shape import UnitPlan

CPP = ("c++", "g++", "clang++")
REST = "rest.c"
NO_VARIABLES: Mapping[str, str] = MappingProxyType({})
NO_SANITIZER = ("-fsanitize", "-fno-sanitize")


@dataclass(frozen=True, slots=True)
class Workshop:
    """A folder with C files of ours."""

    suite: Suite
    plan: UnitPlan
    folder: Path
    linked: tuple[str, ...] | None = None  # objects in place of the plan's other files
    sanitizers: tuple[str, ...] = ()
    symbolized: bool = True  # what sanitizers say has names and lines, which takes its time
    rest: str = REST

    @property
    def flags(self) -> list[str]:
        """The user's, without what only campaigns need."""
        return [*(word for word in self.plan.flags if not word.startswith(NO_SANITIZER)), *self.sanitizers]

    def compile(self, file: str, output: Path, more: Sequence[str] = ()) -> str | None:
        """What the compiler says if it refuses."""
        return self._said([*self._start(), file, *self._rest(), *link_flags(self.flags), *more, "-o", str(output)])

    def compile_googletest(self, file: str, output: Path, framework: Framework) -> str | None:
        """Two languages: the C side first."""
        compiler = next((path for name in CPP if (path := find_program(name))), None)
        if compiler is None:
            return "there is no C++ compiler"
        with scratch_directory() as scratch:
            object = os.path.join(scratch, "tests.o")
            if (said := self._said([*self._start(), "-c", file, "-o", object])) is not None:
                return said
            libraries = [f"-l{name}" for name in framework.libraries]
            main = f"{Path(file).stem}.cc"
            # Everything else is C, and g++ must not take it for C++.
            rest = ["-x", "c", *self._rest(), "-x", "none"] if self._rest() else []
            words = ["-w", main, object, *rest, *libraries, *link_flags(self.flags), "-o", str(output)]
            return self._said([compiler, *words])

    def has_header(self, name: str, language: str = "c") -> bool:
        words = [*plain_compiler(front_end(), self.flags), "-fsyntax-only", "-x", language, "-"]
        includes = (
            f"#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <{name}>\n"
        )
        done = subprocess.run(
            words, input=includes, env=environment(), capture_output=True, text=True, check=False, cwd=self.folder
        )
        return done.returncode == 0

    def run(
        self,
        program: Path,
        arguments: Sequence[str],
        *,
        log: Path | None = None,
        rounds: int = 1,
        more: Mapping[str, str] = NO_VARIABLES,
    ) -> Ended:
        """`rounds` is how many times the time of one execution it may take; `more` is put into the environment."""
        sandbox = Sandbox(keep_env=self.suite.recipe.keep_env)
        variables = {} if log is None else {"UNTAKEN_OBSERVATIONS": str(log)}
        settings = (NATIVE_SANITIZER_SETTINGS if self.symbolized else SANITIZER_SETTINGS) if self.sanitizers else {}
        job = ConfinedRun(
            program=program,
            argv=(program.name, *arguments),
            directory=self.suite.directory,
            stdin=Path(os.devnull),
            environment={**program_environment(sandbox), **variables, **settings, **more},
            seconds=self.suite.recipe.timeout * PATIENCE * max(1, rounds),
            limits=RunLimits(memory=0) if self.sanitizers else RunLimits(),
            writable=() if log is None else (log,),
        )
        return run_confined(job, sandbox)

    def _start(self) -> list[str]:
        return [*plain_compiler(front_end(), self.flags), "-g", *self.flags, f"-I{Path(self.plan.source).parent}"]

    def _rest(self) -> list[str]:
        others = self.plan.others if self.linked is None else self.linked
        return [*others, *([self.rest] if rest_text(self.plan) else [])]

    def _said(self, command: list[str]) -> str | None:
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env=environment(),
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
        except OSError as error:
            raise CampaignError(f"cannot start {command[0]}: {error.strerror}") from None
        return done.stderr.strip() or "no reason is given" if done.returncode else None
