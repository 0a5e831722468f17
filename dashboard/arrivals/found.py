"""What was found of some policies, on some days: scores, and the records of the first day."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrivals.asked import ArrivalsSettings, GivenWorkload
from core.arrivals.trials import PolicyTrial, ReplayComparison
from core.model.arrays import FloatArray
from core.model.intervals import Interval
from core.replay.energy import DAY_SECONDS
from core.replay.outcome import ReplayOutcome
from core.replay.score import ReplayScore


@dataclass(frozen=True, slots=True)
class DayFacts:
    """A day: its jobs; the energy that is spent without a budget, and that may be spent in 24 h
    (J); what all jobs would be worth if they began at once; what no policy can earn more than (None
    if that is not known yet); and for how long there is a budget (s). Infinite: the workload has no
    end, so the budget is that of all its jobs, which arrive within `arriving_seconds`.
    """

    jobs: int
    free_joules: float
    joules: float
    maximum: float
    bound: float | None = None
    budget_seconds: float = DAY_SECONDS
    arriving_seconds: float = DAY_SECONDS

    @property
    def allowed(self) -> float:
        """The energy that may be spent in all (J)."""
        return self.joules * (self.budget_seconds / DAY_SECONDS if self.has_end else 1.0)

    @property
    def has_end(self) -> bool:
        """Whether energy is counted until a moment, and not until all jobs are done."""
        return math.isfinite(self.budget_seconds)


@dataclass(frozen=True, eq=False, slots=True)
class ArrivalsFound:
    """What is known so far: facts by day, scores by policy and day, and the records of day 0."""

    settings: ArrivalsSettings
    days: Mapping[int, DayFacts] = field(default_factory=dict)
    scores: Mapping[tuple[str, int], ReplayScore] = field(default_factory=dict)
    records: Mapping[str, ReplayOutcome] = field(default_factory=dict)
    faults: frozenset[tuple[str, int]] = frozenset()
    """The policies and days with whose outcomes the judge disagrees."""

    def with_fault(self, policy: str, day: int) -> "ArrivalsFound":
        return replace(self, faults=self.faults | {(policy, day)})

    def with_day(self, day: int, facts: DayFacts) -> "ArrivalsFound":
        return replace(self, days={**self.days, day: facts})

    def with_score(
        self, policy: str, day: int, score: ReplayScore, record: ReplayOutcome | None
    ) -> "ArrivalsFound":
        records = self.records if record is None else {**self.records, policy: record}
        return replace(self, scores={**self.scores, (policy, day): score}, records=records)

    @property
    def policies(self) -> list[str]:
        """The policies with a score, in the order in which they were asked for."""
        there = {policy for policy, _ in self.scores}
        return [policy for policy in self.settings.policies if policy in there]

    @property
    def replays(self) -> int:
        """How many replays all days take."""
        return self.settings.all_days * len(self.settings.policies)

    @property
    def is_done(self) -> bool:
        return len(self.scores) == self.replays

    def comparison(self, given: GivenWorkload | None) -> ReplayComparison:
        """The same as what `wattfront replay` finds, without bounds until there are all."""
        question, days = self.settings.question(given), self.days
        trials: dict[str, dict[int, PolicyTrial]] = {one: {} for one in self.settings.policies}
        for (policy, day), score in self.scores.items():
            facts, is_right = days[day], (policy, day) not in self.faults
            trials[policy][day] = PolicyTrial(score, facts.maximum, facts.allowed, is_right)
        bounds = {day: facts.bound for day, facts in days.items() if facts.bound is not None}
        is_bounded = bounds.keys() == days.keys()
        free = {day: facts.free_joules for day, facts in days.items()}
        if not is_bounded:
            bounds = {}
        return ReplayComparison(replace(question, bounded=is_bounded), trials, free, bounds)

    def days_of(self, policy: str) -> list[int]:
        return [day for day in sorted(self.days) if (policy, day) in self.scores]

    def of(self, policy: str, figure: str) -> Interval:
        """The mean of a figure of `ReplayScore` over all days."""
        scores = [getattr(self.scores[policy, day], figure) for day in self.days_of(policy)]
        return Interval.of(np.array(scores, float))

    @property
    def is_bounded(self) -> bool:
        """Whether it is known of all days what no policy can earn more than."""
        return all(facts.bound is not None for facts in self.days.values())

    @property
    def possible(self) -> float:
        """The mean worth that no policy can earn more than, if it `is_bounded`."""
        return float(np.mean([facts.bound or 0.0 for facts in self.days.values()]))

    def _whole(self, day: int) -> float:
        """What is earned is a share of it: of what is possible at most, or as long as that is not
        known, of what all jobs would be worth if they began at once.
        """
        facts = self.days[day]
        return facts.bound or 0.0 if self.is_bounded else facts.maximum

    def worth_share(self, policy: str) -> Interval:
        """Of what is possible at most if it `is_bounded`, else of what all jobs would be worth if
        they began at once.
        """
        days = self.days_of(policy)
        return Interval.of(
            np.array([_share(self.scores[policy, d].worth, self._whole(d)) for d in days])
        )

    @property
    def ranked(self) -> list[str]:
        """The policies, those that earn most first."""
        return sorted(self.policies, key=lambda policy: -self.worth_share(policy).mean)

    def difference(self, policy: str, other: str) -> Interval:
        """How much more a policy earns than another on the same days, as such a share."""
        days = sorted(set(self.days_of(policy)) & set(self.days_of(other)))
        found: FloatArray = np.array(
            [
                _share(
                    self.scores[policy, day].worth - self.scores[other, day].worth,
                    self._whole(day),
                )
                for day in days
            ]
        )
        return Interval.of(found)


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
