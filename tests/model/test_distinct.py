"""The different values of a column, as numpy itself gives them."""

from __future__ import annotations

import numpy as np
import pytest

from untaken.model.distinct import distinct, first_places


@pytest.mark.parametrize("kind", [np.uint32, np.int64, np.uint64])
def test_as_numpy_has_them(kind: type[np.integer]) -> None:
    rng = np.random.default_rng(1)
    for size in (0, 1, 2, 7, 1000):
        values = rng.integers(0, 50, size).astype(kind)
        expected, places = np.unique(values, return_index=True)
        assert distinct(values).tolist() == expected.tolist()
        assert distinct(values).dtype == kind
        found, first = first_places(values)
        assert (found.tolist(), first.tolist()) == (expected.tolist(), places.tolist())
