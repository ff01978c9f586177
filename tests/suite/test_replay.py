"""`untaken replay`: real campaigns on the examples, run again natively and on the instrumented build."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.compilers import NEEDS_SANITIZERS
from untaken.build.driver import build_program
from untaken.cli.main import guarded, run
from untaken.errors import UsageError
from untaken.execute.memory import RunLimits
from untaken.execute.sandbox import Sandbox
from untaken.model.input import Source, SourceKind
from untaken.model.input_codec import Delivery
from untaken.model.path import Exit, ExitKind
from untaken.suite.delivery import delivered
from untaken.suite.replay.confined import ConfinedRun, run_confined
from untaken.suite.replay.runners import obstacle_to_native
from untaken.suite.replay.verdict import differences_of_end, native_exit
from untaken.suite.tests import SavedTest, read_suite, selected

EXAMPLES = Path(__file__).parents[2] / "examples"
ITERATIONS = "300"
Captured = pytest.CaptureFixture[str]

# One program with every kind of input at once, and with ends of every kind behind them.
MIXED = r"""
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <untaken.h>

int main(int argc, char **argv)
{
    int x;
    FILE *file = fopen("below/data.txt", "r");
    int first = file ? fgetc(file) : 'x';
    int typed = getchar();
    untaken_int(&x);
    if (x == 77) {
        printf("about to crash on %c\n", first);
        fflush(stdout);
        if (first == 'Z')
            *(volatile int *)0 = 1;
    }
    if (x == 99)
        for (;;) ;
    if (x == 98)
        return fopen("written.txt", "w") ? 8 : 9;
    assert(typed != 'q');
    if (argc == 3 && strcmp(argv[2], "-v") == 0)
        return strcmp(argv[1], "fixed") == 0 ? 4 : 5;
    return 0;
}
"""
MIXED_WORDS = ["--arg", "4", "--stdin", "6", "--file", "below/data.txt=3", "--timeout", "0.5"]


def explore(source: Path, out: Path, *words: str, fixed: tuple[str, ...] = ()) -> None:
    """A short campaign."""
    code = guarded(run, ["run", str(source), "--out", str(out), "--quiet", *words, *(["--", *fixed] if fixed else [])])
    assert code in (0, 1)


def words_of(example: Path) -> list[str]:
    """What the example itself says that it wants, without its time budget."""
    match = re.search(r'expect:.*args="(.*)"', example.read_text())
    assert match is not None
    return shlex.split(match[1])


def replays(out: Path, capsys: Captured, *words: str) -> list[dict[str, object]]:
    capsys.readouterr()
    code = guarded(run, ["replay", str(out), "--json", *words])
    output = capsys.readouterr()
    assert output.out, output.err
    found: list[dict[str, object]] = json.loads(output.out)
    assert code == int(any(not replay["same"] or replay["finding"] for replay in found))
    return found


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of a campaign on MIXED."""
    folder = tmp_path_factory.mktemp("mixed")
    source = folder / "mixed.c"
    source.write_text(MIXED)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        explore(source, folder / "out", "--iterations", "200", *MIXED_WORDS, fixed=("fixed",))
    return folder / "out"


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.c")), ids=lambda path: path.stem)
def test_examples_do_again_what_they_did(example: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "out"
    explore(example, out, *words_of(example), "--iterations", ITERATIONS)
    summary = json.loads((out / "summary.json").read_text())
    for words in ([], ["--instrumented"]):
        found = replays(out, capsys, *words)
        assert len(found) == summary["tests"] + len(summary["crashes"])
        assert [replay["differences"] for replay in found if not replay["same"]] == []


def test_every_kind_of_input_and_end(mixed: Path, capsys: Captured) -> None:
    found = replays(mixed, capsys)
    assert [replay["differences"] for replay in found if not replay["same"]] == []
    ends = {(replay["exit"]["kind"], replay["exit"]["code"]) for replay in found}  # type: ignore[index]
    assert {("code", 0), ("code", 4), ("signal", 6), ("signal", 11), ("timeout", 9)} <= ends
    # 8: it could write into a copy of its directory; 9: the kernel does not allow copies. Natively as in the campaign.
    assert (("code", 8) in ends) != (("code", 9) in ends)
    assert not (mixed.parent / "written.txt").exists()
    assert not list(mixed.glob(".replay-*"))


def test_a_finding_is_shown(mixed: Path, capsys: Captured) -> None:
    crash = next(path.name for path in (mixed / "crashes").iterdir() if "sigsegv" in path.name)
    for name in (crash, f"crashes/{crash}", str(mixed / "crashes" / crash), f"crashes/{crash}/input.bin"):
        assert guarded(run, ["replay", str(mixed), name]) == 1
        shown = capsys.readouterr().out
        assert "SIGSEGV" in shown
        assert "| about to crash on Z" in shown
        assert re.search(r"at main \(.*mixed.c:\d+\)", shown)


def test_a_test_that_does_something_else(mixed: Path, tmp_path: Path, capsys: Captured) -> None:
    """The record is changed: both kinds of replay must notice."""
    copy = tmp_path / "out"
    shutil.copytree(mixed, copy)
    description = copy / "tests" / "000001.json"
    about = json.loads(description.read_text())
    about["exit"]["code"] = 55
    about["covers"].append({"branch": 1 << 20})
    description.write_text(json.dumps(about))
    (natively,) = replays(copy, capsys, "1")
    assert natively["differences"] == ["was exit code 55, is exit code 0"]
    (instrumented,) = replays(copy, capsys, "1", "--instrumented")
    assert instrumented["differences"] == [
        "was exit code 55, is exit code 0",
        f"does not cover 1 of {len(about['covers'])} branches: {1 << 20}",
    ]


def test_the_debugger_gets_the_same_inputs(mixed: Path, capsys: Captured) -> None:
    crash = next(path.name for path in (mixed / "crashes").iterdir() if "sigsegv" in path.name)
    assert guarded(run, ["replay", str(mixed), crash, "--gdb"]) == 0
    command = capsys.readouterr().out.strip()
    match = re.fullmatch(r"(cd .* && UNTAKEN_INPUT=\S+ )gdb -ex '?run (.*?)'? (\S+)", command)
    assert match is not None, command
    by_hand = f"{match[1]}{match[3]} {match[2]}".replace("'\"'\"'", "'")
    ended = subprocess.run(["bash", "-c", f"ulimit -c 0; {by_hand}"], capture_output=True, timeout=30, check=False)
    assert ended.returncode in (139, -11)
    assert ended.stdout == b"about to crash on Z\n"


def test_a_program_is_built_natively_unless_its_source_has_changed(tmp_path: Path, capsys: Captured) -> None:
    source = tmp_path / "arithmetic.c"
    shutil.copy(EXAMPLES / "arithmetic.c", source)
    program = tmp_path / "program"
    build_program([source], program)
    explore(program, tmp_path / "out", "--iterations", "20", "--strategy", "dfs")
    assert guarded(run, ["replay", str(tmp_path / "out")]) == 0
    output = capsys.readouterr()
    assert output.err == "" and "5 of 5 tests do natively" in output.out
    with source.open("a") as file:
        file.write("static int more;\n")
    assert guarded(run, ["replay", str(tmp_path / "out")]) == 0
    output = capsys.readouterr()
    assert "has changed since it was compiled: replaying on the instrumented program" in output.err
    assert "5 of 5 tests do on the instrumented build" in output.out
    assert guarded(run, ["replay", str(tmp_path / "out"), "1", "--gdb"]) == 2


def test_a_file_outside_the_folder(tmp_path: Path, capsys: Captured) -> None:
    source = tmp_path / "absolute.c"
    source.write_text(
        "#include <stdio.h>\n"
        'int main(void) { FILE *f = fopen("/nowhere/x", "r"); return f && fgetc(f) == 65 ? 3 : 0; }\n'
    )
    explore(source, tmp_path / "out", "--iterations", "20", "--strategy", "dfs", "--file", "/nowhere/x=2")
    assert guarded(run, ["replay", str(tmp_path / "out")]) == 0
    output = capsys.readouterr()
    assert "/nowhere/x lies outside" in output.err
    assert "exit code 3" in output.out


def test_a_changed_program_is_said(tmp_path: Path, capsys: Captured) -> None:
    source = tmp_path / "program.c"
    program = "#include <stdio.h>\nint main(void) { return getchar() == 'k' ? 3 : 2; }\n"
    source.write_text(program)
    explore(source, tmp_path / "out", "--iterations", "9", "--strategy", "dfs", "--stdin", "4")
    source.write_text(program.replace("3", "4"))
    assert guarded(run, ["replay", str(tmp_path / "out"), "--instrumented"]) == 1
    output = capsys.readouterr()
    assert "have changed" in output.err
    assert "was exit code 3, is exit code 4" in output.out


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"covers": [], "fields": [{}]}'])
def test_a_damaged_description_is_said(mixed: Path, tmp_path: Path, capsys: Captured, text: str) -> None:
    out = tmp_path / "out"
    shutil.copytree(mixed, out, symlinks=True)
    (out / "tests" / "000001.json").write_text(text)
    assert guarded(run, ["replay", str(out)]) == 2
    said = capsys.readouterr().err
    assert "000001.json cannot be read" in said and "remove it and its input, or run again" in said


