"""Makes the plan of a driver: looks at the file, shapes what the function takes, says what is missing."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from untaken.build.toolchain.safe_options import safe_options
from untaken.errors import UsageError
from untaken.execute.target import check_files
from untaken.unit.arrays import walked_arrays
from untaken.unit.compile_commands import find_commands, project_flags
from untaken.unit.debug_types import FunctionInfo
from untaken.unit.getters import file_getters
from untaken.unit.looked_at import result_variable, with_getters
from untaken.unit.named_numbers import named_numbers
from untaken.unit.number_roles import as_usual
from untaken.unit.options import ALL, Extent, UnitOptions
from untaken.unit.own_headers import own_headers, text_of
from untaken.unit.private_types import PrivateTypes
from untaken.unit.probe import Module, compile_module, defined_functions, undefined_symbols
from untaken.unit.relations import related
from untaken.unit.shape import ERRNO, NAME, Scalar, UnitPlan, Variable
from untaken.unit.shaping import MOST_NODES, Shaper, TooLarge
from untaken.unit.types import Signature

MOST_NAMES = 5
FREEING = ("free", "realloc", "reallocarray")
REALS = (0.0, 1.0, -1.0, 0.5, 2.0, 100.0, -100.0)
MOST_REALS = 24


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, and what to tell the user."""

    plan: UnitPlan
    notes: tuple[str, ...]
    nullable: bool = False  # some pointer may be NULL


def make_plan(options: UnitOptions) -> Planned:
    """All from one file and the name of a function in it."""
    check_files([options.file])
    flags, notes = _flags(options)
    module = compile_module(options.file, flags)
    options = replace(options, numbers=named_numbers(options.file, flags))
    found = walked_arrays(module.functions.values(), _function(module, options), module.types.table)
    guessed = {name: extent for name, extent in found.items() if name not in options.arrays}
    options = replace(options, arrays=options.arrays | guessed, getters=file_getters(module))
    notes += [_of_guess(name, extent) for name, extent in guessed.items()]
    undefined = undefined_symbols(options.file, options.function, options.others, flags)
    missing = sorted(undefined & module.reached(options.function))
    elsewhere = [name for name in options.globals if module.externals.get(name) is False]
    _check_stubs(missing, undefined, options)
    if missing or elsewhere:
        module = compile_module(options.file, flags, list(dict.fromkeys([*missing, *elsewhere])))
    return plan_function(module, options, undefined, flags, notes)


def plan_function(
    module: Module, options: UnitOptions, undefined: frozenset[str], flags: tuple[str, ...], notes: Sequence[str] = ()
) -> Planned:
    """From a module in which the types of all that is missing can be looked up."""
    options = replace(options, private=PrivateTypes(str(options.file)))
    info = _function(module, options)
    reached = module.reached(options.function)
    missing = sorted(undefined & reached)
    callees = [name for name in missing if module.externals.get(name, True)]
    variables = [name for name in missing if name not in callees]
    if ALL in options.globals:
        named = tuple(name for name in options.globals if name == ERRNO)
        options = replace(options, globals=(*_used_globals(module, reached, variables), *named))
    shaper, shaped = _shaped(module, info, options, callees)
    told = (*notes, *shaper.notes)
    idle = sorted(undefined - reached)
    plan = replace(
        _plan(module, info, shaper, shaped, options),
        storage=tuple(name for name in variables if module.probed(name)),
        unreached=tuple(name for name in idle if module.externals.get(name, True)),
        blank=tuple(name for name in [*idle, *variables] if not _is_known(module, name)),
        flags=flags,
        notes=told,
    )
    return Planned(plan, told, any(map(options.nullable, shaper.pointers)))


def _of_guess(name: str, extent: Extent) -> str:
    return (
        f"{name} is gone along, so it points to {extent.most} elements; --array {name}=N gives it N, or as many as "
        "parameter N says"
    )


def _is_known(module: Module, name: str) -> bool:
    """A function, or a variable whose type is known outside of functions."""
    return module.externals.get(name, True) or module.probed(name) is not None


