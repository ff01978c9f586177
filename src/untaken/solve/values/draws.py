"""What solvers draw at random, for many candidates at once: the one rule is that it is the same on every machine.

numpy's generators may give other numbers in another version of numpy, and its powers and roots other last bits on
another processor. So the numbers here are made of multiplications of words, and of nothing else; the seed is the
query's. What single decisions need, of a search or of a learner, is drawn from the one `random.Random` that is passed
in, whose numbers Python keeps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from untaken.model.floats import Words

# Odd, with bits set all over: multiplying by them, and folding the upper half down, spreads neighbours.
STRIDE = np.uint64(0x9E3779B97F4A7C15)
SEEDS = 0xD1342543DE82EF95
FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
WORD = (1 << 64) - 1
SIGNIFICAND = 53  # bits of a double


def scattered(seed: int, count: int) -> Words:
    """So many words that look random."""
    mixed = (np.arange(1, count + 1, dtype=np.uint64) * STRIDE) ^ np.uint64(seed * SEEDS & WORD)
    for factor in FACTORS:
        mixed = (mixed ^ (mixed >> np.uint64(31))) * factor
    return mixed ^ (mixed >> np.uint64(32))


class Draws:
    """One draw after the other from a seed, each of many values."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def words(self, count: int) -> Words:
        """So many words of 64 bits, evenly spread."""
        self._seed = (self._seed + SEEDS) & WORD
        return scattered(self._seed, count)

    def fractions(self, count: int) -> NDArray[np.float64]:
        """Numbers from 0 to 1, the latter excluded."""
        fractions: NDArray[np.float64] = np.ldexp((self.words(count) >> np.uint64(64 - SIGNIFICAND)), -SIGNIFICAND)
        return fractions

    def magnitudes(self, lowest: int, highest: int, count: int) -> NDArray[np.float64]:
        """Numbers of all sizes between these powers of two."""
        exponents = (self.words(count) % np.uint64(highest - lowest)).astype(np.int64) + lowest
        sizes: NDArray[np.float64] = np.ldexp(1.0 + self.fractions(count), exponents)
        return sizes

    def chosen(self, pool: NDArray[Any], count: int) -> NDArray[Any]:
        """Members of a pool, any of them several times."""
        return pool[self.words(count) % np.uint64(len(pool))]