@NEEDS_SANITIZERS
def test_sanitizer_findings(tmp_path: Path, capsys: Captured) -> None:
    source = tmp_path / "overrun.c"
    source.write_text(
        "#include <stdio.h>\n#include <stdlib.h>\n"
        "int main(void) { char *p = malloc(4); int i = getchar(); if (i == 'k') p[4] = 1; free(p); return 0; }\n"
    )
    explore(source, tmp_path / "out", "--iterations", "50", "--stdin", "2", "--cflags", "-fsanitize=address")
    for words in ([], ["--instrumented"]):
        found = replays(tmp_path / "out", capsys, *words)
        assert [replay["differences"] for replay in found if not replay["same"]] == []
        (crash,) = [replay for replay in found if replay["finding"]]
        assert "heap-buffer-overflow" in str(crash["output"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "holds no campaign"),
        (["OUT", "777"], "has no test 777"),
        (["OUT", "--gdb"], "which TEST"),
        (["OUT", "--nonsense"], "--nonsense"),
        (["OUT", "--timeout", "0"], "--timeout"),
        ([], "DIR"),
    ],
)
def test_wrong_use_is_one_sentence(mixed: Path, capsys: Captured, words: list[str], said: str) -> None:
    assert guarded(run, ["replay", *(str(mixed) if word == "OUT" else word for word in words)]) == 2
    output = capsys.readouterr()
    assert output.out == "" and output.err.startswith("untaken: ") and output.err.count("\n") == 1
    assert said in output.err


