"""Writes the driver: a C file that includes the user's, draws the arguments from the input and calls the function.

Where the driver itself must decide on an input, whether a pointer is NULL say, it does so in code of this file, whose
branches do not count as the program's but can be flipped as any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from untaken.build.storage import digest
from untaken.errors import UsageError
from untaken.unit.drawing import BEFORE, MOSTLY, PREFIX, broken_name, draw, followed_name, quoted
from untaken.unit.places import CPlace
from untaken.unit.shape import NAME, Made, MadeValue, Precondition, Stub, Text, UnitPlan, Variable
from untaken.unit.stubs import output_name

_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
BLANK_SIZE = 4096  # of a variable of unknown type
USERS_MAIN = "untaken_users_main"
SUPPORT = """\
#include <untaken.h>

extern void _Exit(int);

static void *untaken_new(unsigned long size) { return __builtin_calloc(1, size); }

/* The branches here make a number concrete, so that each value of it can be tried. */
static __attribute__((unused)) unsigned long untaken_counted(unsigned long number, unsigned long most) {
    unsigned long count = 0;
    while (count < most && count < number) {
        count++;
    }
    return count;
}

/* Most numbers mean an object: what is deep inside of others is seldom there if each of them may well be NULL. */
static __attribute__((unused)) int untaken_there(const char *name) {
    unsigned char there;
    untaken_input_uchar(&there, name);
    if ((there & 7) != 0) {
        return 1;
    }
    return 0;
}

/* For a switch, which has a branch for each value itself: each can be had at once, not only one after the other. */
static __attribute__((unused)) unsigned char untaken_way(unsigned count, const char *name) {
    unsigned char choice;
    untaken_input_uchar(&choice, name);
    return choice % count; /* every byte means something: random inputs are not lost */
}

/* Half of the time as it was before. */
static __attribute__((unused)) unsigned char untaken_way_like(unsigned count, unsigned char before, const char *name) {
    unsigned char choice;
    untaken_input_uchar(&choice, name);
    if (choice & 1) {
        return before % count;
    }
    return (choice >> 1) % count;
}

static __attribute__((unused)) unsigned untaken_choice(unsigned count, const char *name) {
    return (unsigned)untaken_counted(untaken_way(count, name), count - 1);
}
"""


def included(source: str) -> str:
    """The user's file as part of ours; its main, if it has one, is out of the way."""
    opening, closing = "<>" if '"' in source else '""'
    if "\n" in source or closing in source:
        raise UsageError(f"C cannot include a file of this name: {source!r}; rename it or its folder")
    return f"#define main {USERS_MAIN}\n#include {opening}{source}{closing}\n#undef main\n"


def without_macros(source: str, text: str) -> str:
    """Takes back the file's own macros that our text mentions: what we name are members, types and functions."""
    try:
        lines = Path(source).read_text(errors="replace")
    except OSError:
        return ""
    mentioned = set(re.findall(r"[A-Za-z_]\w*", text))
    return "".join(f"#undef {name}\n" for name in sorted(set(_MACRO.findall(lines)) & mentioned))


def driver_text(plan: UnitPlan) -> str:
    """The C file that calls the function, as a whole."""
    title = f"/* Written by untaken: calls {plan.function} with arguments that are drawn from the input. */"
    return _whole_text(title, plan, ["int main(void) {", *_body(plan), "    return 0;", "}", ""])


def _whole_text(title: str, plan: UnitPlan, lines: Sequence[str]) -> str:
    rest = "\n".join([*_opening(plan), *lines])
    return "\n".join([title, included(plan.source), without_macros(plan.source, rest), SUPPORT, rest])


def file_driver_text(whole: UnitPlan, plans: Sequence[UnitPlan]) -> str:
    """One for many functions of a file: the program's argument says which one is called. `whole` has all stubs."""
    title = "/* Written by untaken: calls the function that is named, with arguments that are drawn from the input. */"
    drives = [line for plan in plans for line in (f"static void {drive_name(plan)}(void) {{", *_body(plan), "}", "")]
    chosen = [f'    if (__builtin_strcmp(argv[1], "{plan.function}") == 0) {drive_name(plan)}();' for plan in plans]
    quiet = ["    untaken_allocations_may_fail = 0;"] if whole.fail_malloc else []
    main = [
        "int main(int argc, char **argv) {",
        "    if (argc < 2) return 2;",
        *quiet,
        *chosen,
        "    return 0;",
        "}",
        "",
    ]
    return _whole_text(title, whole, [*drives, *main])


