"""`untaken export`: the formats read back, and Test-Comp suites given to the real validator."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from untaken.cli.main import guarded, run
from untaken.errors import CampaignError
from untaken.model.input import Field, FieldKind, Source, SourceKind
from untaken.model.path import Exit, ExitKind
from untaken.suite.corpus import Recipe
from untaken.suite.export import testcomp
from untaken.suite.export.files import write_files
from untaken.suite.export.ktest import write_ktests
from untaken.suite.export.testcomp import Goal, value_text
from untaken.suite.tests import CrashPlace, SavedTest, Suite, read_suite

EXAMPLES = Path(__file__).parents[2] / "examples"
Captured = pytest.CaptureFixture[str]

# Decisions of one condition each, so that TestCov's goals are our branches; one of them no input can take.
DECISIONS = """
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern long __VERIFIER_nondet_long(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    long y = __VERIFIER_nondet_long();
    int result = 0;
    if (x == -123456) {
        result = 1;
    } else {
        result = 2;
    }
    if (c > 200) {
        if (c < 100) {
            result = 3;
        }
    }
    if (y == -5000000000) {
        if (x < 0) {
            reach_error();
        }
    }
    return result;
}
"""


def explore(source: Path, out: Path, *words: str) -> None:
    assert guarded(run, ["run", str(source), "--out", str(out), "--quiet", *words]) in (0, 1)


def export(out: Path, *words: str) -> None:
    assert guarded(run, ["export", str(out), *words]) == 0


def suite_of(declared: Sequence[Source], tests: Sequence[SavedTest]) -> Suite:
    recipe = Recipe("/p/program", ("/p/program.c",), (), ("-q",), tuple(declared), "auto", 0, 1.0, "/p")
    return Suite(Path("/p/out"), recipe, tuple(tests))


def saved(input: bytes, *fields: Field, name: str = "000001") -> SavedTest:
    return SavedTest(name, Path(name), input, fields, Exit(ExitKind.CODE))


@pytest.fixture(scope="module")
def decisions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with decisions.c and, in `out`, a campaign on it."""
    folder = tmp_path_factory.mktemp("decisions")
    (folder / "decisions.c").write_text(DECISIONS)
    explore(folder / "decisions.c", folder / "out", "--strategy", "dfs", "--iterations", "200")
    return folder


# ---- files


def test_stdin_alone_is_the_file_itself(tmp_path: Path) -> None:
    suite = suite_of([Source(SourceKind.STDIN, 4)], [saved(b"\3\0\0\0abcd"), saved(b"\xff\xff\xff\xffab", name="x")])
    assert write_files(suite, tmp_path) == 2
    assert (tmp_path / "000001").read_bytes() == b"abc"
    assert (tmp_path / "x").read_bytes() == b"ab\0\0"


def test_data_of_a_fuzz_target_is_the_file_itself(tmp_path: Path) -> None:
    fields = Field("size", FieldKind.LENGTH, 0, 4), Field("data", FieldKind.BYTES, 4, 64)
    write_files(suite_of([], [saved(b"\2\0\0\0abcd", *fields), saved(b"", *fields, name="empty")]), tmp_path)
    assert (tmp_path / "000001").read_bytes() == b"ab"
    assert (tmp_path / "empty").read_bytes() == b""


def test_several_inputs_are_a_folder(tmp_path: Path) -> None:
    declared = [
        Source(SourceKind.ARGUMENT, 3),
        Source(SourceKind.ARGUMENT, 2),
        Source(SourceKind.STDIN, 2),
        Source(SourceKind.FILE, 2, "../sub/f"),
    ]
    input = b"a\0b" + b"xy" + b"\1\0\0\0no" + b"\2\0\0\0fi" + b"rest"
    write_files(suite_of(declared, [saved(input, Field("x", FieldKind.SIGNED, 17, 4))]), tmp_path)
    found = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {
        "000001/argv": b"a\0xy\0",
        "000001/stdin": b"n",
        "000001/files/sub/f": b"fi",
        "000001/input": b"rest",
    }


