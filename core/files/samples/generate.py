"""Random systems as the literature draws them: any size, reproducible from a seed.

Times are drawn by one of three methods: uniform (every cell alike), range-based (Braun et al.
2001), or by coefficients of variation (Ali et al. 2000). Powers are drawn by the last of these or
by a level for each machine type. The bounds of every parameter are in its annotation; see `bounds`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Annotated, Final, Literal, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.ranges import ETC, IDLE_FRACTION, MACHINE_COUNT, POWER, SEED, TASK_COUNT, Range
from core.vocabulary.system import System

Consistency = Literal["consistent", "semi-consistent", "inconsistent"]
Spread = Literal["random", "equal"]

CELL: Final = Range(1e-3, 1e7, "s or W")
FACTOR: Final = Range(1.0, 1e6, "times")
VARIATION: Final = Range(0.0, 2.0, "standard deviations per mean")
TYPES: Final = Range(1, 10**6, "types")
CELLS: Final = Range(1, 10**7, "cells")
TASKS: Final = Range(1, TASK_COUNT.high, TASK_COUNT.unit)
MACHINES: Final = Range(1, MACHINE_COUNT.high, MACHINE_COUNT.unit)

_NO_VARIATION: Final = 1e-6


def bounds(kind: type) -> dict[str, Range]:
    """The range of each numeric parameter of a method or of `Generation`, by name."""
    return {name: allowed for name, (_, allowed) in _declared(kind).items()}


def _declared(kind: type) -> dict[str, tuple[type, Range]]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: get_args(hint) for name, hint in hints.items() if get_origin(hint) is Annotated}


def _out_of_bounds(parameters: object) -> Iterator[str]:
    for name, (number, allowed) in _declared(type(parameters)).items():
        value = getattr(parameters, name)
        if number is int and type(value) is not int:
            yield f"{name} is {value!r}; give a whole number, {allowed}"
        elif value not in allowed:
            yield f"{name} is {value!r}; give {allowed}"


def _reversed(low: float, high: float) -> Iterator[str]:
    if low > high:
        yield f"low ({low:g}) is above high ({high:g}); exchange them"


def _refuse(*faults: Iterator[str]) -> None:
    found = [Problem("", "", "", fault) for fault in chain.from_iterable(faults)]
    if found:
        raise InvalidInput(found)


@dataclass(frozen=True, slots=True)
class Uniform:
    """Every cell alike: U(low, high)."""

    low: Annotated[float, CELL] = 1.0
    high: Annotated[float, CELL] = 10.0

    def __post_init__(self) -> None:
        _refuse(_out_of_bounds(self), _reversed(self.low, self.high))

    def draw(self, task_types: int, machine_types: int, rng: np.random.Generator) -> FloatArray:
        return rng.uniform(self.low, self.high, (task_types, machine_types))


@dataclass(frozen=True, slots=True)
class RangeBased:
    """A size for each task type, U(1, task_range), times U(1, machine_range) for each cell."""

    task_range: Annotated[float, FACTOR] = 100.0
    machine_range: Annotated[float, FACTOR] = 10.0

    def __post_init__(self) -> None:
        _refuse(_out_of_bounds(self))

    def draw(self, task_types: int, machine_types: int, rng: np.random.Generator) -> FloatArray:
        sizes = rng.uniform(1.0, self.task_range, (task_types, 1))
        return sizes * rng.uniform(1.0, self.machine_range, (task_types, machine_types))


@dataclass(frozen=True, slots=True)
class CoefficientOfVariation:
    """A mean for each task type, gamma distributed about `mean`, and so each cell about that."""

    mean: Annotated[float, CELL] = 10.0
    task_variation: Annotated[float, VARIATION] = 0.6
    machine_variation: Annotated[float, VARIATION] = 0.6

    def __post_init__(self) -> None:
        _refuse(_out_of_bounds(self))

    def draw(self, task_types: int, machine_types: int, rng: np.random.Generator) -> FloatArray:
        means = self.mean * _gamma(self.task_variation, (task_types, 1), rng)
        return means * _gamma(self.machine_variation, (task_types, machine_types), rng)


@dataclass(frozen=True, slots=True)
class MachineLevels:
    """Powers like those of real hardware: a level for each machine type, U(low, high).

    Some task types draw more than others on every machine (`task_variation`), and each pair varies
    a little in addition (`pair_variation`).
    """

    low: Annotated[float, CELL] = 80.0
    high: Annotated[float, CELL] = 200.0
    task_variation: Annotated[float, VARIATION] = 0.12
    pair_variation: Annotated[float, VARIATION] = 0.06

    def __post_init__(self) -> None:
        _refuse(_out_of_bounds(self), _reversed(self.low, self.high))

    def draw(self, task_types: int, machine_types: int, rng: np.random.Generator) -> FloatArray:
        return self.draw_about(rng.uniform(self.low, self.high, machine_types), task_types, rng)

    def draw_about(
        self, levels: FloatArray, task_types: int, rng: np.random.Generator
    ) -> FloatArray:
        """The powers of machine types with these levels."""
        appetite = _gamma(self.task_variation, (task_types, 1), rng)
        return levels * appetite * _gamma(self.pair_variation, (task_types, len(levels)), rng)


TimeMethod = Uniform | RangeBased | CoefficientOfVariation
PowerMethod = MachineLevels | CoefficientOfVariation

TIME_METHODS: Final[dict[str, type[TimeMethod]]] = {
    "uniform": Uniform,
    "range-based": RangeBased,
    "coefficient-of-variation": CoefficientOfVariation,
}
POWER_METHODS: Final[dict[str, type[PowerMethod]]] = {
    "machine-levels": MachineLevels,
    "coefficient-of-variation": CoefficientOfVariation,
}


def make_consistent(etc: npt.ArrayLike, how: Consistency) -> FloatArray:
    """The same times, rearranged within each row, after Braun et al. 2001.

    "consistent": every row ascends, so a machine type that is faster for one task type is faster
    for all. "semi-consistent": the first, third, fifth ... columns are consistent with each other,
    the others stay as drawn. "inconsistent": all stay as drawn.
    """
    arranged = np.array(etc, dtype=np.float64)
    if how == "consistent":
        arranged.sort(axis=1)
    elif how == "semi-consistent":
        arranged[:, ::2] = np.sort(arranged[:, ::2], axis=1)
    return arranged


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """Which random system to draw; equal values draw equal systems.

    `tasks` and `machines` are totals. With `spread` "random", every type is equally likely, and
    every machine type has at least one machine; with "equal", counts differ by one at most. Without
    `apc` the system has no powers. Raises `InvalidInput`, which lists everything that is out of
    bounds.
    """

    etc: TimeMethod = field(default_factory=CoefficientOfVariation)
    consistency: Consistency = "inconsistent"
    apc: PowerMethod | None = None
    idle_fraction: Annotated[float, IDLE_FRACTION] = 0.0
    task_types: Annotated[int, TYPES] = 15
    machine_types: Annotated[int, TYPES] = 10
    tasks: Annotated[int, TASKS] = 1000
    machines: Annotated[int, MACHINES] = 100
    spread: Spread = "random"
    seed: Annotated[int, SEED] = 0

    def __post_init__(self) -> None:
        _refuse(_out_of_bounds(self), self._contradictions())

    def _contradictions(self) -> Iterator[str]:
        if self.consistency not in get_args(Consistency):
            yield _not_a_choice("consistency", self.consistency, get_args(Consistency))
        if self.spread not in get_args(Spread):
            yield _not_a_choice("spread", self.spread, get_args(Spread))
        if self.task_types * self.machine_types > CELLS.high:
            yield (
                f"{self.task_types:,} task types x {self.machine_types:,} machine types are more "
                f"than {int(CELLS.high):,} cells; give fewer types"
            )
        if self.machines < self.machine_types:
            yield (
                f"{self.machines:,} machines cannot be of {self.machine_types:,} types; give at "
                "least one machine a type"
            )
        if self.idle_fraction > 0 and self.apc is None:
            yield "idle_fraction is a fraction of the power at work; give an apc method, too"


def generate(wanted: Generation) -> System:
    """The random system that `wanted` describes: task types T1, T2, ..., machine types M1, M2, ...

    Times, powers and counts come from separate random streams: powers or other counts do not change
    anything else.
    """
    times, powers, tasks, machines = np.random.default_rng(wanted.seed).spawn(4)
    shape = (wanted.task_types, wanted.machine_types)
    etc = make_consistent(wanted.etc.draw(*shape, times), wanted.consistency)
    system = System(
        tuple(
            TaskType(f"T{i}", count)
            for i, count in enumerate(_spread(wanted.tasks, shape[0], wanted.spread, tasks), 1)
        ),
        tuple(
            MachineType(f"M{j}", 1 + more)
            for j, more in enumerate(
                _spread(wanted.machines - shape[1], shape[1], wanted.spread, machines), 1
            )
        ),
        # Gamma variates of large variation underflow: clip them to the range of a system.
        np.clip(etc, ETC.low, ETC.high),
        None
        if wanted.apc is None
        else np.clip(wanted.apc.draw(*shape, powers), POWER.low, POWER.high),
    )
    return system.with_idle_fraction(wanted.idle_fraction) if wanted.idle_fraction else system


def redrawn(counts: IntArray, total: int, rng: np.random.Generator) -> IntArray:
    """Counts of `total` draws with replacement; each type is as likely as its share of `counts`."""
    # Types without tasks are left out: rounding of the likelihoods could give the last one a task.
    present = counts > 0
    drawn = np.zeros_like(counts)
    drawn[present] = rng.multinomial(total, counts[present] / counts.sum())
    return drawn


def _spread(total: int, types: int, how: Spread, rng: np.random.Generator) -> list[int]:
    if how == "random":
        return [int(count) for count in redrawn(np.ones(types, np.int64), total, rng)]
    each, left = divmod(total, types)
    return [each + (i < left) for i in range(types)]


def _gamma(variation: float, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
    """Gamma variates of mean 1 with this coefficient of variation."""
    if variation < _NO_VARIATION:
        return np.ones(shape)
    return rng.gamma(1.0 / variation**2, variation**2, shape)


def _not_a_choice(name: str, value: str, choices: tuple[str, ...]) -> str:
    return f"{name} is {value!r}; give one of {', '.join(choices)}"
