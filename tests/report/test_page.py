"""report.html: what it says of branches, tests and findings, and that nothing of a program can get out of its text."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from tests.campaign.commands import campaign, files_of, untaken, written
from tests.report.pages import REASONS, embedded, explored, sides
from untaken.build.objects.program_map import read_program_map
from untaken.campaign.folder.store import DATABASE
from untaken.cli.report import END_SECONDS, LEAST_SECONDS, page_at_the_end, time_for_page
from untaken.errors import CampaignError
from untaken.execute.session import Session
from untaken.report.page import PAGE, write_page
from untaken.report.page_data import bytes_as_text
from untaken.report.why_not import SHORT
from untaken.suite.replay.runners import ReplayManner, session_settings
from untaken.suite.tests import read_suite

HOSTILE = r"""
#include <untaken.h>
#include <assert.h>
#line 1 "<img src=x onerror=document.title='broken'><!--<script>.c"
int main(void) {
    char text[40];
    untaken_input(text, sizeof text, "<img src=x onerror=document.title='broken'>");
    if (text[0] == '<' && text[1] == '/' && text[2] == 's')
        assert(!"</script><img src=x onerror=document.title='broken'>");
    return 0;
}
"""


@pytest.fixture(scope="module")
def reasons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return explored(tmp_path_factory.mktemp("reasons"))


@pytest.mark.parametrize(
    ("data", "shown"), [(b"GET /\xf0\0a", r"GET /\xf0\x00a"), (b"\1\2ab\xff", "01026162ff"), (b"", "")]
)
def test_bytes_with_text_among_them_are_shown_as_text(data: bytes, shown: str) -> None:
    assert bytes_as_text(data) == shown


def test_each_uncovered_branch_says_why(reasons: Path) -> None:
    data = embedded(reasons)
    found, said = sides(data), data["branches"]["said"]
    never = {place: about for place, about in found.items() if not about["tests"]}
    assert {place: about["why"] for place, about in never.items()} == {
        (5, 0, True): "guarded",
        (5, 0, False): "guarded",
        (9, 0, True): "unreached",
        (9, 0, False): "unreached",
        (18, 1, True): "infeasible",
        (19, 0, True): "concrete",
    }
    guard = found[19, 0, True]["id"]
    assert never[5, 0, True]["guard"] == never[5, 0, False]["guard"] == guard
    assert found[19, 0, True]["opens"] == 3
    assert "Unsatisfiable each time" in said[str(found[18, 1, True]["id"])]
    assert "unsatisfiable." in said[str(found[18, 1, True]["id"])]  # with how often it was asked
    assert "Concrete here" in said[str(guard)]


def test_a_file_that_is_no_page_is_not_replaced(reasons: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    answer = untaken("report", reasons, "--out", tmp_path / "notes")
    assert answer.code == 2 and "no page" in answer.said and (tmp_path / "notes").read_text() == "mine"
    for _ in range(2):
        assert untaken("report", reasons, "--out", tmp_path / "page.html").code == 0


def test_tests_that_take_a_branch_are_counted_as_they_run(reasons: Path) -> None:
    suite = read_suite(reasons)
    data = embedded(reasons)
    times: dict[int, int] = {}
    first: dict[int, int] = {}
    with Session(suite.program, session_settings(suite, ReplayManner())) as session:
        for test in suite.tests:
            if test.place is None:
                for branch in np.unique(session.run(test.input, concrete=True).events).tolist():
                    times[branch] = times.get(branch, 0) + 1
                    first.setdefault(branch, int(test.name))
    for about in sides(data).values():
        assert about["tests"] == times.get(about["id"], 0)
        assert about["first"] == first.get(about["id"], 0)


def test_findings_and_tests_are_there_with_their_inputs(reasons: Path) -> None:
    data = embedded(reasons)
    (finding,) = data["head"]["findings"]
    assert finding["kind"] == "assertion" and finding["frames"][0]["function"] == "main"
    assert finding["replay"] == f"untaken replay {reasons} crashes/{finding['name']}"
    values = {name: value for name, _, _, _, value in finding["input"]["fields"]}
    assert values == {"x": 77, "y": 5}
    tests = data["tests"]
    assert tests["number"] == [int(test.name) for test in read_suite(reasons).tests if test.place is None]
    assert sum(map(len, tests["covers"])) == data["head"]["branches_covered"]
    assert data["sources"][0] == REASONS
    shares = data["head"]["time"]
    assert shares["run"] > 0 and shares["solve"] > 0 and shares["choose"] >= 0
    assert data["head"]["curve"][-1][2] == data["head"]["branches_covered"]


def test_every_reason_has_words(reasons: Path) -> None:
    assert embedded(reasons)["branches"]["reasons"] == SHORT


def test_what_flips_came_to_is_kept_for_a_campaign_that_goes_on(tmp_path: Path) -> None:
    """Its second part asks nothing: what is known is from the first."""
    program = written(tmp_path, REASONS)
    campaign(program, "--iterations", 150, "--out", tmp_path / "out")
    campaign(program, "--iterations", 1, "--out", tmp_path / "out")
    write_page(tmp_path / "out")
    assert sides(embedded(tmp_path / "out"))[18, 1, True]["why"] == "infeasible"


def test_a_shortened_test_is_counted_as_it_is_now(tmp_path: Path) -> None:
    source = """