def test_a_corpus_from_a_campaign(tmp_path: Path) -> None:
    """The exported stdin, given to the plain program, ends as the campaign says."""
    out, target, program = tmp_path / "out", tmp_path / "corpus", tmp_path / "checksum"
    explore(EXAMPLES / "checksum.c", out, "--stdin", "20", "--iterations", "300")
    export(out, "--format", "files", "--out", str(target))
    subprocess.run(["cc", "-o", program, EXAMPLES / "checksum.c"], check=True)
    suite = read_suite(out)
    assert len(suite.tests) > 5
    for test in suite.tests:
        ended = subprocess.run(program, input=(target / test.name).read_bytes(), capture_output=True, check=False)
        code = -test.exit.code if test.exit.kind is ExitKind.SIGNAL else test.exit.code
        assert ended.returncode == code


# ---- ktest


def read_ktest(data: bytes) -> tuple[list[bytes], list[tuple[bytes, bytes]]]:
    """Arguments and objects, as KLEE's own reader finds them."""
    position = 0

    def number() -> int:
        nonlocal position
        position += 4
        found: int = struct.unpack(">I", data[position - 4 : position])[0]
        return found

    def counted() -> bytes:
        nonlocal position
        size = number()
        position += size
        assert position <= len(data)
        return data[position - size : position]

    assert data.startswith(b"KTEST")
    position = 5
    assert number() == 3
    arguments = [counted() for _ in range(number())]
    assert (number(), number()) == (0, 0)
    objects = [(counted(), counted()) for _ in range(number())]
    assert position == len(data)
    return arguments, objects


def test_ktest_of_every_kind(tmp_path: Path) -> None:
    declared = [Source(SourceKind.ARGUMENT, 3), Source(SourceKind.STDIN, 2), Source(SourceKind.FILE, 2, "f")]
    fields = Field("n", FieldKind.SIGNED, 15, 4), Field("b", FieldKind.BOOL, 19, 1), Field("m", FieldKind.BYTES, 20, 3)
    input = b"a\0b" + b"\1\0\0\0no" + b"\2\0\0\0fi" + b"\1\2\3\4" + b"\3" + b"z"
    assert write_ktests(suite_of(declared, [saved(input, *fields)]), tmp_path) == 1
    arguments, objects = read_ktest((tmp_path / "test000001.ktest").read_bytes())
    assert arguments == [b"program", b"-q"]
    assert objects == [
        (b"arg00", b"a\0"),
        (b"f-data", b"fi"),
        (b"stdin", b"n"),
        (b"n", b"\1\2\3\4"),
        (b"b", b"\1"),
        (b"m", b"z\0\0"),
    ]


def test_ktest_of_a_campaign(tmp_path: Path) -> None:
    explore(EXAMPLES / "structs.c", tmp_path / "out", "--iterations", "300")
    export(tmp_path / "out", "--format", "ktest")
    suite = read_suite(tmp_path / "out")
    files = sorted((tmp_path / "out" / "export-ktest").iterdir())
    assert len(files) == len(suite.tests) > 3
    for file, test in zip(files, suite.tests, strict=True):
        _, objects = read_ktest(file.read_bytes())
        assert [name.decode() for name, _ in objects] == [field.name for field in test.fields]
        assert b"".join(value for _, value in objects) == test.input


# ---- Test-Comp


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (FieldKind.SIGNED, b"\xfb\xff\xff\xff", "-5"),
        (FieldKind.UNSIGNED, b"\xfb\xff\xff\xff", "4294967291"),
        (FieldKind.SIGNED, b"\0\0\0\0\0\0\0\x80", "-9223372036854775808"),
        (FieldKind.CHARACTER, b"\x80", "-128"),
        (FieldKind.UNSIGNED, b"\x80", "128"),
        (FieldKind.BOOL, b"\1", "1"),
        (FieldKind.POINTER, b"\0\0\0\0\0\0\0\x80", "9223372036854775808"),
        (FieldKind.FLOAT, struct.pack("<f", 0.1), "0.10000000149011612"),
        (FieldKind.FLOAT, struct.pack("<d", -1e300), "-1e+300"),
        (FieldKind.FLOAT, struct.pack("<d", float("inf")), "inf"),
    ],
)
def test_values_in_decimal(kind: FieldKind, value: bytes, text: str) -> None:
    assert value_text(Field("x", kind, 0, len(value)), value) == text


