"""The settings of the page Trade-offs, and how the address says them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, get_args

from core.front.methods import SPACING
from core.front.tariff import Tariff
from core.front.wish_kinds import WISH_KINDS, StatedWish, WishParameter
from core.model.ranges import Range
from core.rivals import RIVALS
from core.studies import StudySettings
from dashboard.workspace.answering import SECONDS, PolishSettings
from dashboard.workspace.axis import CARBON, CURRENCIES, PRICE, PUE, Axis, AxisQuantity, axis_for
from dashboard.workspace.parameters import Parameters
from dashboard.workspace.parameters import written as parameter

NSGA2: Final = "nsga2"
RIVAL_NAMES: Final[dict[str, str]] = {
    name: "NSGA-II" if name == NSGA2 else RIVALS[name].title.partition(":")[0]
    for name in ("min-min", "max-min", "sufferage", NSGA2, "cp-sat")
}
"""The rivals on offer, by their names in the address."""

WISH_LABELS: Final[dict[WishParameter, str]] = {kind.parameter: kind.label for kind in WISH_KINDS}
WISH_AMOUNT: Final = Range(1e-12, 1e18, "SI units")

Layer = Literal["vertices", "dominated", "progression", "corners", "idle"]
LAYERS: Final[dict[Layer, str]] = {
    "vertices": "Vertices of the bound",
    "dominated": "Dominated schedules",
    "progression": "Rounding and assignment",
    "corners": "Utopia and nadir",
    "idle": "Other idle powers",
}


@dataclass(frozen=True, slots=True)
class TradeOffSettings:
    """All settings of the page, except the system and its idle power."""

    axis: AxisQuantity = "kWh"
    price: float = 0.3
    carbon: float = 0.35
    pue: float = 1.0
    currency: str = CURRENCIES[0]
    spacing: float = PolishSettings().spacing
    polish: float = PolishSettings().seconds
    show: tuple[Layer, ...] = ()
    rivals: tuple[str, ...] = ()
    wish: StatedWish | None = None

    @property
    def polish_settings(self) -> PolishSettings:
        return PolishSettings(self.spacing, self.polish)

    @property
    def tariff(self) -> Tariff:
        return Tariff(self.price, self.carbon, pue=self.pue)

    def axis_of(self, kind: WishParameter | None, joules: float) -> Axis:
        """The axis for an energy of about `joules`: that of the chart, or the one on which a kind
        of wish is stated.
        """
        quantity = self.axis
        if kind == "money":
            quantity = "money"
        elif kind == "budget" and quantity == "money":
            quantity = "kWh"
        return axis_for(quantity, self.tariff, self.currency, joules)


_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "axis": get_args(AxisQuantity),
    "currency": CURRENCIES,
}
_RANGES: Final = {
    "price": PRICE,
    "carbon": CARBON,
    "pue": PUE,
    "spacing": SPACING,
    "polish": SECONDS,
}
_LISTS: Final[dict[str, tuple[str, ...]]] = {"show": get_args(Layer), "rivals": tuple(RIVAL_NAMES)}
PARAMETERS: Final = frozenset({*_CHOICES, *_RANGES, *_LISTS, *WISH_LABELS})


def written(settings: TradeOffSettings) -> dict[str, str]:
    """The parameters of settings that differ from the usual. `read` is the inverse."""
    usual = TradeOffSettings()
    parameters: dict[str, str] = {}
    for name in (field.name for field in fields(TradeOffSettings)):
        value = getattr(settings, name)
        if value == getattr(usual, name):
            continue
        if isinstance(value, StatedWish):
            parameters[value.kind] = f"{value.amount!r}"
        else:
            parameters[name] = parameter(value)
    return parameters


def restored(settings: StudySettings) -> TradeOffSettings:
    """The settings of a study file; settings that the page does not have are as usual."""
    usual = TradeOffSettings()
    polish = settings.seconds if settings.work is None else settings.work
    found = TradeOffSettings(
        spacing=SPACING.nearest(settings.spacing), polish=SECONDS.nearest(polish)
    )
    if (tariff := settings.tariff) is None:
        return found
    return replace(
        found,
        axis="money" if tariff.price_per_kwh else "carbon",
        price=PRICE.nearest(tariff.price_per_kwh) if tariff.price_per_kwh else usual.price,
        carbon=CARBON.nearest(tariff.carbon_per_kwh) if tariff.carbon_per_kwh else usual.carbon,
        pue=PUE.nearest(tariff.pue),
        currency=settings.currency if settings.currency in CURRENCIES else usual.currency,
    )


def read(given: Mapping[str, str]) -> tuple[TradeOffSettings, tuple[str, ...]]:
    """The settings, and a sentence for each parameter that was ignored."""
    parameters = Parameters(given)
    found: dict[str, Any] = {}
    for name, choices in _CHOICES.items():
        found[name] = parameters.choice(name, choices)
    for name, choices in _LISTS.items():
        found[name] = parameters.choices(name, choices)
    for name, allowed in _RANGES.items():
        found[name] = parameters.number(name, allowed, float)
    for name in WISH_LABELS:
        amount = parameters.number(name, WISH_AMOUNT, float)
        if amount is not None:
            found["wish"] = StatedWish(name, amount)
    said = {name: value for name, value in found.items() if value is not None}
    return TradeOffSettings(**said), tuple(parameters.notes)
