"""The drop-in compiler, called as build systems call it, with real programs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.campaign.command_server import Request
from tests.campaign.commands import Answer, served
from tests.compilers import NEEDS_SANITIZERS
from untaken.build.objects.program_map import read_program_map

CC = [sys.executable, "-c", "import sys; from untaken.cli.start import untaken_cc; sys.exit(untaken_cc())"]
HELLO = "#include <stdio.h>\nint main(int argc, char **argv) { if (argc > 1) puts(argv[1]); return argc - 1; }\n"


@dataclass
class Workshop:
    """A folder with sources, in which the compiler is called."""

    path: Path

    def write(self, name: str, text: str) -> str:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return name

    def cc(self, *words: str, stdin: str = "", **settings: str) -> Answer:
        """Calls the compiler; what it prints is kept."""
        return served(Request(words, {**os.environ, **settings}, str(self.path), "untaken_cc"), stdin)

    def build(self, *words: str, stdin: str = "", **settings: str) -> None:
        """Calls the compiler, which must succeed and keep quiet."""
        answer = self.cc(*words, stdin=stdin, **settings)
        assert (answer.code, answer.printed, answer.said) == (0, "", "")

    def run(self, program: str, *arguments: str) -> tuple[int, str]:
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.path)}
        answer = subprocess.run(
            [self.path / program, *arguments], capture_output=True, text=True, env=environment, timeout=60
        )
        return answer.returncode, answer.stdout

    def files(self) -> set[str]:
        return {path.name for path in self.path.iterdir()}

    def instrumented(self, file: str) -> bool:
        return b"untaken_ids" in (self.path / file).read_bytes()


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


# ---- outputs ----


def test_a_program_in_one_go(shop: Workshop) -> None:
    shop.build(shop.write("hello.c", HELLO))
    assert shop.run("a.out", "you") == (1, "you\n")
    assert shop.instrumented("a.out")
    assert shop.files() == {"hello.c", "a.out"}


@pytest.mark.parametrize(
    "words", [["-o", "x"], ["-ox"], ["-O2", "-g3", "-Wall", "-o", "x"], ["-O0", "-pipe", "-o", "x"]]
)
def test_output_is_named(shop: Workshop, words: list[str]) -> None:
    shop.build(*words, shop.write("hello.c", HELLO))
    assert shop.run("x", "you") == (1, "you\n")


def test_object_then_link(shop: Workshop) -> None:
    shop.build("-c", shop.write("sub/hello.c", HELLO))
    assert shop.instrumented("hello.o")
    shop.build("hello.o", "-o", "x")
    assert shop.run("x", "you") == (1, "you\n")


def test_assembly(shop: Workshop) -> None:
    shop.build("-S", shop.write("hello.c", HELLO))
    assert "main:" in (shop.path / "hello.s").read_text()
    shop.build("hello.s", "-o", "x")
    assert shop.run("x", "you") == (1, "you\n")


def test_assembly_to_standard_output(shop: Workshop) -> None:
    answer = shop.cc("-S", "-o", "-", shop.write("hello.c", HELLO))
    assert answer.code == 0
    assert "main:" in answer.printed


def test_several_sources_and_objects(shop: Workshop) -> None:
    one = shop.write("one.c", "int two(void), three(void); int main(void) { return two() * 10 + three(); }")
    two = shop.write("two.c", "int two(void) { return 2; }")
    shop.build("-c", shop.write("three.c", "int three(void) { return 3; }"))
    shop.build("-o", "x", one, two, "three.o")
    assert shop.run("x") == (23, "")
    assert shop.files() == {"one.c", "two.c", "three.c", "three.o", "x"}


def test_several_objects_at_once(shop: Workshop) -> None:
    shop.build("-c", shop.write("one.c", "int one;"), shop.write("two.c", "int two;"))
    assert {"one.o", "two.o"} <= shop.files()


def test_preprocessed_input(shop: Workshop) -> None:
    answer = shop.cc("-E", shop.write("hello.c", HELLO))
    assert answer.code == 0
    shop.build(shop.write("pre.i", answer.printed), "-o", "x")
    assert shop.run("x", "you") == (1, "you\n")
    assert shop.instrumented("x")


def test_source_from_standard_input(shop: Workshop) -> None:
    shop.build("-x", "c", "-", "-o", "x", stdin=HELLO)
    assert shop.run("x", "you") == (1, "you\n")
    assert read_program_map(shop.path / "x").sources == ("-",)


@pytest.mark.parametrize("name", ['a"b', "a\\b", "a\nb", "a#b", "a:b", "$(a)"])
def test_names_that_need_care_in_every_format(shop: Workshop, name: str) -> None:
    source = shop.write(f"{name}/{name}.c", '#include "own.h"\nint main(void) { return VALUE; }\n')
    shop.write(f"{name}/own.h", "#define VALUE 3\n")
    shop.build("-MMD", "-c", source, "-o", f"{name}/{name}.o")
    assert (shop.path / name / f"{name}.d").exists()
    shop.build(f"{name}/{name}.o", "-o", f"{name}/program")
    assert shop.run(f"{name}/program") == (3, "")
    assert shop.instrumented(f"{name}/program")


def test_names_with_spaces_and_worse(shop: Workshop) -> None:
    shop.build("-c", shop.write("a folder/it's $HOME.c", HELLO), "-o", "an object,.o")
    shop.build("an object,.o", "-o", "a program")
    assert shop.run("a program", "you") == (1, "you\n")


def test_assembler_sources(shop: Workshop) -> None:
    plain = shop.write("one.s", '.globl one\none: movl $1, %eax\n ret\n.section .note.GNU-stack,"",@progbits\n')
    text = '#define N 2\n.globl two\ntwo: movl $N, %eax\n ret\n.section .note.GNU-stack,"",@progbits\n'
    program = shop.write("main.c", "int one(void), two(void); int main(void) { return one() * 10 + two(); }")
    shop.build(plain, shop.write("two.S", text), program, "-Wa,--noexecstack", "-o", "x")
    assert shop.run("x") == (12, "")


def test_archives(shop: Workshop) -> None:
    if not shutil.which("ar"):
        pytest.skip("needs ar: apt-get install binutils")
    shop.build("-c", shop.write("part.c", "int part(void) { return 7; }"))
    subprocess.run(["ar", "rcs", "libpart.a", "part.o"], cwd=shop.path, check=True)
    program = shop.write("main.c", "int part(void); int main(void) { return part(); }")
    shop.build(program, "-L.", "-lpart", "-o", "x")
    assert shop.run("x") == (7, "")
    shop.build(program, "libpart.a", "-o", "y")
    assert shop.run("y") == (7, "")


@pytest.mark.parametrize("strict", [[], ["-Wl,-z,defs"], ["-Wl,--no-undefined"]])
def test_shared_objects(shop: Workshop, strict: list[str]) -> None:
    source = shop.write("part.c", "int part(int x) { if (x > 3) return 1; return 7; }")
    shop.build("-shared", "-fPIC", source, "-o", "libpart.so", *strict)
    assert shop.instrumented("libpart.so")
    program = shop.write("main.c", "int part(int); int main(int argc, char **argv) { return part(argc); }")
    shop.build(program, "-L.", "-lpart", "-o", "x")
    assert shop.run("x") == (7, "")
    assert shop.run("x", "1", "2", "3") == (1, "")


def test_shared_objects_that_are_loaded_later(shop: Workshop) -> None:
    """The executable has no use of its own for what the plugin calls, yet offers it."""
    plugin = '#include <string.h>\nint part(const char *s) { return strcmp(s, "yes") == 0 ? 7 : 1; }'
    shop.build("-shared", "-fPIC", shop.write("plugin.c", plugin), "-o", "plugin.so")
    text = (
        "#include <dlfcn.h>\n#include <stdio.h>\n"
        "int main(int argc, char **argv) {\n"
        '  void *library = dlopen("plugin.so", RTLD_NOW);\n'
        "  if (!library) { puts(dlerror()); return 99; }\n"
        '  int (*part)(const char *) = (int (*)(const char *))dlsym(library, "part");\n'
        "  return part(argv[1]);\n}\n"
    )
    shop.build(shop.write("main.c", text), "-ldl", "-o", "x")
    assert shop.run("x", "yes") == (7, "")
    assert shop.run("x", "no") == (1, "")


def test_relocatable_link(shop: Workshop) -> None:
    one = shop.write("one.c", "int two(void); int main(void) { return two(); }")
    shop.build("-c", one, shop.write("two.c", "int two(void) { return 2; }"))
    shop.build("-r", "-nostdlib", "one.o", "two.o", "-o", "both.o")
    shop.build("both.o", "-o", "x")
    assert shop.run("x") == (2, "")


def test_static_program(shop: Workshop) -> None:
    shop.build("-static", shop.write("hello.c", HELLO), "-o", "x")
    assert shop.run("x", "you") == (1, "you\n")


@pytest.mark.parametrize("name", ["bfd", "gold", "lld"])
def test_other_linkers(shop: Workshop, name: str) -> None:
    if not shutil.which(f"ld.{name}"):
        pytest.skip(f"needs ld.{name}: apt-get install binutils lld")
    shop.build(f"-fuse-ld={name}", shop.write("hello.c", HELLO), "-o", "x")
    assert shop.run("x", "you") == (1, "you\n")


def test_unused_functions_may_be_thrown_away(shop: Workshop) -> None:
    words = ["-O2", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
    shop.build(*words, shop.write("hello.c", HELLO), "-o", "x")
    assert shop.run("x", "you") == (1, "you\n")
    assert shop.instrumented("x")


def test_a_fuzz_target_gets_a_main(shop: Workshop) -> None:
    text = (
        "#include <stddef.h>\n#include <stdint.h>\n"
        "int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return size > 3 && data[0] == 'x'; }\n"
    )
    shop.build("-fsanitize=fuzzer", shop.write("target.c", text), "-o", "x")
    assert shop.instrumented("x")


def test_our_headers_are_found(shop: Workshop) -> None:
    shop.build("-c", shop.write("one.c", "#include <untaken.h>\n#include <crest.h>\n#include <klee/klee.h>\n"))


# ---- what the compiler says ----


@pytest.mark.parametrize(
    "words", [["-c", "bad.c"], ["bad.c"], ["-S", "bad.c"], ["-E", "missing.c"], ["-c", "missing.c"]]
)
def test_errors_are_the_compilers_own(shop: Workshop, words: list[str]) -> None:
    shop.write("bad.c", "int main(void) { return undeclared; }\n")
    answer = shop.cc(*words)
    assert answer.code == 1
    assert answer.printed == ""
    assert "error:" in answer.said
    assert "untaken:" not in answer.said
    assert shop.files() == {"bad.c"}


def test_a_failed_compilation_leaves_the_old_object(shop: Workshop) -> None:
    shop.write("one.o", "old")
    assert shop.cc("-c", shop.write("one.c", "int x = ;")).code == 1
    assert (shop.path / "one.o").read_text() == "old"


def test_warnings_are_shown_and_may_be_errors(shop: Workshop) -> None:
    source = shop.write("one.c", "int f(void) { int unused; return 0; }\n")
    assert "unused" in shop.cc("-Wall", "-c", source).said
    answer = shop.cc("-Wall", "-Werror", "-c", source)
    assert (answer.code, "unused" in answer.said) == (1, True)


# What C had before 1999 and compilers of their time still take, each in one line.
OLD_HABITS = {
    "an undeclared function": "int main(void) { return undeclared(); }\nint undeclared(void) { return 0; }",
    "no type": "static number;\nmain() { return number; }",
    "an integer as a pointer": "int number; int main(void) { char *p = number; return p != 0; }",
    "another pointer": "int number; int main(void) { char *p = &number; return *p; }",
    "another function": "int f(int x) { return x; }\nint (*g)(char *) = f;\nint main(void) { return g(0); }",
    "nothing returned": "int f(int x) { if (x) return; return 0; }\nint main(void) { return f(0); }",
}


@pytest.mark.parametrize("text", OLD_HABITS.values(), ids=OLD_HABITS)
@pytest.mark.parametrize("strict", [[], ["-Werror"], ["-pedantic-errors"], ["-Werror", "-Wno-error"]], ids=str)
def test_old_c_is_taken_as_the_systems_compiler_takes_it(shop: Workshop, text: str, strict: list[str]) -> None:
    source = shop.write("old.c", f"{text}\n")
    plain = subprocess.run(["cc", *strict, source, "-o", "plain"], cwd=shop.path, capture_output=True, check=False)
    answer = shop.cc(*strict, source, "-o", "x")
    assert (answer.code == 0) == (plain.returncode == 0), answer.said
    if plain.returncode == 0:
        assert shop.run("x") == shop.run("plain")
        assert "warning:" in answer.said


def test_what_a_user_makes_an_error_is_one(shop: Workshop) -> None:
    """Configure scripts find out so whether a function is declared."""
    source = shop.write("old.c", OLD_HABITS["an undeclared function"])
    word = "-Werror=implicit-function-declaration"
    for words in ([word], [word, "-fsyntax-only"], ["-Wno-error", word]):
        answer = shop.cc(*words, "-c", source)
        assert (answer.code, "undeclared" in answer.said) == (1, True)
    assert shop.cc("-fsyntax-only", source).code == 0


def test_help_is_our_own(shop: Workshop) -> None:
    answer = shop.cc("--help", UNTAKEN_CLANG="nowhere")
    assert (answer.code, answer.said) == (0, "")
    assert answer.printed.startswith("usage: untaken cc ")
    assert all(word in answer.printed for word in ("UNTAKEN_CLANG", "UNTAKEN_CHECK", "XDG_CACHE_HOME", "clang"))


def test_nothing_to_do(shop: Workshop) -> None:
    answer = shop.cc()
    assert answer.code == 1
    assert "no input files" in answer.said


def test_one_output_for_two_objects(shop: Workshop) -> None:
    answer = shop.cc("-c", shop.write("a.c", ""), shop.write("b.c", ""), "-o", "x.o")
    assert answer.code == 1
    assert "multiple output files" in answer.said


@pytest.mark.parametrize("word", ["--version", "-v", "-dumpversion", "-dumpmachine", "-print-prog-name=ld"])
def test_questions_are_answered_by_the_front_end(shop: Workshop, word: str) -> None:
    answer = shop.cc(word)
    assert answer.code == 0
    assert answer.printed + answer.said


@pytest.mark.parametrize(
    ("words", "expected"), [(["-E", "-dM"], "#define VALUE 3"), (["-M"], "one.o: one.c"), (["-MM"], "own.h")]
)
def test_preprocessing(shop: Workshop, words: list[str], expected: str) -> None:
    shop.write("own.h", "#define VALUE 3\n")
    answer = shop.cc(*words, shop.write("one.c", '#include "own.h"\n#include <stddef.h>\n'))
    assert answer.code == 0
    assert expected in answer.printed


def test_another_target_is_refused(shop: Workshop) -> None:
    answer = shop.cc("-m32", "-c", shop.write("one.c", "int x;"))
    assert answer.code == 2
    assert answer.said == "untaken: only x86-64 Linux is supported yet; drop -m32\n"


def test_output_that_cannot_be_written(shop: Workshop) -> None:
    answer = shop.cc("-c", shop.write("one.c", "int x;"), "-o", "nowhere/one.o")
    assert answer.code == 1
    assert answer.said == "untaken: cannot write nowhere/one.o: No such file or directory\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_folder(shop: Workshop) -> None:
    shop.write("one.c", "int x;")
    (shop.path / "locked").mkdir(mode=0o500)
    answer = shop.cc("-c", "one.c", "-o", "locked/one.o")
    assert answer.code == 1
    assert "cannot write locked/one.o" in answer.said


def test_output_to_a_device(shop: Workshop) -> None:
    shop.build("-c", shop.write("one.c", "int x;"), "-o", "/dev/null")
    assert Path("/dev/null").is_char_device()


# ---- what configure scripts ask ----


def test_a_function_that_is_not_there_does_not_link(shop: Workshop) -> None:
    text = "char surely_not_a_function(); int main() { return surely_not_a_function(); }\n"
    answer = shop.cc(shop.write("conftest.c", text), "-o", "conftest")
    assert answer.code != 0
    assert "surely_not_a_function" in answer.said
    assert "conftest" not in shop.files()


@pytest.mark.parametrize("function", ["strlen", "memcpy", "malloc", "getline", "printf", "main_is_ours", "strlcat_not"])
def test_functions_are_found_as_the_plain_compiler_finds_them(shop: Workshop, function: str) -> None:
    text = f"#undef {function}\nchar {function}();\nint main(void) {{ return {function}(); }}\n"
    source = shop.write("conftest.c", text)
    plain = subprocess.run(["cc", "-fno-builtin", source], cwd=shop.path, capture_output=True, check=False)
    assert (shop.cc("-fno-builtin", "-w", source).code == 0) == (plain.returncode == 0)


def test_sizes_are_found_by_failing_arrays(shop: Workshop) -> None:
    for size, expected in ((8, 0), (4, 1)):
        text = f"int main(void) {{ static int a[1 - 2 * !(sizeof(long) == {size})]; a[0] = 0; return a[0]; }}\n"
        assert shop.cc("-c", shop.write("conftest.c", text)).code == expected


def test_unknown_options_fail(shop: Workshop) -> None:
    assert shop.cc("-fsurely-not-an-option", "-c", shop.write("conftest.c", "int x;")).code == 1


# ---- dependencies ----


@pytest.mark.parametrize(
    ("words", "file", "target"),
    [
        (["-c"], "one.d", "one.o"),
        (["-c", "-o", "out/two.o"], "out/two.d", "out/two.o"),
        (["-c", "-MF", "x.d", "-o", "two.o"], "x.d", "two.o"),
        (["-c", "-MF", "x.d", "-MT", "goal"], "x.d", "goal"),
        (["-c", "-Wp,-MMD,x.d"], "x.d", "one.o"),
        (["-o", "prog"], "prog-one.d", "one.o"),
    ],
)
def test_dependency_files(shop: Workshop, words: list[str], file: str, target: str) -> None:
    (shop.path / "out").mkdir()
    shop.write("own.h", "")
    shop.build("-MMD", *words, shop.write("one.c", '#include "own.h"\nint main(void) { return 0; }\n'))
    assert (shop.path / file).read_text().split() == [f"{target}:", "one.c", "own.h"]


def test_phony_targets(shop: Workshop) -> None:
    shop.write("own.h", "")
    shop.build("-MMD", "-MP", "-c", shop.write("one.c", '#include "own.h"\n'))
    assert "own.h:" in (shop.path / "one.d").read_text().splitlines()


# ---- options ----


def test_response_file(shop: Workshop) -> None:
    shop.write("words", f'-DNAME=\'"from a file"\' -o x "{shop.write("a b.c", "#include <stdio.h>")}"\n')
    shop.write("a b.c", "#include <stdio.h>\nint main(void) { puts(NAME); return 0; }\n")
    shop.build("@words")
    assert shop.run("x") == (0, "from a file\n")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "plain"),
        (["-O0"], "plain"),
        (["-O2"], "optimised"),
        (["-Os"], "small"),
        (["-O2", "-U__OPTIMIZE__"], "plain"),
    ],
)
def test_headers_see_the_optimisation_that_was_asked_for(shop: Workshop, words: list[str], expected: str) -> None:
    text = (
        "#include <stdio.h>\nint main(void) {\n"
        '#if defined __OPTIMIZE_SIZE__\n puts("small");\n'
        '#elif defined __OPTIMIZE__\n puts("optimised");\n#else\n puts("plain");\n#endif\n return 0; }\n'
    )
    shop.build(*words, shop.write("one.c", text), "-o", "x")
    assert shop.run("x") == (0, f"{expected}\n")


def test_fortified_sources(shop: Workshop) -> None:
    text = "#include <string.h>\nint main(int c, char **v) { char b[8]; strcpy(b, v[c - 1]); return b[0] == 0; }\n"
    shop.build("-O2", "-D_FORTIFY_SOURCE=2", "-Wall", "-Werror", shop.write("one.c", text), "-o", "x")


SIZES = """#include <stdio.h>
#include <stdlib.h>
#define SIZE(p) printf("%d ", (int)__builtin_dynamic_object_size(p, 0))
int main(int c, char **v) {
    void *p = malloc(c + 4), *q = calloc(c, 8), *r = realloc(NULL, c + 6), *s = aligned_alloc(16, 16 * c);
    SIZE(p); SIZE(q); SIZE(r); SIZE(s);
    return v == 0; }
