"""What a watt more costs in each step, at prices of all aims."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.objectives import DayCaps, DayWeights
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import HOUR
from core.vocabulary.tolerances import SAME


@dataclass(frozen=True)
class StepCosts:
    """What the power of a centre costs in each step, in units of the weighted sum: `energy[t]` a
    watt of any kind, `grid[t]` a watt from the grid in addition, `left[t]` less for each watt of
    green power that is left over, and `over[t]` a watt above the target. A watt above `most[t]`,
    which is not allowed, costs a thousand times as much as any other.
    """

    energy: FloatArray
    grid: FloatArray
    left: FloatArray
    over: FloatArray
    green: FloatArray
    target: FloatArray
    most: FloatArray

    def of(self, power: FloatArray) -> FloatArray:
        """The costs of powers: a step along the first axis."""
        at = [each.reshape((-1,) + (1,) * (power.ndim - 1)) for each in self.table.T]
        energy, grid, left, over, beyond, green, target, most = at
        return np.asarray(
            energy * power
            + grid * np.maximum(power - green, 0.0)
            - left * np.maximum(green - power, 0.0)
            + over * np.maximum(power - target, 0.0)
            + beyond * np.maximum(power - most, 0.0)
        )

    @cached_property
    def table(self) -> FloatArray:
        """All of it: a line for each step."""
        dearest = np.abs(self.energy) + np.abs(self.grid) + self.over
        beyond = np.full(len(dearest), 1000 * max(float(dearest.max()), SAME))
        prices = self.energy, self.grid, self.left, self.over, beyond
        return np.stack([*prices, self.green, self.target, self.most], axis=1)


def step_costs(day: CentreDay, weights: DayWeights, caps: DayCaps) -> StepCosts:
    """The costs of a day at weights. The price of the highest power is left out."""
    curves, kwh = day.curves, day.step / HOUR / 1000
    every = np.ones(day.steps)
    return StepCosts(
        energy=kwh * weights.energy * every,
        grid=kwh * (weights.cost * curves.price + weights.carbon * curves.carbon),
        left=kwh * weights.cost * day.feed_in * every,
        over=kwh * weights.excess * every,
        green=curves.green,
        target=curves.target,
        most=curves.green + 1000 * caps.peak,
    )
