"""The text of C files: the tests, the program that observes them, and the inputs that crash."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from untaken import __version__
from untaken.build.library.failing_allocations import FUNCTIONS, HEADER
from untaken.unit.driver import included, without_macros
from untaken.unit.export.cases import ALLOCATIONS_FAIL, RESULT, Case, stub_definitions
from untaken.unit.export.checks import Check, Look
from untaken.unit.export.frameworks import FRAMEWORKS, Framework
from untaken.unit.export.kept_coverage import Spot
from untaken.unit.export.objects import DESCRIPTOR_OF, ON_HEAP, STREAM_OF
from untaken.unit.own_headers import own_headers, text_of
from untaken.unit.shape import UnitPlan

LOG = "UNTAKEN_OBSERVATIONS"
MUST_USE = re.compile(r"warn_unused_result|\bnodiscard\b")
DEPRECATED = re.compile(r"_deprecated\b|\bdeprecated\s*[()\]]", re.IGNORECASE)
_RESULT = re.compile(rf"\b{RESULT}\b")
RETURNED = -1  # instead of a check's number: the call came back
# The same, for a run under AddressSanitizer: which line of the tests asked for which memory.
TRACED_HEAP = f"""\
static void *untaken_{ON_HEAP}(int line, const void *content, size_t size, size_t room) {{
    void *object = memcpy(calloc(1, room), content, size);
    fprintf(stderr, "untaken: line %d has %p\\n", line, object);
    return object;
}}
#define {ON_HEAP}(...) untaken_{ON_HEAP}(__LINE__, __VA_ARGS__)
"""
HEAP = f"""\
/* The function may free what it is given. */
static void *{ON_HEAP}(const void *content, size_t size, size_t room) {{
    return memcpy(calloc(1, room), content, size);
}}
"""
FAILING = f"""\
/* Of the allocations that the function makes, one for each letter, those that have an F fail. */
static const char *untaken_letters = "";

static void {ALLOCATIONS_FAIL}(const char *letters) {{ untaken_letters = letters; }}

static int untaken_fails(void) {{ return *untaken_letters && *untaken_letters++ == 'F'; }}
"""
NEVER_FAILING = """\
/* Other files of the project are compiled so that their allocations can fail. Here none does. */
static int untaken_fails(void) { return 0; }
"""
STREAM = f"""\
/* A stream that has this content, to be read. */
FILE *fmemopen(void *content, size_t size, const char *mode);
static FILE *{STREAM_OF}(const char *content, size_t size) {{
    return size ? fmemopen((void *)content, size, "r") : fopen("/dev/null", "r");
}}
"""
DESCRIPTOR = f"""\
/* A connection from which this is received, and then its end. */
#include <sys/socket.h>
#include <unistd.h>
static int {DESCRIPTOR_OF}(const char *content, size_t size) {{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || write(ends[1], content, size) != (ssize_t)size) abort();
    shutdown(ends[1], SHUT_WR);
    return ends[0];
}}
"""
NO_LEAKS = """\
/* For AddressSanitizer: what is made for a test is not freed, and memory may run out as without it. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0:allocator_may_return_null=1"; }
"""
OBSERVER = """\
#define UNTAKEN_LONGEST 65 /* of a string that is pinned, with its end */
static FILE *untaken_log;
static int untaken_case;

static void untaken_see_bytes(int check, int after, const void *from, size_t size) {
    fprintf(untaken_log, "%d %d %d ", untaken_case, check, after);
    for (size_t i = 0; i < size; i++) fprintf(untaken_log, "%02x", ((const unsigned char *)from)[i]);
    fputc('\\n', untaken_log);
}

static void untaken_see_string(int check, int after, const void *from) {
    if (from == NULL)
        fprintf(untaken_log, "%d %d %d null\\n", untaken_case, check, after);
    else if (memchr(from, 0, UNTAKEN_LONGEST))
        untaken_see_bytes(check, after, from, strlen(from));
}

#define SEE(check, after, format, value) \\
    (fprintf(untaken_log, "%d %d %d " format "\\n", untaken_case, check, after, value), fflush(untaken_log))

