"""The program map: every run is a walk through it, and it says of the linked program what the linker made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.build.graph_walk import Stuck, Walk
from tests.collection import PROGRAMS, build_instrumented, flags_of, random_stdins, stdin_input, stdin_settings
from untaken.build.driver import compile_and_link
from untaken.build.objects.elf import object_with, sections
from untaken.build.objects.program_map import read_program_map
from untaken.errors import ProgramMapError
from untaken.execute.session import Session
from untaken.model.program import ProgramMap

# Of the collection, those that bend control flow most; longjmp and threads aside.
WALKED = [
    *("computed_goto", "conditional", "duff", "function_pointers", "goto_maze", "library_callbacks", "linkage"),
    *("logical", "loops", "recursion", "statement_expressions", "switch_fallthrough", "switch_ranges", "tail_calls"),
    *("varargs_mixed", "reading_lines"),
]
INPUTS = 6


@pytest.mark.parametrize("name", WALKED)
def test_events_are_a_walk_through_the_map(name: str, tmp_path: Path) -> None:
    source = PROGRAMS / f"{name}.c"
    program = build_instrumented(source, tmp_path / name, flags_of(source))
    mapped = read_program_map(program)
    with Session(program, stdin_settings()) as session:
        for stdin in random_stdins(f"walk {name}", INPUTS):
            path = session.run(stdin_input(stdin))
            walk = Walk(mapped)
            walk.follow(path.events.tolist())
            assert len(path.events) > 2
            assert set(path.constraints["id"].tolist()) - {0} <= set(mapped.branches)


def linked(tmp_path: Path, sources: dict[str, str], flags: tuple[str, ...] = ()) -> Path:
    """Builds files given as text into one program."""
    for name, text in sources.items():
        (tmp_path / name).write_text(text)
    program = tmp_path / "program"
    assert compile_and_link([*flags, *(str(tmp_path / name) for name in sources), "-o", str(program)]) == 0
    return program


def calls_of(program: ProgramMap, name: str) -> list[str]:
    """Which functions, with their files' numbers, a function calls."""
    caller = next(function for function in program.functions if function.name == name)
    found = [program.callee(caller, call) for block in caller.blocks for call in block.calls]
    return [f"{callee.name} of {callee.unit}" for callee in found if callee is not None]


MAIN = """
#include <stdio.h>
__attribute__((weak)) int hook(int x) { if (x == 3) return 1; return 2; }
int other(int);
int main(void) { int c = getchar(); return hook(c) + other(c); }
"""
LIBRARY = """
int hook(int x) { if (x == 9) return 7; return 8; }
static int inner(int x) { return x ? x : 2; }
int real(int x) { if (x > 4) return inner(x) & 1; return 1; }
int other(int) __attribute__((alias("real")));
"""


@pytest.mark.parametrize("order", [("main.c", "library.c"), ("library.c", "main.c")])
def test_weak_functions_and_aliases_are_what_the_linker_chose(order: tuple[str, str], tmp_path: Path) -> None:
    texts = {"main.c": MAIN, "library.c": LIBRARY}
    program = linked(tmp_path, {name: texts[name] for name in order})
    mapped = read_program_map(program)
    library = order.index("library.c")
    assert calls_of(mapped, "main") == [f"hook of {library}", f"real of {library}"]
    assert [function.name for function in mapped.functions].count("hook") == 1
    assert not any(branch.location.file.endswith("main.c") for branch in mapped), "the weak body is not linked"
    with Session(program, stdin_settings()) as session:
        Walk(mapped).follow(session.run(stdin_input(b"abc")).events.tolist())


def test_a_weak_function_alone_is_kept(tmp_path: Path) -> None:
    hook = "__attribute__((weak)) int hook(int x) { return x > 3 ? 1 : 2; }\n"
    text = hook + "int main(int c, char **v) { return hook(c); }\n"
    mapped = read_program_map(linked(tmp_path, {"main.c": text}))
    assert calls_of(mapped, "main") == ["hook of 0"]
    assert len(mapped.branches) == 2


CHECKED_READ = """
#include <stdio.h>
#include <string.h>
int main(int c, char **v) { char b[8], t[4] = ""; fread(b, 1, (size_t)c, stdin); strncpy(t, b, 3); return b[0] > t[1]; }
"""


def test_inlined_system_headers_have_no_branches_of_ours(tmp_path: Path) -> None:
    """The checking wrappers of _FORTIFY_SOURCE come into main by inlining, with conditionals of their own."""
    program = linked(tmp_path, {"main.c": CHECKED_READ}, ("-O2", "-D_FORTIFY_SOURCE=2"))
    assert not read_program_map(program).branches