def test_what_the_format_cannot_say() -> None:
    with pytest.raises(CampaignError, match="no place for the 3 bytes of m"):
        testcomp.testcase(saved(b"", Field("m", FieldKind.BYTES, 0, 3)))
    with pytest.raises(CampaignError, match="no place for argument, stdin"):
        testcomp.check_expressible(suite_of([Source(SourceKind.STDIN, 1), Source(SourceKind.ARGUMENT, 1)], []))


def test_a_test_case() -> None:
    fields = Field("int", FieldKind.SIGNED, 0, 4), Field('a"<b', FieldKind.UNSIGNED, 4, 1)
    text = testcomp.testcase(saved(b"\xff\xff\xff\xff\x07", *fields), covers_error=True)
    root = ElementTree.fromstring(text)
    assert (root.tag, root.attrib) == ("testcase", {"coversError": "true"})
    assert [(each.tag, each.get("variable"), each.text) for each in root] == [
        ("input", "int", "-1"),
        ("input", 'a"<b', "7"),
    ]
    assert text.splitlines()[:2] == [
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
        '<!DOCTYPE testcase PUBLIC "+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN" '
        '"https://sosy-lab.org/test-format/testcase-1.1.dtd">',
    ]


def test_tests_that_reach_the_error_are_marked(decisions: Path, tmp_path: Path) -> None:
    """By the end of the run alone it cannot be told here: reach_error only aborts."""
    export(decisions / "out", "--format", "testcomp", "--out", str(tmp_path / "suite"))
    files = sorted((tmp_path / "suite").glob("test*.xml"))
    marked = ["coversError" in file.read_text() for file in files]
    aborted = [test.exit.kind is not ExitKind.CODE for test in read_suite(decisions / "out").tests if not test.place]
    assert marked[: len(aborted)] == aborted and any(aborted) and not all(aborted)


def test_an_error_that_only_the_plain_program_gets_to_is_marked(decisions: Path, tmp_path: Path) -> None:
    """In the campaign's run, and when it is run again, it ends too soon."""
    suite = read_suite(decisions / "out")
    plain = next(test for test in suite.tests if test.exit.kind is ExitKind.CODE)
    place = CrashPlace("timeout", "the run did not end in time", (), "the plain program", "reach_error")
    late = replace(plain, name="0009-timeout", exit=Exit(ExitKind.TIMEOUT), place=place)
    testcomp.write_testcomp(replace(suite, tests=(plain, late)), tmp_path)
    (case,) = tmp_path.glob("test*.xml")
    assert "coversError" in case.read_text()


def test_no_case_twice(decisions: Path, tmp_path: Path) -> None:
    suite = read_suite(decisions / "out")
    twice = replace(suite, tests=(*suite.tests, replace(suite.tests[0], name="9999-again")))
    assert testcomp.write_testcomp(twice, tmp_path) == testcomp.write_testcomp(suite, tmp_path) > 1


def test_no_empty_folder_is_left(tmp_path: Path) -> None:
    explore(EXAMPLES / "checksum.c", tmp_path / "out", "--stdin", "20", "--iterations", "20")
    assert guarded(run, ["export", str(tmp_path / "out"), "--format", "testcomp"]) == 2
    assert not (tmp_path / "out" / "export-testcomp").exists()


MANY = """
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int last = 0;
    for (int i = 0; i < 65540; i++) last = __VERIFIER_nondet_int();
    if (last == 0) reach_error();
}
"""


