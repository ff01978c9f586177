"""Microseconds a query in a made-up campaign: random-branch search over a parser of 64 bytes, without a program.

Run from the root of the repository: python -m benchmarks.solver_speed [ITERATIONS] [BACKEND]
The parser is written against the node table, so that only the solver stack is measured. It has what C parsers
have: comparisons of bytes, a ctype table, decimal numbers, a length field; the linked one also keywords compared at
every position, which ties all bytes together, and a checksum. Times are of the processor, not of the wall clock.
"""

from __future__ import annotations

import itertools
import random
import sys
import time
from collections.abc import Callable

from tests.solve.fakes import FakeExpressions
from untaken.model.expression import Op
from untaken.solve.answers import Answer, Sat, apply
from untaken.solve.query import Query
from untaken.solve.stack import default_solver

SIZE = 64
HEADER = 4  # the length field
CLASSES = [(byte in b" \t\n") | (chr(byte).isalpha() << 1) | (chr(byte).isdigit() << 2) for byte in range(256)]
KEYWORDS = (b"true", b"null", b"let ")
PUNCTUATION = b"{}[],:;="


class Run:
    """One run of the parser: decides with the input's values and records what it decided."""

    def __init__(self, make: FakeExpressions, data: bytes, table: Callable[[int], int], linked: bool) -> None:
        self.make = make
        self.data = data
        self.table = table
        self.linked = linked
        self.codes: list[int] = []

    def decide(self, node: int, value: bool) -> bool:
        self.codes.append(2 * node + value)
        return value

    def parse(self) -> None:
        make = self.make
        length = int.from_bytes(self.data[:HEADER], "little")
        if self.decide(make.binary(Op.ULT, make.constant(32, SIZE - HEADER), make.word(0, HEADER)), length > 60):
            length = SIZE - HEADER
        position = HEADER
        while position < SIZE:
            size = make.word(0, HEADER)
            here = make.constant(32, position - HEADER)
            if self.decide(make.binary(Op.ULE, size, here), length <= position - HEADER):
                break
            position = self.token(position)
        if self.linked and position > HEADER:
            self.checksum(position)

    def token(self, position: int) -> int:
        make, byte = self.make, self.data[position]
        wide = make.extend(Op.SEXT, make.input(position), 32)
        signed = byte - 256 if byte > 127 else byte
        for keyword in KEYWORDS if self.linked else ():
            if position + 4 <= SIZE and self.keyword(position, keyword):
                return position + 4
        kind = make.extract(self.table(position), 0, 8)
        if self.decide(make.equals(kind, 1), CLASSES[byte] == 1):
            return position + 1
        if self.decide(
            make.binary(Op.ULT, make.binary(Op.SUB, wide, make.constant(32, 48)), make.constant(32, 10)),
            48 <= signed < 58,
        ):
            return self.number(position)
        for mark in PUNCTUATION:
            if self.decide(make.equals(wide, mark), signed == mark):
                break
        return position + 1

    def keyword(self, position: int, keyword: bytes) -> bool:
        """As the model of strncmp gives it: the difference at the first place where the strings differ."""
        make = self.make
        result = make.constant(32, 0)
        for place in reversed(range(4)):
            byte, expected = make.input(position + place), make.constant(8, keyword[place])
            difference = make.binary(Op.SUB, make.extend(Op.ZEXT, byte, 32), make.extend(Op.ZEXT, expected, 32))
            result = make.ite(make.binary(Op.EQ, byte, expected), result, difference)
        return self.decide(make.equals(result, 0), self.data[position : position + 4] == keyword)

    def number(self, position: int) -> int:
        make, total, value = self.make, self.make.constant(32, 0), 0
        while position < SIZE:
            digit = make.binary(Op.SUB, make.extend(Op.ZEXT, make.input(position), 32), make.constant(32, 48))
            if not self.decide(make.binary(Op.ULT, digit, make.constant(32, 10)), 48 <= self.data[position] < 58):
                break
            total = make.binary(Op.ADD, make.binary(Op.MUL, total, make.constant(32, 10)), digit)
            value = (value * 10 + self.data[position] - 48) & 0xFFFFFFFF
            position += 1
        self.decide(make.binary(Op.ULT, make.constant(32, 1000), total), value > 1000)
        self.decide(make.equals(total, 65537), value == 65537)
        return position

    def checksum(self, end: int) -> None:
        make, total = self.make, self.make.constant(8, 0)
        for position in range(HEADER, min(end, HEADER + 8)):
            total = make.binary(Op.XOR, total, make.input(position))
        actual = 0
        for byte in self.data[HEADER : min(end, HEADER + 8)]:
            actual ^= byte
        self.decide(make.equals(total, 0x5A), actual == 0x5A)


LAYERS = (
    ("worker", "by_worker"),
    ("solver", "by_solver"),
    ("combinations", "by_guess"),
    ("contradiction", "by_contradiction"),
    ("cache", "by_cache"),
    ("one byte changed", "by_one_byte"),
    ("one-byte slice", "by_enumeration"),
)


class Campaign:
    """Random-branch search; the time of each query goes to the deepest layer that took part in it."""

    def __init__(self, backend: str, linked: bool) -> None:
        self.make = FakeExpressions()
        self.rng = random.Random(1)
        self.solver = default_solver(self.make, backend)
        self.linked = linked
        self.tables: dict[int, int] = {}
        self.times: dict[str, list[float]] = {name: [] for name, _ in LAYERS}
        self.constraints = 0

    def table(self, position: int) -> int:
        if position not in self.tables:
            index = self.make.extend(Op.ZEXT, self.make.input(position), 64)
            self.tables[position] = self.make.read(index, 16, CLASSES)
        return self.tables[position]

    def go(self, iterations: int) -> None:
        data = self.rng.randbytes(SIZE)
        for _ in range(iterations):
            run = Run(self.make, data, self.table, self.linked)
            run.parse()
            self.constraints += len(run.codes)
            answer = self.flip(run.codes, data)
            if isinstance(answer, Sat):
                data = apply(answer.model, data)
        self.solver.close()

    def flip(self, codes: list[int], data: bytes) -> Answer:
        prefix = codes[: self.rng.randrange(len(codes)) + 1]
        prefix[-1] ^= 1
        before = [getattr(self.solver.statistics, counter) for _, counter in LAYERS]
        started = time.process_time()
        answer = self.solver.solve(Query.of(prefix, data))
        spent = time.process_time() - started
        for (name, counter), count in zip(LAYERS, before, strict=True):
            if getattr(self.solver.statistics, counter) > count:
                self.times[name].append(spent)
                break
        return answer

    def show(self) -> None:
        times = sorted(itertools.chain.from_iterable(self.times.values()))
        mean, median = sum(times) / len(times) * 1e6, times[len(times) // 2] * 1e6
        print(
            f"{'linked' if self.linked else 'plain'} parser: mean {mean:.0f} us a query, median {median:.0f} us, "
            f"99 % below {times[len(times) * 99 // 100] * 1e6:.0f} us; {self.constraints // len(times)} constraints "
            f"a path, {len(self.make)} nodes"
        )
        for name, spent in self.times.items():
            if spent:
                share, part = len(spent) / len(times), sum(spent) / sum(times)
                print(
                    f"  {name:17} {share:4.0%} of queries, {part:4.0%} of time, {sum(spent) / len(spent) * 1e6:6.0f} us"
                )


def main(iterations: int, backend: str) -> None:
    for linked in (False, True):
        campaign = Campaign(backend, linked)
        campaign.go(iterations)
        campaign.show()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, sys.argv[2] if len(sys.argv) > 2 else "bitwuzla")