"""


def test_sizes_of_allocated_memory_are_known(shop: Workshop) -> None:
    """-D_FORTIFY_SOURCE=3 asks for them, and ends a program that writes beyond."""
    shop.build("-O2", shop.write("sizes.c", SIZES), "-o", "x")
    assert shop.run("x", "y") == (0, "6 16 8 32 ")


@pytest.mark.parametrize("word", ["-flto", "--coverage", "-fprofile-generate", "-pg"])
def test_other_instrumentation_is_left_out(shop: Workshop, word: str) -> None:
    shop.build(word, shop.write("hello.c", HELLO), "-o", "x")
    assert shop.run("x", "you") == (1, "you\n")
    assert shop.files() == {"hello.c", "x"}


def test_other_languages_are_not_instrumented(shop: Workshop) -> None:
    answer = shop.cc("-c", shop.write("one.cpp", "namespace n { int f(int x) { return x > 3 ? 1 : 2; } }\n"))
    assert (answer.code, answer.said) == (0, "")
    assert not shop.instrumented("one.o")


GREETING = """#include <iostream>
#include <string>
extern "C" int size_of_greeting(int);
int main() { std::string word(size_of_greeting(3), 'a'); std::cout << word << std::endl; }
"""
NEEDS_CPLUSPLUS = pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler: apt-get install g++")


@NEEDS_CPLUSPLUS
def test_cplusplus_is_linked_with_instrumented_c(shop: Workshop) -> None:
    shop.write("part.c", "int size_of_greeting(int x) { return x > 2 ? 5 : 1; }\n")
    shop.build(shop.write("main.cc", GREETING), "part.c", "-o", "at-once")
    assert shop.run("at-once") == (0, "aaaaa\n")
    shop.build("-c", "part.c")
    shop.build("-c", "main.cc")
    shop.build("--driver-mode=g++", "main.o", "part.o", "-o", "apart")
    assert shop.run("apart") == (0, "aaaaa\n")
    assert shop.instrumented("apart")


# ---- the tools ----


@pytest.mark.parametrize("name", ["clang-14", "clang-16", "clang-19", "clang-22", "zig"])
def test_front_ends(shop: Workshop, name: str) -> None:
    if name != "zig" and not shutil.which(name):
        pytest.skip(f"needs {name}: apt-get install {name}")
    shop.build("-O2", "-march=x86-64", shop.write("hello.c", HELLO), "-o", "x", UNTAKEN_CLANG=name)
    assert shop.run("x", "you") == (1, "you\n")
    assert shop.instrumented("x")


def test_no_front_end_is_one_sentence(shop: Workshop) -> None:
    answer = shop.cc("-c", shop.write("one.c", "int x;"), UNTAKEN_CLANG="nowhere")
    assert answer.code == 2
    assert answer.said == "untaken: UNTAKEN_CLANG: nowhere does not exist; unset it or name a clang\n"


def test_a_check_without_a_library_is_one_sentence(shop: Workshop) -> None:
    """zig brings none, and gcc's have fewer checks than clang."""
    answer = shop.cc("-fsanitize=function", "-c", shop.write("one.c", "int x;"), UNTAKEN_CLANG="zig")
    sentence = "-fsanitize=function needs clang's own libraries: install clang, or drop it"
    assert (answer.code, answer.said) == (2, f"untaken: {sentence}\n")


