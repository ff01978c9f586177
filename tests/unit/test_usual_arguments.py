"""Constants that a project passes to its own functions: objects are made with them."""

from __future__ import annotations

from pathlib import Path

from tests.campaign.commands import written
from tests.unit.test_project import untaken
from untaken.unit.project.sources import ProjectOptions, find_project
from untaken.unit.project.survey import survey
from untaken.unit.usual_arguments import Usual

PUMP_C = """
#include <stdlib.h>
struct pump { int level; int mode; char name[16]; struct pump *self; };
int pump_init2(struct pump *p, int level, int mode, const char *version, int struct_size) {
    if (version == NULL || version[0] != '7' || struct_size != sizeof(struct pump)) return -6;
    if (mode != 31) return -2;
    p->level = level;
    p->mode = mode;
    p->self = p;
    return 0;
}
int pump_init(struct pump *p, int level, const char *version, int struct_size) {
    return pump_init2(p, level, 31, version, struct_size);
}
int pump_restart(struct pump *p, const char *version, int struct_size) {
    return pump_init2(p, p->level, 31, version, struct_size);
}
int pump_once(int level) {
    struct pump p;
    return pump_init(&p, level, "7.11", (int)sizeof p);
}
int pump_speed(struct pump *p) {
    if (p->self != p) return -1;
    return p->mode == 31 ? 2 : 1;
}
"""


def test_constants_of_all_callers_are_known(tmp_path: Path) -> None:
    source = written(tmp_path, PUMP_C, "pump.c")
    usual = survey(find_project(ProjectOptions((source,), None, (), ()), print).all, print).usual
    size = usual.of("pump_init", 4, 3, "struct_size")
    assert (size.numbers, size.always) == ((32,), True)
    assert usual.of("pump_init", 4, 2, "version").texts == ("7.11",)
    assert not usual.of("pump_init", 4, 1, "level").constants
    assert usual.of("pump_init2", 5, 2, "mode").numbers == (31,)


def test_what_is_handed_on_is_as_for_others_of_that_name(tmp_path: Path) -> None:
    source = written(tmp_path, PUMP_C, "pump.c")
    usual = survey(find_project(ProjectOptions((source,), None, (), ()), print).all, print).usual
    assert usual.of("pump_init2", 5, 4, "struct_size").numbers == (32,)
    assert usual.of("pump_restart", 3, 1, "version").texts == ("7.11",)


def test_a_number_beside_a_text_is_its_length_or_not() -> None:
    version, size = Usual((b"7.11",), always=True), Usual((16,), always=True)
    assert version.is_not_counted_by(size)
    assert not version.is_not_counted_by(Usual((4,), always=True))
    assert not version.is_not_counted_by(Usual((16,)))
    assert not Usual((b"7.11",)).is_not_counted_by(size)


def test_objects_are_made_as_callers_make_them(tmp_path: Path) -> None:
    source = written(tmp_path, PUMP_C, "pump.c")
    told = untaken("unit", "--all", source, "--iterations", 40, "--out", tmp_path / "out", "--json").summary
    speed = next(each for each in told["functions"] if each["function"] == "pump_speed")
    assert speed["branches_covered"] == speed["branches_total"] == 4
    init = next(each for each in told["functions"] if each["function"] == "pump_init2")
    assert init["branches_covered"] >= init["branches_total"] - 1  # no size up to 16 would do
    assert ', "7.11", 32);' in (tmp_path / "out" / "tests" / "test_pump.c").read_text()
