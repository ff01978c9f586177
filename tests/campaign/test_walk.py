"""The page that follows one byte through all rooms tells the truth: its program, its numbers, its files."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from tests.campaign.commands import campaign
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import find_target
from untaken.model.expression import Op
from untaken.model.input import Source, SourceKind

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explanation" / "walk.md").read_text()
FIRST, SECOND = b"\x01\0\0\0\0", b"\x01\0\0\0x"


def program(folder: Path) -> Path:
    """The one of the page."""
    source = folder / "walk.c"
    source.write_text(textwrap.dedent(PAGE.split("The program:\n\n")[1].split("\n`untaken run")[0]))
    return source


def test_files_are_there() -> None:
    named = re.findall(r"`([a-z_]+/[\w/]+\.(?:py|c|h))`", PAGE)
    assert len(named) > 30
    assert not [name for name in named if not (ROOT / "src" / "untaken" / name).is_file()]


def test_two_runs_and_no_other_path(tmp_path: Path) -> None:
    found = campaign(program(tmp_path), "--stdin", 1, "--strategy", "dfs", "--out", tmp_path / "out")
    assert found.exhausted and found.run_iterations == 2
    assert [path.read_bytes() for path in sorted((tmp_path / "out" / "tests").glob("*.bin"))] == [FIRST, SECOND]


def test_events_and_nodes(tmp_path: Path) -> None:
    target = find_target([str(program(tmp_path))])
    with Session(target.program, SessionSettings(sources=(Source(SourceKind.STDIN, 1),))) as session:
        path = session.run(FIRST)
        assert path.events.tolist() == [16, 19, 17]
        assert [path.constraint(0)[0], path.constraint(0)[1], path.constraint(0)[2]] == [22, 19, 1]
        ops = {index: session.expressions.node(index).op for index in (13, 14, 16, 20, 22)}
        assert ops == {13: Op.INPUT, 14: Op.ZEXT, 16: Op.EQ, 20: Op.ITE, 22: Op.EQ}
        assert session.run(SECOND).events.tolist() == [16, 18, 17]