def test_sanitizers_without_any_library_are_one_sentence(shop: Workshop, tmp_path: Path) -> None:
    source = shop.write("one.c", "int main(void) { return 0; }")
    (tmp_path / "bin").mkdir()
    settings = {"UNTAKEN_CLANG": "zig", "PATH": str(tmp_path / "bin")}
    answer = shop.cc("-fsanitize=address", source, **settings)
    assert (answer.code, answer.said.count("\n")) == (2, 1)
    assert "install one of them" in answer.said


def test_no_temporary_files_are_left(shop: Workshop, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    shop.build(shop.write("hello.c", HELLO), "-o", "x", TMPDIR=str(scratch))
    shop.cc(shop.write("bad.c", "int x = ;"), TMPDIR=str(scratch))
    assert list(scratch.iterdir()) == []


def test_many_at_once_with_an_empty_cache(shop: Workshop, tmp_path: Path) -> None:
    """As in `make -j`: they all find out that the runtime is not there yet."""
    source = shop.write("hello.c", HELLO)
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    running = [subprocess.Popen([*CC, source, "-o", f"x{index}"], cwd=shop.path, env=environment) for index in range(2)]
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    assert all(shop.run(f"x{index}", "you") == (1, "you\n") for index in range(2))
    assert not [path for path in (tmp_path / "cache" / "untaken").iterdir() if path.name.startswith(".")]


@NEEDS_SANITIZERS
def test_address_sanitizer(shop: Workshop) -> None:
    text = (
        "#include <stdlib.h>\n"
        "int main(int argc, char **argv) { int *p = malloc(8); free(p); if (argc > 1) return *p; return 0; }\n"
    )
    shop.build("-fsanitize=address", "-g", shop.write("one.c", text), "-o", "x")
    assert shop.run("x")[0] == 0
    assert shop.run("x", "more")[0] not in (0, 2)


@NEEDS_SANITIZERS
def test_undefined_behaviour_sanitizer(shop: Workshop) -> None:
    text = "int main(int argc, char **argv) { int shift = 31 + argc; return (1 << shift) == 12345; }\n"
    words = ["-fsanitize=undefined", "-fno-sanitize-recover=all", "-o", "x"]
    shop.build(shop.write("one.c", text), *words)
    assert shop.run("x")[0] not in (0, 2)


def test_values_that_no_object_file_holds_are_refused_before_they_take_all_memory(shop: Workshop) -> None:
    source = shop.write("big.c", "char big[3L << 30] = {1};\nint main(void) { return big[0]; }\n")
    answer = shop.cc("-c", source)
    assert answer.code == 2
    assert answer.said.splitlines() == [
        "untaken: big.c: big is 3 GiB of initial values, more than an object file can hold: make it smaller, or fill "
        "it when the program starts"
    ]
    assert shop.files() == {"big.c"}
