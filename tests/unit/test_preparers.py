"""What comes before the tested call: functions that set variables, a locale, and what only the system makes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.campaign.commands import written
from tests.unit.test_project import untaken
from tests.unit.test_project_states import covered
from untaken.unit.preparers import LOCALE
from untaken.unit.project.sources import ProjectOptions, find_project
from untaken.unit.project.survey import Survey, survey
from untaken.unit.shape import Preparer

PAGES_C = """
#include <dirent.h>
#include <iconv.h>
#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>
static unsigned page;
static unsigned others;
static void find_page(void) { page = 4096; }
void pages_reset(void) { page = 0; }
void others_reset(void) { others = 0; }
int is_first(unsigned address) {
    if (page == 0) return -1;
    return address / page == 0;
}
int is_other(unsigned address) { return address == others; }
int is_wide(const char *text) {
    wchar_t found = 0;
    if (MB_CUR_MAX == 1) return -1;
    return mbtowc(&found, text, 4) > 1;
}
int converts(iconv_t with, char *text) {
    char out[16], *into = out;
    size_t left = 2, room = sizeof out;
    if (with == (iconv_t)-1) return -1;
    return iconv(with, &text, &left, &into, &room) == (size_t)-1 ? 0 : 1;
}
int is_empty(DIR *folder) { return readdir(folder) == NULL; }
int shortest(char **all) {
    int most = 9;
    for (; *all; all++) if (!**all) most = 0;
    return most;
}
__attribute__((sentinel)) int how_many(int first, ...) {
    int count = 1;
    va_list more;
    va_start(more, first);
    while (va_arg(more, char *)) count++;
    va_end(more);
    return first > 5 ? count : 0;
}
"""


def surveyed(folder: Path) -> Survey:
    source = written(folder, PAGES_C, "pages.c")
    return survey(find_project(ProjectOptions((source,), None, (), ()), print).all, print)


def test_what_sets_variables_that_are_looked_at_may_come_first(tmp_path: Path) -> None:
    known = surveyed(tmp_path)
    (source,) = known.modules
    assert known.preparers(source, "is_first") == (Preparer("find_page()", False), Preparer("pages_reset()", True))
    assert known.preparers(source, "is_other") == (Preparer("others_reset()", True),)
    assert known.preparers(source, "is_wide") == (LOCALE,)
    assert not known.preparers(source, "find_page")


def test_they_are_called_and_the_tests_pass(tmp_path: Path) -> None:
    source = written(tmp_path, PAGES_C, "pages.c")
    out = tmp_path / "out"
    done = untaken("unit", str(source), "--all", "--out", str(out), "--iterations", "60", "--json")
    assert done.code in (0, 1), done.said
    explored = out, json.loads(done.printed)
    for function in ("is_first", "is_wide", "converts", "shortest"):
        reached, total = covered(explored, function)
        assert reached == total, function
    text = (out / "tests" / "test_pages.c").read_text()
    assert "(void)find_page();" in text
    assert f"(void){LOCALE.call};" in text and f"(void){LOCALE.undo};" in text
    assert "iconv_open(" in text and "opendir(" in text and ", NULL);" in text
    made = subprocess.run(["make", "-C", str(out / "tests"), "check"], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr


def test_what_callbacks_leave_in_errno_is_explored(tmp_path: Path) -> None:
    text = """
    #include <errno.h>
    int retried(int (*callback)(int), int n) {
        if (callback(n) == 0) return 1;
        return errno == EOVERFLOW ? 2 : 3;
    }
    """
    source = written(tmp_path, text, "retried.c")
    out = tmp_path / "out"
    done = untaken("unit", str(source), "--all", "--out", str(out), "--iterations", "60", "--json")
    assert covered((out, json.loads(done.printed)), "retried") == (4, 4), done.said
    assert "errno = 75;" in (out / "tests" / "test_retried.c").read_text()
