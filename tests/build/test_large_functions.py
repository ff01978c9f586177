"""Large functions: what is written for them grows as they do, and they do what small ones do."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.collection import build_instrumented, collection, flags_of, random_stdins, stdin_input, stdin_settings
from tests.execute.evaluate import check
from untaken.build import llvm
from untaken.build.driver import build_program, compile_and_link
from untaken.build.instrument import function, module
from untaken.build.instrument.module import Instrumented, Settings, instrument
from untaken.execute.session import Session

IFS = 300
SOURCE = """
#include <untaken.h>
static unsigned sum;
static void decide(unsigned char value, unsigned char *seen) {
%s
}
int main(void) {
    unsigned char value, seen[%d] = {0};
    untaken_input_uchar(&value, "value");
    decide(value, seen);
    return sum == 7;
}
"""


def source_of(ifs: int) -> str:
    lines = [f"    if ((value ^ {i % 256}) + {i} == {i + 60}) {{ seen[{i}] = value; sum += {i}; }}" for i in range(ifs)]
    return SOURCE % ("\n".join(lines), ifs)


@pytest.fixture(params=["as ever", "large", "huge"])
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """From where on a function is large or huge."""
    if request.param != "as ever":
        monkeypatch.setattr(function, "LARGE", 0)
    if request.param == "huge":
        monkeypatch.setattr(module, "HUGE", 0)
    return str(request.param)


@pytest.mark.usefixtures("size")
def test_all_decisions_of_a_large_function_are_seen(tmp_path: Path) -> None:
    source, program = tmp_path / "large.c", tmp_path / "large"
    source.write_text(source_of(IFS))
    build_program([source], program, ["-O2"])
    with Session(program) as session:
        for first in (0, 100, 255):
            path = session.run(bytes([60 ^ first]))
            entered = [i for i, branch in enumerate(path.constraints["id"].tolist()) if branch % 2 == 0]
            assert entered == [first], "of a pair of branches the even one is that of the condition"
            assert len(path.symbolic) == 256, "what was decided before is not decided again"
            assert check(session.expressions, path) == []


KINDS = ("floating", "int128", "one_bit", "set_jump", "struct_mixed", "switch_wide", "varargs_mixed", "vectors")


@pytest.mark.parametrize("source", [s for s in collection() if s.stem in KINDS], ids=lambda source: source.stem)
def test_large_functions_decide_as_small_ones(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decided = [decisions(build_instrumented(source, tmp_path / "small", flags_of(source)))]
    monkeypatch.setattr(function, "LARGE", 0)
    decided.append(decisions(build_instrumented(source, tmp_path / "large", flags_of(source))))
    monkeypatch.setattr(module, "HUGE", 0)
    decided.append(decisions(build_instrumented(source, tmp_path / "huge", flags_of(source))))
    assert decided[0] == decided[1] == decided[2]


def decisions(program: Path) -> list[tuple[list[int], list[int]]]:
    """The events and the symbolic branches of a few runs; their expressions have the values that the program had."""
    found = []
    with Session(program, stdin_settings()) as session:
        for stdin in random_stdins("large functions", 6):
            session.clear_expressions()
            path = session.run(stdin_input(stdin))
            assert check(session.expressions, path) == []
            found.append((path.events.tolist(), path.constraints["id"].tolist()))
    return found


def written(ifs: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Instrumented:
    """What the instrumentation writes for a function of so many ifs."""
    results: list[Instrumented] = []

    def noted(text: str, settings: Settings) -> Instrumented:
        results.append(instrument(text, settings))
        return results[-1]

    monkeypatch.setattr(llvm, "instrument", noted)
    source = folder / f"{ifs}.c"
    source.write_text(source_of(ifs))
    assert compile_and_link(["-c", str(source), "-o", str(folder / "object.o")]) == 0
    return results[0]


def test_what_is_written_grows_as_the_function_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(function, "LARGE", 0)
    monkeypatch.setattr(module, "HUGE", 0)
    half, whole = (written(ifs, tmp_path, monkeypatch).text for ifs in (200, 400))
    assert 1.9 < whole.count("\n") / half.count("\n") < 2.1
    uses = Counter(re.findall(r"%\$\.l\d+", whole))
    assert max(uses.values()) < 200, "LLVM goes through all uses of a label, again and again"


def test_a_huge_function_is_not_optimised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    optimised: list[int] = []
    monkeypatch.setattr(llvm, "_optimise", lambda *arguments: optimised.append(arguments[-1]))
    monkeypatch.setattr(module, "HUGE", 3_000)
    assert not written(50, tmp_path, monkeypatch).is_huge
    assert optimised == [2], "a small one is"
    assert written(200, tmp_path, monkeypatch).is_huge
    assert optimised == [2]