def test_selecting(mixed: Path) -> None:
    suite = read_suite(mixed)
    first = suite.tests[0]
    for name in ("1", "000001", "tests/000001", "tests/000001.bin", str(mixed / "tests" / "000001.json")):
        assert selected(suite, name) is first
    with pytest.raises(UsageError):
        selected(suite, "0")


def test_inputs_are_taken_apart() -> None:
    sources = (Source(SourceKind.ARGUMENT, 4, "", 2), Source(SourceKind.STDIN, 3), Source(SourceKind.FILE, 2, "f"))
    input = b"ab\0d" + b"\2\0\0\0" + b"xyz" + b"\xff\0\0\x80" + b"uv" + b"rest"
    assert delivered(input, sources) == Delivery({2: b"ab"}, b"xy", {"f": b"uv"}, b"rest")
    assert delivered(b"abcd", sources) == Delivery({2: b"abcd"}, b"", {"f": b""}, b"")
    assert delivered(b"abcd\3", sources).stdin == b"\0\0\0"


@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        (Exit(ExitKind.CODE, 3), (ExitKind.CODE, 3)),
        (Exit(ExitKind.SIGNAL, 11), (ExitKind.SIGNAL, 11)),
        (Exit(ExitKind.ERROR, 1, "reach_error"), (ExitKind.SIGNAL, 6)),
        (Exit(ExitKind.ERROR, 6, "f.c:1: main: assertion `x' failed"), (ExitKind.SIGNAL, 6)),
        (Exit(ExitKind.ERROR, 3, "f.c:1: main: assertion `x' failed"), (ExitKind.CODE, 3)),
        (Exit(ExitKind.ASSUME), (ExitKind.CODE, 0)),
    ],
)
def test_ends_without_instrumentation(recorded: Exit, expected: tuple[ExitKind, int]) -> None:
    exit = native_exit(recorded)
    assert (exit.kind, exit.code) == expected


