"""What a sweep asks: a system, the axes along which it is changed, a run for each combination, and
the figures of each, as columns.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from core.capabilities.sweep.axes import MACHINES, TASKS, SweptAxis
from core.engines.compute.parts import RUN
from core.vocabulary.arrays import IntArray
from core.vocabulary.say.words import JOULES_PER_KWH
from core.vocabulary.system import System
from core.vocabulary.without_work import AS_GIVEN, WithoutWork

_FORM: Final = 1
"""The number of the form of answers. A larger one does not go on with parts of a smaller one."""


@dataclass(frozen=True, slots=True)
class RunPrices:
    """What a run is asked beside its system: money for a joule, money for a batch or its ratio to
    what the least energy costs, and average watts at most. None where it is not asked.
    """

    per_joule: float | None
    price: float | None
    ratio: float | None
    power_cap: float | None


@dataclass(frozen=True, eq=False)
class SweepQuestion:
    """A run for each combination of the values of the axes. Runs are numbered from 0 on; the values
    of the last axis change fastest.
    """

    system: System
    axes: tuple[SweptAxis, ...]

    @property
    def runs(self) -> int:
        return math.prod(self.shape)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each axis has."""
        return tuple(len(axis.values) for axis in self.axes)

    @property
    def has_profit(self) -> bool:
        return bool({"price", "profit_ratio"} & self._names)

    @property
    def has_cost(self) -> bool:
        return "energy_price" in self._names

    @property
    def has_cap(self) -> bool:
        return "power_cap" in self._names

    @cached_property
    def _names(self) -> set[str]:
        return {axis.name for axis in self.axes}

    def values(self, run: int) -> dict[str, float]:
        """The value of each axis in a run, by the name of the axis."""
        places = np.unravel_index(run, self.shape)
        return {
            axis.name: axis.values[place] for axis, place in zip(self.axes, places, strict=True)
        }

    def changed(self, run: int) -> System:
        """The system of a run. Raises `InvalidInput` if nothing can run all its tasks."""
        system, values = self.system, self.values(run)
        idle = self.without_work(run, AS_GIVEN)
        if counted := [name for name in values if name.startswith((MACHINES, TASKS))]:
            machines, tasks = system.machine_counts.copy(), system.task_counts.copy()
            for name in counted:
                self._set_count(name, int(values[name]), machines, tasks)
            system = system.with_counts(tasks, machines)
        return idle.of(system)

    def without_work(self, run: int, before: WithoutWork) -> WithoutWork:
        """What machines without work draw in a run. If idle power is varied, they stay on."""
        values = self.values(run)
        idle = WithoutWork(values["idle"]) if "idle" in values else before
        return replace(idle, asleep_watts=values["asleep"]) if "asleep" in values else idle

    def prices(self, run: int) -> RunPrices:
        """What is asked of a run beside its system. Without a price of energy, a joule costs 1."""
        values = self.values(run)
        per_joule = values["energy_price"] / JOULES_PER_KWH if self.has_cost else None
        if per_joule is None and self.has_profit:
            per_joule = 1.0
        return RunPrices(
            per_joule, values.get("price"), values.get("profit_ratio"), values.get("power_cap")
        )

    def order(self) -> IntArray:
        """The runs, so that those that are computed first are spread over the whole."""
        stride = max(round(self.runs * 0.618), 1)
        while math.gcd(stride, self.runs) > 1:
            stride += 1
        return (np.arange(self.runs, dtype=np.int64) * stride) % self.runs

    @property
    def identity(self) -> dict[str, object]:
        """All that the results depend on: equal questions have equal ones."""
        return {
            "form": _FORM,
            "system": self.system.fingerprint,
            "axes": [[axis.name, list(axis.values)] for axis in self.axes],
        }

    def _set_count(self, name: str, count: int, machines: IntArray, tasks: IntArray) -> None:
        if name.startswith(MACHINES):
            machines[self.system.machine_names.index(name.removeprefix(MACHINES))] = count
        else:
            tasks[self.system.task_names.index(name.removeprefix(TASKS))] = count


if TYPE_CHECKING:
    import pyarrow as pa

IMPOSSIBLE: Final = "impossible"
"""The column that says why a run has no figures, or not all of them; empty if it has."""


@dataclass(frozen=True, slots=True)
class FigureKind:
    """A figure of a run: its column, what it is, and its unit."""

    column: str
    title: str
    unit: str


FASTEST: Final = FigureKind("fastest_s", "makespan at least", "s")
_OF_FRONT: Final = (
    FigureKind("energy_at_fastest_j", "least energy at that makespan", "J"),
    FigureKind("least_energy_j", "least energy", "J"),
    FigureKind("makespan_at_least_energy_s", "makespan at the least energy", "s"),
    FigureKind("knee_makespan_s", "makespan at the knee", "s"),
    FigureKind("knee_energy_j", "least energy at the knee", "J"),
    FigureKind("vertices", "vertices of the front", ""),
)
WITHIN_CAP: Final = FigureKind("fastest_within_cap_s", "makespan within the cap at least", "s")
COST: Final = FigureKind("least_energy_cost", "cost of the least energy", "of money")
PROFIT: Final = FigureKind("profit_per_h", "profit at most", "of money/h")
PROFIT_IN_JOULES: Final = FigureKind("profit_per_s", "profit at most", "¤/s")
"""Where no price of energy is given, a joule costs 1 ¤, and profit is a second."""


def figures_of(question: SweepQuestion) -> tuple[FigureKind, ...]:
    """The figures that each run of a sweep has, in the order of their columns."""
    if question.system.apc is None:
        return (FASTEST,)
    found = [FASTEST, *_OF_FRONT]
    if question.has_cap:
        found.append(WITHIN_CAP)
    if question.has_cost:
        found.append(COST)
    if question.has_profit:
        found.append(PROFIT if question.has_cost else PROFIT_IN_JOULES)
    return tuple(found)


def columns_of(question: SweepQuestion) -> tuple[str, ...]:
    """The columns of the results: the run, the values of the axes, the figures, and why a run has
    none.
    """
    axes = (axis.name for axis in question.axes)
    return (RUN, *axes, *(figure.column for figure in figures_of(question)), IMPOSSIBLE)


def schema_of(question: SweepQuestion) -> "pa.Schema":
    """The columns with their types, and the unit of each with its field."""
    import pyarrow as pa

    units = {axis.name: axis.kind.unit for axis in question.axes}
    units |= {figure.column: figure.unit for figure in figures_of(question)}
    whole = {axis.name for axis in question.axes if axis.kind.whole}
    whole |= {RUN, "vertices"}
    return pa.schema(
        [
            *(
                pa.field(
                    name,
                    pa.int64() if name in whole else pa.float64(),
                    metadata={"unit": units.get(name, "")},
                )
                for name in columns_of(question)[:-1]
            ),
            pa.field(IMPOSSIBLE, pa.string()),
        ]
    )
