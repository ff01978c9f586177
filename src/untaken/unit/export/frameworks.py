"""How each test framework wants its tests: plain assert, Unity, cmocka, GoogleTest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

PLAIN_MAIN = """\
static const struct { const char *name; void (*run)(void); } untaken_tests[] = {
%(entries)s
};

/* Runs the tests that are named, or all. */
int main(int argc, char **argv) {
    for (unsigned i = 0; i < sizeof untaken_tests / sizeof *untaken_tests; i++) {
        int wanted = argc < 2;
        for (int k = 1; k < argc; k++) {
            wanted |= strcmp(argv[k], untaken_tests[i].name) == 0;
        }
        if (wanted) {
            untaken_tests[i].run();
            printf("ok %%s\\n", untaken_tests[i].name);
        }
    }
    return 0;
}
"""


@dataclass(frozen=True, slots=True)
class Framework:
    """`check` is what conditions are passed to; `header` the header that must be there, "" if none."""

    name: str
    check: str
    prologue: tuple[str, ...]
    signature: str  # of a test, with its name for %s
    end: str  # the last statement of a test
    runner: Callable[[Sequence[str]], str]
    header: str = ""
    libraries: tuple[str, ...] = ()
    package: str = ""  # where to get it


def _plain(tests: Sequence[str]) -> str:
    return PLAIN_MAIN % {"entries": "\n".join(f'    {{"{name}", {name}}},' for name in tests)}


def _unity(tests: Sequence[str]) -> str:
    calls = "\n".join(f"    RUN_TEST({name});" for name in tests)
    return (
        "void setUp(void) {}\nvoid tearDown(void) {}\n\n"
        f"int main(void) {{\n    UNITY_BEGIN();\n{calls}\n    return UNITY_END();\n}}\n"
    )


def _cmocka(tests: Sequence[str]) -> str:
    entries = "\n".join(f"        cmocka_unit_test({name})," for name in tests)
    return (
        f"int main(void) {{\n    const struct CMUnitTest tests[] = {{\n{entries}\n    }};\n"
        "    return cmocka_run_group_tests(tests, NULL, NULL);\n}\n"
    )


def googletest_file(function: str, tests: Sequence[str]) -> str:
    """The C++ side: the tests themselves stay C, for what they include is C."""
    cases = "\n".join(
        f'extern "C" const char *{name}(void);\nTEST({function}, {name}) {{ EXPECT_STREQ("", {name}()); }}\n'
        for name in tests
    )
    return f"// Written by untaken: runs the tests of test_{function}.c.\n#include <gtest/gtest.h>\n\n{cases}"


FRAMEWORKS = {
    framework.name: framework
    for framework in (
        Framework(
            "assert",
            "assert",
            ("#undef NDEBUG", "#include <assert.h>", "#include <stdio.h>"),
            "static void %s(void)",
            "",
            _plain,
        ),
        Framework(
            "unity",
            "TEST_ASSERT_TRUE",
            ("#include <stdio.h>", '#include "unity.h"'),
            "static void %s(void)",
            "",
            _unity,
            "unity.h",
            ("unity",),
            "https://github.com/ThrowTheSwitch/Unity",
        ),
        Framework(
            "cmocka",
            "assert_true",
            (
                *("#include <setjmp.h>", "#include <stdarg.h>", "#include <stddef.h>", "#include <stdint.h>"),
                *("#include <stdio.h>", "#include <cmocka.h>"),
            ),
            "static void %s(void **state)",
            "(void)state;",
            _cmocka,
            "cmocka.h",
            ("cmocka",),
            "Debian: libcmocka-dev",
        ),
        Framework(
            "gtest",
            "CHECK",
            (
                "#include <stdio.h>",
                "/* A test returns the first condition that does not hold, or nothing. */",
                "#define CHECK(condition) do { if (!(condition)) return #condition; } while (0)",
            ),
            "const char *%s(void)",
            'return "";',
            lambda tests: "",
            "gtest/gtest.h",
            ("gtest_main", "gtest", "pthread"),
            "Debian: libgtest-dev",
        ),
    )
}
