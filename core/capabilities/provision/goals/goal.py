"""What is sought in a plan: one objective, and limits on the means of others."""

import math
from dataclasses import dataclass, replace
from typing import Any, Final

from core.capabilities.provision.objectives import OBJECTIVES, SIGNS, PlanObjective
from core.vocabulary.ranges import POWER, Range
from core.vocabulary.setting import Flag, NumberIn, OneOf, setting

LIMITED: Final[tuple[PlanObjective, ...]] = ("reward", "failures", "power")
"""Objectives whose mean can be limited. The cost is limited by the budget."""

OBJECTIVE_LIMITED: Final = "is the objective, so it takes no limit"
MEAN_RATE: Final = Range(0.0, 1e12, "a second")


@dataclass(frozen=True, slots=True)
class Goal:
    """The objective whose mean over the scenarios is to be best, and what the means of others must
    keep: a reward a second at least, failures a second and watts at most.
    """

    objective: PlanObjective = setting(
        "reward",
        OneOf(OBJECTIVES),
        "Look for",
        "What the purchase is to be best in, on average over all scenarios.",
        flag=Flag(
            "",
            "whose mean over the futures is to be best: the most reward (the default), or the "
            "least cost, failures or power",
        ),
    )
    reward: float | None = setting(
        None, NumberIn(MEAN_RATE), "Reward at least ({money})", parameter="mean_reward"
    )
    failures: float | None = setting(
        None, NumberIn(MEAN_RATE), "Mean failures at most ({every})", parameter="mean_failures"
    )
    power: float | None = setting(
        None,
        NumberIn(POWER),
        "Mean power at most (kW)",
        "Of all machines, idle ones included.",
        parameter="mean_power",
    )

    @property
    def limits(self) -> dict[PlanObjective, float]:
        """The limits that there are."""
        given = {name: getattr(self, name) for name in LIMITED}
        return {name: limit for name, limit in given.items() if limit is not None}

    def with_limit(self, name: PlanObjective, limit: float | None) -> "Goal":
        """The goal with another limit on a mean; None for no limit."""
        changed: dict[str, Any] = {name: limit}
        return replace(self, **changed)

    def seeking(self, objective: PlanObjective) -> "Goal":
        """The goal with another objective, which then has no limit."""
        free = self.with_limit(objective, None) if objective in LIMITED else self
        return replace(free, objective=objective)

    @property
    def is_usual(self) -> bool:
        """Whether the most reward is sought, without limits on means."""
        return self == Goal()

    @property
    def needs_powers(self) -> bool:
        return self.objective == "power" or self.power is not None


@dataclass(eq=False)
class ImpossibleGoal(Exception):
    """No purchase keeps a limit on a mean, together with those of `kept`. `best` is a bound that
    is proven: no purchase that keeps the others is better in this objective.
    """

    name: PlanObjective
    limit: float
    best: float
    kept: tuple[PlanObjective, ...]


def signed(name: PlanObjective, value: float) -> float:
    """The value so that a smaller one is better."""
    return value * float(SIGNS[OBJECTIVES.index(name)]) if math.isfinite(value) else value
