"""The Python side agrees with runtime/abi.h on every number and layout that both know.

The header is read for its names, and a C compiler is asked for their values: nothing is compared with itself.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import untaken
from untaken.build.instrument import abi
from untaken.build.instrument.writing.steps import Form, Step
from untaken.execute import layout, memory, nodes
from untaken.execute.launcher import mounts, namespaces, program, seccomp
from untaken.model.expression import NODE_DTYPE, REACH_DTYPE, Op, Rounding
from untaken.model.gap import Gap
from untaken.model.input import FieldKind, SourceKind
from untaken.model.mathematics import POWERS
from untaken.model.path import (
    CONCRETISED_KINDS,
    CONSTRAINT_DTYPE,
    PLACE_DTYPE,
    WINDOW_EVENTS,
    ConstraintKind,
    CutOff,
    ExitKind,
)
from untaken.model.word import WORD_DTYPE, WORD_SIZE

HEADER = Path(untaken.__file__).parent / "runtime" / "abi.h"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
FIRST_REQUEST = 60  # operators from here on exist only in requests of instrumented code

STRUCTS: dict[str, np.dtype[Any]] = {
    "untaken_node": NODE_DTYPE,
    "untaken_reach": REACH_DTYPE,
    "untaken_constraint": CONSTRAINT_DTYPE,
    "untaken_field": layout.FIELD_DTYPE,
    "untaken_source": layout.SOURCE_DTYPE,
    "untaken_region": layout.REGION_DTYPE,
    "untaken_external": layout.EXTERNAL_DTYPE,
    "untaken_bias": layout.BIAS_DTYPE,
    "untaken_asked": layout.ASKED_DTYPE,
    "untaken_table": layout.TABLE_DTYPE,
    "untaken_word": WORD_DTYPE,
    "untaken_place": PLACE_DTYPE,
    "untaken_changeable": layout.CHANGEABLE_DTYPE,
    "untaken_burst": layout.BURST_DTYPE,
    "untaken_start": layout.START_DTYPE,
    "untaken_insert": layout.INSERT_DTYPE,
    "untaken_shared": layout.SHARED_DTYPE,
}
# Between instrumented code and the runtime; the driver never sees them.
FOREIGN_STRUCTS = {
    "untaken_switch",
    "untaken_varargs",
    "untaken_jump",
    "untaken_stacked",
    "untaken_global",
    "untaken_step",
    "untaken_group",
    "untaken_handed",
    "untaken_handover",
}

ENUMS: dict[str, tuple[str, type[IntEnum]]] = {
    "untaken_constraint_kind": ("UNTAKEN_", ConstraintKind),
    "untaken_field_kind": ("UNTAKEN_FIELD_", FieldKind),
    "untaken_source_kind": ("UNTAKEN_SOURCE_", SourceKind),
    "untaken_exit_kind": ("UNTAKEN_EXIT_", ExitKind),
    "untaken_step_kind": ("UNTAKEN_STEP_", Step),
    "untaken_step_form": ("UNTAKEN_FORM_", Form),
    "untaken_rounding": ("UNTAKEN_", Rounding),
}

CONSTANTS = {
    "UNTAKEN_MAGIC": layout.MAGIC,
    "UNTAKEN_ABI_VERSION": layout.ABI_VERSION,
    "UNTAKEN_EVENT_BLOCK": layout.EVENT_BLOCK,
    "UNTAKEN_RUN_CONCRETE": layout.RUN_CONCRETE,
    "UNTAKEN_RUN_WANDER": layout.RUN_WANDER,
    "UNTAKEN_RUN_PRINTABLE": layout.RUN_PRINTABLE,
    "UNTAKEN_RUN_ENDS": layout.RUN_ENDS,
    "UNTAKEN_RUN_WINDOWS": layout.RUN_WINDOWS,
    "UNTAKEN_RUN_BURST": layout.RUN_BURST,
    "UNTAKEN_RUN_REACH": layout.RUN_REACH,
    "UNTAKEN_RUN_AWAKE": layout.RUN_AWAKE,
    "UNTAKEN_NO_LENGTH": layout.NO_LENGTH,
    "UNTAKEN_WATCHED": layout.WATCHED,
    "UNTAKEN_WINDOW_EVENTS": WINDOW_EVENTS,
    "UNTAKEN_BIAS_VALUES": layout.BIAS_VALUES,
    "UNTAKEN_MOST_ASKED": layout.MOST_ASKED,
    "UNTAKEN_WORD_SIZE": WORD_SIZE,
    "UNTAKEN_PLACES": layout.PLACES,
    "UNTAKEN_COMMAND_RUN": ord(layout.COMMAND_RUN),
    "UNTAKEN_COMMAND_RESUME": ord(layout.COMMAND_RESUME),
    "UNTAKEN_COMMAND_DROP": ord(layout.COMMAND_DROP),
    "UNTAKEN_REPORT": int.from_bytes(layout.REPORT, "little"),
    "UNTAKEN_SNAPSHOT": ord(layout.SNAPSHOT),
    "UNTAKEN_STEPPED": ord(layout.STEPPED),
    "UNTAKEN_LOST": ord(layout.LOST),
    "UNTAKEN_REFUSED_THREADS": layout.REFUSED_THREADS,
    "UNTAKEN_REFUSED_CHILDREN": layout.REFUSED_CHILDREN,
    "UNTAKEN_DOUBTED_FILES": layout.DOUBTED_FILES,
    "UNTAKEN_DOUBTED_PIPES": layout.DOUBTED_PIPES,
    "UNTAKEN_NODE_MASK": layout.MOST_NODES - 1,
    "UNTAKEN_POWERS": POWERS,
    "UNTAKEN_CUT_EVENTS": CutOff.EVENTS,
    "UNTAKEN_CUT_CONSTRAINTS": CutOff.CONSTRAINTS,
    "UNTAKEN_CUT_NODES": CutOff.NODES,
    "UNTAKEN_CUT_TABLES": CutOff.TABLES,
    "UNTAKEN_CUT_FIELDS": CutOff.FIELDS,
    "UNTAKEN_GAP_PROCESSES": Gap.PROCESSES,
    "UNTAKEN_GAP_REPLACED": Gap.REPLACED,
    "UNTAKEN_GAP_TIMERS": Gap.TIMERS,
    "UNTAKEN_GAP_EARLY": Gap.EARLY,
    "UNTAKEN_GAP_JUMPED": Gap.JUMPED,
    "UNTAKEN_GAP_HANDLERS": Gap.HANDLERS,
    "UNTAKEN_GAP_READS": Gap.READS,
    "UNTAKEN_GAP_FAULTS": Gap.FAULTS,
    "UNTAKEN_GAP_ASIDE": Gap.ASIDE,
    "UNTAKEN_GAP_CHANCE": Gap.CHANCE,
}


@cache
def header() -> str:
    return COMMENT.sub("", HEADER.read_text())


@cache
def enums() -> dict[str, list[str]]:
    """Names of the constants of each enum."""
    found = re.findall(r"enum (\w+) \{(.*?)\};", header(), re.DOTALL)
    return {name: re.findall(r"\b(UNTAKEN_\w+)\b", body) for name, body in found}


@cache
def structs() -> dict[str, list[str]]:
    """Names of the fields of each struct."""
    result = {}
    for name, body in re.findall(r"^struct (\w+) \{(.*?)\};", header(), re.DOTALL | re.MULTILINE):
        declarations = [line.strip() for line in body.split(";") if line.strip()]
        result[name] = [field for line in declarations for field in declared(line)]
    return result


def declared(declaration: str) -> list[str]:
    """`uint32_t a, b[3]` declares a and b."""
    return [re.sub(r"\[.*", "", part).split()[-1].lstrip("*") for part in declaration.split(",")]


def defines() -> dict[str, str]:
    return dict(re.findall(r"^#define (UNTAKEN_\w+) +(\S.*)$", header(), re.MULTILINE))


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """Every number of the header as the C compiler has it: constants, `sizeof S`, `S.field`, `S.field size`."""
    folder = tmp_path_factory.mktemp("abi")
    lines = [show(name, name) for name, text in defines().items() if not text.startswith('"')]
    lines += [show(name, name) for names in enums().values() for name in names]
    for struct, fields in structs().items():
        lines.append(show(f"sizeof {struct}", f"sizeof(struct {struct})"))
        for field in fields:
            lines.append(show(f"{struct}.{field}", f"offsetof(struct {struct}, {field})"))
            if struct in STRUCTS:
                lines.append(show(f"{struct}.{field} size", f"sizeof(((struct {struct} *)0)->{field})"))
    source = folder / "show.c"
    source.write_text('#include "abi.h"\n#include <stdio.h>\nint main(void) {\n' + "\n".join(lines) + "\n}\n")
    compiler = shutil.which("cc") or shutil.which("clang") or pytest.fail("a C compiler is needed: cc or clang")
    subprocess.run([compiler, f"-I{HEADER.parent}", source, "-o", folder / "show"], check=True)
    output = subprocess.run([folder / "show"], check=True, capture_output=True, text=True).stdout
    return {name: int(value) for name, value in (line.split("\t") for line in output.splitlines())}


def show(name: str, expression: str) -> str:
    return f'printf("{name}\\t%llu\\n", (unsigned long long)({expression}));'


def test_the_header_is_read_at_all(measured: dict[str, int]) -> None:
    assert set(structs()) == set(STRUCTS) | FOREIGN_STRUCTS
    assert set(enums()) == set(ENUMS) | {"untaken_op", "untaken_concretised"}
    assert len(measured) > 150


@pytest.mark.parametrize("struct", STRUCTS)
def test_struct_layouts(struct: str, measured: dict[str, int]) -> None:
    dtype = STRUCTS[struct]
    assert dtype.fields is not None
    assert dtype.itemsize == measured[f"sizeof {struct}"]
    assert list(dtype.names or ()) == structs()[struct]
    for name, (field, offset, *_) in dtype.fields.items():
        assert offset == measured[f"{struct}.{name}"], name
        assert field.itemsize == measured[f"{struct}.{name} size"], name


@pytest.mark.parametrize("enum", ENUMS)
def test_enums(enum: str, measured: dict[str, int]) -> None:
    prefix, python = ENUMS[enum]
    assert {name.removeprefix(prefix): measured[name] for name in enums()[enum]} == {
        member.name: member.value for member in python
    }


def test_operators(measured: dict[str, int]) -> None:
    header_ops = {name.removeprefix("UNTAKEN_OP_"): measured[name] for name in enums()["untaken_op"]}
    recorded = {name: value for name, value in header_ops.items() if 0 < value < FIRST_REQUEST}
    assert recorded == {op.name: op.value for op in Op}


def test_kinds_of_concretisation(measured: dict[str, int]) -> None:
    *kinds, count = enums()["untaken_concretised"]
    assert [name.removeprefix("UNTAKEN_BY_").lower() for name in kinds] == list(CONCRETISED_KINDS)
    assert [measured[name] for name in kinds] == list(range(measured[count]))


def test_constants(measured: dict[str, int]) -> None:
    assert {name: measured[name] for name in CONSTANTS} == CONSTANTS
    cut = {name for name in defines() if name.startswith("UNTAKEN_CUT_")}
    assert cut == {f"UNTAKEN_CUT_{flag.name}" for flag in CutOff}
    assert defines()["UNTAKEN_ENV"].strip('" ') == layout.ENVIRONMENT_VARIABLE


def test_packed_stretches_of_the_header(measured: dict[str, int]) -> None:
    """What `run` reads and writes with one call of struct lies as it assumes."""
    assert measured["untaken_shared.input_size"] == memory.REQUEST_OFFSET
    assert measured["untaken_shared.event_limit"] + 8 == memory.REQUEST_OFFSET + memory.REQUEST.size
    assert measured["untaken_shared.input_used"] == memory.RESULT_OFFSET
    assert measured["untaken_shared.gaps"] + 8 == memory.RESULT_OFFSET + memory.RESULT.size
    assert measured["untaken_shared.message"] == memory.MESSAGE_OFFSET
    assert measured["sizeof untaken_node"] == nodes.NODE_SIZE
    assert measured["untaken_node.value"] == nodes.NODE.size


def test_regions_do_not_overlap() -> None:
    limits = layout.TraceLimits(input=10, events=5000, constraints=3, nodes=100, tables=7, fields=2, coverage=9)
    place = layout.Layout.of(limits)
    position = layout.SHARED_DTYPE.itemsize
    for region in place.regions.values():
        assert region.offset >= position and region.offset % 4096 == 0
        position = region.offset + region.bytes
    assert place.size >= position
    assert place.regions["events"].capacity == 8192 and place.regions["owners"].capacity == 2
    assert place.regions["slots"].capacity == 1024


@pytest.mark.parametrize("limits", [{"nodes": 1 << 30}, {"events": 0}, {"input": -1}])
def test_impossible_limits_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(ValueError):
        layout.TraceLimits(**limits)


def calls_by_name() -> dict[str, int]:
    """System calls that are refused. Old headers do not know the youngest ones."""
    refused = {**seccomp.REFUSED, **seccomp.OUTSIDE_NAMESPACES}
    names = {
        "keys of the user": "add_key request_key keyctl",
        "calls past this filter": "io_uring_setup io_uring_enter io_uring_register",
        "the kernel's own": "perf_event_open bpf userfaultfd init_module finit_module delete_module kexec_load "
        "kexec_file_load reboot",
        "mounts and namespaces": "mount umount2 pivot_root setns open_tree move_mount fsopen fsconfig fsmount "
        "mount_setattr chroot",
        "queues, semaphores and shared memory of others": "mq_open mq_unlink",
        "scheduling of other processes": "sched_setscheduler sched_setattr setpriority ioprio_set",
    }
    known = {
        f"SYS_{name}": number for what in names for name, number in zip(names[what].split(), refused[what], strict=True)
    }
    single = ("socket", "connect", "clone", "unshare", "clone3", "kill", "seccomp")
    known |= {f"SYS_{name}": getattr(seccomp, f"SYS_{name.upper()}") for name in single}
    known |= dict(zip(("SYS_shmget", "SYS_semget", "SYS_msgget"), seccomp.BY_KEY, strict=True))
    return known


def test_numbers_of_the_launcher(tmp_path: Path) -> None:
    """The system's own headers agree with what the launcher passes to the kernel."""
    wanted = {
        "SYS_clone": namespaces.SYS_CLONE,
        "SYS_mount_setattr": mounts.SYS_MOUNT_SETATTR,
        "CLONE_NEWUSER": namespaces.CLONE_NEWUSER,
        "CLONE_NEWNS|CLONE_NEWPID|CLONE_NEWNET|CLONE_NEWIPC|CLONE_NEWUTS": namespaces.OTHER_NAMESPACES,
        "MS_RDONLY|MS_NOSUID<<8|MS_NODEV<<16": 1 | mounts.MS_NOSUID << 8 | mounts.MS_NODEV << 16,
        "MS_REMOUNT|MS_BIND|MS_REC|MS_PRIVATE": (
            mounts.MS_REMOUNT | mounts.MS_BIND | mounts.MS_REC | mounts.MS_PRIVATE
        ),
        "MS_NOEXEC|MS_NOATIME|MS_NODIRATIME|MS_RELATIME": sum(mounts.KEPT_MOUNT_OPTIONS.values()),
        "AT_RECURSIVE": mounts.AT_RECURSIVE,
        "PR_SET_PDEATHSIG|PR_CAPBSET_DROP<<8|PR_SET_CHILD_SUBREAPER<<16": (
            program.PR_SET_PDEATHSIG | namespaces.PR_CAPBSET_DROP << 8 | program.PR_SET_CHILD_SUBREAPER << 16
        ),
        "PR_SET_NO_NEW_PRIVS": program.PR_SET_NO_NEW_PRIVS,
        **calls_by_name(),
        "ADDR_NO_RANDOMIZE": program.ADDR_NO_RANDOMIZE,
    }
    source = tmp_path / "show.c"
    headers = ["fcntl.h", "sched.h", "stdio.h", "sys/mount.h", "sys/personality.h", "sys/prctl.h", "sys/syscall.h"]
    lines = [f'printf("%lu\\n", (unsigned long)({name}));' for name in wanted]
    recursive = "#ifndef AT_RECURSIVE\n#define AT_RECURSIVE 0x8000\n#endif\n"
    includes = "#define _GNU_SOURCE\n" + "".join(f"#include <{name}>\n" for name in headers)
    source.write_text(includes + recursive + "int main(void) {\n" + "\n".join(lines) + "\n}\n")
    compiler = shutil.which("cc") or shutil.which("clang") or pytest.fail("a C compiler is needed: cc or clang")
    subprocess.run([compiler, source, "-o", tmp_path / "show"], check=True)
    output = subprocess.run([tmp_path / "show"], check=True, capture_output=True, text=True).stdout
    assert dict(zip(wanted, map(int, output.split()), strict=True)) == wanted


