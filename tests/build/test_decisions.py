"""Decisions of the source in the program map: conditions, and how runs evaluate them, are as C says."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.collection import build_instrumented, stdin_input, stdin_settings
from tests.expressions import Expressions, Logical
from untaken.build.objects.program_map import read_program_map
from untaken.execute.session import Session
from untaken.model.decision import Decision
from untaken.model.program import ProgramMap
from untaken.search.independence.effects import outcome_of
from untaken.search.independence.evaluations import EvaluationReader

START = """
#include <stdio.h>
static unsigned char x[8];
static int same(int value) { if (value > 100) return value; return value + 0; }
static int any(int a, int b) { return a || b; }
"""
LEAVES = ("x[%d]", "!x[%d]", "same(x[%d])", "x[%d] > 3", "any(x[%d], 0)", "(x[%d] ? same(1) : same(0)) == 1")
CONTEXTS = (
    "if (%s) return 1; return 0;",
    "int y = %s; return y;",
    "return %s;",
    "int i = 0; while (i < 1 && i >= 0) { i++; if (%s) return 1; } return 0;",
    "for (int i = 0; %s; i++) { if (i > 1) return 1; } return 0;",
    "do { if (x[7] == 1) break; x[7] = 1; } while (%s); return 0;",
    "return %s ? same(3) : same(4);",
    "return same(%s);",
    "if (!(%s)) return 1; else if (x[0] && x[1]) return 2; return 0;",
)
CHOOSING = (
    "if (%s) return 1; return 0;",
    "if (!(%s)) return 1; return 0;",
    "if (x[0] == 77) return 2; if (%s) return 1; return 0;",
)
MAIN = "int main(void) { if (fread(x, 1, 8, stdin) != 8) return 9; %s return 0; }\n"


def expressions(seed: str, count: int, *, choices: bool = False) -> list[Logical]:
    rng = Random(seed)
    made = Expressions(rng, LEAVES[:-1] if choices else LEAVES, choices)  # no ?: inside of ?:
    return [made.make(rng.randrange(3, 7)) for _ in range(count)]


def own(program: ProgramMap, number: int, conditions: int) -> Decision:
    """The decision of a function that has so many conditions; those of the context have two."""
    name = f"f{number}"
    found = [each for each in program.decisions if program.functions[each.function].name == name]
    return next(each for each in found if len(each.conditions) == conditions and each.is_known)


def holds(leaf: str, byte: int) -> bool:
    """What a condition of LEAVES is."""
    if "!" in leaf:
        return not byte
    return byte > 3 if ">" in leaf else bool(byte)


def leaves_of(expression: Logical) -> list[str]:
    if not expression.operator:
        return [expression.text]
    return [leaf for operand in expression.operands for leaf in leaves_of(operand)]


def build(every: list[Logical], contexts: tuple[str, ...], folder: Path) -> tuple[Path, list[Logical]]:
    functions = [
        f"static int f{number}(void) {{ {contexts[number % len(contexts)] % each.as_c()} }}\n"
        for number, each in enumerate(every)
    ]
    source = folder / "decisions.c"
    calls = " ".join(f"x[7] = 0; f{number}();" for number in range(len(every)))
    source.write_text(START + "".join(functions) + MAIN % calls)
    return build_instrumented(source, folder / "program", ["-w"]), every


def test_runs_evaluate_decisions_as_c_does(tmp_path: Path) -> None:
    check_runs(*build(expressions("decisions", 36), CONTEXTS, tmp_path))


def test_an_operand_that_is_a_whole_conditional_has_conditions_of_the_decision(tmp_path: Path) -> None:
    """Where it decides on a jump; elsewhere it is a value."""
    check_runs(*build(expressions("choices", 24, choices=True), CHOOSING, tmp_path))


def check_runs(built: Path, every: list[Logical]) -> None:
    """Random runs evaluate each decision as the expression says."""
    program = read_program_map(built)
    decisions = [own(program, number, len(leaves_of(each))) for number, each in enumerate(every)]
    reader = EvaluationReader(program, decisions)
    rng = Random(1)
    meanings: dict[tuple[int, int], set[bool]] = {}  # by condition: whether it stands for the source's or its negation
    outcomes: dict[int, set[bool]] = {}
    with Session(built, stdin_settings()) as session:
        for _ in range(24):
            data = bytes(rng.choice((0, 1, 9, 200)) for _ in range(7)) + b"\0"
            seen = {each.decision: each for each in reader.read(session.run(stdin_input(data)).events)}
            for number, expression in enumerate(every):
                values = {place: holds(leaf, data[place]) for place, leaf in enumerate(leaves_of(expression))}
                expected: dict[int, bool] = {}
                outcome = expression.evaluate(values, expected)
                evaluation = seen[number]
                got = {place: evaluation.holds(place) for place in values if evaluation.holds(place) is not None}
                assert set(got) == set(expected), expression.as_c()
                for place in got:
                    meanings.setdefault((number, place), set()).add(got[place] is expected[place])
                outcomes.setdefault(number, set()).add(outcome_of(decisions[number], evaluation) is outcome)
    assert all(len(found) == 1 for found in (*meanings.values(), *outcomes.values()))


def test_decisions_inside_an_operand_are_decisions_of_their_own(tmp_path: Path) -> None:
    text = "int g(int v) { return v; }\nint f(int a, int b, int c) { if (a && g(b || c)) return 1; return 0; }\n"
    source = tmp_path / "inner.c"
    source.write_text(text + "int main(int argc, char **argv) { return f(argc, argc > 2, argc > 3); }\n")
    program = read_program_map(build_instrumented(source, tmp_path / "inner", []))
    shapes = [[(each.on_true, each.on_false) for each in decision.conditions] for decision in program.decisions]
    assert sorted(shapes) == [[(1, 3), (1, 0)], [(3, 0), (1, 0)]]


def test_what_is_not_understood_is_said(tmp_path: Path) -> None:
    source = tmp_path / "odd.c"
    source.write_text("int main(int a, char **b) { if (a && (*b ? (b[1] ? 4 : a) > 3 : a > 2)) return 1; return 0; }\n")
    program = read_program_map(build_instrumented(source, tmp_path / "odd", []))
    assert [decision.is_known for decision in program.decisions] == [False]


def test_decisions_may_be_long(tmp_path: Path) -> None:
    """Generated code has thousands of operands."""
    operands = [f"(x[{place}] || x[{place + 1}])" for place in range(300)]
    source = tmp_path / "long.c"
    source.write_text(f"int x[301];\nint main(void) {{ if ({' && '.join(operands)}) return 1; return 0; }}\n")
    program = read_program_map(build_instrumented(source, tmp_path / "long", []))
    assert [len(decision.conditions) for decision in program.decisions if decision.is_known] == [600]


def test_chains_of_conditionals_may_be_long_too(tmp_path: Path) -> None:
    chain = " : ".join(f"x[{place}] ? x[{place + 1}]" for place in range(400))
    source = tmp_path / "chain.c"
    source.write_text(f"int x[401];\nint main(void) {{ if (x[0] && ({chain} : x[0])) return 1; return 0; }}\n")
    program = read_program_map(build_instrumented(source, tmp_path / "chain", []))
    assert len({each.branch for decision in program.decisions for each in decision.conditions}) == 802


def test_an_operand_that_is_constant_is_no_condition(tmp_path: Path) -> None:
    source = tmp_path / "constant.c"
    source.write_text("int main(int a, char **b) { int z = a > 2 && 1; return z; }\n")
    assert not read_program_map(build_instrumented(source, tmp_path / "constant", [])).decisions
