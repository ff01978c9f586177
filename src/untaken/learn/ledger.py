"""The ledger of a tuning: every question goes through it, so that none is asked twice and all costs are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from untaken.learn.objective import Measurement, Objective, Question, Weights

CHECK_TRIALS = 10


@dataclass(frozen=True, slots=True)
class Round:
    """Where a tuning stands after one of its rounds: the best weights so far, and their average."""

    executions: int  # spent by then
    average: float
    trials: int  # that the average is over
    weights: Weights


@dataclass(frozen=True, slots=True)
class Stage:
    """What is going on: for those who watch."""

    name: str
    executions: int  # this stage needs at most


@dataclass(slots=True)
class Ledger:
    """Answers so far, and what they cost. `stage` is told what comes next."""

    objective: Objective
    stage: Callable[[Stage], None] = lambda stage: None
    ended: Callable[[Round], None] = lambda ended: None
    executions: int = 0
    rounds: list[Round] = field(default_factory=list)
    _known: dict[Question, Measurement] = field(default_factory=dict)

    def ask(self, name: str, questions: Iterable[Question]) -> list[Measurement]:
        """Answers in order; only what is new is measured, and counted."""
        asked = list(questions)
        new = [question for question in dict.fromkeys(asked) if question not in self._known]
        self.stage(Stage(name, sum(round(each.share * self.objective.executions) for each in new)))
        for question, answer in zip(new, self.objective.measure(new), strict=True):
            self._known[question] = answer
            self.executions += answer.executions
        return [self._known[question] for question in asked]

    def scores(self, name: str, weights: Sequence[Weights], trial: int, share: float = 1.0) -> list[float]:
        """The score of each in one trial."""
        return [answer.score for answer in self.ask(name, (Question(each, trial, share) for each in weights))]

    def averages(
        self, name: str, weights: Sequence[Weights], trials: int = CHECK_TRIALS, *, first: int = 1
    ) -> list[float]:
        """The mean score of each over so many trials, from the first one on."""
        numbers = range(first, first + trials)
        self.ask(name, [Question(each, trial) for trial in numbers for each in weights])
        return [fmean(self._known[Question(each, trial)].score for trial in numbers) for each in weights]

    def close_round(self, weights: Weights, average: float, trials: int = CHECK_TRIALS) -> Round:
        """Notes the weights that a round ended with, and their average."""
        ended = Round(self.executions, average, trials, weights)
        self.rounds.append(ended)
        self.ended(ended)
        return ended


def best_first(weights: Sequence[Weights], scores: Sequence[float]) -> list[Weights]:
    """By falling score; the earlier first among equals."""
    order = sorted(range(len(weights)), key=lambda place: (-scores[place], place))
    return [weights[place] for place in order]
