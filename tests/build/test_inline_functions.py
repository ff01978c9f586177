"""Functions that are defined nowhere but inline, as C99 allows: what gcc -O2 links is linked, and does the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.build.test_cc import Workshop
from untaken.build.objects.program_map import read_program_map
from untaken.build.toolchain.compilers import Kind, linker

HEADER = """
inline int twice(int x) { if (x > 100) return x; return 2 * x; }
inline int fourfold(int x) { return twice(twice(x)); }
extern inline __attribute__((gnu_inline)) int older(int x) { if (x < 0) return -x; return x + 1; }
static int calls;
inline int counted(int x) { calls++; return x + calls; }
"""
MAIN = """
#include <stdio.h>
#include "inline.h"
int other(int);
int main(int argc, char **argv)
{
    (void)argv;
    printf("%d %d %d %d %s\\n", fourfold(argc), older(argc), counted(argc), other(argc), __FILE__);
    return calls;
}
"""
OTHER = """
#include "inline.h"
int other(int x) { counted(1); counted(2); return fourfold(x + 1) + calls; }
"""
PRINTED = "4 2 2 10 main.c\n"


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    shop = Workshop(tmp_path)
    for name, text in (("inline.h", HEADER), ("main.c", MAIN), ("other.c", OTHER)):
        shop.write(name, text)
    return shop


def counted(shop: Workshop, program: str) -> list[str]:
    return sorted(function.name for function in read_program_map(shop.path / program).functions)


@pytest.mark.skipif(linker().kind is Kind.ZIG, reason="needs a system compiler: apt-get install gcc")
def test_the_systems_compiler_links_it(shop: Workshop) -> None:
    command = [*linker().command, "-w", "-O2", "main.c", "other.c", "-o", "plain"]
    subprocess.run(command, cwd=shop.path, check=True, timeout=60)
    assert shop.run("plain") == (1, PRINTED)


@pytest.mark.parametrize("level", ["-O2", "-O0"])
def test_bodies_are_found_when_they_are_missed(shop: Workshop, level: str) -> None:
    shop.build("-w", level, "main.c", "other.c", "-o", "x")
    assert shop.run("x") == (1, PRINTED)


def test_a_body_counts_once_unless_each_unit_has_its_own(shop: Workshop) -> None:
    shop.build("-w", "-O2", "main.c", "other.c", "-o", "x")
    assert counted(shop, "x") == ["counted", "counted", "fourfold", "main", "older", "other", "twice"]


def test_an_external_definition_is_the_one(shop: Workshop) -> None:
    shop.write("external.c", "int twice(int x) { return 3 * x; }")
    shop.build("-w", "-O2", "main.c", "other.c", "external.c", "-o", "x")
    assert shop.run("x") == (1, "9 2 2 20 main.c\n")
    assert counted(shop, "x").count("twice") == 1


def test_objects_of_an_archive_and_from_another_folder(shop: Workshop) -> None:
    shop.write("far/other.c", OTHER.replace('"inline.h"', '"../inline.h"'))
    shop.build("-w", "-O2", "-c", "far/other.c", "-o", "other.o")
    subprocess.run(["ar", "rc", "libother.a", "other.o"], cwd=shop.path, check=True)
    shop.build("-w", "-O2", "main.c", "libother.a", "-o", "x")
    assert shop.run("x") == (1, PRINTED)


def test_a_shared_object_has_its_own(shop: Workshop) -> None:
    shop.build("-w", "-O2", "-shared", "-fPIC", "other.c", "-o", "libother.so")
    shop.write("caller.c", "int other(int);\nint main(int argc, char **argv) { (void)argv; return other(argc); }")
    shop.build("-O2", "caller.c", "libother.so", "-o", "x")
    assert shop.run("x") == (10, "")


def test_what_is_nowhere_is_said_as_ever(shop: Workshop) -> None:
    shop.write("nowhere.c", "int nowhere(void);\nint main(void) { return nowhere(); }")
    answer = shop.cc("nowhere.c", "-o", "x")
    assert answer.code == 1
    assert "undefined" in answer.said and "nowhere" in answer.said
