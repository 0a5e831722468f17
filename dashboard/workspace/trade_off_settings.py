"""The settings of the page Trade-offs, and how the address says them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from core.engines.front.axis import QUANTITIES, Axis, AxisQuantity, axis_for
from core.engines.front.methods import SPACING
from core.engines.front.wish import WISH_KINDS, StatedWish, WishParameter
from core.engines.rivals import RIVALS
from core.shells.studies import StudySettings
from core.vocabulary.prices.site import ASSUMED, Site
from core.vocabulary.ranges import Range
from core.vocabulary.setting import NumberIn, OneOf, SomeOf, setting
from dashboard.workspace.answering import SECONDS, PolishSettings
from dashboard.workspace.parameters import (
    Parameters,
    parameters_of,
    read_settings,
    written_settings,
)
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
    """All settings of the page. The `site` is that of all pages."""

    axis: AxisQuantity = setting("kWh", OneOf(QUANTITIES, QUANTITIES.__getitem__), "Axis")
    spacing: float = setting(
        PolishSettings().spacing,
        NumberIn(SPACING),
        "Spacing of the schedules",
        "The distance between neighbouring schedules before polish, as a share of the front.",
    )
    polish: float = setting(
        PolishSettings().seconds,
        NumberIn(SECONDS),
        "Polish for",
        "Local search in the background that brings the schedules closer to the lower bound.",
    )
    show: tuple[Layer, ...] = setting(
        (), SomeOf(LAYERS, "layer", LAYERS.__getitem__), "Show in the chart"
    )
    rivals: tuple[str, ...] = setting(
        (), SomeOf(RIVAL_NAMES, "method", RIVAL_NAMES.__getitem__), "Compare with other methods"
    )
    wish: StatedWish | None = None
    site: Site = ASSUMED

    @property
    def polish_settings(self) -> PolishSettings:
        return PolishSettings(self.spacing, self.polish)

    def axis_of(self, kind: WishParameter | None, joules: float) -> Axis:
        """The axis for an energy of about `joules`: that of the chart, or the one on which a kind
        of wish is stated.
        """
        quantity = self.axis
        if kind == "money":
            quantity = "money"
        elif kind == "budget" and quantity == "money":
            quantity = "kWh"
        return axis_for(quantity, self.site.tariff, self.site.currency, joules)


PARAMETERS: Final = parameters_of(TradeOffSettings) | WISH_LABELS.keys()


def written(settings: TradeOffSettings) -> dict[str, str]:
    """The parameters of settings that differ from the usual. `read` is the inverse."""
    wish = settings.wish
    wished = {} if wish is None else {wish.kind: parameter(wish.amount)}
    return written_settings(settings, TradeOffSettings()) | wished


def restored(settings: StudySettings) -> TradeOffSettings:
    """The settings of a study file."""
    polish = settings.seconds if settings.work is None else settings.work
    shown, _ = read(settings.view)
    return replace(shown, spacing=SPACING.nearest(settings.spacing), polish=SECONDS.nearest(polish))


def read(given: Mapping[str, str]) -> tuple[TradeOffSettings, tuple[str, ...]]:
    """The settings, and a sentence for each parameter that was ignored."""
    parameters = Parameters(given)
    settings = read_settings(parameters, TradeOffSettings())
    for name in WISH_LABELS:
        amount = parameters.number(name, WISH_AMOUNT, float)
        if amount is not None:
            settings = replace(settings, wish=StatedWish(name, amount))
    return settings, tuple(parameters.notes)
