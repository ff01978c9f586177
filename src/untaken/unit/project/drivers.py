"""One driver a file: it can call each of the file's functions, so that a file is compiled once for all of them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Sequence
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path

from untaken.atomic_files import replace_file
from untaken.build.instrument.system_files import DRIVER_SUFFIX
from untaken.build.library.failing_allocations import FLAGS, SOURCE
from untaken.build.plain import ADDRESS_CHECKED, AS_GIVEN, plain_compiler
from untaken.build.toolchain.compilers import environment, front_end
from untaken.build.toolchain.front_end import INCLUDE
from untaken.errors import CompileError, PlainBuildError, UntakenError
from untaken.execute.target import Target, find_target
from untaken.suite.replay.plain_programs import plain_program
from untaken.suite.trust import Trust
from untaken.unit.driver import drive_name, file_driver_text, rest_text
from untaken.unit.getters import known_getters, known_records
from untaken.unit.options import UnitOptions
from untaken.unit.planning import ERROR_NUMBER, plan_function
from untaken.unit.probe import compile_module, undefined_symbols
from untaken.unit.project.makers import Candidates, called_functions, type_makers, usable, wanted_records
from untaken.unit.project.objects import ProjectObject, needed_objects
from untaken.unit.project.sources import SourceFile
from untaken.unit.project.survey import Survey, own_functions
from untaken.unit.shape import UnitPlan

ROUNDS = 8  # of leaving out functions whose drivers do not compile


@dataclass(frozen=True, slots=True)
class DrivenFile:
    """A file with its driver; `refused` are the functions that it cannot call, and why."""

    source: SourceFile
    plans: tuple[UnitPlan, ...]
    refused: tuple[tuple[str, str], ...]
    needs: tuple[ProjectObject, ...]
    target: Target | None

    @property
    def whole(self) -> UnitPlan:
        return merged(self.source, self.plans, self.needs)


def drive_file(
    source: SourceFile, objects: Sequence[ProjectObject], known: Survey, options: UnitOptions, folder: Path
) -> DrivenFile:
    """With all that the file needs of the others; if that does not go together, with stubs in their place."""
    module = known.modules[source]
    makers = usable(known.makers, wanted_records(module, own_functions(module, source.path), known.makers), source)
    needs = needed_objects(sorted(called_functions(makers)), source, objects)
    try:
        return _driven(source, needs, known, makers, options, folder)
    except CompileError:
        if not needs:
            raise
        return _driven(source, (), known, {}, options, folder)


def _driven(
    source: SourceFile,
    needs: tuple[ProjectObject, ...],
    known: Survey,
    makers: Candidates,
    options: UnitOptions,
    folder: Path,
) -> DrivenFile:
    module = known.modules[source]
    names = own_functions(module, source.path)
    if not names:
        return DrivenFile(source, (), (), needs, None)
    linked = [*(each.plain for each in needs), *([SOURCE] if any(each.fails for each in needs) else [])]
    undefined = undefined_symbols(source.path, names[0], linked, source.flags)
    there = frozenset(module.functions).union(*(each.defined for each in needs))
    records = known_records(module)
    looks = {place: names for place, names in known.getters.items() if place.record in records}
    said = {name for names in looks.values() for name in names} & there
    called = (called_functions(makers) | said) - module.functions.keys() - undefined
    if undefined or called:
        module = compile_module(source.path, source.flags, sorted(undefined | called))
    options = replace(options, makers=type_makers(makers, module), getters=known_getters(looks, module, there))
    plans, refused = [], {}
    for name in names:
        info = module.function(name)
        assert info is not None
        try:
            own = known.options(source, info, module.types.table, options)
            planned = plan_function(module, own, undefined, source.flags)
            plans.append(replace(planned.plan, others=tuple(str(each.source.path) for each in needs)))
        except UntakenError as error:
            refused[name] = str(error)
    driven = DrivenFile(source, tuple(plans), tuple(refused.items()), needs, None)
    driven = _that_compile(driven, folder)
    return replace(driven, target=_built(driven, folder)) if driven.plans else driven


def merged(source: SourceFile, plans: Sequence[UnitPlan], needs: Sequence[ProjectObject]) -> UnitPlan:
    """What the plans of a file's functions share: stubs, storage, what is linked."""
    stubs = {stub.name: stub for plan in plans for stub in plan.stubs}
    storage = dict.fromkeys(name for plan in plans for name in plan.storage)
    unreached = dict.fromkeys(name for plan in plans for name in plan.unreached if name not in stubs)
    blank = dict.fromkeys(name for plan in plans for name in plan.blank if name not in storage)
    return UnitPlan(
        source=str(source.path),
        function=source.name,
        parameters=(),
        order=(),
        globals=tuple(each for each in (ERROR_NUMBER,) if any(each in plan.globals for plan in plans)),
        stubs=tuple(stubs.values()),
        storage=tuple(storage),
        result=None,
        frees=any(plan.frees for plan in plans),
        unreached=tuple(unreached),
        blank=tuple(blank),
        others=plans[0].others if plans else (),
        flags=source.flags,
        variadic=any(plan.variadic for plan in plans),
        preparers=tuple(dict.fromkeys(each for plan in plans for each in plan.preparers)),
        fail_malloc=any(each.fails for each in needs) or any(plan.fail_malloc for plan in plans),
    )


