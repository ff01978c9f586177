"""Command lines of C compilers, read and sorted."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untaken.build.toolchain.command_line import Invocation, Language, Mode, parse, split_response
from untaken.build.toolchain.option_table import Role
from untaken.errors import UsageError


def sources(invocation: Invocation) -> list[tuple[str, Language]]:
    return [(source.path, source.language) for source in invocation.inputs]


@pytest.mark.parametrize(
    ("words", "mode"),
    [
        ("a.c", Mode.LINK),
        ("-c a.c", Mode.OBJECT),
        ("-S a.c", Mode.ASSEMBLY),
        ("-c -S a.c", Mode.ASSEMBLY),
        ("-S -c a.c", Mode.ASSEMBLY),
        ("-E a.c", Mode.ASK),
        ("-M a.c", Mode.ASK),
        ("-MM a.c", Mode.ASK),
        ("-E -dM a.c", Mode.ASK),
        ("-MD -c a.c", Mode.OBJECT),
        ("-fsyntax-only a.c", Mode.ASK),
        ("--version", Mode.ASK),
        ("-dumpversion", Mode.ASK),
        ("-print-prog-name=ld", Mode.ASK),
        ("-v a.c", Mode.LINK),
    ],
)
def test_how_far_it_goes(words: str, mode: Mode) -> None:
    assert parse(words.split()).mode is mode


@pytest.mark.parametrize("words", ["-o x a.c", "-ox a.c", "a.c -o x", "a.c -ox"])
def test_output(words: str) -> None:
    invocation = parse(words.split())
    assert invocation.output == "x"
    assert sources(invocation) == [("a.c", Language.C)]


def test_the_last_output_counts() -> None:
    assert parse("-o a -o b a.c".split()).output == "b"


@pytest.mark.parametrize(
    "words",
    ["-I foo", "-Ifoo", "-D X=1", "-U X", "-isystem foo", "-iquote foo", "-include foo.h", "-idirafter d", "-Xclang x"],
)
def test_values_of_front_end_options_are_no_inputs(words: str) -> None:
    invocation = parse([*words.split(), "a.c"])
    assert sources(invocation) == [("a.c", Language.C)]
    assert invocation.options(Role.FRONT_END) == words.split()


@pytest.mark.parametrize(
    "words",
    [
        *("-l m", "-lm", "-L foo", "-Lfoo", "-Wl,-z,defs", "-Xlinker -z", "-T script.ld", "-u symbol", "-z now"),
        *("-shared", "-static", "-pie", "-no-pie", "-r", "-rdynamic", "-nostdlib", "-s", "-fuse-ld=gold"),
    ],
)
def test_linker_options(words: str) -> None:
    invocation = parse([*words.split(), "a.o"])
    assert sources(invocation) == [("a.o", Language.LINKED)]
    assert invocation.options(Role.LINKER) == words.split()
    assert invocation.options(Role.FRONT_END) == []


@pytest.mark.parametrize(
    "word",
    [
        "-undef",
        "-emit-ast",
        "-std=c99",
        "-Wall",
        "-Werror",
        "-fPIC",
        "-mavx2",
        "-nostdinc",
        "-traditional-cpp",
        "-ansi",
    ],
)
def test_options_that_look_like_those_of_a_linker_go_to_the_front_end(word: str) -> None:
    assert parse([word, "a.c"]).options(Role.FRONT_END) == [word]


@pytest.mark.parametrize("word", ["-flto", "-flto=auto", "--coverage", "-fprofile-generate", "-pg", "-ftest-coverage"])
def test_what_works_against_us_is_dropped(word: str) -> None:
    assert parse([word, "a.c"]).options(Role.FRONT_END, Role.LINKER, Role.BOTH, Role.TUNING) == []


def test_pthread_is_for_both() -> None:
    assert parse(["-pthread", "a.c"]).options(Role.BOTH) == ["-pthread"]


@pytest.mark.parametrize(
    ("words", "level"), [("", ""), ("-O", "1"), ("-O0", "0"), ("-O2", "2"), ("-O2 -Os", "s"), ("-Ofast", "fast")]
)
def test_optimisation(words: str, level: str) -> None:
    invocation = parse([*words.split(), "a.c"])
    assert invocation.optimisation == level
    assert invocation.options(Role.FRONT_END) == []


def test_debug_options_are_ours_but_for_the_version_of_dwarf() -> None:
    invocation = parse("-g3 -ggdb -gsplit-dwarf -gdwarf-4 a.c".split())
    assert invocation.options(Role.FRONT_END) == ["-gdwarf-4"]


@pytest.mark.parametrize(("words", "pic"), [("", True), ("-fPIC", True), ("-fno-pie", False), ("-fno-pic -fPIE", True)])
def test_position_independence(words: str, pic: bool) -> None:
    assert parse([*words.split(), "a.c"]).pic is pic


def test_languages_by_name() -> None:
    invocation = parse("a.c b.i c.s d.S e.o f.a g.so h.so.1 i.cpp j.cc k.C l.h".split())
    assert [source.language for source in invocation.inputs] == [
        *(Language.C, Language.PREPROCESSED, Language.ASSEMBLY, Language.ASSEMBLY_WITH_CPP),
        *[Language.LINKED] * 4,
        *[Language.OTHER] * 4,
    ]


def test_language_given_holds_until_the_next() -> None:
    invocation = parse("a.o -x c b.txt - -x none c.o -xc++ d.c".split())
    assert sources(invocation) == [
        *(("a.o", Language.LINKED), ("b.txt", Language.C), ("-", Language.C)),
        *(("c.o", Language.LINKED), ("d.c", Language.OTHER)),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a.c b.o", False),
        ("a.c b.cc", True),
        ("-x c++ a.c", True),
        ("-x c a.cc", False),
        ("--driver-mode=g++ a.o", True),
        ("--driver-mode=gcc a.o", False),
    ],
)
def test_what_is_linked_as_cplusplus(line: str, expected: bool) -> None:
    assert parse(line.split()).cplusplus is expected


def test_a_cplusplus_compiler_takes_everything_for_cplusplus() -> None:
    invocation = parse("--driver-mode=g++ a.c b.s c.o".split())
    assert sources(invocation) == [("a.c", Language.OTHER), ("b.s", Language.ASSEMBLY), ("c.o", Language.LINKED)]
    assert invocation.inputs[0].explicit == "c++"


def test_dependencies() -> None:
    wanted = parse("-MMD -MF x.d -MT one -MQtwo -MP a.c".split())
    assert wanted.dependencies.wanted and not wanted.dependencies.system
    assert wanted.dependencies.file == "x.d"
    assert wanted.dependencies.targets == ("-MT", "one", "-MQ", "two")
    assert wanted.dependencies.phony
    assert wanted.options(Role.FRONT_END) == []
    assert not parse(["a.c"]).dependencies.wanted


def test_dependencies_through_the_preprocessor() -> None:
    wanted = parse(["-Wp,-MD,x/y.d", "-c", "a.c"]).dependencies
    assert (wanted.wanted, wanted.system, wanted.file) == (True, True, "x/y.d")


@pytest.mark.parametrize("words", ["-m32", "-mx32", "-target aarch64-linux-gnu", "--target=x86_64-w64-mingw32"])
def test_other_targets_are_refused(words: str) -> None:
    with pytest.raises(UsageError, match=f"only x86-64 Linux is supported yet; drop {words}"):
        parse([*words.split(), "a.c"])


def test_our_own_target_is_accepted() -> None:
    assert parse(["--target=x86_64-pc-linux-gnu", "a.c"]).inputs


def test_sanitizers() -> None:
    asked = parse("-fsanitize=address,undefined -fno-sanitize=alignment -fsanitize=fuzzer a.c".split()).sanitizers
    assert asked.names == ("address", "undefined")
    assert asked.options == ["-fsanitize=address,undefined", "-fno-sanitize=alignment"]
    assert not parse("-fsanitize=address -fno-sanitize=all a.c".split()).sanitizers
    with pytest.raises(UsageError, match="-fsanitize=thread"):
        parse(["-fsanitize=thread", "a.c"])


def test_after_two_dashes_all_are_inputs() -> None:
    assert sources(parse(["-c", "--", "-odd.c"])) == [("-odd.c", Language.C)]


def test_response_files(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.write_text("-DINNER\n")
    outer = tmp_path / "outer"
    outer.write_text(f"""-D'A B' "-DC=\\"text\\"" with\\ space.c\n@{inner}\n""")
    invocation = parse([f"@{outer}", "-c"])
    assert sources(invocation) == [("with space.c", Language.C)]
    assert invocation.options(Role.FRONT_END) == ["-DA B", '-DC="text"', "-DINNER"]


def test_a_response_file_that_is_not_there_stands_for_itself() -> None:
    assert sources(parse(["@nowhere"])) == [("@nowhere", Language.LINKED)]


def test_a_response_file_that_names_itself_ends(tmp_path: Path) -> None:
    endless = tmp_path / "endless"
    endless.write_text(f"@{endless}")
    assert parse([f"@{endless}"]).words == (f"@{endless}",)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"))))
def test_response_files_carry_any_words(words: list[str]) -> None:
    quoted = "\n".join('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in words)
    assert split_response(quoted) == words


@given(st.lists(st.text(), max_size=5))
def test_no_command_line_breaks_the_reader(words: list[str]) -> None:
    try:
        invocation = parse(words)
    except UsageError:
        return
    assert all(source.path in invocation.words for source in invocation.inputs)
