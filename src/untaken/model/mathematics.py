"""The functions of libm that have no expression: a node names the function, and its value is what libm computes.

Instrumented code calls the real function and names it in a node (build/instrument/mathematics.py); whoever evaluates
the node asks libm again (model/libm.py). Solvers know nothing about such a node but that equal ones are equal.
"""

from __future__ import annotations

from dataclasses import dataclass

_OF_ONE = """acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 j0 j1 lgamma log log10 log1p
    log2 logb sin sinh tan tanh tgamma y0 y1"""
_OF_TWO = "pow atan2 drem fdim fmod hypot nextafter remainder"
_OF_NUMBER_AND_INTEGER = "ldexp scalbn"
_TO_INTEGER = "ilogb"
_WIDTHS = {"d": 64, "f": 32, "i": 32}


@dataclass(frozen=True, slots=True)
class LibmFunction:
    """Types are letters: d is a double, f a float, i an int."""

    name: str
    parameters: str
    result: str

    @property
    def widths(self) -> tuple[int, ...]:
        """Of the parameters, in bits."""
        return tuple(_WIDTHS[letter] for letter in self.parameters)

    @property
    def result_width(self) -> int:
        """How many bits the result has."""
        return _WIDTHS[self.result]


def _in_both_widths(names: str, parameters: str, result: str) -> list[LibmFunction]:
    """The function of doubles, and the one of floats, whose name has an f at its end."""
    return [
        LibmFunction(name + suffix, parameters.replace("d", letter), result.replace("d", letter))
        for name in names.split()
        for suffix, letter in (("", "d"), ("f", "f"))
    ]


# The place of a function in here is its number in nodes. The runtime knows pow and powf, which come first.
FUNCTIONS: tuple[LibmFunction, ...] = (
    *_in_both_widths(_OF_TWO, "dd", "d"),
    *_in_both_widths(_OF_ONE, "d", "d"),
    *_in_both_widths(_OF_NUMBER_AND_INTEGER, "di", "d"),
    *_in_both_widths(_TO_INTEGER, "d", "i"),
)
POWERS = 2
NUMBERS: dict[str, int] = {function.name: number for number, function in enumerate(FUNCTIONS)}