def _that_compile(driven: DrivenFile, folder: Path) -> DrivenFile:
    """Leaves out functions whose part of the driver the compiler refuses."""
    for _ in range(ROUNDS):
        text = _write(driven, folder)
        errors = _errors(driven.source, folder)
        if not errors:
            break
        places = _places(text, driven.plans)
        bad = {name: why for line, why in errors if (name := _at(line, places)) is not None}
        if not bad:
            raise CompileError(f"the driver of {driven.source.path.name} does not compile: {errors[0][1]}", 2)
        kept = tuple(plan for plan in driven.plans if plan.function not in bad)
        driven = replace(driven, plans=kept, refused=(*driven.refused, *bad.items()))
    return driven


def driver_path(source: SourceFile, folder: Path) -> Path:
    return (folder / f"{source.name}{DRIVER_SUFFIX}").absolute()


def _write(driven: DrivenFile, folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    text = file_driver_text(driven.whole, driven.plans)
    replace_file(os.fspath(driver_path(driven.source, folder)), text.encode())
    return text


def _errors(source: SourceFile, folder: Path) -> list[tuple[int, str]]:
    """Lines of the driver, and what the compiler says of them."""
    path = driver_path(source, folder)
    command = [*plain_compiler(front_end(), source.flags), *source.flags, "-w", "-ferror-limit=0", "-fsyntax-only"]
    done = subprocess.run(
        [*command, "-idirafter", INCLUDE, str(path)],
        env={**environment(), "LC_ALL": "C"},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    found = re.findall(rf"{re.escape(str(path))}:(\d+):\d+: (?:fatal )?error: (.*)", done.stderr)
    if done.returncode and not found:
        raise CompileError(f"the driver of {path.name} does not compile: {done.stderr.strip()[-400:]}", 2)
    return [(int(line), why) for line, why in found]


def _places(text: str, plans: Sequence[UnitPlan]) -> list[tuple[int, str]]:
    """The line on which each function's part begins, from the last to the first."""
    begins = {f"static void {drive_name(plan)}(void) {{": plan.function for plan in plans}
    lines = enumerate(text.splitlines(), 1)
    return [(number, begins[line]) for number, line in lines if line in begins][::-1]


def _at(line: int, places: Sequence[tuple[int, str]]) -> str | None:
    return next((name for begin, name in places if begin <= line), None)


def _built(driven: DrivenFile, folder: Path) -> Target:
    source, whole = driven.source, driven.whole
    sources = [str(driver_path(source, folder))]
    if text := rest_text(whole):
        rest = (folder / f"{source.name}-rest{DRIVER_SUFFIX}").absolute()
        replace_file(os.fspath(rest), text.encode())
        sources.append(str(rest))
    words = [*(str(each.explored) for each in driven.needs), *source.flags]
    if whole.fail_malloc:
        sources.append(str(SOURCE))
        words += FLAGS
    with redirect_stderr(StringIO()):
        target = find_target(sources, shlex.join(words))
    _build_plain(target)
    return target


def _build_plain(target: Target) -> None:
    """The programs on which findings are confirmed: else each function's campaign would wait for them in its time."""
    with suppress(PlainBuildError):
        for variant in (AS_GIVEN, ADDRESS_CHECKED):
            plain_program(target.program, variant, Path(target.sources[0]).stem, Trust.EVERYBODY)