def test_operators_of_the_instrumentation(measured: dict[str, int]) -> None:
    tables = [abi.BINARY_OPS, abi.COMPARE_OPS, abi.CAST_OPS, abi.UNARY_OPS]
    used = {name.upper(): number for table in tables for name, number in table.items()}
    used |= {f"{name.upper()}_SAT": number for name, number in abi.SATURATING_OPS.items()}
    used |= {f"{name.upper()}_OVERFLOW": overflow for name, (_, overflow) in abi.OVERFLOW_OPS.items()}
    used |= {name[1:].upper(): plain for name, (plain, _) in abi.OVERFLOW_OPS.items()}
    assert {name: measured[f"UNTAKEN_OP_{name}"] for name in used} == used


# AddressSanitizer's shadow and its heap (of clang 17 and later), and what lies there by itself, or with older clangs.
TAKEN = ((0, 0x10007FFF8000), (0x500000000000, 0x540000000000), (0x550000000000, 0x7FFFFFFFFFFF))


def test_shadow_memory_lies_where_nothing_else_does(measured: dict[str, int]) -> None:
    for region in ("TAG", "SHADOW"):
        base, size = (measured[f"UNTAKEN_{region}_{part}"] for part in ("BASE", "SIZE"))
        assert all(base + size <= low or base >= high for low, high in TAKEN)
    assert measured["UNTAKEN_SHADOW_SIZE"] == 4 * (measured["UNTAKEN_SHADOW_MASK"] + 1)


def test_constants_of_the_instrumentation(measured: dict[str, int]) -> None:
    names = ["TAG_BASE", "LINE_SHIFT", "ARGUMENT_LABELS", "RETURN_LABELS", "DIGEST_SIZE"]
    names += ["ID_BRANCH", "ID_ENTRY", "ID_RETURN", "BY_FLOAT", "BY_WIDE", "BY_VECTOR", "BY_ASM", "BY_OTHER"]
    assert {name: getattr(abi, name) for name in names} == {name: measured[f"UNTAKEN_{name}"] for name in names}
    assert measured["sizeof untaken_varargs"] == abi.VARARGS_SIZE
    assert measured["sizeof untaken_jump"] == abi.JUMP_SIZE