def drive_name(plan: UnitPlan) -> str:
    """The part of a file's driver that calls this function."""
    return f"untaken_drive_{plan.function}"


def drawing(plan: UnitPlan) -> str:
    """What stands for the statements that draw a plan's inputs: those of another version may read them otherwise."""
    lines = (SUPPORT, *map(_stub, plan.stubs), *_body(plan))
    return digest(line.encode() for line in lines)


def _opening(plan: UnitPlan) -> list[str]:
    return [
        *plan.includes,
        *(["extern int untaken_allocations_may_fail;"] if plan.fail_malloc else []),
        *(f"__typeof__({name}) {name};" for name in plan.storage),
        *(f"static {stub.header};" for stub in plan.stubs if is_callback(stub)),
        *(_stub(stub) for stub in plan.stubs),
    ]


def rest_text(plan: UnitPlan) -> str:
    """Definitions of what else the file refers to, so that it can be linked; empty if there is nothing."""
    functions = [f"void {name}(void) {{ __builtin_trap(); }}\n" for name in plan.unreached]
    blanks = [f"_Alignas(16) unsigned char {name}[{BLANK_SIZE}];\n" for name in plan.blank]
    return "".join(functions + blanks)


def is_callback(stub: Stub) -> bool:
    """Ours alone; others stand for a function of another file."""
    return stub.name.startswith("untaken_callback_")


def _stub(stub: Stub) -> str:
    lines = [f"{'static ' if is_callback(stub) else ''}{stub.header} {{"]
    for output in stub.outputs:
        lines.append(f"    if ({output.name}) {{")
        shown = CPlace(output_name(stub.shown, output.name))
        lines += draw(output.shape, CPlace(output.name, through=True), shown, "        ")
        lines.append("    }")
    if not stub.returns:
        lines.append("    _Exit(0);")
    elif stub.result is not None:
        lines.append(f"    {stub.result.declared.replace(NAME, 'untaken_result')};")
        lines.append("    __builtin_memset((void *)&untaken_result, 0, sizeof untaken_result);")
        lines += draw(stub.result.shape, CPlace("untaken_result"), CPlace(stub.shown), "    ")
        lines.append("    return untaken_result;")
    return "\n".join([*lines, "}", ""])


def _body(plan: UnitPlan) -> Iterator[str]:
    yield from ["    untaken_allocations_may_fail = 0;"] if plan.fail_malloc else []
    yield from _prepared(plan)
    for variable in plan.parameters:
        yield f"    static {variable.declared.replace(NAME, PREFIX + variable.name)};"
        if isinstance(variable.shape, Made | MadeValue) and variable.shape.followed:
            yield f"    static unsigned char {followed_name(variable.name)};"
    for variable in plan.drawn():
        yield from draw(variable.shape, _root(variable, plan), CPlace(variable.name), "    ")
    for variable in plan.parameters if plan.variadic else ():
        if isinstance(variable.shape, Text):
            text = PREFIX + variable.name
            yield f"    for (int k = 0; {text} && k < {variable.shape.most}; k++) untaken_assume({text}[k] != '%');"
    for each in plan.preconditions:
        yield from _granted(each)
    given = (PREFIX + variable.name for variable in plan.parameters)
    arguments = ", ".join([*given, *["(void *)0"] * plan.sentinel])
    yield from ["    untaken_allocations_may_fail = 1;"] if plan.fail_malloc else []
    yield f"    {plan.function}({arguments});"


def _prepared(plan: UnitPlan) -> Iterator[str]:
    if not plan.preparers:
        return
    yield f"    switch (untaken_way({len(plan.preparers) + 1}, {quoted(BEFORE)})) {{"
    yield from (f"    case {number}: (void){each.call}; break;" for number, each in enumerate(plan.preparers, 1))
    yield "    }"


def _granted(precondition: Precondition) -> Iterator[str]:
    """It holds for most inputs; for the others, the input says that it need not."""
    condition = precondition.condition.replace(NAME, PREFIX)
    yield f"    if (untaken_way({MOSTLY}, {quoted(broken_name(precondition.parameter))}) != {MOSTLY - 1})"
    yield f"        untaken_assume({condition});"


def _root(variable: Variable, plan: UnitPlan) -> CPlace:
    return CPlace(variable.name if variable in plan.globals else PREFIX + variable.name)