/* What may crash or hang costs nothing but itself. */
#define APART(statement) do { \\
    fflush(untaken_log); \\
    int untaken_child = fork(); \\
    if (untaken_child == 0) { \\
        alarm(1); \\
        statement \\
        fflush(untaken_log); \\
        _Exit(0); \\
    } \\
    if (untaken_child > 0) waitpid(untaken_child, NULL, 0); \\
} while (0)
"""
PATIENCE = 10  # seconds for one case
# Each case in a process of its own, or all one after the other in one: what they show must be the same.
OBSERVER_MAIN = """\
int main(int argc, char **argv) {
    untaken_log = fopen(getenv("%(log)s"), "a");
    for (int k = 2; k < argc; k++) {
        untaken_case = atoi(argv[k]);
        if (argv[1][0] == 's') {
            untaken_cases[untaken_case]();
            continue;
        }
        int child = fork();
        if (child == 0) {
            alarm(%(patience)d); /* one that hangs must not take the others' time */
            untaken_cases[untaken_case]();
            _Exit(0);
        }
        waitpid(child, NULL, 0);
    }
    fclose(untaken_log);
    _Exit(0);
}
"""


@dataclass(frozen=True, slots=True)
class NamedCase:
    """A case with its name, and what a reader is told about it."""

    name: str
    about: tuple[str, ...]
    case: Case
    covers: frozenset[Spot] = frozenset()
    clean: bool = True  # ended with exit code 0
    made_up: bool = False  # no caller has such objects: the driver filled them
    late: bool = False  # it did not end in time
    refused: bool = False  # it broke an assertion


@dataclass(frozen=True, slots=True)
class Pin:
    """What a check came to: the value to expect, or why it is not pinned."""

    value: str | None
    reason: str = ""


def prologue(plan: UnitPlan, words: Sequence[str], headers: Sequence[str], bodies: Sequence[str]) -> str:
    """Everything in the file of tests that stands before the first of them; `bodies` are all of them."""
    parts = [
        "\n".join(["/*", *(f" * {word}".rstrip() for word in words), " */"]),
        *([HEADER.read_text()] if plan.fail_malloc else []),
        included(Path(plan.source).name),
        without_macros(plan.source, "\n".join(bodies)),
        _without_warnings(plan),
        "\n".join(["#include <stdlib.h>", "#include <string.h>", *plan.includes, *headers, ""]),
        NO_LEAKS,
        *(_failing(bodies) if plan.fail_malloc else []),
        *([STREAM] if any(f"{STREAM_OF}(" in body for body in bodies) else []),
        *([DESCRIPTOR] if any(f"{DESCRIPTOR_OF}(" in body for body in bodies) else []),
        *([_heap(plan)] if any(f"{ON_HEAP}(" in body for body in bodies) else []),
        *(f"__typeof__({name}) {name};\n" for name in plan.storage),
        "\n".join(stub_definitions(plan, "\n".join(bodies))),
    ]
    return "\n".join(part for part in parts if part)


def _without_warnings(plan: UnitPlan) -> str:
    """Those about what tests do on purpose: results of calls that prepare are not looked at, formats are empty, and
    what nobody should call any more is tested, too."""
    source = Path(plan.source)
    texts = [text_of(path) for path in (plan.source, *own_headers(source, plan.flags))]
    unused = ["-Wunused-result"] if any(map(MUST_USE.search, texts)) else []
    unused += ["-Wdeprecated-declarations"] if any(map(DEPRECATED.search, texts)) else []
    formats = ["-Wformat-zero-length", "-Wformat-security"] if plan.variadic else []
    return "".join(f'#pragma GCC diagnostic ignored "{name}"\n' for name in (*unused, *formats))


def _failing(bodies: Sequence[str]) -> list[str]:
    used = any(f"{ALLOCATIONS_FAIL}(" in body for body in bodies)
    return [FAILING if used else NEVER_FAILING, FUNCTIONS.read_text()]


def _heap(plan: UnitPlan) -> str:
    """The test's own memory does not fail."""
    return HEAP.replace("calloc(", "untaken_real_calloc(") if plan.fail_malloc else HEAP


def test_file(
    plan: UnitPlan, framework: Framework, cases: Sequence[NamedCase], pins: Sequence[Mapping[int, Pin]]
) -> str:
    """The C file with all tests of a function."""
    source = Path(plan.source).name
    words = [
        f"Tests of {plan.function} ({source}), written by untaken {__version__}.",
        "",
        "They pin what the function did when they were written: regression values, not what it ought to do.",
    ]
    bodies = [_test(named, framework, pinned) for named, pinned in zip(cases, pins, strict=True)]
    runner = framework.runner([named.name for named in cases])
    return "\n".join([prologue(plan, words, framework.prologue, bodies), *bodies, runner]).rstrip("\n") + "\n"