def _flags(options: UnitOptions) -> tuple[tuple[str, ...], list[str]]:
    database = options.commands or find_commands(options.file)
    found = project_flags(database, options.file) if database is not None else None
    if options.commands is not None and found is None:
        raise UsageError(f"{options.commands} has no entry for {options.file}; give the flags with --cflags")
    notes = [f"compiled with the flags of {database}"] if found else []
    if found and options.commands is None:  # nobody named it: it lay above the file, which may be anybody's
        found, refused = safe_options(found)
        notes += [f"{database} asks for {word}, which is left out: --compile-commands allows it" for word in refused]
    if database is not None and found is None:
        notes = [f"{database} has no entry for {options.file.name}: only --cflags counts"]
    return ("-w", *(found or ()), *options.flags), notes


def _function(module: Module, options: UnitOptions) -> FunctionInfo:
    if options.function == "main":
        raise UsageError(f"main is explored with `untaken run {options.file}`; name another function")
    info = module.function(options.function)
    if info is None:
        known = defined_functions(module)
        near = get_close_matches(options.function, known, MOST_NAMES) or known
        raise UsageError(f"{options.file} defines no function {options.function}; it has: {listed(near) or 'none'}")
    if info.signature.variadic and not options.variadic:
        raise UsageError(
            f"{options.function} takes a variable number of arguments, which is not built: "
            "write a function that calls it with the arguments you mean, and name that one"
        )
    return info


def listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def _used_globals(module: Module, reached: frozenset[str], elsewhere: list[str]) -> tuple[str, ...]:
    """All that a function uses and that may change, in order of the file; those of other files last."""
    own = {name: type for name, type in module.variables.items() if name in reached}
    others = {name: type for name in elsewhere if (type := module.probed(name)) is not None}
    return tuple(name for name, type in (own | others).items() if not module.types.table.is_const(type))


def _check_stubs(missing: list[str], undefined: frozenset[str], options: UnitOptions) -> None:
    lacking = [name for name in missing if not options.stubbed(name)]
    if lacking:
        raise UsageError(
            f"{options.function} needs {listed(lacking)}, which {options.file.name} does not define: "
            "name the C files that do with --with, or have them made up with --stub NAME or --stub all"
        )
    if unknown := sorted(options.stubs - {"all"} - undefined):
        raise UsageError(f"--stub {unknown[0]}: the program has no undefined function of that name")


def _shaped(
    module: Module, info: FunctionInfo, options: UnitOptions, callees: list[str]
) -> tuple[Shaper, tuple[Variable, ...]]:
    """Shapes everything; where it gets too large, with less depth."""
    reals = _reals(module.compared_reals(module.reached(options.function)))
    depths = range(options.depth, -1, -1)
    # Among many functions each has less; what does not go with that has all there is.
    tried = [*((depth, options.most_nodes) for depth in depths), *((depth, MOST_NODES) for depth in depths)]
    for depth, most in tried:
        shaper = Shaper(module.types.table, options, reals, depth, most_nodes=most)
        try:
            variables = _variables(module, info, shaper, options)
            _add_callees(module, callees, shaper)
        except TooLarge:
            continue
        if depth < options.depth:
            shaper.notes[f"the structures are large: pointers are followed to depth {depth} only"] = None
        shaper.check()
        return shaper, variables
    raise UsageError(
        f"the arguments of {options.function} are too large to be drawn one by one: use a smaller --array or --depth"
    )


# Not a variable, but used like one; drawn last, since what draws the others may change it.
ERROR_NUMBER = Variable(ERRNO, f"int {NAME}", Scalar("int", 4))


def _variables(module: Module, info: FunctionInfo, shaper: Shaper, options: UnitOptions) -> tuple[Variable, ...]:
    """The variables that inputs are drawn for: parameters, then globals."""
    found = []
    for name, reference in zip(info.parameters, info.signature.parameters, strict=True):
        if module.types.table.nameless(module.types.table.unqualified(reference)):
            raise UsageError(
                f"parameter {name} of {options.function} has a type that is not built or has no name: "
                "write a function that calls it with the arguments you mean, and name that one"
            )
        found.append(
            with_getters(_as_passed(shaper.variable(name, reference), info, options), module, reference, options)
        )
    found = list(related(found, info.signature.parameters, module.types.table, options.used_members))
    own = [name for name in options.globals if name != ERRNO]
    found += [shaper.variable(name, _global(module, name, options)) for name in own]
    return (*found, *([ERROR_NUMBER] if ERRNO in options.globals else []))


