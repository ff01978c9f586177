"""Objectives for the tests: one made up, one that runs a compiled program in a single session."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from untaken.campaign.machinery.executor import SessionExecutor
from untaken.campaign.machinery.flips import StackFlips
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import Target
from untaken.learn.objective import Measurement, Question
from untaken.search.budget import Budget
from untaken.search.driver import Driver
from untaken.search.heuristics.features.table import NAMES
from untaken.search.heuristics.heuristic_files import of_weights
from untaken.search.strategies.parametric import parametric
from untaken.search.world import World
from untaken.solve.stack import default_solver

TELLING = 6  # of the features matter, every other one with a negative weight


@dataclass(slots=True)
class MadeUp:
    """The nearer a few weights are to their best ends, the better; trials differ a little."""

    executions: int = 900
    asked: list[Question] = field(default_factory=list)
    noise: float = 1.0
    early: float = 1.0  # campaigns end after this part of their executions

    def measure(self, questions: Sequence[Question]) -> list[Measurement]:
        self.asked += questions
        return [Measurement(self._score(question), self._executions(question)) for question in questions]

    def _executions(self, question: Question) -> int:
        return round(self.early * question.share * self.executions)

    def _score(self, question: Question) -> float:
        telling = question.weights[:TELLING]
        good = sum(telling[::2]) - sum(telling[1::2])
        luck = Random(f"{question.weights} {question.trial} {question.share}").gauss(0, self.noise)
        return math.sqrt(question.share) * (200 + good) + luck


@dataclass(slots=True)
class InSession:
    """Campaigns of `parametric` on a real program, without folders and processes of their own."""

    target: Target
    session: Session
    executions: int
    asked: int = 0

    def measure(self, questions: Sequence[Question]) -> list[Measurement]:
        self.asked += len(questions)
        return [self._answer(question) for question in questions]

    def _answer(self, question: Question) -> Measurement:
        executor = SessionExecutor(self.session, self.target.map)
        solver = default_solver(self.session.expressions)
        try:
            world = World(
                self.target.map, executor, StackFlips(executor, solver), heuristic=of_weights(question.weights)
            )
            budget = Budget(max(1, round(question.share * self.executions)))
            driver = Driver(world, parametric, Random(question.trial), budget)
            driver.run()
        finally:
            solver.close()
        return Measurement(driver.search.coverage.count, driver.search.tally.iterations)


@contextmanager
def in_session(target: Target, executions: int) -> Iterator[InSession]:
    with Session(target.program, SessionSettings()) as session:
        yield InSession(target, session, executions)


def zeros() -> tuple[float, ...]:
    return (0.0,) * len(NAMES)
