"""The only module that touches llvmlite: bitcode in, instrumented object out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from untaken.build.instrument.module import Instrumented, Settings, instrument
from untaken.build.objects.origin import Origin
from untaken.build.words.layout import written_layout
from untaken.errors import InstrumentationError
from untaken.uncollected import uncollected


@dataclass(frozen=True, slots=True)
class CodegenOptions:
    """How the object is made. `source` is the file's name for messages and the program map, `origin` for the map alone.

    With `check`, each value that the runtime computes for an expression is compared with the program's own. Functions
    in `only_inline` are defined here because they are nowhere else.
    """

    optimisation: int = 2
    may_hurry: bool = False  # no optimisation was asked for
    pic: bool = True
    assembly: bool = False
    check: bool = False
    source: str = ""
    origin: Origin | None = None
    only_inline: frozenset[str] = frozenset()


def compile_bitcode(bitcode: bytes, options: CodegenOptions) -> bytes:
    """Instruments a module; gives the object file, or assembly text if asked for."""
    module = _parse(bitcode)
    module.data_layout = written_layout(bitcode, module.data_layout)
    machine = _target_machine(options.optimisation, options.pic)
    _promote_locals(module, machine)
    text = _instrument(module, options)
    module.close()
    instrumented = _parse_text(text.text, options.source)
    if text.is_huge:
        machine = _target_machine(0, options.pic)
    else:
        _optimise(instrumented, machine, options.optimisation)
    if text.is_large and options.may_hurry:
        # 64 KiB of 8051 code are emitted in 4 s instead of 25, and campaigns are hardly slower.
        machine = _target_machine(0, options.pic)
    result: str | bytes
    result = machine.emit_assembly(instrumented) if options.assembly else machine.emit_object(instrumented)
    return result.encode() if isinstance(result, str) else result


_SMALL = "define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n"


def warm_up() -> None:
    """Compiles a function of one line: what LLVM and our own modules make at their first use is there then."""
    _initialise()
    compile_bitcode(llvm.parse_assembly(_SMALL).as_bitcode(), CodegenOptions(source="warm_up.c"))


def printed(bitcode: bytes) -> str:
    """A module as text, with its debug information: for those who only read it."""
    return str(_parse(bitcode))


def _instrument(module: Any, options: CodegenOptions) -> Instrumented:
    settings = Settings(options.source or module.source_file, options.origin, options.check, options.only_inline)
    with uncollected():  # of what is made, all stays until the text is written
        return instrument(str(module), settings)


# Instrumented functions have many more blocks than LLVM is tuned for.
_LLVM_OPTIONS = (
    # How far the register allocator looks for the best place to split a value. A function of 300 ifs compiles in a
    # third of the time that it takes with LLVM's own 10,000, to less code; small ones come out the same.
    "-grow-region-complexity-budget=1000",
    # Only lines are kept of the debug information; the other way of following variables goes through all the code.
    "-experimental-debug-variable-locations=false",
)


@cache
def _initialise() -> None:
    for option in _LLVM_OPTIONS:
        llvm.set_option("untaken", option)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()


def _target_machine(optimisation: int, pic: bool) -> Any:
    """One for each module: it remembers the addresses of variables that must be kept, and others get them later."""
    _initialise()
    target = llvm.Target.from_triple("x86_64-unknown-linux-gnu")
    return target.create_target_machine(opt=optimisation, reloc="pic" if pic else "static", codemodel="small")


def _parse(bitcode: bytes) -> Any:
    _initialise()
    try:
        return llvm.parse_bitcode(bitcode)
    except RuntimeError as error:
        raise InstrumentationError(f"LLVM cannot read what the front end wrote: {error}") from error


def _parse_text(text: str, source: str) -> Any:
    try:
        module = llvm.parse_assembly(text)
        module.verify()
    except RuntimeError as error:
        raise InstrumentationError(
            f"instrumenting {source or 'the module'} gave IR that LLVM refuses; please report this: {error}"
        ) from error
    return module


def _promote_locals(module: Any, machine: Any) -> None:
    """SROA: locals become values, while the branches stay the source's own."""
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=0))
    passes = llvm.create_new_function_pass_manager()
    passes.add_sroa_pass()
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)


def _optimise(module: Any, machine: Any, level: int) -> None:
    """What must be inlined is, and if anything is to be optimised, each function is made simpler by itself.

    LLVM's own first level takes five to eight times as long and brings nothing here: events and tags stand in its way,
    programs run as fast without it.
    """
    options = llvm.create_pipeline_tuning_options(speed_level=0)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    if level > 0:
        _simplify_functions(module, builder)


def _simplify_functions(module: Any, builder: Any) -> None:
    passes = llvm.create_new_function_pass_manager()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)