#include <untaken.h>
int main(void) {
    char c[4];
    for (int i = 0; i < 4; i++) { untaken_char(&c[i]); if (c[i] == 'x') break; }
    if (c[0] == 'q') return 1;
    return 0;
}
"""
    out = explored(tmp_path, source, "--iterations", 100, "--minimise")
    test_tests_that_take_a_branch_are_counted_as_they_run(out)


def test_whatever_a_program_is_called_stays_in_its_script_element(tmp_path: Path) -> None:
    folder = tmp_path / "<b>'\"&"
    folder.mkdir()
    out = explored(folder, HOSTILE)
    text = (out / PAGE).read_text()
    assert text.count("<script") == text.count("</script>") == 5 and "<img" not in text and "<!--" not in text
    data = embedded(out)
    assert any(file.startswith("<img") and file.endswith("<!--<script>.c") for file in data["head"]["files"])
    assert "<img src=x" in data["head"]["findings"][0]["what"]


def test_the_command_writes_the_same_page_again(reasons: Path, tmp_path: Path) -> None:
    before = (reasons / PAGE).read_bytes()
    answer = untaken("report", reasons, "--out", tmp_path / "page.html")
    assert (answer.code, answer.printed.strip()) == (0, str(tmp_path / "page.html"))
    assert (tmp_path / "page.html").read_bytes() == before


def test_run_writes_the_page_and_says_where(tmp_path: Path) -> None:
    program = written(tmp_path, REASONS)
    answer = untaken("run", program, "--iterations", 20, "--out", tmp_path / "out")
    assert str(tmp_path / "out" / PAGE) in answer.printed
    assert embedded(tmp_path / "out")["head"]["iterations"] == 20


def test_a_page_that_cannot_be_written_loses_nothing(tmp_path: Path) -> None:
    program = written(tmp_path, REASONS)
    (tmp_path / "out" / PAGE).mkdir(parents=True)
    answer = untaken("run", program, "--iterations", 100, "--out", tmp_path / "out")
    assert f"{PAGE} could not be written" in answer.printed + answer.said
    assert answer.code == 1 and "Traceback" not in answer.said
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["crashes"]


def test_campaigns_of_earlier_versions_have_pages(reasons: Path, tmp_path: Path) -> None:
    """Their database knows who was first, not how many take a branch; nor what became of flips."""
    shutil.copytree(reasons, tmp_path / "out")
    with sqlite3.connect(tmp_path / "out" / DATABASE) as database:
        database.execute("DROP TABLE passed")
        database.execute("DELETE FROM meta WHERE key = 'obstacles'")
    database.close()
    write_page(tmp_path / "out")
    now, then = sides(embedded(tmp_path / "out")), sides(embedded(reasons))
    assert {place: about["first"] for place, about in now.items()} == {
        place: about["first"] for place, about in then.items()
    }
    assert all((about["tests"] > 0) == (then[place]["tests"] > 0) for place, about in now.items())


@pytest.mark.parametrize("damage", ["summary.json", "campaign.sqlite", "campaign.json", "tests/000001.json"])
def test_a_damaged_folder_is_told_in_a_sentence(reasons: Path, tmp_path: Path, damage: str) -> None:
    shutil.copytree(reasons, tmp_path / "out")
    (tmp_path / "out" / damage).write_bytes(b"nonsense" * 300)
    with pytest.raises(CampaignError):
        write_page(tmp_path / "out")


def test_reading_changes_nothing(reasons: Path) -> None:
    before = {name: data for name, data in files_of(reasons).items() if not name.endswith(("-shm", "-wal"))}
    write_page(reasons)
    assert {name: data for name, data in files_of(reasons).items() if not name.endswith(("-shm", "-wal"))} == before


def test_a_program_that_has_changed_is_told(tmp_path: Path) -> None:
    program = written(tmp_path, REASONS)
    assert untaken("cc", program, "-o", tmp_path / "program").code == 0
    campaign(tmp_path / "program", "--iterations", 5, "--out", tmp_path / "out")
    written(tmp_path, REASONS.replace("77", "78"))
    assert untaken("cc", program, "-o", tmp_path / "program").code == 0
    answer = untaken("report", tmp_path / "out")
    assert answer.code == 2 and "has changed since the campaign" in answer.said


def test_a_page_for_which_there_is_no_time_is_left_out_and_told(reasons: Path, tmp_path: Path) -> None:
    shutil.copytree(reasons, tmp_path / "out")
    (tmp_path / "out" / PAGE).unlink()
    told: list[str] = []
    page_at_the_end(tmp_path / "out", read_program_map(read_suite(reasons).program), 1e-6, told.append)
    assert told == [f"there was no time left for {PAGE}: `untaken report {tmp_path / 'out'}` writes it"]
    assert not (tmp_path / "out" / PAGE).exists()
    assert time_for_page(None, 0.0) is None
    assert time_for_page(5.0, 5.25) == pytest.approx(END_SECONDS - 0.25)
    assert time_for_page(5.0, 60) == LEAST_SECONDS


def test_reading_leaves_nothing_beside_the_database(reasons: Path) -> None:
    write_page(reasons, None)
    assert not list(reasons.glob(f"{DATABASE}-*"))
