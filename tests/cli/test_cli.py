"""The `untaken` command itself, and `untaken doctor`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

from untaken import __version__
from untaken.cli import doctor, machine
from untaken.cli.main import COMMANDS, guarded, run, without_debug
from untaken.errors import CompileError
from untaken.execute.trial import SandboxTrial

Captured = pytest.CaptureFixture[str]


def test_version(capsys: Captured) -> None:
    assert guarded(run, ["--version"]) == 0
    assert capsys.readouterr().out == f"untaken {__version__}\n"


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["help"]])
def test_help_lists_the_commands(capsys: Captured, words: list[str]) -> None:
    assert guarded(run, words) == 0
    text = capsys.readouterr().out
    assert all(f"\n  {name} " in text for name in COMMANDS)


@pytest.mark.parametrize("words", [["nonsense"], ["--nonsense"], ["doctor", "--nonsense"], ["doctor", "nonsense"]])
def test_what_is_not_known_is_one_sentence(capsys: Captured, words: list[str]) -> None:
    assert guarded(run, words) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("untaken: ") and output.err.count("\n") == 1
    assert "nonsense" in output.err


def test_a_mistyped_command_is_understood(capsys: Captured) -> None:
    assert guarded(run, ["replya"]) == 2
    assert "unknown command replya (did you mean replay?);" in capsys.readouterr().err


def test_every_command_has_a_module() -> None:
    assert all(callable(import_module(f"untaken.cli.{module}").run) for module, _ in COMMANDS.values())


def test_errors_are_shown_and_give_the_exit_code(capsys: Captured) -> None:
    def fail(arguments: Sequence[str]) -> int:
        raise CompileError("it did not work", 3)

    assert guarded(fail, []) == 3
    assert capsys.readouterr().err == "untaken: it did not work\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_one_sentence() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "untaken", "doctor"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert done.stderr == "untaken: cannot use the output: No space left on device\n"


def test_no_output_at_all_is_no_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python has no stream where a shell closed it (`>&-`)."""
    monkeypatch.setattr(sys, "stdout", None)
    assert guarded(run, ["doctor"]) == 0


def test_interrupted() -> None:
    def interrupted(arguments: Sequence[str]) -> int:
        raise KeyboardInterrupt

    assert guarded(interrupted, []) == 130


def test_a_reader_that_leaves_is_no_failure() -> None:
    script = "import sys; from untaken.cli.start import untaken; sys.exit(untaken())"
    command = f"{sys.executable} -c '{script}' doctor --json | true"
    answer = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert answer.stderr == ""


def test_doctor_is_content_here(capsys: Captured) -> None:
    assert guarded(run, ["doctor"]) == 0
    text = capsys.readouterr().out
    assert all(word in text for word in ("front end", "linker", "llvmlite", "bitwuzla", "shadow memory", "cache"))
    assert "missing" not in text


def test_doctor_for_programs(capsys: Captured) -> None:
    assert guarded(run, ["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["usable"] is True
    assert {finding["name"]: finding["state"] for finding in report["findings"]}["front end"] == "ok"


def test_doctor_says_what_to_do(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNTAKEN_CLANG", "nowhere")
    monkeypatch.setattr(machine, "shadow_problem", lambda: "Cannot allocate memory")
    monkeypatch.setattr(doctor, "try_sandbox", lambda: SandboxTrial(refused="clone: Operation not permitted"))
    assert guarded(run, ["doctor"]) == 2
    text = capsys.readouterr().out
    assert "nowhere does not exist; unset it or name a clang" in text
    assert "ulimit -v unlimited" in text
    assert "refused: clone: Operation not permitted" in text and "--no-sandbox" in text
    assert "untaken cannot work here yet" in text


def test_a_tight_limit_refuses_the_shadow() -> None:
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**33, 2**33))\n"
        "from untaken.cli import machine\n"
        "print(machine.address_limit(), machine.shadow_problem())"
    )
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout == f"{2**23} Cannot allocate memory\n"


def test_a_package_that_is_not_there() -> None:
    check = doctor.package_check("surely-not-installed", "install it", doctor.State.WARNING)
    assert check() == doctor.Diagnosis("surely-not-installed", doctor.State.WARNING, "not installed", "install it")


def broken(words: Sequence[str]) -> int:
    raise KeyError("something")


@pytest.mark.parametrize("debug", [False, True])
def test_a_fault_of_ours_is_one_sentence(capsys: Captured, debug: bool) -> None:
    assert guarded(broken, [], debug=debug) == 3
    said = capsys.readouterr().err
    assert "went wrong in untaken itself (KeyError: 'something')" in said and "report it" in said
    assert ("Traceback" in said) is debug
    assert len(said.splitlines()) == 1 or debug


def test_where_the_traceback_is_asked_for() -> None:
    assert without_debug(["run", "--debug", "x.c"]) == (["run", "x.c"], True)
    assert without_debug(["run", "x.c", "--", "--debug"]) == (["run", "x.c", "--", "--debug"], False)
    assert without_debug(["cc", "--debug"]) == (["cc", "--debug"], False)


def test_a_directory_that_is_gone(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    script = (
        "import os, sys; os.rmdir(os.getcwd()); from untaken.cli.main import main; sys.argv[1:] = ['doctor']; main()"
    )
    words = [sys.executable, "-c", script]
    answer = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path / "gone")
    assert "the current directory is gone" in answer.stderr, answer.stderr


@pytest.mark.parametrize("word", ["", " "])
def test_an_empty_word_is_no_fault_of_ours(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(run, ["lift", "image.hex", word]) == 2
    assert "an empty word" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["--values=--", "--out=--"])
def test_two_dashes_are_no_value(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(run, ["run", "program.c", word, "--iterations", "2"]) == 2
    assert "expected one argument, not --" in capsys.readouterr().err
