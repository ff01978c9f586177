"""What conditions ask of variables, and where these are given which values, as the program map has it."""

from __future__ import annotations

import pytest

from untaken.build.driver import compile_and_link
from untaken.build.objects.program_map import read_program_map
from untaken.model.program import BranchId, ProgramMap
from untaken.search.program.definitions import Definitions

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
struct conf { int first, mode; struct conf *next; };
static int wanted, level;
static int kind(int c) { if (c == 'x') return 7; return 2; }
static void choose(struct conf *conf, int mode) {
    conf->mode = mode;                          // L8
}
static int use(struct conf *conf, int c) {
    int state = 0, rounds = 0;
    while (rounds < 9 && (c = getchar()) != EOF) {
        if (c == 'w')
            wanted = 3;                         // L14
        else if (c == 'u')
            level++;                            // L16
        else if (c == 'm')
            choose(conf, 5);                    // L18
        else if (c == 's')
            state = 2;                          // L20
        else if (c == 'n')
            conf->next = malloc(4);             // L22
        rounds++;
    }
    if (wanted == 3) puts("wanted");            // L25
    if (!(level > 4)) puts("low");              // L26
    if (conf->mode == 5) puts("mode");          // L27
    switch (state) { case 2: puts("two"); }     // L28
    if (kind(c) == 7) puts("kind");             // L29
    if (conf->next) puts("next");               // L30
    return 6 > level;
}
int main(void) { struct conf conf = {0}; return use(&conf, 0); }
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> ProgramMap:
    folder = tmp_path_factory.mktemp("definitions")
    (folder / "program.c").write_text(PROGRAM)
    assert compile_and_link(["-g", str(folder / "program.c"), "-o", str(folder / "program")]) == 0
    return read_program_map(folder / "program")


def at(program: ProgramMap, line: int) -> BranchId:
    """The true side of the condition on a line."""
    return next(branch.id for branch in program if branch.location.line == line and branch.side)


def then(program: ProgramMap, character: str) -> int:
    """The branch that is taken if a character was read: what leads to the line behind it."""
    line = next(number for number, text in enumerate(PROGRAM.split("\n"), 1) if f"(c == '{character}')" in text)
    return at(program, line)


def gates(program: ProgramMap, branch: int) -> set[tuple[tuple[int, ...], bool]]:
    return {(place.gates, place.by_steps) for place in Definitions(program).turning(branch)}


def line(mark: str) -> int:
    return next(number for number, text in enumerate(PROGRAM.split("\n"), 1) if text.endswith(f"// {mark}"))


def test_a_global_gets_a_constant(program: ProgramMap) -> None:
    wanted = at(program, line("L25"))
    assert gates(program, wanted) == {((then(program, "w"),), False)}
    assert gates(program, wanted ^ 1) == set()  # it has that value from the start


def test_a_counter_is_moved_by_steps_towards_what_is_asked_for(program: ProgramMap) -> None:
    low = at(program, line("L26"))
    assert gates(program, low ^ 1) == {((then(program, "u"),), True)}
    assert gates(program, low) == set()  # steps upwards do not lead below


def test_a_field_takes_over_what_a_caller_passes(program: ProgramMap) -> None:
    assert ((then(program, "m"),), False) in gates(program, at(program, line("L27")))


def test_a_local_is_known_by_the_values_that_are_joined_in_it(program: ProgramMap) -> None:
    assert ((then(program, "s"),), False) in gates(program, at(program, line("L28")))


def test_a_result_is_what_the_function_returns(program: ProgramMap) -> None:
    assert ((then(program, "x"),), False) in gates(program, at(program, line("L29")))


def test_a_pointer_is_null_or_not(program: ProgramMap) -> None:
    assert ((then(program, "n"),), False) in gates(program, at(program, line("L30")))


def test_what_no_condition_asks_for_has_no_places(program: ProgramMap) -> None:
    assert gates(program, then(program, "w")) == set() and gates(program, 1) == set()