def test_all_inputs_of_a_long_test_are_written(tmp_path: Path) -> None:
    """A run's description has room for 65,536; a test without the others would not get to the error."""
    (tmp_path / "many.c").write_text(MANY)
    explore(tmp_path / "many.c", tmp_path / "out", "--iterations", "1", "--timeout", "10")
    export(tmp_path / "out", "--format", "testcomp")
    (case,) = (tmp_path / "out" / "export-testcomp").glob("test0*.xml")
    root = ElementTree.parse(case).getroot()
    assert root.get("coversError") == "true"
    assert len(root.findall("input")) == 65540


def test_a_program_without_input_has_one_empty_test(tmp_path: Path) -> None:
    (tmp_path / "none.c").write_text(
        "extern void reach_error(void); int main(int argc, char **argv) { if (argc == 1) reach_error(); return 0; }"
    )
    explore(tmp_path / "none.c", tmp_path / "out")
    assert [path.read_bytes() for path in (tmp_path / "out" / "tests").glob("*.bin")] == [b""]
    export(tmp_path / "out", "--format", "testcomp", "--goal", "error")
    (case,) = (tmp_path / "out" / "export-testcomp").glob("test0*.xml")
    root = ElementTree.parse(case).getroot()
    assert root.get("coversError") == "true" and not root.findall("input")


def test_a_program_that_may_read_is_still_given_stdin(tmp_path: Path) -> None:
    (tmp_path / "reads.c").write_text("#include <stdio.h>\nint main(void) { return getchar() == 'x'; }")
    explore(tmp_path / "reads.c", tmp_path / "out", "--iterations", "5")
    assert [source.kind for source in Recipe.read(tmp_path / "out").declared] == [SourceKind.STDIN]


def test_tests_that_fail_an_assumption_go_where_they_count(tmp_path: Path) -> None:
    """A validator counts what such a test takes; for a corpus it is none."""
    (tmp_path / "both.c").write_text(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);\n"
        "int main(void) { int a = __VERIFIER_nondet_int(); __VERIFIER_assume(a > 5 && a < 9); return a == 7; }"
    )
    explore(tmp_path / "both.c", tmp_path / "out", "--iterations", "100")
    kinds = [test.fails_assumption for test in read_suite(tmp_path / "out").tests]
    assert True in kinds and False in kinds
    for name, count in (("testcomp", len(kinds)), ("files", kinds.count(False)), ("ktest", kinds.count(False))):
        export(tmp_path / "out", "--format", name)
        written = set((tmp_path / "out" / f"export-{name}").iterdir()) - {
            tmp_path / "out" / "export-testcomp" / "metadata.xml"
        }
        assert len(written) == count


