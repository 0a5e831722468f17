"""What comes of policies on average: means over trials, and differences trial by trial."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from core.capabilities.fair_shares.tasks.outcome import SCORE_NAMES
from core.capabilities.fair_shares.trials.drawn import TrialScores
from core.vocabulary.intervals import Interval


@dataclass(frozen=True, slots=True)
class TaskPolicyMeans:
    """A policy over all trials: its five scores, by their names; the mean of its worst stretch over
    the best possible one; how long it took (s); and what the judge says.

    `behind` is by how much each score exceeds that of the best policy of this score in the same
    trial, on average. In one trial it may be better. That of the best policy is 0.
    """

    policy: str
    scores: Mapping[str, Interval]
    behind: Mapping[str, Interval]
    over_optimum: Interval
    seconds: Interval
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrialMeans:
    """`least` is the best possible worst stretch; `best` names the policy of the smallest mean, by
    score.
    """

    trials: int
    least: Interval
    best: Mapping[str, str]
    policies: tuple[TaskPolicyMeans, ...]

    @classmethod
    def of(cls, trials: Sequence[TrialScores]) -> Self:
        """The means of at least one trial. Widths of intervals are infinite for a single one."""
        least = np.array([trial.least for trial in trials])
        names = [run.policy for run in trials[0].runs]
        rows = [[run.scores.as_dict() for run in trial.runs] for trial in trials]
        # A line for each trial, a column for each policy.
        scores = {
            name: np.array([[run[name] for run in runs] for runs in rows]) for name in SCORE_NAMES
        }
        best = {name: int(np.argmin(values.mean(axis=0))) for name, values in scores.items()}
        return cls(
            len(trials),
            Interval.of(least),
            {name: names[at] for name, at in best.items()},
            tuple(
                TaskPolicyMeans(
                    policy,
                    {name: Interval.of(values[:, p]) for name, values in scores.items()},
                    {
                        name: Interval(0.0, 0.0)
                        if p == best[name]
                        else Interval.of(values[:, p] - values[:, best[name]])
                        for name, values in scores.items()
                    },
                    Interval.of(scores["max_stretch"][:, p] / least),
                    Interval.of(np.array([trial.runs[p].seconds for trial in trials])),
                    tuple(dict.fromkeys(fault for t in trials for fault in t.runs[p].faults)),
                )
                for p, policy in enumerate(names)
            ),
        )
