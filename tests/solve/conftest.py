"""What nearly every test of a solver layer begins with."""

from __future__ import annotations

import pytest

from tests.solve.fakes import FakeExpressions
from untaken.solve.graph import Graph


@pytest.fixture
def make() -> FakeExpressions:
    return FakeExpressions()


@pytest.fixture
def graph(make: FakeExpressions) -> Graph:
    return Graph(make)
