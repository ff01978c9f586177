"""Which input bytes each node depends on, as the runtime finds it, held against a walk over the whole expression."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from untaken.build.driver import build_program
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.model.expression import UNREACHED
from untaken.model.input import Source, SourceKind
from untaken.solve.graph import Graph, indices

SIZE = 24
# Choices, tables whose entries are symbolic, floats, functions without an expression, numbers of 128 bits.
PROGRAM = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned char line[24], table[16];
int main(void) {
    int sum = 0;
    if (fread(line, 1, sizeof line, stdin) < sizeof line) return 1;
    for (int i = 0; i < 8; i++) table[2 * i] = line[i + 3];
    for (int i = 8; i < 12; i++) sum += table[line[i] % 16] > line[i - 1] ? line[i] : -line[0];
    double x = line[12] / 3.0 + sin(line[13]), y = floor(line[14] * 0.7) + (float)line[15] + pow(line[16], 0.5);
    unsigned __int128 large = (unsigned __int128)line[17] << 90 | line[18];
    long double wide = line[19] * 1.5L;
    if (sum > 7) puts("a");
    if (x > y) puts("b");
    if (large * line[20] > ((unsigned __int128)9 << 95)) puts("c");
    if (wide > 100.0L) puts("d");
    if (__builtin_popcount(line[21]) == 3 || strtol((char *)line + 22, 0, 10) > 5) puts("e");
    if (line[1] == 'x') abort();
    return 0;
}
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder = tmp_path_factory.mktemp("reach")
    (folder / "program.c").write_text(PROGRAM)
    build_program([folder / "program.c"], folder / "program")
    session = Session(folder / "program", SessionSettings(sources=(Source(SourceKind.STDIN, SIZE),)))
    session.reach = True
    return session


def check(session: Session) -> None:
    """Of all nodes of all runs so far."""
    graph, reach = Graph(session.expressions), session.expressions.reach()
    assert len(reach) == len(session.expressions) > 1
    for node in range(1, len(reach)):
        inputs = indices(graph.inputs(node))
        expected = (inputs[0], inputs[-1] + 1) if inputs else (UNREACHED, 0)
        assert (reach[node]["first"], reach[node]["end"]) == expected, graph.node(node)


def random_line(random: Random, crashes: bool = False) -> bytes:
    text = bytearray(random.randbytes(SIZE))
    text[1:2] = b"x" if crashes else b"y"
    return SIZE.to_bytes(4, "little") + bytes(text)


def test_the_bytes_that_nodes_depend_on(session: Session) -> None:
    random = Random(7)
    for number in range(30):
        session.run(random_line(random, crashes=number % 4 == 3))  # the server finishes for runs that crash
        assert len(session.expressions.reach()) == len(session.expressions)
    check(session)


def test_once_the_table_was_cleared_it_is_found_anew(session: Session) -> None:
    random = Random(8)
    session.run(random_line(random))
    session.clear_expressions()
    assert len(session.expressions.reach()) == 0
    session.run(random_line(random))
    check(session)


def test_it_is_found_once_it_is_wanted_and_then_of_earlier_runs_too(session: Session) -> None:
    random = Random(10)
    session.clear_expressions()
    session.reach = False
    session.run(random_line(random))
    assert len(session.expressions) > 1 and len(session.expressions.reach()) == 0
    session.reach = True
    session.run(b"\0\0\0\0")
    check(session)


def test_no_node_is_believed(session: Session) -> None:
    """A program may write over all that is shared; whoever looks at it afterwards does not crash."""
    random = Random(9)
    session.clear_expressions()
    session.run(random_line(random))
    nodes, rng = session.memory.nodes, np.random.default_rng(5)
    for _ in range(20):
        count = len(session.expressions)
        for column in ("op", "a", "b", "c"):
            nodes[column][1:count] = rng.integers(0, 1 << (8 * nodes[column].itemsize), count - 1)
        session.memory.header["reach_count"] = 1
        session.run(b"\0\0\0\0")  # reads nothing: the nodes stay as they are
        assert len(session.expressions.reach()) >= count
    session.clear_expressions()
    session.run(random_line(random))
    check(session)
