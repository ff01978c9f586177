"""Probes of configure scripts are compiled without instrumentation; everything else is not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.build.test_cc import HELLO, Workshop, shop  # noqa: F401

OLD = "int main() { return strlen_of_nothing(); }\n"
CONFIGURE = """#!/bin/sh
# As autoconf does it: a header that is there as long as the script runs, and a conftest.c beside it.
: > confdefs.h
echo 'int main(void) { return 3; }' > conftest.c
$CC -O2 -o conftest conftest.c || exit 1
./conftest; test $? = 3 || exit 2
echo 'int main(void) { return no_such_function(); }' > conftest.c
$CC -o broken conftest.c 2> said && exit 3
grep -q no_such_function said || exit 4
echo 'int main(void { }' > conftest.c
$CC -c conftest.c 2> said && exit 5
grep -q 'conftest.c:1' said || exit 6
rm confdefs.h
"""


def test_probes_of_autoconf_are_plain_and_answer_alike(shop: Workshop) -> None:  # noqa: F811
    shop.write("confdefs.h", "")
    shop.write("conftest.c", HELLO)
    shop.build("-O2", "-g", "-c", "conftest.c")
    shop.build("-O2", "conftest.c", "-o", "conftest")
    assert not shop.instrumented("conftest.o")
    assert not shop.instrumented("conftest")
    assert shop.run("conftest", "said") == (1, "said\n")
    assert shop.cc("-c", "conftest.c", "-o", "no/such/folder.o").code == 1


def test_what_fails_fails_as_it_does_elsewhere(shop: Workshop) -> None:  # noqa: F811
    shop.write("confdefs.h", "")
    shop.write("conftest.c", OLD)
    shop.write("other.c", OLD)
    assert shop.cc("-c", "conftest.c").code == shop.cc("-c", "other.c").code == 0  # a warning
    assert shop.cc("conftest.c").code == shop.cc("other.c").code == 1


def test_a_program_of_that_name_is_instrumented_when_nobody_configures(shop: Workshop) -> None:  # noqa: F811
    shop.write("conftest.c", HELLO)
    shop.build("-c", "conftest.c")
    assert shop.instrumented("conftest.o")


@pytest.mark.parametrize("folder", ["CMakeFiles/CMakeScratch/TryCompile-a1", "CMakeFiles/CMakeTmp"])
def test_probes_of_cmake_are_plain(shop: Workshop, folder: str) -> None:  # noqa: F811
    shop.write(f"{folder}/src.c", HELLO)
    inside = Workshop(shop.path / folder)
    inside.build("-c", "src.c")
    assert not inside.instrumented("src.o")


def test_a_configure_script_gets_its_answers(shop: Workshop) -> None:  # noqa: F811
    compiler = shop.path / "cc"
    compiler.write_text(f"#!{sys.executable}\nimport sys\nfrom untaken.cli.cc import main\nsys.exit(main())\n")
    compiler.chmod(0o755)
    shop.write("configure", CONFIGURE)
    shell = shutil.which("sh")
    assert shell is not None
    done = subprocess.run([shell, "configure"], cwd=shop.path, env={**os.environ, "CC": str(compiler)})
    assert done.returncode == 0


ALLOCATING = """
#include <stdlib.h>
int main(void) {
    int result = !malloc(0) | !calloc(0, 0) << 1 | !realloc(NULL, 0) << 2;
    if (malloc((size_t)-1 / 2 + 1)) result |= 8;
    if (calloc((size_t)-1 / 8 + 1, 8)) result |= 16;
    if (realloc(NULL, (size_t)-1 / 2 + 1)) result |= 32;
    return result;
}
"""


def test_probes_hear_which_allocations_fail(shop: Workshop) -> None:  # noqa: F811
    shop.write("confdefs.h", "")
    for name in ("conftest", "program"):
        shop.write(f"{name}.c", ALLOCATING)
        shop.build("-O2", "-w", f"{name}.c", "-o", name)
        assert shop.run(name) == (0, "")
