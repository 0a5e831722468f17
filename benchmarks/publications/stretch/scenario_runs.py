"""Runs of every policy on every drawn scenario, as the tables need them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal, NamedTuple

import numpy as np

from benchmarks.publications.publication import silent
from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.tasks.judge import task_faults
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.fair_shares.tasks.policies import (
    PUBLISHED_POLICIES,
    TASK_POLICIES,
    run_policy,
)
from core.capabilities.fair_shares.trials import published_scenario
from core.engines.compute.executors import Engine, InThisThread
from core.engines.compute.many import run_many
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Effort
from core.vocabulary.intervals import Interval
from core.vocabulary.tolerances import INSTANT, SAME

SCORES: Final = ("max_stretch", "sum_stretch", "makespan", "max_flow", "sum_flow")
FIRST_SEED: Final = 1000
"""Other scenarios than those by which the missing parameters were chosen."""
POLISH_UNITS: Final = 0.1
"""Units of work of polish at each release: about a tenth of a second."""
NOT_SLOWER: Final = (0.2, 0.3)
"""The least speeds of all machines, as shares of the fastest one, where tasks go to machines in
turn once more.
"""
COMPARED: Final = tuple(name for name in PUBLISHED_POLICIES if not name.endswith("-dd"))
"""Published rows of DD are those of RR to the last digit, so a true DD is compared with nothing."""

Kind = Literal["simulated", "measured"]
SHAPES: Final[Mapping[Kind, tuple[int, int, int, float, float]]] = {
    "simulated": (20, 10, 1, 409.0, 6000.0),
    "measured": (12, 8, 1, 76.8, 800.0),
}
"""Bags, workers of a machine each, most Gflop and MB of a bag: as simulated, and as measured on
the cluster.
"""


class DrawnScenario(NamedTuple):
    """A scenario of a kind; `units` of polish at each release."""

    kind: Kind
    seed: int
    units: float


class ScenarioRun(NamedTuple):
    """Scores of each policy (lines) in a scenario, its least worst stretch, and outcomes in which
    the judge found a fault. `due` is the last deadline at this stretch (s from the first release),
    and `in_turn` the worst stretch of FIFO RR over the least, if slow machines were faster.
    """

    scores: Sequence[Sequence[float]]
    least: float
    faulty: int
    due: float
    in_turn: Sequence[float]


def run_scenario(asked: DrawnScenario) -> ScenarioRun:
    """All policies in a scenario."""
    bags = published_scenario(asked.seed, *SHAPES[asked.kind])
    least = least_stretch(bags, early=False)
    work, effort = MachineWork.of(bags), Effort(work=asked.units, seed=asked.seed)
    rows, faulty = [], 0
    known: list[TaskOutcome] = []
    for policy in TASK_POLICIES.values():
        outcome = run_policy(work, policy, effort, known=known)
        known.append(outcome)
        scores = outcome.scores.as_dict()
        low = scores["max_stretch"] < least.proven * (1 - SAME)
        faulty += bool(task_faults(outcome)) or low
        rows.append([scores[name] for name in SCORES])
    due = float(least.deadlines.max() - bags.release.min())
    in_turn = [_in_turn(bags, share) for share in NOT_SLOWER]
    return ScenarioRun(rows, least.stretch, faulty, due, in_turn)


def _in_turn(bags: ArrivingBags, share: float) -> float:
    """The worst stretch of FIFO RR over the least possible one, if no machine is slower than this
    share of the fastest.
    """
    etc = bags.system.etc
    quicker = replace(bags.system, etc=np.minimum(etc, etc.min(axis=1, keepdims=True) / share))
    bags = replace(bags, system=quicker)
    outcome = run_policy(MachineWork.of(bags), TASK_POLICIES["fifo-rr"])
    return outcome.scores.max_stretch / least_stretch(bags, early=False).stretch


@dataclass(frozen=True, eq=False)
class ScenarioSample:
    """All scenarios of a kind: `scores[scenario, policy, score]`, the least worst stretches, and
    what else their runs have.
    """

    scores: FloatArray
    least: FloatArray
    faulty: int
    due: FloatArray
    in_turn: FloatArray

    @cached_property
    def relative(self) -> FloatArray:
        """The worst stretch over the least possible one, the others over the best of a scenario,
        of the policies that are compared.
        """
        places = [place_of(name) for name in COMPARED]
        best = self.scores[:, places].min(axis=1)
        best[:, 0] = self.least
        return np.asarray(self.scores / best[:, None])

    def of(self, score: str, policy: str) -> FloatArray:
        """A relative score of a policy in each scenario."""
        return np.asarray(self.relative[:, place_of(policy), SCORES.index(score)])

    def mean(self, score: str, policy: str) -> float:
        return float(self.of(score, policy).mean())

    def interval(self, score: str, policy: str) -> Interval:
        return Interval.of(self.of(score, policy))

    def is_best(self, score: str, policies: Sequence[str]) -> FloatArray:
        """1 where one of these policies is as good as any that is compared, else 0."""
        found = np.min([self.of(score, name) for name in policies], axis=0)
        least = np.min([self.of(score, name) for name in COMPARED], axis=0)
        return np.asarray(found <= least * (1 + SAME), float)

    def best(self, score: str, policies: Sequence[str]) -> float:
        """In which share of scenarios one of these policies is the best."""
        return float(self.is_best(score, policies).mean())

    @property
    def last_due(self) -> float:
        """The mean of the last deadline over the best makespan."""
        places = [place_of(name) for name in COMPARED]
        return float(
            (self.due / self.scores[:, places, SCORES.index("makespan")].min(axis=1)).mean()
        )


def place_of(policy: str) -> int:
    return list(TASK_POLICIES).index(policy)


def measure(
    kind: Kind,
    count: int,
    say: Callable[[str], None] = silent,
    engine: Engine | None = None,
    units: float = POLISH_UNITS,
) -> ScenarioSample:
    """Runs `count` scenarios of a kind; the result is the same on every engine."""
    say(f"{kind} scenarios: {count}, each with {len(TASK_POLICIES)} policies")
    asked = [DrawnScenario(kind, FIRST_SEED + k, units) for k in range(count)]
    chunks = run_many(run_scenario, asked, engine or InThisThread())
    found = dict(pair for chunk in chunks for pair in chunk)
    runs = [found[one] for one in asked]
    return ScenarioSample(
        np.array([run.scores for run in runs]),
        np.array([run.least for run in runs]),
        sum(run.faulty for run in runs),
        np.array([run.due for run in runs]),
        np.array([run.in_turn for run in runs]),
    )


def prepare() -> None:
    """Load all that runs need, before processes are forked: kernels, and the solver."""
    run_scenario(DrawnScenario("measured", 0, INSTANT))