CLEANED = """
#include <stdio.h>
static void done(int *p) { (void)p; }
int main(void)
{
    int c, n = 0;
    while ((c = getchar()) != EOF) {
        __attribute__((cleanup(done))) int guard = c;
        if (guard == 'a') continue;
        if (guard == 'q') break;
        n++;
    }
    return n;
}
"""


def test_what_clang_asks_at_the_end_of_a_scope_is_no_branch_of_the_source(tmp_path: Path) -> None:
    program = linked(tmp_path, {"cleaned.c": CLEANED})
    mapped = read_program_map(program)
    assert {branch.location.line for branch in mapped} == {7, 9, 10}
    assert len(mapped.branches) == 6
    with Session(program, stdin_settings()) as session:
        for stdin in (b"", b"ab", b"bq", b"aqa"):
            path = session.run(stdin_input(stdin))
            Walk(mapped).follow(path.events.tolist())
            assert path.exit.code == stdin.partition(b"q")[0].count(b"b")


LEAP = """
int days(int y)
{
    return y % 4 == 0 &&
        (y % 100 || y % 400 == 0) ? 366 : 365;
}
int main(int c, char **v) { return days(c) & 1; }
"""


def test_a_conditional_on_joined_operands_has_its_line(tmp_path: Path) -> None:
    mapped = read_program_map(linked(tmp_path, {"leap.c": LEAP}))
    assert sorted((branch.location.line, branch.kind.name) for branch in mapped if branch.id % 2 == 0) == [
        (4, "CONDITIONAL"),
        (4, "LOGICAL"),
        (5, "LOGICAL"),
        (5, "LOGICAL"),
    ]


def test_a_walk_notices_what_cannot_be(tmp_path: Path) -> None:
    source = PROGRAMS / "loops.c"
    program = build_instrumented(source, tmp_path / "loops", flags_of(source))
    with Session(program, stdin_settings()) as session:
        events = session.run(stdin_input(b"some input")).events.tolist()
    with pytest.raises(Stuck):
        Walk(read_program_map(program)).follow([*events[:5], *events[8:]])


SHARED = {
    "first.c": "int first(int x, int (*back)(int)) { if (x > 5) return back(x) * 3; return x && x != 2; }\n",
    "second.c": "int second(int x) { switch (x) { case 'a': return 1; case 'q': return 2; } return 3; }\n",
}
USER = """
#include <stdio.h>
int first(int, int (*)(int)), second(int);
static int back(int x) { return x == 9 ? 4 : x; }
int main(void) { int c = getchar(); return (first(c, back) + second(c)) & 1; }
"""


@pytest.mark.parametrize("order", [("first", "second"), ("second", "first")])
def test_shared_objects_belong_to_the_program(order: tuple[str, str], tmp_path: Path) -> None:
    """Whatever the order in which the loader takes them."""
    for name, text in SHARED.items():
        (tmp_path / name).write_text(text)
        library = tmp_path / f"lib{Path(name).stem}.so"
        assert compile_and_link(["-fPIC", "-shared", str(tmp_path / name), "-o", str(library)]) == 0
    flags = (f"-L{tmp_path}", "-Wl,-rpath,$ORIGIN")
    program = linked(tmp_path, {"main.c": USER}, flags + tuple(f"-Wl,--no-as-needed,-l{name}" for name in order))
    mapped = read_program_map(program)
    assert sorted(function.name for function in mapped.functions) == ["back", "first", "main", "second"]
    with Session(program, stdin_settings()) as session:
        assert session.id_count == mapped.id_count
        for stdin in (b"", b"a", b"q", b"\x09", b"\x02"):
            path = session.run(stdin_input(stdin))
            walk = Walk(mapped)
            walk.follow(path.events.tolist())
            assert not walk.stack
            assert set(path.constraints["id"].tolist()) - {0} <= set(mapped.branches)


def test_names_are_those_of_the_source_in_any_script(tmp_path: Path) -> None:
    folder = tmp_path / 'Übung "1"'
    folder.mkdir()
    sources = {
        "größe.c": "int größe(int x) { if (x == 3) return 1; return 2; }\n",
        "main.c": "#include <stdio.h>\nint größe(int);\nint main(void) { return größe(getchar()); }\n",
    }
    program = read_program_map(linked(folder, sources))
    found = next(function for function in program.functions if function.name == "größe")
    assert found.location.file == str(folder / "größe.c")
    assert calls_of(program, "main") == [f"größe of {found.unit}"]


def test_a_program_that_is_cut_off_is_told_as_such(tmp_path: Path) -> None:
    whole = object_with(".some", b"content" * 100)
    cut = tmp_path / "program"
    for size in range(64, len(whole), 37):
        cut.write_bytes(whole[:size])
        with pytest.raises(ProgramMapError, match="cut off"):
            sections(cut, (".some",))
    cut.write_bytes(whole)
    assert sections(cut, (".some", ".none")) == {".some": b"content" * 100}
