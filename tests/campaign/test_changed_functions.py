"""--changed-since: what git says has changed is the goal, and only what leads there is explored."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from untaken.campaign.changed_functions import ChangedCode, changed_functions
from untaken.errors import UsageError
from untaken.execute.target import find_target

from .commands import untaken, written

PROGRAM = """
#include <untaken.h>
#define LIMIT 10
static int
first(int x)
{
    /* a brace that is none: } */
    const char *text = "}";
    if (x > LIMIT)
        return text[0];
    return 2;
}

// A word about the second.
static int second(int x) {
    if (x == 77)
        return 3;
    return 4;
}

int main(void) {
    int which, x;
    untaken_int(&which);
    untaken_int(&x);
    if (which == 1)
        return first(x);
    if (which == 2)
        return second(x);
    return 0;
}
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the program in its first revision; the current folder is another one."""
    folder = tmp_path / "ein Projekt"
    folder.mkdir()
    written(folder, PROGRAM)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    monkeypatch.chdir(tmp_path)
    return folder


def git(folder: Path, *words: str) -> None:
    settings = ["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *settings, *words], check=True, capture_output=True)


def changed(folder: Path, old: str, new: str) -> ChangedCode:
    program = folder / "program.c"
    text = program.read_text()
    assert old in text
    program.write_text(text.replace(old, new, 1))
    return changed_functions(find_target([os.path.relpath(program)]).map, "HEAD")


@pytest.mark.parametrize(
    ("old", "new", "functions", "elsewhere"),
    [
        ("return 3;", "return 33;", ("second",), 0),
        ("        return 3;\n", "        return 3;\n    x++;\n", ("second",), 0),
        ("    const char *text", "    (void)x;\n    const char *text", ("first",), 0),
        ("static int\nfirst", "static long\nfirst", ("first",), 0),
        ("    return 2;\n}\n", "}\n", ("first",), 0),
        ("LIMIT 10", "LIMIT 11", (), 1),
        ("A word about", "Two words about", (), 1),
        ("int main", "int third(int x) { return x ? 1 : 2; }\nint main", ("third",), 0),
        ("return 0;", "return second(1);", ("main",), 0),
    ],
)
def test_what_a_diff_touches(repository: Path, old: str, new: str, functions: tuple[str, ...], elsewhere: int) -> None:
    found = changed(repository, old, new)
    assert found == ChangedCode(functions, elsewhere)


def test_a_file_that_git_does_not_know_is_new(repository: Path) -> None:
    other = written(repository, "int main(void) { return 0; }\n", "other.c")
    assert changed_functions(find_target([str(other)]).map, "HEAD").functions == ("main",)


def test_only_what_leads_to_changed_functions_is_explored(repository: Path) -> None:
    changed(repository, "return 3;", "return 33;")
    program = repository / "program.c"
    words = ("run", program, "--changed-since", "HEAD", "--iterations", "200", "--after-coverage", "0")
    answer = untaken(*words, "--fail-under", "100", "--out", repository / "out", "--strategy", "bfs", "--json")
    assert answer.code == 0, answer.said
    found = answer.summary
    assert (found["goal_functions"], found["goal_covered"], found["goal_total"]) == (["second"], 2, 2)
    assert found["fail_under"] == {"percent": 100.0, "met": True}
    # `first` leads nowhere: of its condition no other side was asked for.
    assert [each["covered"] for each in found["functions"] if each["name"] == "first"] != [2]
    assert "1 function changed since HEAD: second" in answer.said


def test_without_a_change_nothing_is_explored(repository: Path) -> None:
    answer = untaken("run", repository / "program.c", "--changed-since", "HEAD", "--json", "--out", repository / "out")
    assert answer.code == 0
    assert json.loads(answer.printed)["ended_by"] == "nothing_changed"
    assert "no function of the program has changed since HEAD" in answer.said
    assert not (repository / "out").exists()


def test_what_git_cannot_say_is_told(repository: Path, tmp_path: Path) -> None:
    program = find_target([str(repository / "program.c")]).map
    with pytest.raises(UsageError, match="git knows no such revision here"):
        changed_functions(program, "no-such-branch")
    with pytest.raises(UsageError, match="git knows no such revision here"):
        changed_functions(program, "--output=surprise")
    assert not list(tmp_path.rglob("surprise*"))
    outside = find_target([str(written(tmp_path, "int main(void) { return 0; }\n"))]).map
    with pytest.raises(UsageError, match="is in no git repository"):
        changed_functions(outside, "HEAD")
