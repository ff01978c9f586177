"""`untaken run`: what is wrong is said in one sentence, with exit code 2; exit codes; what is printed where."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.campaign.commands import EXAMPLES, untaken, written

ARITHMETIC = EXAMPLES / "arithmetic.c"


def refused(*words: object) -> str:
    """The one sentence."""
    answer = untaken("run", *words)
    assert answer.code == 2
    assert "Traceback" not in answer.said
    return answer.said.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere.c"], "nowhere.c: no such file"),
        (["/"], "is a folder"),
        (["/bin/true"], "was not built with untaken"),
        ([ARITHMETIC, "--strategy", "magic"], "no strategy is called 'magic'; there are: auto, random, dfs"),
        ([ARITHMETIC, "--iterations", "-5"], "--iterations wants a whole number from 1, not -5"),
        ([ARITHMETIC, "--time", "0"], "--time wants a number of seconds above 0"),
        ([ARITHMETIC, "--stdin", "many"], "--stdin wants a whole number"),
        ([ARITHMETIC, "--file", "name"], "--file wants NAME=SIZE"),
        ([ARITHMETIC, "--file", "/tmp=3"], "'/tmp' is a folder: name a file in it"),
        ([ARITHMETIC, "--seeds", "/nowhere"], "is no folder"),
        ([ARITHMETIC, "--out", "/proc/nowhere"], "cannot write to /proc/nowhere"),
        ([ARITHMETIC, "--out", ""], "--out wants the name of a folder"),
        ([ARITHMETIC, "--allow-write", "/nowhere"], "--allow-write /nowhere: there is no such folder"),
        ([ARITHMETIC, "--cflags", "-c"], "ask the compiler for something else than a program"),
        ([ARITHMETIC, "/bin/true"], "arguments come after --"),
        ([ARITHMETIC, "--colour"], "unrecognized arguments: --colour; see"),
        ([ARITHMETIC, "--stratgy", "dfs"], "--stratgy dfs (did you mean --strategy?); see `untaken run --help`"),
        ([ARITHMETIC, "--timeout", "1e300"], "--timeout wants a number of seconds above 0 up to 1,000,000"),
        ([ARITHMETIC, "--memory", 10**20], "--memory wants a whole number from 1 up to 16,777,216"),
        ([ARITHMETIC, "--inputs", 10**20], "--inputs wants a whole number from 1 up to 2,147,483,647"),
        ([ARITHMETIC, "--coverage", 101], "--coverage wants a percentage above 0 up to 100"),
        ([ARITHMETIC, "--solver", "yices"], "there is no solver 'yices': choose one of bitwuzla, z3, check"),
        ([], "arguments are required: TARGET"),
    ],
    ids=lambda value: " ".join(map(str, value))[-30:] if isinstance(value, list) else "",
)
def test_what_cannot_be_is_refused(words: list[object], sentence: str) -> None:
    assert sentence in refused(*words)


def test_what_is_not_c_is_said(tmp_path: Path) -> None:
    (source := tmp_path / "some.cpp").write_text("int main() { return *new int(3); }\n")
    assert "some.cpp is C++, which is linked but not explored" in refused(source)


def test_a_finding_is_shown_by_a_command_that_a_shell_understands(tmp_path: Path) -> None:
    source = written(tmp_path, "int main(void) { return *(volatile int *)0; }\n")
    answer = untaken("run", source, "--iterations", 3, "--out", tmp_path / "two words", "--json")
    [finding] = answer.summary["crashes"]
    assert shlex.split(finding["replay"])[2] == str(tmp_path / "two words")


def test_the_compiler_speaks_for_itself(tmp_path: Path) -> None:
    answer = untaken("run", written(tmp_path, "int main(void) { return 1 +; }\n"))
    assert answer.code == 2
    assert "expected expression" in answer.said
    assert "could not be compiled" in answer.said


def test_several_files_and_flags_and_arguments(tmp_path: Path) -> None:
    main = written(
        tmp_path,
        "#include <string.h>\nint twice(int);\n"
        "int main(int argc, char **argv) {\n"
        '    if (argc != 3 || strcmp(argv[1], "fixed")) return 9;\n'
        "    return twice(argv[2][0]) == 2 * LIMIT;\n}\n",
    )
    part = written(tmp_path, "int twice(int x) { return x > 3 ? 2 * x : 0; }\n", "part.c")
    words = ["--cflags", "-DLIMIT=65", "--arg", 4, "--iterations", 100, "--json", "--out", tmp_path / "out"]
    answer = untaken("run", main, part, *words, "--", "fixed")
    assert answer.code == 0, answer.said
    assert {function["name"]: function["covered"] for function in answer.summary["functions"]} == {
        "main": 2,
        "twice": 2,
    }


def test_findings_give_exit_code_one(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        '#include <untaken.h>\n#include <stdlib.h>\nint main(void) { int x; untaken_input_int(&x, "x");\n'
        "if (x == 5) abort();\nreturn 0; }\n",
    )
    answer = untaken("run", source, "--iterations", 30, "--out", tmp_path / "out")
    assert answer.code == 1
    assert f"untaken replay {tmp_path / 'out'} crashes/0001-sigabrt" in answer.printed
    assert "SIGABRT" in answer.printed


def test_of_long_complaints_the_first_and_last_lines_are_shown(tmp_path: Path) -> None:
    usage = 'for (int i = 1; i <= 200; i++) fprintf(stderr, "  -%d an option\\n", i);'
    text = f'#include <stdio.h>\nint main(void) {{ fprintf(stderr, "no fonts\\n"); {usage} return 1; }}\n'
    answer = untaken("run", written(tmp_path, text), "--stdin", 4, "--iterations", 2, "--out", tmp_path / "out")
    assert "printed:\n    | no fonts\n    |   -1 an option\n" in answer.printed
    assert "    | ...\n" in answer.printed and "    |   -200 an option\n" in answer.printed
    assert answer.printed.count("    | ") == 11


def test_quiet_is_quiet(tmp_path: Path) -> None:
    answer = untaken("run", ARITHMETIC, "--quiet", "--iterations", 3, "--out", tmp_path)
    assert (answer.printed, answer.said) == ("", "")


def test_uncovered_branches_are_shown_with_their_line(tmp_path: Path) -> None:
    answer = untaken("run", ARITHMETIC, "--strategy", "random", "--iterations", 30, "--out", tmp_path)
    assert "if (a == 5)" in answer.printed
    assert "never true" in answer.printed
    assert "opens 7" in answer.printed
    assert "main" in answer.printed


def test_strategies_are_listed() -> None:
    answer = untaken("run", "--list-strategies")
    assert answer.code == 0
    names = {line.split()[0] for line in answer.printed.splitlines()}
    assert {"random", "dfs", "random-branch", "auto"} <= names


def test_no_colour_where_it_is_not_wanted(tmp_path: Path) -> None:
    answer = untaken(
        "run", ARITHMETIC, "--iterations", 3, "--out", tmp_path, environment={"FORCE_COLOR": "", "NO_COLOR": "1"}
    )
    assert "\x1b" not in answer.printed


def test_a_program_that_gives_up_early_is_heard(tmp_path: Path) -> None:
    program = '#include <stdio.h>\nint main(void) { fputs("setgroups: not permitted\\n", stderr); return 3; }\n'
    words = ["--stdin", 4, "--iterations", 5, "--out", tmp_path / "out"]
    answer = untaken("run", written(tmp_path, program), *words)
    assert answer.code == 0
    assert "ended with exit code 3 and printed:\n    | setgroups: not permitted\n" in answer.printed


def test_a_seed_that_does_not_fit_is_told(tmp_path: Path) -> None:
    program = "#include <stdio.h>\nint main(void) { return getchar() == 'x'; }\n"
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    (seeds / "short").write_bytes(b"1234")
    (seeds / "long").write_bytes(b"123456789")
    words = ["--stdin", 4, "--iterations", 5, "--out", tmp_path / "out", "--seeds", seeds]
    answer = untaken("run", written(tmp_path, program), *words)
    assert f"{seeds / 'long'} has 9 bytes" in answer.printed and "--stdin 9 takes it whole" in answer.printed
    assert "short" not in answer.printed.replace(str(tmp_path), "")
