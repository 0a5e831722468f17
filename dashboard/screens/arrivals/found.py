"""What was found of some policies, on some days: scores, and the records of the first day."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.capabilities.arrivals.asked import WORKLOADS, ArrivalsSettings, GivenWorkload
from core.capabilities.arrivals.trials import PolicyTrial, ReplayComparison
from core.engines.replay.energy import DAY_SECONDS
from core.engines.replay.outcome import ReplayOutcome, ReplayScore


@dataclass(frozen=True, slots=True)
class DayFacts:
    """A day: its jobs; the energy that is spent without a budget, and that may be spent in 24 h
    (J); what all jobs would be worth if they began at once; what no policy can earn more than (None
    if that is not known yet); and for how long there is a budget (s). Infinite: the workload has no
    end, so the budget is that of all its jobs.
    """

    jobs: int
    free_joules: float
    joules: float
    maximum: float
    bound: float | None = None
    budget_seconds: float = DAY_SECONDS

    @property
    def allowed(self) -> float:
        """The energy that may be spent in all (J)."""
        has_end = math.isfinite(self.budget_seconds)
        return self.joules * (self.budget_seconds / DAY_SECONDS if has_end else 1.0)


@dataclass(frozen=True, eq=False, slots=True)
class ArrivalsFound:
    """What is known so far: facts by day, scores by policy and day, and the records of day 0."""

    settings: ArrivalsSettings
    days: Mapping[int, DayFacts] = field(default_factory=dict)
    scores: Mapping[tuple[str, int], ReplayScore] = field(default_factory=dict)
    records: Mapping[str, ReplayOutcome] = field(default_factory=dict)
    faults: frozenset[tuple[str, int]] = frozenset()
    """The policies and days with whose outcomes the judge disagrees."""
    given: GivenWorkload | None = None
    """The workload that a person gave, if the settings ask for it."""

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

    @property
    def workload(self) -> str:
        """The name of the workload."""
        return WORKLOADS[self.settings.workload] if self.given is None else self.given.name

    @property
    def comparison(self) -> ReplayComparison:
        """The same as what `wattfront replay` finds for the policies with a score, without bounds
        until there are all.
        """
        policies, days = self.policies, self.days
        trials: dict[str, dict[int, PolicyTrial]] = {one: {} for one in policies}
        for (policy, day), score in self.scores.items():
            facts, is_right = days[day], (policy, day) not in self.faults
            one = PolicyTrial(score, facts.maximum, facts.allowed, is_right, facts.jobs)
            trials[policy][day] = one
        bounds = {day: facts.bound for day, facts in days.items() if facts.bound is not None}
        bounded = bounds.keys() == days.keys()
        free = {day: facts.free_joules for day, facts in days.items()}
        question = replace(
            self.settings.question(self.given), policies=tuple(policies), bounded=bounded
        )
        return ReplayComparison(question, trials, free, bounds if bounded else {})
