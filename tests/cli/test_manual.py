"""The manual: every command and option is in it, in each form, because all forms come from the parsers."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from untaken.campaign.config import options
from untaken.cli.main import COMMANDS
from untaken.cli.manual.completions import SCRIPTS
from untaken.cli.manual.man_page import man_page
from untaken.cli.manual.markdown import markdown
from untaken.cli.manual.table import COMPILER, command_table
from untaken.cli.options import GROUPS
from untaken.cli.run import make_parser

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"
TABLE = command_table()


def test_every_command_is_there_and_explains_each_of_its_words() -> None:
    assert [entry.name for entry in TABLE] == list(COMMANDS)
    for entry in TABLE:
        assert entry.description
        assert all(option.help for option in (*entry.options, *entry.words) if entry.name != COMPILER), entry.name
        assert entry.name == COMPILER or entry.options


def test_every_setting_of_campaigns_is_an_option_of_run() -> None:
    run = next(entry for entry in TABLE if entry.name == "run")
    assert {option.flag for option, _ in options().values()} <= {flag for each in run.options for flag in each.flags}


def test_every_setting_is_in_one_group_of_the_help() -> None:
    assert sorted(name for members in GROUPS.values() for name in members) == sorted(options())


def test_help_begins_with_a_short_usage_and_ends_with_examples() -> None:
    said = make_parser().format_help()
    assert said.startswith("usage: untaken run TARGET... [OPTIONS] [-- ARGUMENTS]\n")
    assert "examples:\n  untaken run parser.c --stdin 64\n" in said
    assert all(f"\n{title}:\n" in said for title in GROUPS)


def test_the_page_of_the_documentation_is_up_to_date() -> None:
    assert PAGE.read_text() == markdown(), "options have changed: `make reference` writes the page anew"


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff: apt-get install groff")
def test_man_shows_all_of_it_without_a_complaint() -> None:
    words = ["groff", "-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=1000n"]
    done = subprocess.run(words, input=man_page(), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    shown = done.stdout.replace("‐", "-").replace("−", "-")
    for entry in TABLE:
        assert entry.usage in shown
        for option in entry.options:
            assert option.shown in shown
    assert "EXIT STATUS" in shown


@cache
def bash_script() -> str:
    return SCRIPTS["bash"]()


def completed_by_bash(*words: str, folder: Path) -> list[str]:
    """What bash would offer for the last of the words."""
    line = " ".join(f"'{word}'" for word in words)
    script = f"{bash_script()}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _untaken\n"
    script += 'printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd=folder)
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


def test_bash_completes(tmp_path: Path) -> None:
    (tmp_path / "a folder").mkdir()
    (tmp_path / "program.c").touch()
    assert completed_by_bash("untaken", "re", folder=tmp_path) == ["replay", "report"]
    assert completed_by_bash("untaken", "run", "--no-s", folder=tmp_path) == ["--no-sandbox"]
    assert "--fail-under" in completed_by_bash("untaken", "run", "x.c", "--", folder=tmp_path)
    assert completed_by_bash("untaken", "run", "--strategy", "un", folder=tmp_path) == ["uniform"]
    assert completed_by_bash("untaken", "export", "--format", "s", folder=tmp_path) == ["script", "simulator", "sarif"]
    assert completed_by_bash("untaken", "run", "--out", "", folder=tmp_path) == ["a folder"]
    assert completed_by_bash("untaken", "run", "p", folder=tmp_path) == ["program.c"]
    assert completed_by_bash("untaken", "run", "--seed", "", folder=tmp_path) == [""]
    assert completed_by_bash("untaken", "completion", "f", folder=tmp_path) == ["fish"]


@pytest.mark.parametrize(("shell", "words"), [("zsh", ["zsh", "-f", "-n"]), ("fish", ["fish", "--no-execute"])])
def test_other_shells_read_their_scripts(shell: str, words: list[str], tmp_path: Path) -> None:
    script = tmp_path / shell
    script.write_text(SCRIPTS[shell]())
    for entry in TABLE:
        for option in entry.options:
            assert all(flag.lstrip("-") in script.read_text() for flag in option.flags)
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}: apt-get install {shell}")
    done = subprocess.run(
        [*words, str(script)], capture_output=True, text=True, env={**os.environ, "HOME": str(tmp_path)}
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish: apt-get install fish")
def test_fish_completes(tmp_path: Path) -> None:
    script = f"{SCRIPTS['fish']()}\ncomplete -C 'untaken run --strategy un'\ncomplete -C 'untaken re'\n"
    environment = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(["fish", "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["uniform", "replay", "report"]