def test_timeouts_are_the_same_whatever_their_code() -> None:
    test = SavedTest("000001", Path("x"), b"", (), Exit(ExitKind.TIMEOUT))
    assert differences_of_end(test, test.exit, Exit(ExitKind.TIMEOUT, 9), b"") == ()
    assert differences_of_end(test, test.exit, Exit(ExitKind.CODE, 9), b"") == ("was a timeout, is exit code 9",)


def confined(folder: Path, program: str, seconds: float = 10.0) -> tuple[Exit, bytes]:
    """Runs a C program natively in the sandbox."""
    (folder / "p.c").write_text(program)
    subprocess.run(["cc", "-o", folder / "p", folder / "p.c"], check=True)
    job = ConfinedRun(folder / "p", ("p",), folder, Path("/dev/null"), {"PATH": "/bin"}, seconds, RunLimits())
    ended = run_confined(job, Sandbox())
    return ended.exit, ended.output


@pytest.mark.parametrize(
    ("program", "exit"),
    [
        ("#include <stdlib.h>\nint main(void) { abort(); }", Exit(ExitKind.SIGNAL, 6)),
        ("#include <signal.h>\nint main(void) { raise(SIGTERM); return 1; }", Exit(ExitKind.SIGNAL, 15)),
        ("#include <unistd.h>\nint main(void) { fork(); for (;;) pause(); }", Exit(ExitKind.TIMEOUT, 9)),
        ("int main(void) { return 200; }", Exit(ExitKind.CODE, 200)),
    ],
)
def test_ends_in_the_sandbox(tmp_path: Path, program: str, exit: Exit) -> None:
    assert confined(tmp_path, program, seconds=1.0)[0] == exit


def test_much_output_is_cut(tmp_path: Path) -> None:
    program = '#include <stdio.h>\nint main(void) { for (int i = 0; i < 3000000; i++) puts("again"); return 7; }'
    exit, output = confined(tmp_path, program)
    assert exit == Exit(ExitKind.CODE, 7)
    assert len(output) == 64 << 10 and output.startswith(b"again\nagain\n")


def test_what_is_written_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept")
    program = '#include <stdio.h>\nint main(void) { remove("kept"); fopen("new", "w"); return 0; }'
    assert confined(tmp_path, program)[0] == Exit(ExitKind.CODE, 0)
    assert (tmp_path / "kept").read_text() == "kept" and not (tmp_path / "new").exists()


def test_a_function_of_the_programs_own_is_no_socket(tmp_path: Path) -> None:
    """It may be called accept: then tests run natively all the same."""
    source = tmp_path / "own.c"
    source.write_text(
        "#include <stdio.h>\nstatic int accept(int c) { return c == 'a'; }\n"
        "int main(void) { return accept(getchar()); }\n"
    )
    out = tmp_path / "out"
    assert guarded(run, ["run", str(source), "--stdin", "1", "--iterations", "5", "--quiet", "--out", str(out)]) == 0
    assert obstacle_to_native(read_suite(out)) is None


def test_a_program_in_the_cache_that_was_damaged_is_made_anew(tmp_path: Path, capsys: Captured) -> None:
    source = tmp_path / "program.c"
    source.write_text("#include <stdio.h>\nint main(void) { return getchar() == 7; }\n")
    explore(source, tmp_path / "out", "--iterations", "5", "--stdin", "1")
    program = Path(json.loads((tmp_path / "out" / "campaign.json").read_text())["program"])
    program.write_bytes(b"")
    assert guarded(run, ["replay", str(tmp_path / "out")]) == 0
    assert program.stat().st_size
