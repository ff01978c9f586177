"""What came of one trial of the soak, and the table of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SoakTrial:
    """One thing that was tried; `fault` says what was wrong, if anything was; `skipped`: why it could not be tried."""

    part: str
    what: str
    ending: str = ""
    fault: str | None = None
    skipped: str | None = None


@dataclass
class SoakTable:
    """Counts by part."""

    trials: Counter[str] = field(default_factory=Counter)
    endings: dict[str, Counter[str]] = field(default_factory=dict)
    faults: list[SoakTrial] = field(default_factory=list)
    skipped: list[SoakTrial] = field(default_factory=list)

    def add(self, trial: SoakTrial) -> None:
        if trial.skipped is not None:
            self.skipped.append(trial)
            return
        self.trials[trial.part] += 1
        self.endings.setdefault(trial.part, Counter())[trial.ending] += 1
        if trial.fault is not None:
            self.faults.append(trial)

    def lines(self) -> Iterable[str]:
        """The table as it is printed."""
        yield f"{'part':<16}{'trials':>8}{'faults':>8}  endings"
        for part, count in self.trials.items():
            wrong = sum(trial.part == part for trial in self.faults)
            endings = ", ".join(f"{name or '-'}: {times}" for name, times in sorted(self.endings[part].items()))
            yield f"{part:<16}{count:>8}{wrong:>8}  {endings}"
        yield f"{'all':<16}{self.trials.total():>8}{len(self.faults):>8}"
        for trial in self.skipped:
            yield f"not tried: {trial.part}, {trial.what}: {trial.skipped}"
