"""Long doubles as solvers see them: numbers of 15 bits of exponent and 64 of significand, as IEEE 754 writes them.

The x87 writes the first bit of the significand, which IEEE 754 leaves out since the exponent says what it is. So these
may contradict each other. A first bit of 1 with the smallest exponent counts as the next exponent; one of 0 with any
other exponent makes the processor refuse the number: what it computes from that is not a number.
"""

from __future__ import annotations

from typing import TypeVar

from untaken.model.expression import Op
from untaken.solve.backends.factory import TermFactory

T = TypeVar("T")

FRACTION, EXPONENT = 63, 15  # bits; between the two is the first bit of the significand
PLAIN = 1 + EXPONENT + FRACTION  # bits without it
NOT_A_NUMBER = ((1 << EXPONENT) - 1) << FRACTION | 1 << (FRACTION - 1)


def without_leading_bit(make: TermFactory[T], bits: T) -> T:
    """The 79 bits of the number that 80 bits are."""
    zero, one = make.constant(EXPONENT, 0), make.constant(EXPONENT, 1)
    exponent = make.extract(bits, FRACTION + 1, EXPONENT)
    is_smallest = make.compare(Op.EQ, exponent, zero)
    leading = make.compare(Op.EQ, make.extract(bits, FRACTION, 1), make.constant(1, 1))
    meant = make.ite(make.logical(Op.AND, is_smallest, leading), one, exponent)
    sign, fraction = make.extract(bits, PLAIN, 1), make.extract(bits, 0, FRACTION)
    number = make.concat(make.concat(sign, meant), fraction)
    is_refused = make.logical(Op.AND, make.negation(is_smallest), make.negation(leading))
    return make.ite(is_refused, make.constant(PLAIN, NOT_A_NUMBER), number)


def with_leading_bit(make: TermFactory[T], bits: T) -> T:
    """The 80 bits that the processor writes for a number of these 79."""
    exponent = make.extract(bits, FRACTION, EXPONENT)
    is_smallest = make.compare(Op.EQ, exponent, make.constant(EXPONENT, 0))
    leading = make.ite(is_smallest, make.constant(1, 0), make.constant(1, 1))
    high = make.extract(bits, FRACTION, 1 + EXPONENT)
    return make.concat(make.concat(high, leading), make.extract(bits, 0, FRACTION))
