"""What the axis of energy shows: energy in a readable unit, money, or carbon."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, overload

from core.vocabulary.arrays import FloatArray
from core.vocabulary.prices.tariff import Tariff
from core.vocabulary.say.words import Sense, amount, energy, in_joules

AxisQuantity = Literal["kWh", "MJ", "money", "carbon"]
QUANTITIES: Final[dict[AxisQuantity, str]] = {
    "kWh": "Watt-hours",
    "MJ": "Joules",
    "money": "Money",
    "carbon": "Carbon",
}

_UNITS: Final[dict[AxisQuantity, tuple[tuple[str, float], ...]]] = {
    "kWh": (("GWh", 3.6e12), ("MWh", 3.6e9), ("kWh", 3.6e6), ("Wh", 3.6e3), ("J", 1.0)),
    "MJ": (("TJ", 1e12), ("GJ", 1e9), ("MJ", 1e6), ("kJ", 1e3), ("J", 1.0)),
    "carbon": (("t CO₂", 1e3), ("kg CO₂", 1.0), ("g CO₂", 1e-3), ("mg CO₂", 1e-6)),
}


@dataclass(frozen=True, slots=True)
class Axis:
    """A quantity that is proportional to the energy of the machines.

    `unit` is the unit of the axis; a sentence has the unit that suits the number. `of_all`
    completes "saves 20 % ...".
    """

    title: str
    unit: str
    per_joule: float
    in_words: Callable[[float, Sense, float | None], str]
    of_all: str = "of the energy"

    @property
    def label(self) -> str:
        return f"{self.title} ({self.unit})"

    @overload
    def of(self, joules: float) -> float: ...
    @overload
    def of(self, joules: FloatArray) -> FloatArray: ...
    def of(self, joules: float | FloatArray) -> float | FloatArray:
        return joules * self.per_joule

    def joules(self, amount: float) -> float:
        return amount / self.per_joule

    def say(self, joules: float, sense: Sense, against: float | None = None) -> str:
        """An amount with its unit, rounded so that it agrees with a limit `against` (J)."""
        return self.in_words(joules, sense, against)


def axis_for(quantity: AxisQuantity, tariff: Tariff, currency: str, joules: float) -> Axis:
    """The axis whose unit suits an energy of about `joules`."""
    if quantity == "money":
        in_words = _proportional(tariff.per_joule, currency)
        return Axis("Cost", currency, tariff.per_joule, in_words, "of the cost")
    if quantity == "carbon":
        kilograms = tariff.carbon(1.0)
        unit, size = _unit(quantity, joules * kilograms)
        in_words = _proportional(kilograms, "kg CO₂")
        return Axis("Carbon", unit, kilograms / size, in_words, "of the carbon")
    unit, size = _unit(quantity, joules)
    return Axis("Energy", unit, 1 / size, energy if quantity == "kWh" else in_joules)


def usual_axis(joules: float) -> Axis:
    """The axis of energy in watt-hours, whose unit suits about so many joules."""
    return axis_for("kWh", Tariff(0.0), "", joules)


def _proportional(per_joule: float, unit: str) -> Callable[[float, Sense, float | None], str]:
    """A function that says joules as an amount of money or carbon."""

    def said(joules: float, sense: Sense, against: float | None) -> str:
        limit = None if against is None else against * per_joule
        return amount(joules * per_joule, sense, unit, limit)

    return said


def units_of(quantity: AxisQuantity) -> tuple[str, ...]:
    """The symbols of the units of a quantity."""
    return tuple(symbol for symbol, _ in _UNITS[quantity])


def _unit(quantity: AxisQuantity, amount: float) -> tuple[str, float]:
    units = _UNITS[quantity]
    usual = next(unit for unit in units if unit[0].startswith(("kWh", "MJ", "kg")))
    if amount <= 0:
        return usual
    return next((unit for unit in units if amount >= unit[1]), units[-1])
