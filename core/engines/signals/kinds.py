"""The kinds of curves: what each is, in which unit, and how people write that."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from core.files.schema import parted_title
from core.vocabulary.prices.site import CURRENCIES
from core.vocabulary.ranges import Range

MeasuredAs = Literal["price", "carbon", "temperature", "sun", "power"]


@dataclass(frozen=True, slots=True)
class SignalKind:
    """What a curve is. `called` are other words for it in titles and names of files."""

    name: str
    said: str
    quantity: MeasuredAs
    called: tuple[str, ...]
    allowed: Range

    @property
    def unit(self) -> str:
        return self.allowed.unit

    def is_called(self, words: str) -> bool:
        return words in (self.name, *self.called)

    def scale(self, unit: str) -> float | None:
        """How many of its unit one of the unit in a title is; None if that is not read."""
        plain = _NOT_UNIT.sub("", unit.casefold())
        return _SCALES[self.quantity].get(plain) if plain else 1.0


_NOT_UNIT: Final = re.compile(r"[\s._^]|co[₂2](?:eq|e)?")
_MONEY: Final = (*(currency.casefold() for currency in CURRENCIES), "€", "$", "£", "")
_CENTS: Final = ("ct", "cent", "cents", "c", "p", "eurct", "€ct")
_SCALES: Final[dict[MeasuredAs, dict[str, float]]] = {
    "price": {
        **{f"{money}/kwh": 1.0 for money in _MONEY},
        **{f"{money}/mwh": 1e-3 for money in _MONEY},
        **{f"{cents}/kwh": 1e-2 for cents in _CENTS},
    },
    "carbon": {"g/kwh": 1.0, "kg/mwh": 1.0, "kg/kwh": 1e3, "t/mwh": 1e3},
    "temperature": {"c": 1.0, "°c": 1.0, "degc": 1.0, "celsius": 1.0},
    "sun": {"w/m2": 1.0, "w/m²": 1.0, "wh/m2": 1.0, "wh/m²": 1.0, "kw/m2": 1e3, "kw/m²": 1e3},
    "power": {"w": 1.0, "kw": 1e3, "mw": 1e6},
}

_PRICE: Final = Range(-1e6, 1e6, "a kWh")
_CARBON: Final = Range(0.0, 1e5, "g CO2 a kWh")
_TEMPERATURE: Final = Range(-60.0, 60.0, "°C")
_SUN: Final = Range(0.0, 2000.0, "W/m²")
_POWER: Final = Range(0.0, 1e12, "W")

PRICE: Final = SignalKind(
    "price",
    "price",
    "price",
    ("prices", "tariff", "electricity price", "energy price", "day ahead price", "cost"),
    _PRICE,
)
CARBON: Final = SignalKind(
    "carbon",
    "carbon intensity",
    "carbon",
    ("carbon intensity", "co2", "co2 intensity", "emissions"),
    _CARBON,
)
TEMPERATURE: Final = SignalKind(
    "temperature",
    "outside temperature",
    "temperature",
    ("outside temperature", "air temperature", "dry bulb", "temp", "t2m", "weather"),
    _TEMPERATURE,
)
SUN: Final = SignalKind(
    "sun", "sun", "sun", ("irradiance", "ghi", "global horizontal irradiance", "solar"), _SUN
)
TARGET: Final = SignalKind(
    "target", "target power", "power", ("target power", "power limit", "limit"), _POWER
)
GREEN: Final = SignalKind(
    "green", "green power", "power", ("green power", "solar power", "pv", "pv power"), _POWER
)
KINDS: Final = (PRICE, CARBON, TEMPERATURE, SUN, TARGET, GREEN)
NAMES: Final = ", ".join(kind.name for kind in KINDS)


def kind_called(title: str) -> SignalKind | None:
    """The kind that a title names, whatever unit follows in brackets; None if it names none."""
    words, _ = parted_title(title)
    return next((kind for kind in KINDS if kind.is_called(words)), None)


def kind_in_name(stem: str) -> SignalKind | None:
    """The kind that the name of a file says with its first word or words, as `carbon-forecast`."""
    words = parted_title(stem)[0].split()
    parts = (" ".join(words[:k]) for k in range(len(words), 0, -1))
    return next(filter(None, map(kind_called, parts)), None)
