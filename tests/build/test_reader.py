"""Reading instructions as LLVM prints them, and refusing what is not known."""

from __future__ import annotations

import pytest

from untaken.build.ir.instruction_reader import read_instruction
from untaken.build.ir.instructions import (
    AtomicUpdate,
    BinaryOperation,
    CallInstruction,
    Compare,
    Concrete,
    ConditionalBranch,
    FloatOperation,
    GetElementPointer,
    IndirectBranch,
    Phi,
    Switch,
    successors,
)
from untaken.build.ir.reader import read_function, read_types, split_module
from untaken.build.ir.types import Integer, Struct, leaves
from untaken.errors import InstrumentationError

MODULE = """; ModuleID = 'x'
%struct.inner = type <{ i8, i32 }>
%struct.outer = type { i8, %struct.inner, ptr }

@"odd name" = global i32 0

define dso_local i32 @"foo$bar"(i32 noundef %x, ptr noundef byval(%struct.outer) align 8 %0, ...) #0 !dbg !7 {
entry:
  %cmp = icmp sgt i32 %x, 3, !dbg !9
  br i1 %cmp, label %"a b", label %end, !dbg !9

"a b":                                            ; preds = %entry
  switch i32 %x, label %end [
    i32 -1, label %end
    i32 7, label %"a b"
  ], !dbg !9

end:                                              ; preds = %entry
  %r = phi i32 [ 1, %entry ], [ %x, %"a b" ]
  ret i32 %r
}

attributes #0 = { nounwind }
!7 = distinct !DISubprogram(name: "f")
"""


def test_a_function_with_odd_names() -> None:
    module = split_module(MODULE)
    function = read_function(module.functions[0], read_types(module.preamble))
    assert function.name == '@"foo$bar"' and function.type.variadic and function.debug == "!7"
    assert [parameter.name for parameter in function.parameters] == ["%x", "%0"]
    byval = function.parameters[1].byval
    assert isinstance(byval, Struct) and byval.size == 16
    assert [leaf.offset for leaf in leaves(byval)] == [0, 1, 2, 8]
    assert [block.name for block in function.blocks] == ["%entry", '%"a b"', "%end"]
    assert [successors(block.terminator) for block in function.blocks] == [
        ('%"a b"', "%end"),
        ("%end", "%end", '%"a b"'),
        (),
    ]


def test_operands() -> None:
    add = read_instruction("  %s = add nuw nsw i16 %a, -3, !dbg !12", {})
    assert isinstance(add, BinaryOperation) and add.type == Integer(16) and add.b.text == "-3" and add.debug == "!12"
    compare = read_instruction("  %c = icmp samesign ult ptr %p, null", {})
    assert isinstance(compare, Compare) and compare.op == "ult" and compare.type == Integer(1)
    place = read_instruction("  %p = getelementptr inbounds nuw [4 x i32], ptr @t, i64 0, i64 %i", {})
    assert isinstance(place, GetElementPointer) and [index.text for index in place.indices] == ["0", "%i"]
    update = read_instruction("  %o = atomicrmw volatile nand ptr %p, i32 %v seq_cst, align 4", {})
    assert isinstance(update, AtomicUpdate) and update.op == "nand" and update.value.text == "%v"
    call = read_instruction('  %r = tail call noundef i32 (ptr, ...) @"f g"(ptr noundef @s, double 1.5, i64 %n) #3', {})
    assert (
        isinstance(call, CallInstruction)
        and call.callee == '@"f g"'
        and call.function.variadic
        and len(call.arguments) == 3
    )


def test_terminators_and_joins() -> None:
    switch = read_instruction("  switch i1 %x, label %d [\n    i1 true, label %t\n    i1 false, label %f\n  ]", {})
    assert isinstance(switch, Switch) and switch.cases == ((1, "%t"), (0, "%f"))
    jump = read_instruction("  indirectbr ptr %p, [label %a, label %b]", {})
    assert isinstance(jump, IndirectBranch) and jump.targets == ("%a", "%b")
    phi = read_instruction('  %v = phi ptr [ getelementptr (i8, ptr @t, i64 4), %"x y" ], [ null, %b ]', {})
    assert isinstance(phi, Phi) and [block for _, block in phi.incoming] == ['%"x y"', "%b"]
    branch = read_instruction("  br i1 true, label %a, label %b", {})
    assert isinstance(branch, ConditionalBranch) and not branch.condition.is_local


def test_floats_and_doubles_are_followed() -> None:
    for text, op in [
        ("  %s = fadd fast double %a, 1.000000e+00", "fadd"),
        ("  %c = fcmp oeq float %a, 0.000000e+00", "oeq"),
        ("  %n = fneg float %a", "fneg"),
        ("  %i = fptosi double %a to i16", "fptosi"),
    ]:
        instruction = read_instruction(text, {})
        assert isinstance(instruction, FloatOperation) and instruction.op == op


def test_other_floats_and_vectors_are_concrete() -> None:
    for text, why in [
        ("  %s = fadd fp128 %a, %b", "float"),
        ("  %r = frem double %a, %b", "float"),
        ("  %w = uitofp i129 %a to double", "float"),
        ("  %v = fmul <2 x double> %a, %b", "float"),
        ("  %s = add <4 x i32> %a, splat (i32 3)", "vector"),
        ("  %e = extractelement <4 x i32> %a, i64 2", "vector"),
    ]:
        instruction = read_instruction(text, {})
        assert isinstance(instruction, Concrete) and instruction.op == why


@pytest.mark.parametrize(
    "text",
    [
        '  callbr void asm "", "!i"() to label %a [label %b]',
        "  %l = landingpad { ptr, i32 } cleanup",
        "  invoke void @f() to label %a unwind label %b",
    ],
)
def test_what_is_not_known_is_refused_with_the_instruction(text: str) -> None:
    with pytest.raises(InstrumentationError) as refused:
        read_instruction(text, {})
    assert text.strip() in str(refused.value)
