"""report.html in a real browser: it opens, sorts, filters, leads from branch to test and back, and runs nothing that a
program's names or inputs say."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.report.pages import embedded, explored, sides
from tests.report.test_page import HOSTILE
from untaken.campaign.summary import SUMMARY
from untaken.report.live import served
from untaken.report.page import PAGE, page
from untaken.report.project_page import write_page
from untaken.unit.export.cases import Case
from untaken.unit.export.text import NamedCase
from untaken.unit.project.causes import Appearance, Cause
from untaken.unit.project.results import FunctionResult, ShownFault
from untaken.unit.project.whole import ProjectOutcome

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")

pytestmark = pytest.mark.skipif(BROWSER is None, reason="needs a browser: apt-get install chromium")
WIDE = {"width": 1200, "height": 800}
NARROW = {"width": 380, "height": 700}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield started
        started.close()


class Opened:
    """A page in the browser, and what went wrong in it."""

    def __init__(self, browser: Any, file: Path, **settings: Any) -> None:
        self.file = file
        self.troubles: list[str] = []
        self.requests: list[str] = []
        self.page = browser.new_context(**{"viewport": WIDE, **settings}).new_page()
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.go("")

    def go(self, view: str) -> None:
        self.page.goto(f"{self.file.resolve().as_uri()}{view}")
        self.page.wait_for_selector("main > *")

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.page.eval_on_selector_all(selector, "all => all.map(each => each.textContent)")
        return found

    def names(self) -> list[str]:
        """The first column of a table."""
        return self.texts(".rows .row > :first-child")

    def check(self) -> None:
        assert self.troubles == []
        assert {request.split("#")[0] for request in self.requests} == {self.file.resolve().as_uri()}


@pytest.fixture(scope="module")
def reasons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return explored(tmp_path_factory.mktemp("reasons"))


@pytest.mark.parametrize("view", ["overview", "code", "source", "branches", "findings", "tests", "limits"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_opens_and_fits(browser: Any, reasons: Path, view: str, size: dict[str, int], scheme: str) -> None:
    opened = Opened(browser, reasons / PAGE, viewport=size, color_scheme=scheme)
    opened.page.click(f'nav a[data-view="{view}"]')
    opened.page.wait_for_selector(f'nav a[data-view="{view}"][aria-current]')
    assert opened.page.inner_text("main").strip()
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    brightness = opened.page.evaluate("Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
    assert (brightness < 128) == (scheme == "dark")
    opened.check()


def test_the_first_view_has_the_figures(browser: Any, reasons: Path) -> None:
    opened, head = Opened(browser, reasons / PAGE), embedded(reasons)["head"]
    text = opened.page.inner_text("main")
    assert f"{head['branches_covered']} of {head['branches_total']} branches covered" in text
    assert "assertion `y != 5' failed" in text
    assert opened.page.locator("svg path").count() == 2
    opened.page.click("text=over executions")
    assert f"{head['iterations']} executions" in "".join(opened.texts("svg text"))
    opened.check()


def test_functions_are_sorted_and_filtered(browser: Any, reasons: Path) -> None:
    opened = Opened(browser, reasons / PAGE)
    opened.go("#/code")
    opened.page.click(".heads >> text=covered")
    assert set(opened.names()[:2]) == {"behind", "lonely"} and opened.names()[-1] == "main"
    opened.page.click(".heads >> text=covered")
    assert opened.names()[0] == "main"
    opened.page.click(".heads >> text=name")
    assert opened.names() == ["behind", "lonely", "main"]
    opened.page.keyboard.press("/")
    opened.page.keyboard.type("lon")
    assert opened.names() == ["lonely"] and opened.page.inner_text(".tools .soft") == "1 of 3"
    opened.page.click("text=files")
    opened.page.fill("input[type=search]", "")
    assert opened.names() == ["program.c"]
    opened.check()


def test_branches_lead_to_tests_and_back(browser: Any, reasons: Path) -> None:
    opened, known = Opened(browser, reasons / PAGE), sides(embedded(reasons))
    about = known[20, 0, True]
    opened.go(f"#/branch/{about['id']}")
    assert opened.page.inner_text(".line.selected .at") == "20"
    assert f"taken by {about['tests']} test" in opened.page.inner_text("aside")
    opened.page.click(f"aside >> text=test {about['first']}")
    opened.page.wait_for_selector('nav a[data-view="tests"][aria-current]')
    assert opened.page.inner_text("aside h2") == f"test {about['first']}"
    assert "untaken replay" in opened.page.inner_text("aside .command")
    opened.page.click(f"aside >> text=program.c:20:{about['column']} true")
    opened.page.wait_for_selector('nav a[data-view="source"][aria-current]')
    assert opened.page.inner_text(".line.selected .at") == "20"
    opened.page.go_back()
    opened.page.wait_for_selector('nav a[data-view="tests"][aria-current]')
    assert opened.page.inner_text("aside h2") == f"test {about['first']}"
    opened.check()


def test_an_uncovered_branch_leads_to_its_guard(browser: Any, reasons: Path) -> None:
    opened, known = Opened(browser, reasons / PAGE), sides(embedded(reasons))
    opened.go(f"#/branch/{known[5, 0, True]['id']}")
    assert "Never reached" in opened.page.inner_text("aside")
    opened.page.click("aside >> text=program.c:19 true")
    opened.page.wait_for_selector(".line.selected >> text=argc > 5")
    assert "Concrete here" in opened.page.inner_text("aside")
    opened.go("#/branches/uncovered")
    opened.page.select_option(".tools select", "infeasible")
    of_line = {about["column"] for (line, _, _), about in known.items() if line == 18}
    assert opened.names() in [[f"program.c:18:{column} true"] for column in of_line]
    opened.check()


def test_the_keyboard_is_enough(browser: Any, reasons: Path) -> None:
    opened = Opened(browser, reasons / PAGE)
    press = opened.page.keyboard.press
    press("3")
    opened.page.wait_for_selector(".source")
    for line in ("5", "9", "18", "19"):
        press("n")
        opened.page.wait_for_selector(f'.line.selected .at:text-is("{line}")')
    press("p")
    opened.page.wait_for_selector('.line.selected .at:text-is("18")')
    assert opened.page.is_visible("aside")
    press("Escape")
    assert not opened.page.is_visible("aside")
    press("6")
    opened.page.wait_for_selector('nav a[data-view="tests"][aria-current]')
    opened.page.focus(".rows")
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        press(key)
    assert opened.page.inner_text("aside h2") == "test 2"
    opened.check()


def test_long_lines_can_be_scrolled_to_beside_their_marks(browser: Any, tmp_path: Path) -> None:
    text = f"#include <untaken.h>\nint main(void) {{ int x; untaken_int(&x); return x == 7 {'|| x == 9 ' * 40}; }}\n"
    opened = Opened(browser, explored(tmp_path, text, "--iterations", 60) / PAGE, viewport=NARROW)
    opened.go("#/source/0/2")
    left = "document.querySelector('.line.selected .gutter').getBoundingClientRect().left"
    before = opened.page.evaluate(left)
    room = opened.page.evaluate(
        "(() => { const rows = document.querySelector('.rows'); rows.scrollLeft = 1e6; return rows.scrollLeft; })()"
    )
    assert room > 2_000  # pixels, for 480 characters
    assert opened.page.evaluate(left) == before
    opened.check()


def test_on_a_narrow_screen_details_leave_their_line_in_view(browser: Any, reasons: Path) -> None:
    opened, known = Opened(browser, reasons / PAGE, viewport=NARROW), sides(embedded(reasons))
    opened.go(f"#/branch/{known[20, 0, True]['id']}")
    line = opened.page.locator(".line.selected").bounding_box()
    beside = opened.page.locator("aside").bounding_box()
    assert line["y"] + line["height"] <= beside["y"] < beside["y"] + beside["height"] <= NARROW["height"]
    opened.check()


def test_a_command_is_copied(browser: Any, reasons: Path) -> None:
    opened = Opened(browser, reasons / PAGE, permissions=["clipboard-read", "clipboard-write"])
    opened.go("#/findings")
    opened.page.click("main .copy")
    opened.page.wait_for_selector(".copy >> text=copied")
    words = opened.page.inner_text("main .command")
    assert words.startswith("untaken replay ") and opened.page.evaluate("navigator.clipboard.readText()") == words
    opened.check()


def test_hostile_names_stay_text(browser: Any, tmp_path: Path) -> None:
    out = explored(tmp_path, HOSTILE)
    opened = Opened(browser, out / PAGE)
    tests = embedded(out)["tests"]["number"]
    for view in ("overview", "code", "source/0/1", "branches", "findings", f"test/{tests[-1]}", "limits", "%3Cb%3E/x"):
        opened.go(f"#/{view}")
        assert opened.page.title() == "program.c: untaken"
        assert opened.page.locator("img, main script, aside script").count() == 0
    opened.go("#/findings")
    assert "</script><img src=x onerror=document.title='broken'>" in opened.page.inner_text("main h2")
    assert "<img src=x onerror" in opened.page.inner_text(".plain")
    opened.check()


def test_twenty_thousand_branches_are_built_as_they_come_into_view(browser: Any, tmp_path: Path) -> None:
    (tmp_path / PAGE).write_text(page(large()))
    opened = Opened(browser, tmp_path / PAGE)
    for view, shown in (("branches", "20,000"), ("tests", "5,000"), ("source/3/900", "")):
        opened.go(f"#/{view}")
        assert shown in opened.page.inner_text("main")
        assert opened.page.evaluate("document.querySelectorAll('*').length") < 2_000
    opened.go("#/tests")
    opened.page.focus(".rows")
    opened.page.keyboard.press("Home")
    opened.page.keyboard.press("End")
    opened.page.wait_for_selector('.row.selected >> text="5000"')
    opened.page.click(".heads >> text=covers first")
    assert opened.texts(".rows .row:first-child > :nth-child(4)") == ["4"]
    opened.check()


def test_a_large_page_opens_in_under_a_second(browser: Any, tmp_path: Path) -> None:
    """Of processor time, which other work on the machine does not change; a seventh of that was measured."""
    (tmp_path / PAGE).write_text(page(large()))
    view = browser.new_context().new_page()
    measured = view.context.new_cdp_session(view)
    measured.send("Performance.enable", {"timeDomain": "threadTicks"})
    view.goto((tmp_path / PAGE).as_uri())
    view.wait_for_selector(".headline")
    figures = {entry["name"]: entry["value"] for entry in measured.send("Performance.getMetrics")["metrics"]}
    assert 0 < figures["TaskDuration"] < 1


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_places_of_lost_values_lead_to_the_source_and_to_branches(
    browser: Any, tmp_path: Path, size: dict[str, int]
) -> None:
    (tmp_path / PAGE).write_text(page(large()))
    opened = Opened(browser, tmp_path / PAGE, viewport=size)
    opened.go("#/limits")
    assert "after file3.c:7" in opened.page.inner_text(".lost") and "file0.c:1 true" in opened.page.inner_text(".lost")
    assert opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    opened.page.click(".lost >> text=file0.c:1 true")
    assert opened.page.evaluate("location.hash") == "#/branch/2"
    opened.check()


def test_a_served_page_renews_itself_and_keeps_what_was_chosen(browser: Any, reasons: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    notes: list[str] = []
    shutil.copytree(reasons, out)
    summary = json.loads((out / SUMMARY).read_text())
    with served(out, 0, notes.append):
        view = browser.new_context(viewport=WIDE).new_page()
        view.goto(f"{notes[0].split()[-1]}#/branches")
        view.fill("input[type=search]", "behind")
        view.click(".heads >> text=opens")
        shown = view.inner_text("main")
        (out / SUMMARY).write_text(json.dumps({**summary, "tests": 4321, "iterations": summary["iterations"] + 1}))
        view.wait_for_selector("nav >> text=4,321")
        assert view.inner_text("main") == shown
        assert view.input_value("input[type=search]") == "behind"
    view.wait_for_selector(f"text=The campaign is over, or cannot be asked any more. Its page is {out}/{PAGE}")


def large() -> dict[str, Any]:
    """The data of a page with 20,000 branches and 5,000 tests."""
    conditions, tests = range(10_000), range(1, 5_001)
    input = {"size": 8, "data": "QUJDREVGR0g=", "fields": [["x", "bytes", 0, 8, "ABCDEFGH"]], "more": False}
    head = {
        "title": "large.c",
        "version": "0",
        "folder": "out",
        "strategy": "auto",
        "seed": 0,
        "arguments": "",
        "ended": "the time is up",
        "running": False,
        "time": {"run": 1.0, "solve": 1.0, "choose": 1.0},
        "findings": [],
        "files": [f"file{number}.c" for number in range(10)],
        "curve": [(n, n / 10, n) for n in range(1_500)],
        "branches_covered": 15_000,
        "branches_total": 20_000,
        "branches_reachable": 20_000,
        "iterations": 5_000,
        "seconds": 100.0,
        "solver": {"queries": 7},
        "divergences": 0,
        "tests": 5_000,
        "lost": [
            {
                "kind": "inline assembly: many projects can be built without it",
                "file": 3,
                "line": 7,
                "exact": False,
                "function": "function_300",
                "hides": [2],
                "more": 0,
                "behind": 9,
            }
        ],
        "limits": {
            key: [] for key in ("concretised", "externals", "pins", "cut_off", "uninstrumented", "notes", "doubts")
        },
    }
    return {
        "head": head,
        "branches": {
            "functions": {
                "name": [f"function_{number}" for number in range(1_000)],
                "file": [number // 100 for number in range(1_000)],
                "line": [number % 100 * 10 + 1 for number in range(1_000)],
            },
            "conditions": {
                "id": [2 * number + 2 for number in conditions],
                "function": [number // 10 for number in conditions],
                "file": [number // 1_000 for number in conditions],
                "line": [number % 1_000 + 1 for number in conditions],
                "column": [5 for _ in conditions],
                "kind": ["if" for _ in conditions],
                "tests": [0 if side % 4 == 3 else 1 + side % 50 for side in range(20_000)],
                "first": [0 if side % 4 == 3 else 1 + side % 5_000 for side in range(20_000)],
                "why": ["infeasible" if side % 4 == 3 else "" for side in range(20_000)],
                "guard": [0] * 20_000,
                "opens": [1 if side % 4 == 3 else 0 for side in range(20_000)],
            },
            "reads": {},
            "reasons": {"infeasible": "unsatisfiable each time"},
            "said": {str(2 + side): "Unsatisfiable each time." for side in range(20_000) if side % 4 == 3},
        },
        "tests": {
            "number": list(tests),
            "iteration": list(tests),
            "seconds": [number / 50 for number in tests],
            "exit": ["exit code 0" for _ in tests],
            "covers": [[2 + side for side in range(number % 5)] for number in tests],
            "finding": [None for _ in tests],
            "input": [input for _ in tests],
            "replay": [f"untaken replay out tests/{number:06}" for number in tests],
        },
        "sources": ["\n".join(f"    if (x == {line}) y++;" for line in range(1_000)) for _ in range(10)],
    }


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_independence_pairs_lead_to_their_tests(browser: Any, tmp_path: Path, size: dict[str, int]) -> None:
    reads = "untaken_int(&a); untaken_int(&b);"
    text = f"#include <untaken.h>\nint main(void) {{ int a, b; {reads} return a == 7 && b > 9; }}\n"
    out = explored(tmp_path, text, "--goal", "mcdc", "--iterations", 100)
    opened = Opened(browser, out / PAGE, viewport=size)
    opened.page.click('nav a[data-view="mcdc"]')
    assert "2 of 2 conditions shown to decide on their own" in opened.page.inner_text("main")
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    opened.page.click("main td a >> nth=0")
    opened.page.wait_for_selector("aside:not([hidden])")
    assert "Run it again" in opened.page.inner_text("aside")
    opened.check()


def test_the_page_of_a_project_fits(browser: Any, tmp_path: Path) -> None:
    call = NamedCase("long", (), Case((), f"int result = f({', '.join(['1234567'] * 40)});", ()))
    fault = ShownFault("0001-sigsegv", "signal", "SIGSEGV", "", None, ())
    cause = Cause("SIGSEGV", "program.c:3", (Appearance("f", "program", True, False, fault, call),))
    results = (FunctionResult("a_source_with_a_name", "a_function_with_a_long_name", "", problem="why not " * 9),)
    write_page(ProjectOutcome(tmp_path, (), results, (), (cause,), sanitized=False))
    shown = browser.new_context(viewport=NARROW).new_page()
    shown.goto((tmp_path / PAGE).resolve().as_uri())
    assert "SIGSEGV at program.c:3" in shown.inner_text("body")
    assert "a_function_with_a_long_name" in shown.inner_text("main table:last-of-type")
    assert shown.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
