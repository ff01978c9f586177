"""Questions answered by real campaigns: each is one trial of the strategy to tune, kept in a file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from untaken.campaign.config import Config
from untaken.learn.objective import Measurement, Question, Weights
from untaken.search.heuristics.heuristic_files import of_weights
from untaken.trials.plan import TRIALS, Job, TrialId, derived_seed
from untaken.trials.pool import Pool
from untaken.trials.trial import Trial, read_trial


@dataclass(slots=True)
class Campaigns:
    """An objective: branches that campaigns on one program cover. What lies in the folder already is only read."""

    config: Config
    pool: Pool
    folder: Path
    told: Callable[[Trial], None] = lambda trial: None

    @property
    def executions(self) -> int:
        assert self.config.iterations is not None
        return self.config.iterations

    def measure(self, questions: Sequence[Question]) -> list[Measurement]:
        jobs = [self._job(question) for question in questions]
        for job in jobs:
            if job.done:
                self.told(read_trial(job.place))
        for job in self.pool.run([job for job in jobs if not job.done]):
            self.told(read_trial(job.place))
        return [_answer(read_trial(job.place)) for job in jobs]

    def _job(self, question: Question) -> Job:
        iterations = max(1, round(question.share * self.executions))
        seed = derived_seed(self.config.seed, "tune", question.trial)
        name = f"{_digest(question.weights)}.{question.trial}.{iterations}.json"
        config = replace(
            self.config,
            heuristic=of_weights(question.weights),
            iterations=iterations,
            seed=seed,
            after_coverage=0,
        )
        return Job(TrialId(config.strategy, question.trial, seed), config, self.folder / TRIALS / name)


def _answer(trial: Trial) -> Measurement:
    return Measurement(len(trial.covered), trial.iterations)


def _digest(weights: Weights) -> str:
    return hashlib.sha256(repr(weights).encode()).hexdigest()[:20]
