"""The axes of a sweep: which quantity of a system or its prices is varied, and its values."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from core.files.findings import shown, shown_list
from core.vocabulary.kinds import TypeKind
from core.vocabulary.prices.tariff import MONEY
from core.vocabulary.ranges import IDLE_FRACTION, MACHINE_COUNT, POWER, TASK_COUNT, Range, stepped
from core.vocabulary.say.quantities import POWER as POWER_QUANTITY
from core.vocabulary.say.quantities import read_quantity
from core.vocabulary.say.words import counted
from core.vocabulary.system import System
from core.vocabulary.without_work import ASLEEP

AxisName = Literal["idle", "asleep", "power_cap", "energy_price", "price", "profit_ratio"]

MOST_RUNS: Final = 1_000_000
USUAL_STEPS: Final = 10
"""Steps of a range that says none; those of counts are 1 by 1."""


@dataclass(frozen=True, slots=True)
class AxisKind:
    """A quantity that can be varied: what it is, its unit, and its range."""

    title: str
    unit: str
    range: Range
    whole: bool = False
    needs_power: bool = True
    """Whether it means something only for a system with powers."""


KINDS: Final[dict[AxisName, AxisKind]] = {
    "idle": AxisKind("idle power", "of the mean power", IDLE_FRACTION),
    "asleep": AxisKind("power asleep", "W", ASLEEP),
    "power_cap": AxisKind("power cap", "W", POWER),
    "energy_price": AxisKind("price of energy", "a kWh", Range(0.0, 1e9, "a kWh")),
    "price": AxisKind("price of a batch", "a batch", MONEY),
    "profit_ratio": AxisKind(
        "profit ratio", "times what the least energy costs", Range(0.0, 1e6, "")
    ),
}
MACHINES: Final = "machines."
TASKS: Final = "tasks."
"""How names of axes begin that are counts of a type; its name follows."""
_COUNTS: Final[dict[str, tuple[TypeKind, Range]]] = {
    MACHINES: ("machine type", MACHINE_COUNT),
    TASKS: ("task type", TASK_COUNT),
}
NAMES_IN_WORDS: Final = ", ".join([*KINDS, f"{MACHINES}TYPE", f"{TASKS}TYPE"])


class AxisFault(ValueError):
    """A text is no axis; the message says what to give."""


@dataclass(frozen=True, slots=True)
class SweptAxis:
    """A quantity by its name ("idle", "machines.T3"), and its values in their order: fractions,
    watts, money a kWh or a batch, or counts.
    """

    name: str
    values: tuple[float, ...]

    @property
    def kind(self) -> AxisKind:
        return kind_of(self.name)

    @property
    def text(self) -> str:
        """The axis as `read_axis` reads it."""
        return f"{self.name}={_values_in_words(self.values)}"


def kind_of(name: str) -> AxisKind:
    """What an axis of this name varies. Raises `AxisFault` for a name that there is not."""
    for prefix, (kind, allowed) in _COUNTS.items():
        if name.startswith(prefix) and len(name) > len(prefix):
            title = f"{allowed.unit} of {kind} {name.removeprefix(prefix)}"
            return AxisKind(title, allowed.unit, allowed, whole=True, needs_power=False)
    for known, found in KINDS.items():
        if name == known:
            return found
    raise AxisFault(f"'{shown(name)}' cannot be varied; give one of {NAMES_IN_WORDS}")


def read_axis(text: str) -> SweptAxis:
    """The axis that a text says: `idle=0:1:0.1`, `machines.T3=0:8`, `power_cap=40kW,50kW`.

    Raises `AxisFault`.
    """
    # The name of a type may hold "=", values never do.
    name, equals, values = text.rpartition("=")
    if not equals or not name or not values:
        raise AxisFault(f"'{shown(text)}' is no axis; give NAME=FROM:TO:STEP or NAME=A,B,C")
    return SweptAxis(name, read_values(kind_of(name), values, name))


def axis_of(name: str, values: Iterable[object]) -> SweptAxis:
    """The axis of these values, each within its range and given once. Raises `AxisFault`."""
    kind, found = kind_of(name), []
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float | np.integer):
            raise AxisFault(f"{name}: '{shown(str(value))}' is not a number")
        found.append(_within(kind, float(value), str(value), name))
    if not found:
        raise AxisFault(f"{name} has no values; give at least one")
    if len(set(found)) < len(found):
        raise AxisFault(f"{name}: a value is there twice; give each once")
    return SweptAxis(name, tuple(found))


def read_values(kind: AxisKind, text: str, name: str) -> tuple[float, ...]:
    """The values that a text says, each within the range of the kind; `name` stands in faults."""
    if ":" not in text:
        values = [_read_one(kind, part, name) for part in text.split(",")]
        if len(set(values)) < len(values):
            raise AxisFault(f"{name}: a value is there twice in '{text}'; give each once")
        return tuple(values)
    parts = text.split(":")
    if len(parts) > 3:
        raise AxisFault(f"{name}: '{text}' is not a range; give FROM:TO or FROM:TO:STEP")
    low, high = (_read_one(kind, part, name) for part in parts[:2])
    if high < low:
        raise AxisFault(f"{name}: the range {text} ends before it begins; give FROM:TO:STEP")
    if len(parts) == 3:
        step = _number(kind, parts[2], name)
    else:
        step = 1.0 if kind.whole else (high - low) / USUAL_STEPS
    if low == high:
        return (low,)
    if not step > 0 or not math.isfinite(step) or (kind.whole and step != int(step)):
        least = "1, 2, 3 ..." if kind.whole else "more than 0"
        raise AxisFault(f"{name}: the step of {text} is {parts[2]}; give {least}")
    if (high - low) / step >= MOST_RUNS:
        raise AxisFault(
            f"{name}: {text} has more than {MOST_RUNS:,} values, which is the limit; give a larger "
            "step"
        )
    return stepped(low, high, step)


def axis_faults(axes: Sequence[SweptAxis]) -> Iterator[str]:
    """Faults of axes together, whatever the system."""
    if not axes:
        yield "nothing is varied; give at least one axis, such as idle=0:1:0.1"
    names = [axis.name for axis in axes]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"--over {shown(name)} is there twice; give all its values at once"
    if "price" in names and "profit_ratio" in names:
        yield "price and profit_ratio both say what a batch earns; leave out one"
    if "price" in names and "energy_price" not in names:
        yield "price needs what a kWh costs; add --over energy_price=0.3, or another price"
    runs = math.prod(len(axis.values) for axis in axes)
    if runs > MOST_RUNS:
        yield (
            f"these axes have {counted(runs, 'run')}, and the limit is {MOST_RUNS:,}; give larger "
            "steps"
        )


def strange_axes(axes: Sequence[SweptAxis], system: System) -> Iterator[str]:
    """Faults of axes that the system does not have."""
    for axis in axes:
        for prefix, (kind, _) in _COUNTS.items():
            there = system.machine_names if prefix == MACHINES else system.task_names
            name = axis.name.removeprefix(prefix)
            if axis.name.startswith(prefix) and name not in there:
                yield f"there is no {kind} '{shown(name)}'; there are {shown_list(there)}"
        if axis.kind.needs_power and system.apc is None:
            yield f"{axis.name} needs powers, and the system has none; add the table apc"


def _read_one(kind: AxisKind, text: str, name: str) -> float:
    return _within(kind, _number(kind, text, name), text, name)


def _within(kind: AxisKind, value: float, text: str, name: str) -> float:
    """The value, which the text says, if the axis can have it."""
    if value not in kind.range or (kind.whole and value != int(value)):
        whole = "whole numbers, " if kind.whole else ""
        raise AxisFault(f"{name}: {text} is out of range; give {whole}{kind.range}")
    return value


def _number(kind: AxisKind, text: str, name: str) -> float:
    try:
        if kind.unit == POWER_QUANTITY.usual:
            return read_quantity(text, POWER_QUANTITY)
        return float(text) + 0.0
    except ValueError as refused:
        why = str(refused) if kind.unit == POWER_QUANTITY.usual else f"'{text}' is not a number"
        raise AxisFault(f"{name}: {why}") from None


def _values_in_words(values: Sequence[float]) -> str:
    """`0:1:0.1` if the values are those of a range, otherwise all of them."""
    if len(values) > 2:
        step = round(values[1] - values[0], 12)
        if step > 0 and tuple(values) == stepped(values[0], values[-1], step):
            return f"{_said(values[0])}:{_said(values[-1])}:{_said(step)}"
    return ",".join(map(_said, values))


def _said(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 10**15 else repr(value)
