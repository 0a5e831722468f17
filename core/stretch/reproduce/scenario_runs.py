"""Runs of every policy on every drawn scenario, as the tables need them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple

import numpy as np

from core.engine.executors import Engine, InThisThread
from core.engine.many import run_many
from core.model.arrays import FloatArray
from core.model.budget import Effort
from core.model.intervals import Interval
from core.model.tolerances import INSTANT, SAME
from core.reproduce.publication import silent
from core.stretch.optimum import least_stretch
from core.stretch.scenarios import published_scenario
from core.stretch.tasks.judge import task_faults
from core.stretch.tasks.machine_work import MachineWork
from core.stretch.tasks.policies import PUBLISHED_POLICIES, TASK_POLICIES, run_policy

SCORES: Final = ("max_stretch", "sum_stretch", "makespan", "max_flow", "sum_flow")
FIRST_SEED: Final = 1000
"""Other scenarios than those by which the missing parameters were chosen."""
POLISH_UNITS: Final = 0.1
"""Units of work of polish at each release: about a tenth of a second."""
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
    the judge found a fault.
    """

    scores: Sequence[Sequence[float]]
    least: float
    faulty: int


def run_scenario(asked: DrawnScenario) -> ScenarioRun:
    """All policies in a scenario."""
    bags = published_scenario(asked.seed, *SHAPES[asked.kind])
    least = least_stretch(bags, early=False)
    work, effort = MachineWork.of(bags), Effort(work=asked.units, seed=asked.seed)
    rows, faulty = [], 0
    for policy in TASK_POLICIES.values():
        outcome = run_policy(work, policy, effort)
        scores = outcome.scores.as_dict()
        low = scores["max_stretch"] < least.proven * (1 - SAME)
        faulty += bool(task_faults(outcome)) or low
        rows.append([scores[name] for name in SCORES])
    return ScenarioRun(rows, least.stretch, faulty)


@dataclass(frozen=True, eq=False)
class ScenarioSample:
    """All scenarios of a kind: `scores[scenario, policy, score]` and the least worst stretches."""

    scores: FloatArray
    least: FloatArray
    faulty: int

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

    def best(self, score: str, policies: Sequence[str]) -> float:
        """In which share of scenarios one of these policies is as good as any that is compared."""
        found = np.min([self.of(score, name) for name in policies], axis=0)
        least = np.min([self.of(score, name) for name in COMPARED], axis=0)
        return float((found <= least * (1 + SAME)).mean())


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
    )


def prepare() -> None:
    """Load all that runs need, before processes are forked: kernels, and the solver."""
    run_scenario(DrawnScenario("measured", 0, INSTANT))
