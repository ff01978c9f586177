"""lcov's tracefile, as `genhtml` and most services that show coverage read it (geninfo(1) says what each line is)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from untaken.suite.export.measured.gcov import MeasuredFile, measured
from untaken.suite.tests import Suite

NAME = "coverage.info"


def write_lcov(suite: Suite, target: Path) -> int:
    """Writes the tracefile; how many tests were measured."""
    text = tracefile(measured(suite))
    (target / NAME).write_text(text, errors="surrogateescape")
    return len(suite.proper_tests)


def tracefile(files: Mapping[str, MeasuredFile]) -> str:
    """The text of an lcov tracefile."""
    records = (("TN:", f"SF:{name}", *_record(file)) for name, file in sorted(files.items()))
    return "".join(f"{line}\n" for record in records for line in record)


def _record(file: MeasuredFile) -> Iterator[str]:
    functions = sorted(file.functions.values(), key=lambda function: (function.line, function.name))
    yield from (f"FN:{function.line},{function.name}" for function in functions)
    yield from (f"FNDA:{function.count},{function.name}" for function in functions)
    yield f"FNF:{len(functions)}"
    yield f"FNH:{sum(function.count > 0 for function in functions)}"
    for number, line in sorted(file.lines.items()):
        for branch, count in enumerate(line.branches):
            yield f"BRDA:{number},0,{branch},{count if line.count else '-'}"
    yield f"BRF:{len(file.branches)}"
    yield f"BRH:{sum(count > 0 for count in file.branches)}"
    yield from (f"DA:{number},{line.count}" for number, line in sorted(file.lines.items()))
    yield f"LF:{len(file.lines)}"
    yield f"LH:{sum(line.count > 0 for line in file.lines.values())}"
    yield "end_of_record"
