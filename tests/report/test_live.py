"""--serve: the page while a campaign goes on, for this machine only."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.campaign.commands import command, untaken, written
from tests.report.pages import embedded_in, explored
from untaken.errors import UsageError
from untaken.report import live
from untaken.report.live import LOOPBACK, served

ENDLESS = """
#include <untaken.h>
int main(void) {
    int x, sum = 0;
    for (int i = 0; i < 40; i++) {
        untaken_int(&x);
        sum += x > i ? 1 : 2;
    }
    return sum % 7;
}
"""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return explored(tmp_path_factory.mktemp("served"))


@contextmanager
def address_of(folder: Path) -> Iterator[tuple[int, str]]:
    """Port and path."""
    notes: list[str] = []
    with served(folder, 0, notes.append):
        parts = urlsplit(notes[0].split()[-1])
        assert parts.hostname == LOOPBACK
        yield parts.port or 0, parts.path


def asked(port: int, path: str, host: str | None = None) -> tuple[int, str, dict[str, str]]:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=20)
    connection.request("GET", path, headers={"Host": host or f"{LOOPBACK}:{port}"})
    answer = connection.getresponse()
    return answer.status, answer.read().decode(), dict(answer.getheaders())


def test_the_page_and_its_data(campaign: Path) -> None:
    with address_of(campaign) as (port, path):
        status, text, headers = asked(port, path)
        assert status == 200
        assert embedded_in(text)["head"]["title"] == "program.c"
        assert 'data-live="yes"' in text
        assert "connect-src 'self'" in headers["Content-Security-Policy"]
        assert "Access-Control-Allow-Origin" not in headers
        status, data, _ = asked(port, f"{path}data")
        assert status == 200
        assert json.loads(data)["head"] == embedded_in(text)["head"]
        assert asked(port, path, f"localhost:{port}")[0] == 200
        assert asked(port, "/favicon.ico")[0] == 204


def test_other_hosts_and_other_users_get_nothing(campaign: Path) -> None:
    with address_of(campaign) as (port, path):
        for host in (
            "evil.example",
            f"evil.example:{port}",
            LOOPBACK,
            f"{LOOPBACK}:{port + 1}",
            f"localhost.evil:{port}",
        ):
            status, text, _ = asked(port, path, host)
            assert (status, "program.c" in text) == (403, False)
        for elsewhere in ("/", "/data", f"{path}../data", f"{path}campaign.sqlite", "/x" + path):
            status, text, _ = asked(port, elsewhere)
            assert (status, "program.c" in text) == (404, False)


def test_before_there_is_anything(tmp_path: Path) -> None:
    with address_of(tmp_path / "not yet") as (port, path):
        assert "The campaign begins." in asked(port, path)[1]
        assert asked(port, f"{path}data")[0] == 404


def test_what_is_new_is_read(campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "READ_SECONDS", 0.0)
    with address_of(tmp_path / "out") as (port, path):
        assert asked(port, f"{path}data")[0] == 404
        shutil.copytree(campaign, tmp_path / "out")
        before = json.loads(asked(port, f"{path}data")[1])["head"]
        summary = tmp_path / "out" / "summary.json"
        summary.write_text(json.dumps({**json.loads(summary.read_text()), "iterations": 123456}))
        assert json.loads(asked(port, f"{path}data")[1])["head"] == {**before, "iterations": 123456}
        summary.write_text("{")  # what cannot be read leaves what was there
        assert json.loads(asked(port, f"{path}data")[1])["head"]["iterations"] == 123456


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as taken:
        taken.bind((LOOPBACK, 0))
        taken.listen()
        port = taken.getsockname()[1]
        with (
            pytest.raises(UsageError, match=f"cannot serve on port {port} .*--serve-port"),
            served(Path(), port, print),
        ):
            pass


def test_nothing_is_served_unless_asked_for(tmp_path: Path) -> None:
    answer = untaken("run", written(tmp_path, ENDLESS), "--iterations", "3", "--out", tmp_path / "out")
    assert answer.code == 0
    assert "http" not in answer.printed + answer.said


def test_a_campaign_under_way_is_shown(tmp_path: Path) -> None:
    words = (
        "run",
        written(tmp_path, ENDLESS),
        "--time",
        "60",
        "--strategy",
        "bfs",
        "--after-coverage",
        "1000000",
        "--serve",
        "--out",
        tmp_path / "out",
    )
    with subprocess.Popen(command(*words), stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        said = next(line for line in running.stdout if "http://" in line)
        found = re.search(r":(\d+)(/\S+)", said)
        assert found is not None
        port, path = int(found[1]), found[2]
        while (answer := asked(port, f"{path}data"))[0] == 404:
            pass
        head = json.loads(answer[1])["head"]
        assert head["running"]
        assert head["title"] == "program.c"
        running.terminate()
        running.communicate(timeout=60)
    with pytest.raises(OSError):
        asked(port, path)