def _test(named: NamedCase, framework: Framework, pins: Mapping[int, Pin]) -> str:
    lines = [*_comment(named.about), f"{framework.signature % named.name} {{"]
    lines += [f"    {line}" for line in (*named.case.before, named.case.call, *named.case.after)]
    pinned = [check for number, check in enumerate(named.case.checks) if pins[number].value is not None]
    if declares_result(named.case) and not any(_RESULT.search(check.expression) for check in pinned):
        lines.append(f"    (void){RESULT};")
    lines += _checked(named.case.checks, pins, framework)
    lines += [f"    {framework.end}"] if framework.end else []
    return "\n".join([*lines, "}", ""])


def declares_result(case: Case) -> bool:
    return f"{RESULT} = " in case.call


def _checked(checks: Sequence[Check], pins: Mapping[int, Pin], framework: Framework) -> list[str]:
    """What is pinned, and what is not; where nothing is, for one reason, that is one line."""
    reasons = {pins[number].reason for number in range(len(checks))}
    if len(checks) > 1 and len(reasons) == 1 and "" not in reasons:
        return [f"    /* {checks[0].expression} and {len(checks) - 1} more are not pinned: {min(reasons)} */"]
    return [line for number, check in enumerate(checks) for line in _pinned(check, pins[number], framework)]


def _pinned(check: Check, pin: Pin, framework: Framework) -> list[str]:
    if pin.value is not None:
        return [f"    {framework.check}({check.condition(pin.value)});"]
    return [f"    /* {check.expression} is not pinned: {pin.reason} */"] if pin.reason else []


def _comment(words: Sequence[str]) -> list[str]:
    if not words:
        return []
    return [f"/* {words[0]}", *(f" * {word}" for word in words[1:]), " */"] if len(words) > 1 else [f"/* {words[0]} */"]


def observer_file(plan: UnitPlan, cases: Sequence[NamedCase]) -> str:
    """The program that shows what the calls come to."""
    headers = ("#include <stdio.h>", "#include <sys/wait.h>", "#include <unistd.h>", "", OBSERVER)
    parts = []
    for named in cases:
        checks = list(enumerate(named.case.checks))
        before = [see(number, check, 0) for number, check in checks if check.output]
        sure = [see(number, check, 1) for number, check in checks if not check.fragile]
        freed = [see(number, check, 1) for number, check in checks if check.fragile]
        call = (*before, named.case.call, *named.case.after, *sure)
        lines = [*named.case.before, *call, f'SEE({RETURNED}, 1, "%d", 0);', *freed]
        parts.append("\n".join([f"static void {named.name}(void) {{", *(f"    {line}" for line in lines), "}", ""]))
    parts.append(f"static void (*untaken_cases[])(void) = {{{', '.join(named.name for named in cases)}}};\n")
    start = prologue(plan, ["Observes what the tests show."], headers, parts)
    return "\n".join([start, *parts, OBSERVER_MAIN % {"log": LOG, "patience": PATIENCE}])


def see(number: int, check: Check, after: int) -> str:
    """The C statement that writes down a value, to be checked in later runs."""
    statement = _seen(number, check, after)
    statement = f"APART({statement});" if check.unsure else statement
    return f"if ({check.pointer}) {statement}" if check.pointer else statement


def _seen(number: int, check: Check, after: int) -> str:
    match check.look:
        case Look.STRING:
            return f"untaken_see_string({number}, {after}, {check.expression});"
        case Look.BYTES:
            return f"untaken_see_bytes({number}, {after}, {check.expression}, {check.size});"
        case Look.REAL:
            return f'SEE({number}, {after}, "%a", (double){check.expression});'
        case Look.NULL:
            return f'SEE({number}, {after}, "%d", {check.expression} != NULL);'
        case Look.SIGNED:
            return f'SEE({number}, {after}, "%lld", (long long){check.expression});'
        case Look.UNSIGNED:
            return f'SEE({number}, {after}, "%llu", (unsigned long long){check.expression});'


def crash_file(plan: UnitPlan, cases: Sequence[NamedCase]) -> str:
    """Inputs that make the function crash, hang or end the program: each is run alone, by name."""
    framework = FRAMEWORKS["assert"]
    words = [
        f"Inputs with which {plan.function} ({Path(plan.source).name}) does not return: by untaken {__version__}.",
        "",
        "They are no tests yet: name one as argument to see what happens. Once it is mended, move it to the tests.",
    ]
    bodies = []
    for named in cases:
        lines = [*_comment(named.about), f"static void {named.name}(void) {{"]
        lines += [f"    {line}" for line in (*named.case.before, named.case.call)]
        lines += [f"    (void){RESULT};"] if declares_result(named.case) else []
        bodies.append("\n".join([*lines, "}", ""]))
    runner = framework.runner([named.name for named in cases])
    return "\n".join([prologue(plan, words, framework.prologue, bodies), *bodies, runner])
