"""Programs that have their input from a socket: descriptor 0, or a connection that they accept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import campaign, untaken, written
from tests.search.hybrid.programs import built
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.wanderer import Wanderer, WanderManner
from untaken.model.input import Source, SourceKind
from untaken.model.path import ExitKind

# As inetd starts a server. How much there is of the last word is for the input to say.
ON_DESCRIPTOR_0 = """
#include <string.h>
#include <sys/socket.h>
int main(void) {
    char word[8];
    ssize_t got;
    while ((got = RECEIVE(word)) > 0) {
        if (got == 5 && memcmp(word, "hello", 5) == 0) return 3;
        if (word[0] == 'q') return 4;
        if (send(0, word, (size_t)got, 0) != got || shutdown(0, SHUT_WR) != 0) return 5;
    }
    return got < 0;
}
"""

SERVER = """
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
static void serve(int client) {
    char word[4], first;
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    if (recv(client, &first, 1, MSG_PEEK) == 1 && first == '!') exit(7);
    while (recvfrom(client, word, 4, 0, (struct sockaddr *)&from, &size) == 4) {
        if (size != 0) exit(8);
        if (memcmp(word, "key=", 4) == 0 && read(client, word, 1) == 1 && word[0] == '7') abort();
        if (write(client, "ok", 2) != 2) exit(9);
    }
}
int main(void) {
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_port = htons(8080)};
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&where, sizeof where) != 0 || listen(listener, 1) != 0) return 2;
    for (;;) {
        int client = accept(listener, NULL, NULL), on = 1;
        if (client < 0 || setsockopt(client, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on) != 0) return 6;
        serve(client);
        close(client);
    }
}
"""


def settings(size: int) -> SessionSettings:
    return SessionSettings(sources=(Source(SourceKind.STDIN, size),), timeout=20)


def stdin(text: bytes) -> bytes:
    """The input that gives a program this stdin."""
    return len(text).to_bytes(4, "little") + text


@pytest.mark.parametrize("call", ["recv(0,to,8,0)", "recvfrom(0,to,8,0,0,0)"])
def test_descriptor_0_is_received_from(call: str, tmp_path: Path) -> None:
    program = built(tmp_path, ON_DESCRIPTOR_0, f"-DRECEIVE(to)={call}")
    with Session(program, settings(40)) as session:
        ends = [session.run(stdin(text)).exit.code for text in (b"", b"12345678", b"12345678hello", b"q", b"hello")]
        assert ends == [0, 0, 3, 4, 3]
        assert len(session.run(stdin(b"12345678")).symbolic) >= 3, "what was received, and how much, is symbolic"


def test_what_is_received_is_solved_for(tmp_path: Path) -> None:
    source = written(tmp_path, ON_DESCRIPTOR_0)
    cflags = "--cflags=-DRECEIVE(to)=recv(0,to,8,0)"
    summary = campaign(source, cflags, "--stdin", 16, "--strategy", "dfs", "--iterations", 200, "--out", tmp_path / "o")
    assert summary.ended_by == "path space exhausted"
    assert summary.covered == summary.total - 2, "all but that sending or shutting down fails"


def test_an_accepted_connection_is_stdin_and_comes_once(tmp_path: Path) -> None:
    with Session(built(tmp_path, SERVER), settings(40)) as session:
        assert session.run(stdin(b"abcdefgh")).exit.kind is ExitKind.INPUTS, "nobody else connects"
        assert session.run(stdin(b"!bcd")).exit.code == 7
        assert session.run(stdin(b"abcdkey=7")).exit.kind is ExitKind.SIGNAL
        assert session.run(stdin(b"abcdkey=8")).exit.kind is ExitKind.INPUTS


def test_a_server_is_searched_and_its_tests_run_again(tmp_path: Path) -> None:
    source, out = written(tmp_path, SERVER), tmp_path / "out"
    summary = campaign(source, "--stdin", 24, "--strategy", "dfs", "--iterations", 100, "--out", out)
    assert [finding.what for finding in summary.findings] == ["SIGABRT"]
    answer = untaken("replay", out)
    assert "from a socket" in answer.said and "different" not in answer.printed


def test_each_receive_is_an_input_statement(tmp_path: Path) -> None:
    with Session(built(tmp_path, SERVER), settings(4000)) as session:
        wanderer = Wanderer(session)
        stretch = wanderer.start(WanderManner(seed=3, saturation=20, limit=1000))
        assert stretch.snapshot
        path = wanderer.run(stretch.snapshot, b"key=7", 9)
        assert path.exit.kind is ExitKind.SIGNAL
        read = wanderer.run(stretch.snapshot, b"abcdefgh", 2)
        assert read.exit.kind is ExitKind.INPUTS and read.input_used == 8, "two receives of four bytes"
        wanderer.close()
