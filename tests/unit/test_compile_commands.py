"""compile_commands.json: found, read as its specification says, and used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.commands import unit
from untaken.errors import CompileError, UsageError
from untaken.unit.compile_commands import find_commands, project_flags
from untaken.unit.options import UnitOptions
from untaken.unit.planning import make_plan


def database(folder: Path, *entries: dict[str, object]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "compile_commands.json"
    path.write_text(json.dumps(entries))
    return path


def test_a_command_becomes_flags(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    command = "ccache gcc -Iinc -I ../up -isystem /sys -DX='a b' -include pre.h -MD -MF a.d -Werror -O2 -c -o a.o a.c"
    path = database(tmp_path, {"directory": str(tmp_path), "file": "a.c", "command": command})
    (tmp_path / "pre.h").touch()
    up = tmp_path.parent / "up"
    expected = (
        f"-I{tmp_path}/inc",
        "-I",
        str(up),
        "-isystem",
        "/sys",
        "-DX=a b",
        "-include",
        f"{tmp_path}/pre.h",
        "-O2",
    )
    assert project_flags(path, source) == expected


def test_arguments_need_no_shell_and_the_first_entry_counts(tmp_path: Path) -> None:
    build = tmp_path / "build"
    path = database(
        build,
        {"directory": ".", "file": "../other.c", "arguments": ["cc", "-DOTHER"]},
        {"directory": ".", "file": "../a.c", "arguments": ["cc", "-DA=$x y", "-oa.o", "-c", "../a.c"]},
        {"directory": ".", "file": "../a.c", "arguments": ["cc", "-DSECOND"]},
    )
    assert project_flags(path, tmp_path / "a.c") == ("-DA=$x y",)
    assert project_flags(path, tmp_path / "b.c") is None
    assert find_commands(tmp_path / "a.c") == path


@pytest.mark.parametrize("text", ["{", "{}", "[1]", '[{"directory": ".", "file": "a.c"}]'])
def test_what_is_no_database_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "compile_commands.json"
    path.write_text(text)
    with pytest.raises(UsageError, match="compile_commands"):
        project_flags(path, tmp_path / "a.c")


def test_the_flags_are_used(tmp_path: Path) -> None:
    source = tmp_path / "src" / "a.c"
    source.parent.mkdir()
    source.write_text('#include "limit.h"\nint top(int x) { if (x == LIMIT) return 1; return 0; }\n')
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "limit.h").write_text("#define LIMIT 7\n")
    database(tmp_path, {"directory": "src", "file": "a.c", "command": "cc -I../inc -c a.c"})
    explored = unit(source, "top", tmp_path / "out")
    assert explored.covered == 2
    assert any("compile_commands.json" in note for note in explored.notes)


def test_a_database_that_nobody_named_has_safe_options_only(tmp_path: Path) -> None:
    """It lies above a file that may be anybody's: options could load code into the compiler."""
    source = tmp_path / "a.c"
    source.write_text("int top(int x) { return x == LIMIT; }\n")
    harm = tmp_path / "harm"
    command = f"cc -DLIMIT=7 -fplugin={harm}.so -Xclang -plugin -ftime-trace={harm} -c a.c"
    path = database(tmp_path, {"directory": ".", "file": "a.c", "command": command})
    planned = make_plan(UnitOptions(source, "top"))
    assert planned.plan.flags == ("-w", "-DLIMIT=7")
    assert any(f"asks for -fplugin={harm}.so, which is left out" in note for note in planned.notes)
    with pytest.raises(CompileError):  # where it was named, the compiler looks for the plugin
        make_plan(UnitOptions(source, "top", commands=path))
