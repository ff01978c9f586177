"""The server that snapshots are taken in: one that does not start is a run that crashed, not the campaign's end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, written
from untaken.execute.session import Session
from untaken.execute.target import find_target

# Whoever starts it a second time finds it crashing before it is ready.
STARTS_ONCE = """
#include <fcntl.h>
extern int __VERIFIER_nondet_int(void);
__attribute__((constructor)) static void start(void) {
    if (open("FOLDER/started", O_CREAT | O_EXCL | O_WRONLY, 0600) < 0) *(volatile char *)8 = 1;
}
int main(void) {
    for (int i = 0; i < 100; i++) if (__VERIFIER_nondet_int() == 77) return 1;
    return 0;
}
"""


@pytest.mark.parametrize("strategy", ["hybrid", "auto"])
def test_a_campaign_goes_on_without_its_snapshot_server(tmp_path: Path, strategy: str) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    program = written(tmp_path, STARTS_ONCE.replace("FOLDER", str(folder)))
    config = ("--strategy", strategy, "--inputs", 5, "--iterations", 25, "--allow-write", folder)
    summary = campaign(program, *config, "--out", tmp_path / "out")
    assert summary.ended_by == "iterations"
    assert summary.covered >= 1 and summary.tests


def test_a_server_starts_after_a_run_has_overwritten_its_settings(tmp_path: Path) -> None:
    """A program that writes anywhere may hit the memory that it shares with us."""
    program = find_target([str(written(tmp_path, "int main(void) { return 3; }"))]).program
    with Session(program) as session:
        session.memory.map[:64] = b"\xff" * 64
        generation = session.expressions.generation
        session.start_server().close()
        assert session.run(b"").exit.code == 3
        assert session.expressions.generation > generation
