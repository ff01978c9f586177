"""The names and numbers of runtime/abi.h that instrumented code uses. A test compares them with the header."""

from __future__ import annotations

TAG_BASE = 0x110000000000
LINE_SHIFT = 6
ARGUMENT_LABELS = 64
RETURN_LABELS = 8
DIGEST_SIZE = 16
ID_BRANCH, ID_ENTRY, ID_RETURN = 1, 2, 3

BINARY_OPS = {
    "add": 3,
    "sub": 4,
    "mul": 5,
    "udiv": 6,
    "sdiv": 7,
    "urem": 8,
    "srem": 9,
    "shl": 10,
    "lshr": 11,
    "ashr": 12,
    "and": 13,
    "or": 14,
    "xor": 15,
    "smin": 69,
    "smax": 70,
    "umin": 71,
    "umax": 72,
}
COMPARE_OPS = {
    "eq": 16,
    "ult": 17,
    "ule": 18,
    "slt": 19,
    "sle": 20,
    "ne": 60,
    "ugt": 61,
    "uge": 62,
    "sgt": 63,
    "sge": 64,
}
CAST_OPS = {"zext": 23, "sext": 24, "trunc": 65}
HALVES_OPS = {"concat": 21, "extract": 22}  # of a value of more than 64 bits
UNARY_OPS = {"ctpop": 27, "ctlz": 28, "cttz": 29, "bswap": 66, "bitreverse": 67, "abs": 68}
OVERFLOW_OPS = {"sadd": (3, 73), "uadd": (3, 74), "ssub": (4, 75), "usub": (4, 76), "smul": (5, 77), "umul": (5, 78)}
SATURATING_OPS = {"sadd": 79, "uadd": 80, "ssub": 81, "usub": 82, "sshl": 83, "ushl": 84}
FLOAT_OPS = {"fadd": 30, "fsub": 31, "fmul": 32, "fdiv": 33}
FLOAT_COMPARISONS = {
    "oeq": 34,
    "olt": 35,
    "ole": 36,
    "une": 85,
    "uge": 86,
    "ugt": 87,
    "ueq": 88,
    "uno": 89,
    "one": 90,
    "ord": 91,
}
FLOAT_CASTS = {"fpext": 39, "fptrunc": 39, "sitofp": 40, "uitofp": 41, "fptosi": 42, "fptoui": 97}
FLOAT_FUNCTIONS = {
    "sqrt": 37,
    "rint": 92,
    "nearbyint": 92,
    "roundeven": 92,
    "round": 93,
    "ceil": 94,
    "floor": 95,
    "trunc": 96,
}
BY_FLOAT, BY_WIDE, BY_VECTOR, BY_ASM, BY_OTHER = 0, 1, 2, 3, 6

# Thread-local variables are reached through a register on purpose: processors forward a store to a later load of the
# cursor at once only then, and a loop that writes events is nearly twice as fast as with absolute addresses.
DECLARATIONS = """\
@__untaken_callee = external thread_local(initialexec) global ptr
@__untaken_return_owner = external thread_local(initialexec) global ptr
@__untaken_arguments = external thread_local(initialexec) global [64 x i32]
@__untaken_returned = external thread_local(initialexec) global [8 x i32]
@__untaken_cursor = external thread_local(initialexec) global ptr
@__untaken_limit = external thread_local(initialexec) global ptr
@__untaken_stacked = external thread_local(initialexec) global { ptr, i64 }
@__untaken_left_traces = external global i8
@__untaken_took_address = external global i8
declare ptr @__untaken_room() #9990
declare void @__untaken_group(ptr, ptr, ptr) #9990
declare i32 @__untaken_handed(ptr, ptr, ...) #9990
declare void @__untaken_copied(ptr, ptr, i64, i32) #9990
declare void @__untaken_filled(ptr, i64, i32, i32) #9990
declare void @__untaken_switch(i32, i64, ptr) #9990
declare void @__untaken_wide_switch(i32, i64, i64, ptr) #9990
declare void @__untaken_concretise(i32, i32, i32) #9990
declare void @__untaken_note_gap(i32) #9990
declare void @__untaken_passed(ptr, ptr) #9990
declare void @__untaken_passed_behind(ptr, ptr) #9990
declare void @__untaken_passed_to_code(ptr, ptr) #9990
declare void @__untaken_passed_object(ptr, ptr, i64) #9990
declare void @__untaken_errno_asked() #9990
declare void @__untaken_format(ptr, ptr) #9990
declare void @__untaken_after_call(ptr, ptr) #9990
declare i32 @__untaken_set_jump(ptr, i32) #9990
declare void @__untaken_function(ptr, ptr, i32, i64, i64, i64) #9990
declare void @__untaken_written(ptr, i64) #9990
declare void @__untaken_written_behind(ptr, ptr) #9990
declare void @__untaken_written_string(ptr) #9990
declare void @__untaken_byval_out(i32, ptr, i64) #9990
declare void @__untaken_byval_in(i32, ptr, i64, i32) #9990
declare void @__untaken_varargs_call(ptr, i32) #9990
declare void @__untaken_varargs_entry(ptr, i32, ptr) #9990
declare void @__untaken_varargs_start(ptr, ptr) #9990
attributes #9990 = { nounwind }
"""
VARARGS_SIZE = 4 * (6 + 8 + 1 + 64)
JUMP_SIZE = 16
