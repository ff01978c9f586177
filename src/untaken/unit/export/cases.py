"""A test as statements of C: objects, stub results, the call, and what to look at afterwards."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from untaken.unit.driver import is_callback
from untaken.unit.export.checks import (
    Check,
    array_checks,
    call_checks,
    getter_checks,
    global_checks,
    inner_if,
    made_checks,
    output_checks,
    result_checks,
)
from untaken.unit.export.objects import ObjectWriter, assignments, declared_as, pointer_to
from untaken.unit.export.values import Address, DrawnValue, Given, MadeBy, Same
from untaken.unit.literals import identifier
from untaken.unit.places import CPlace
from untaken.unit.shape import (
    NAME,
    ArrayShape,
    Fields,
    Made,
    Objects,
    Related,
    Shape,
    Stub,
    Text,
    UnitPlan,
    Variable,
    Zero,
)

RESULT = "result"
FORGET = "forget_calls"
ALLOCATIONS_FAIL = "allocations_fail"
AGGREGATES = (Fields, ArrayShape)


@dataclass(frozen=True, slots=True)
class Case:
    """The inside of a test function: lines before the call, the call, lines after it, and checks."""

    before: tuple[str, ...]
    call: str
    checks: tuple[Check, ...]
    after: tuple[str, ...] = ()


def callback_names(plan: UnitPlan) -> dict[str, str]:
    """Readable names for the functions that stand behind function pointers."""
    return {stub.name: stub.name.removeprefix("untaken_") for stub in plan.stubs if is_callback(stub)}


def make_case(plan: UnitPlan, given: Given) -> Case:
    """All of a test but its name."""
    return _CaseMaker(plan, given).make()


class _CaseMaker:
    def __init__(self, plan: UnitPlan, given: Given) -> None:
        callbacks = callback_names(plan)
        own = {RESULT, plan.function, FORGET, ALLOCATIONS_FAIL}
        taken = own | {*(stub.name for stub in plan.stubs), *callbacks.values()}
        self._plan = plan
        self._given = given
        self._writer = ObjectWriter(plan.frees, taken | {variable.name for variable in plan.globals}, callbacks)
        self._checks: list[Check] = []

    def make(self) -> Case:
        plan = self._plan
        arguments = [self._argument(variable) for variable in plan.parameters]
        for variable in plan.globals:
            value = self._given.variables[variable.name]
            self._writer.lines += assignments(self._writer, variable.shape, value, CPlace(variable.name))
            self._checks += global_checks(variable)
        stubs = [line for stub in plan.stubs for line in self._calls(stub)]
        noted = [check for stub in plan.stubs for check in self._call_checks(stub)]
        forget = [f"{FORGET}();"] if noted or stubs else []
        self._checks += noted
        call = f"{plan.function}({', '.join([*arguments, *['NULL'] * plan.sentinel])});"
        if plan.result is not None:
            call = f"{declared_as(plan.result.declared, RESULT)} = {call}"
        checks = (*result_checks(plan.result, RESULT), *self._checks)
        made, calls = self._writer.lines, [*forget, *stubs]
        ordered = [*calls, *made] if self._given.early else [*made, *calls]  # what makes an argument may call them
        lines = (*self._first(), *ordered, *self._writer.links, *self._failing())
        # After other tests it may allocate less: what would have failed must not fail the next test's objects.
        after = [f'{ALLOCATIONS_FAIL}("");'] if self._given.allocations else []
        before = self._given.before
        after += [f"(void){before.undo};"] if before is not None and before.undo else []
        return Case(lines, call, checks, tuple(after))

    def _first(self) -> list[str]:
        before = self._given.before
        return [] if before is None else [f"(void){before.call};"]

    def _failing(self) -> list[str]:
        """The last thing before the call: which of the allocations that follow fail."""
        return [f'{ALLOCATIONS_FAIL}("{self._given.allocations}");'] if self._given.allocations else []

    def _call_checks(self, stub: Stub) -> list[Check]:
        """How often a stub was called, and with which numbers last; of one without a result only if it was called."""
        called = bool(self._given.calls[stub.name])
        if not stub.returns or (is_callback(stub) and not called) or (stub.result is not None and not called):
            return []
        name = self._writer.callbacks.get(stub.name, stub.name)
        return call_checks(stub, name, output=not called)

    def _argument(self, variable: Variable) -> str:
        value = self._given.variables[variable.name]
        text = self._writer.expression(variable.shape, value, CPlace(variable.name))
        self._writer.parameters[variable.name] = text
        if isinstance(variable.shape, AGGREGATES) or text.startswith("{"):
            name = self._writer.fresh(identifier(variable.name))
            self._writer.lines.append(f"{declared_as(variable.declared, name)} = {text};")
            return name
        if isinstance(variable.shape, Zero):
            name = self._writer.fresh(identifier(variable.name))
            self._writer.lines.append(f"static {declared_as(variable.declared, name)};")
            return name
        outputs = _outputs(variable, value, text, self._plan.frees)
        self._checks += [replace(check, fragile=True) for check in outputs] if self._plan.frees else outputs
        return text

    def _calls(self, stub: Stub) -> list[str]:
        """The results of the calls that the test saw, and what they wrote, in arrays."""
        calls = self._given.calls[stub.name]
        if not calls or (stub.result is None and not stub.outputs):
            return []
        name = self._writer.callbacks.get(stub.name, stub.name)
        lines, set = [], [f"{name}_left = {len(calls)}"]
        if stub.result is not None:
            array = self._writer.fresh(f"{name}_results")
            lines += self._array_of(stub.result, [call.result for call in calls], array)
            set.insert(0, f"{name}_next = {array}")
        for place, output in enumerate(stub.outputs):
            array = self._writer.fresh(f"{name}_{output.name}_values")
            lines += self._array_of(output, [call.outputs[place] for call in calls], array)
            set.append(f"{name}_{output.name}_next = {array}")
        return [*lines, f"{', '.join(set)};"]

    def _array_of(self, variable: Variable, values: list[DrawnValue], array: str) -> list[str]:
        start = len(self._writer.lines)
        listed = [
            self._writer.expression(variable.shape, value, CPlace(f"{array}_{place}"))
            for place, value in enumerate(values, 1)
        ]
        objects = self._writer.lines[start:]
        del self._writer.lines[start:]
        declaration = declared_as(variable.declared, f"{array}[{len(values)}]")
        return [*objects, f"{declaration} = {{{', '.join(listed)}}};"]


def _outputs(variable: Variable, value: DrawnValue, text: str, heap: bool) -> list[Check]:
    """What the object has in it, and what the project's functions say of it; of the same object, or its part, that is
    said where it comes first."""
    if isinstance(value, Same):
        return []
    if isinstance(variable.shape, Related):
        variable = replace(variable, shape=variable.shape.otherwise)
    found = _members(variable.shape, value, text, heap)
    if value is None or not variable.pointers or not text.removeprefix("&").isidentifier():
        return found
    said = getter_checks(variable, text, output=True)
    return [*inner_if(bool(said), found), *said]


def _members(shape: Shape, value: DrawnValue, text: str, heap: bool) -> list[Check]:
    """Under the name of the object that was declared for it."""
    if isinstance(shape, Made) and isinstance(value, MadeBy) and isinstance(shape.otherwise, Objects):
        if value.maker >= len(shape.makers):
            return _members(shape.otherwise, value.arguments[0], text, heap)
        # What returns an object may have returned none; what fills one was given it.
        may_be_null = shape.nullable and not shape.makers[value.maker].given
        own = text.rpartition(")")[2]  # of its own type, whatever the function takes it for
        return [] if may_be_null or shape.otherwise.given_as else made_checks(shape.otherwise.element, own)
    if not isinstance(value, Address):
        return []
    name = text.rpartition(")")[2].removeprefix("&")  # it may be cast
    if isinstance(shape, Objects) and shape.count is not None and not shape.constant:
        return array_checks(shape, name, len(value.content))
    return output_checks(shape, name, heap=heap) if isinstance(shape, Objects | Text) else []


def stub_definitions(plan: UnitPlan, tests: str) -> list[str]:
    """The stubs: each returns what the test has put into its array, then zeros. Callbacks that no test mentions are
    left out."""
    lines: list[str] = []
    callbacks = callback_names(plan)
    forgotten = []
    for stub in plan.stubs:
        name = callbacks.get(stub.name, stub.name)
        if stub.name in callbacks and re.search(rf"\b{name}\b", tests) is None:
            continue
        header = stub.header.replace(stub.name, name)
        keyword = "static " if stub.name in callbacks else ""
        noted = [each for each in _noted(stub, name) if re.search(rf"\b{each.name}\b", tests)]
        forgotten += [f"{each.name} = 0;" for each in noted]
        lines += [f"static {declared_as(each.declared, each.name)};" for each in noted]
        unused = [f"argument{place}" for place in range(1, header.count("argument") + 1)]
        used = {f"{each.name.removeprefix(name)[1:]}" for each in noted}
        used |= {each.name for each in stub.outputs}
        ignored = [*(f"(void){each};" for each in unused if each not in used), *(each.note for each in noted)]
        if not stub.returns:
            lines += [f"{keyword}{header} {{ {' '.join([*ignored, '_Exit(0);'])} }}", ""]
        elif stub.result is None and not stub.outputs:
            lines += [f"{keyword}{header} {{ {' '.join(ignored)} }}" if ignored else f"{keyword}{header} {{}}", ""]
        else:
            forgotten.append(f"{name}_left = 0;")
            lines += _returning(keyword + header, stub, name, ignored)
    if f"{FORGET}(" in tests:
        lines += [f"static void {FORGET}(void) {{", *(f"    {line}" for line in forgotten), "}", ""]
    return lines


@dataclass(frozen=True, slots=True)
class _Noted:
    """A variable of the tests in which a stub notes something about its calls."""

    name: str
    declared: str
    note: str  # the statement that does so


def _noted(stub: Stub, name: str) -> list[_Noted]:
    arguments = [
        _Noted(f"{name}_{each.name}", each.declared, f"{name}_{each.name} = {each.name};") for each in stub.arguments
    ]
    return [_Noted(f"{name}_calls", f"unsigned {NAME}", f"{name}_calls++;"), *arguments]


def _returning(header: str, stub: Stub, name: str, ignored: list[str]) -> list[str]:
    """A stub that returns or writes what the test has put into its arrays."""
    outputs = [(each, f"{name}_{each.name}_next") for each in stub.outputs]
    lines = [f"static unsigned {name}_left;"]
    lines += [f"static {pointer_to(each.declared, next)};" for each, next in outputs]
    if stub.result is not None:
        lines.insert(0, f"static {pointer_to(stub.result.declared, f'{name}_next')};")
    lines.append(f"{header} {{")
    if stub.result is not None:
        lines.append(f"    static {stub.result.declared.replace(NAME, 'zero')};")
    lines += [f"    {line}" for line in ignored]
    for each, next in outputs:
        lines.append(f"    if ({name}_left > 0 && {each.name}) *{each.name} = *{next};")
        lines.append(f"    if ({name}_left > 0) {next}++;")
    if stub.result is not None:
        lines.append(f"    return {name}_left > 0 ? ({name}_left--, *{name}_next++) : zero;")
    else:
        lines.append(f"    if ({name}_left > 0) {name}_left--;")
    return [*lines, "}", ""]
