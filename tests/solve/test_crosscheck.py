"""`--solver`: each can be chosen; `check` asks both, and neither a contradiction nor a wrong model goes unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import EXAMPLES, untaken
from tests.solve.fakes import FakeExpressions
from untaken.errors import UsageError
from untaken.model.expression import Op
from untaken.solve.answers import Answer, DisagreementError, Sat
from untaken.solve.backends import registry
from untaken.solve.backends.crosscheck import ModelCheckingSolver
from untaken.solve.backends.registry import BACKENDS, check_backend
from untaken.solve.graph import Graph
from untaken.solve.limits import QueryLimits
from untaken.solve.query import Query
from untaken.solve.stack import default_solver
from untaken.solve.worker.remote import RemoteSolver
from untaken.solve.worker.wire import Reply


class Saying:
    """A solver that always says the same."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def solve(self, query: Query) -> Answer:
        return self._answer

    def close(self) -> None:
        pass


def inputs_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "tests").glob("*.bin"))}


@pytest.mark.parametrize("solver", BACKENDS)
def test_users_choose_the_solver(solver: str, tmp_path: Path) -> None:
    pytest.importorskip("z3", reason="pip install 'untaken[z3]'")
    words = [EXAMPLES / "arithmetic.c", "--strategy", "dfs", "--iterations", 30, "--solver", solver, "--json"]
    summary = untaken("run", *words, "--out", tmp_path).summary
    assert summary["branches_covered"] == summary["branches_total"]
    assert summary["solver"]["sat"] > 0


def test_the_check_changes_no_test(tmp_path: Path) -> None:
    """The first of the two answers; light queries go to this process, heavy ones to another."""
    pytest.importorskip("z3", reason="pip install 'untaken[z3]'")
    for solver in ("bitwuzla", "check"):
        words = [EXAMPLES / "http_request.c", "--strategy", "generational", "--iterations", 60, "--stdin", 40]
        untaken("run", *words, "--solver", solver, "--quiet", "--timeout", 20, "--out", tmp_path / solver)
    assert inputs_in(tmp_path / "bitwuzla") == inputs_in(tmp_path / "check") != {}


@pytest.mark.parametrize("solver", ["z3", "check"])
def test_a_solver_that_is_missing_is_named(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "find_spec", lambda package: None if package == "z3" else object())
    with pytest.raises(UsageError, match=rf"--solver {solver} needs z3, which is not installed: pip install"):
        check_backend(solver)
    check_backend("bitwuzla")


def test_a_wrong_model_is_seen_whichever_layer_it_comes_from(make: FakeExpressions) -> None:
    goal = 2 * make.equals(make.input(0), 5) + 1
    graph = Graph(make)
    assert ModelCheckingSolver(Saying(Sat({0: 5})), graph).solve(Query.of([goal])) == Sat({0: 5})
    guess = Sat({0: 6}, optimistic=True)
    assert ModelCheckingSolver(Saying(guess), graph).solve(Query.of([goal])) == guess
    with pytest.raises(DisagreementError, match="does not satisfy"):
        ModelCheckingSolver(Saying(Sat({0: 6})), graph).solve(Query.of([goal]))


def test_what_did_not_hold_before_is_not_the_models_fault(make: FakeExpressions) -> None:
    broken, goal = 2 * make.equals(make.input(1), 7) + 1, 2 * make.equals(make.input(0), 5) + 1
    checked = ModelCheckingSolver(Saying(Sat({0: 5, 1: 8})), Graph(make))
    assert checked.solve(Query.of([broken, goal], b"\0\0")) == Sat({0: 5, 1: 8})
    with pytest.raises(DisagreementError):
        checked.solve(Query.of([broken, goal], b"\0\x07"))


def test_a_contradiction_in_the_worker_reaches_the_campaign(
    make: FakeExpressions, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Worker:
        ready, sent = True, set[int]()

        def __init__(self, backend: str, limits: QueryLimits) -> None: ...

        def ask(self, request: object, seconds: float) -> Reply:
            return Reply(DisagreementError("two solvers disagree"), 3)

        def kill(self) -> None: ...

    monkeypatch.setattr("untaken.solve.worker.remote.SolverProcess", Worker)
    goal = 2 * make.equals(make.input(0), 5) + 1
    with pytest.raises(DisagreementError, match="two solvers disagree"):
        RemoteSolver("check", Graph(make), QueryLimits()).solve(Query.of([goal]))


def test_heavy_queries_are_checked_in_the_worker(make: FakeExpressions) -> None:
    pytest.importorskip("z3", reason="pip install 'untaken[z3]'")
    word = make.word(0, 4)
    goal = 2 * make.equals(make.binary(Op.MUL, word, word), 49) + 1
    solver = default_solver(make, "check", QueryLimits(light=0))
    answer = solver.solve(Query.of([goal], bytes(4)))
    solver.close()
    assert isinstance(answer, Sat)
    value = int.from_bytes(bytes(answer.model.get(index, 0) for index in range(4)), "little")
    assert value * value % (1 << 32) == 49