def test_metadata(decisions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    export(decisions / "out", "--format", "testcomp", "--out", str(tmp_path / "suite"))
    text = (tmp_path / "suite" / "metadata.xml").read_text()
    assert '<!DOCTYPE test-metadata PUBLIC "+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN" ' in text
    entries = [(entry.tag, entry.text) for entry in ElementTree.fromstring(text)]
    assert entries[0] == ("sourcecodelang", "C")
    assert entries[1][0] == "producer" and str(entries[1][1]).startswith("untaken ")
    assert entries[2:] == [
        ("specification", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"),
        ("programfile", str(decisions / "decisions.c")),
        ("programhash", sha256(DECISIONS.encode()).hexdigest()),
        ("entryfunction", "main"),
        ("architecture", "64bit"),
        ("creationtime", "2023-11-14T22:13:20Z"),
    ]


def test_the_same_zip_twice(decisions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for name in ("a", "b"):
        export(decisions / "out", "--format", "testcomp", "--zip", "--goal", "error", "--out", str(tmp_path / name))
    first, second = ((tmp_path / name / "test-suite.zip").read_bytes() for name in ("a", "b"))
    assert first == second
    with zipfile.ZipFile(tmp_path / "a" / "test-suite.zip") as archive:
        assert "metadata.xml" in archive.namelist()
        assert b"@CALL(reach_error)" in archive.read("metadata.xml")


# ---- the validator


def missing_tools() -> list[str]:
    return [name for name in ("testcov", "lcov", "clang-tidy", "gcc") if shutil.which(name) is None]


needs_testcov = pytest.mark.skipif(
    bool(missing_tools()),
    reason=f"{', '.join(missing_tools())} not found: pip install testcov clang-tidy, apt-get install lcov gcc",
)


def validate(program: Path, out: Path, folder: Path, goal: Goal) -> tuple[str, list[dict[str, object]]]:
    """What TestCov prints, and its results for each test in order."""
    export(out, "--format", "testcomp", "--zip", "--goal", goal.value, "--out", str(folder / "suite"))
    (folder / "goal.prp").write_text(f"{goal.specification}\n")
    words = ["--no-isolation", "--no-plots", "-64", "--test-suite", str(folder / "suite" / "test-suite.zip")]
    ended = subprocess.run(
        ["testcov", *words, "--goal", str(folder / "goal.prp"), "--output", str(folder / "result"), str(program)],
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    results: list[dict[str, object]] = json.loads((folder / "result" / "results.json").read_text())
    return ended.stdout, [entry for entry in results if "Test" in entry]


@needs_testcov
def test_testcov_agrees_test_by_test(decisions: Path, tmp_path: Path) -> None:
    """Its goals are our branches here, so after each test its coverage must be ours."""
    printed, results = validate(decisions / "decisions.c", decisions / "out", tmp_path, Goal.BRANCHES)
    summary = json.loads((decisions / "out" / "summary.json").read_text())
    assert (summary["branches_covered"], summary["branches_total"]) == (9, 10)
    assert "Number of goals: 10" in printed and "Coverage: 90.0%" in printed
    covered = 0
    tests = [test for test in read_suite(decisions / "out").tests if not test.place]
    for result, test in zip(results[: len(tests)], tests, strict=True):
        covered += len(test.covers)
        assert result["Coverage (accumulated)"] == pytest.approx(100 * covered / 10)


@needs_testcov
@pytest.mark.parametrize("reached", [True, False])
def test_testcov_sees_the_error(decisions: Path, tmp_path: Path, reached: bool) -> None:
    out = tmp_path / "out"
    shutil.copytree(decisions / "out", out)
    if not reached:  # without the tests that get there, the validator must say so
        for test in read_suite(out).tests:
            if test.exit.kind is not ExitKind.CODE:
                test.file.unlink()
    printed, _ = validate(decisions / "decisions.c", out, tmp_path, Goal.ERROR)
    assert re.search(r"Result: (\w+)", printed)[1] == ("TRUE" if reached else "UNKNOWN")  # type: ignore[index]


@needs_testcov
def test_testcov_on_an_example(tmp_path: Path) -> None:
    """All decisions. We count operands of && and cases one by one: 30, of which one cannot be taken."""
    explore(EXAMPLES / "state_machine.c", tmp_path / "out", "--iterations", "1500")
    printed, _ = validate(EXAMPLES / "state_machine.c", tmp_path / "out", tmp_path, Goal.BRANCHES)
    assert "Coverage: 100.0%" in printed and "Number of goals: 17" in printed


# ---- wrong use


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "yaml"], "files, testcomp, ktest"),
        ([], "--format"),
        (["--format", "files", "--zip"], "--zip"),
        (["--format", "files", "--out", "FULL"], "not empty"),
    ],
)
def test_wrong_use_is_one_sentence(
    decisions: Path, tmp_path: Path, capsys: Captured, words: list[str], said: str
) -> None:
    (tmp_path / "something").touch()
    words = [str(tmp_path) if word == "FULL" else word for word in words]
    assert guarded(run, ["export", str(decisions / "out"), *words]) == 2
    output = capsys.readouterr()
    assert output.out == "" and output.err.startswith("untaken: ") and output.err.count("\n") == 1
    assert said in output.err


def test_no_campaign(tmp_path: Path, capsys: Captured) -> None:
    assert guarded(run, ["export", str(tmp_path), "--format", "files"]) == 2
    assert "holds no campaign" in capsys.readouterr().err