def _as_passed(variable: Variable, info: FunctionInfo, options: UnitOptions) -> Variable:
    """A text, or number, may be one that the project passes."""
    position = info.parameters.index(variable.name)
    usual = options.usual(info.name, len(info.parameters), position, variable.name)
    if not usual.constants:
        return variable
    return replace(variable, shape=as_usual(variable.shape, replace(usual, always=False)))


def _global(module: Module, name: str, options: UnitOptions) -> str:
    known = module.variables
    reference = known.get(name) or module.probed(name)
    if reference is None:
        near = get_close_matches(name, known, MOST_NAMES) or list(known)
        raise UsageError(f"--global {name}: {options.file.name} has no such variable; it has: {listed(near) or 'none'}")
    if module.types.table.is_const(reference):
        raise UsageError(f"--global {name}: it is const, so its value is known")
    return reference


def _add_callees(module: Module, callees: list[str], shaper: Shaper) -> None:
    for name in callees:
        reference = module.probed(name)
        signature = module.types.table.plain(reference) if reference else None
        if not isinstance(signature, Signature) or module.types.table.nameless(signature.result):
            raise UsageError(f"no stub can be written for {name}: name the C file that defines it with --with")
        shaper.stubs[name] = shaper.stub(name, f"{name}()", signature, returns=name not in module.endless)


def _plan(
    module: Module, info: FunctionInfo, shaper: Shaper, variables: tuple[Variable, ...], options: UnitOptions
) -> UnitPlan:
    count = len(info.parameters)
    parameters, globals = variables[:count], variables[count:]
    lengths = _lengths(options, parameters)
    parameters = tuple(_as_length(variable, lengths) for variable in parameters)
    names = [variable.name for variable in parameters]
    order = sorted(names, key=lambda name: name not in lengths)
    return UnitPlan(
        source=str(options.file.absolute()),
        function=options.function,
        parameters=parameters,
        order=tuple(order),
        globals=globals,
        stubs=tuple(shaper.stubs.values()),
        storage=(),
        result=result_variable(module, info.signature, options),
        variadic=info.signature.variadic or any(map(module.types.table.is_argument_list, info.signature.parameters)),
        frees=any(name in module.reached(options.function) for name in FREEING),
        others=tuple(str(path.absolute()) for path in options.others),
        fail_malloc=options.fail_malloc,
        preconditions=options.preconditions,
        preparers=options.preparers,
        sentinel=info.signature.variadic and _wants_sentinel(options),
    )


def _wants_sentinel(options: UnitOptions) -> bool:
    """Whether a declaration of the function says that its arguments end with NULL."""
    name = rf"\b{re.escape(options.function)}\s*\("
    declared = re.compile(rf"{name}[^;{{]*sentinel|sentinel[^;{{}}]*{name}", re.IGNORECASE)
    paths = (str(options.file), *own_headers(options.file, options.flags))
    return any(declared.search(text_of(path)) for path in paths)


def _lengths(options: UnitOptions, parameters: tuple[Variable, ...]) -> dict[str, int]:
    """Parameters that say how long an array is, and the most that they may say."""
    integers = {v.name for v in parameters if isinstance(v.shape, Scalar) and v.shape.draw != "bool"}
    found: dict[str, int] = {}
    for place, extent in options.arrays.items():
        if extent.length is not None:
            if extent.length not in integers:
                raise UsageError(
                    f"--array {place}={extent.length}: {extent.length} is no integer parameter of {options.function}; "
                    f"there are: {', '.join(sorted(integers)) or 'none'}"
                )
            found[extent.length] = min(extent.most, found.get(extent.length, extent.most))
    return found


def _as_length(variable: Variable, lengths: dict[str, int]) -> Variable:
    if variable.name not in lengths:
        return variable
    assert isinstance(variable.shape, Scalar)
    return replace(variable, shape=replace(variable.shape, most=lengths[variable.name]))


def _reals(compared: tuple[float, ...]) -> tuple[str, ...]:
    """Numbers worth trying: some of everyday, and those that the program compares with, from both sides."""
    found: dict[str, None] = {}
    for value in compared:
        for near in (value, math.nextafter(value, math.inf), math.nextafter(value, -math.inf), value + 1, value - 1):
            if math.isfinite(near):
                found[near.hex()] = None
    for value in REALS:
        found[value.hex()] = None
    return (*list(found)[:MOST_REALS], '__builtin_nan("")')
