"""The figures of a run, and how they are kept as columns."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.capabilities.sweep.question import SweepQuestion
from core.engines.compute.parts import RUN

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
