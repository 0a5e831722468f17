"""How each way to choose is drawn in all charts of the page: colour, dashes and mark."""

from dataclasses import dataclass
from typing import Any, Final

from core.capabilities.provision.words import DECIDED
from dashboard.parts.charts.palette import BOUND, GHOST, OTHERS, OURS, RIVAL

WS: Final = "ws"
TITLES: Final = {WS: "Each future known", **DECIDED}
"""The ways to choose, and what nobody can do: to know the future."""


@dataclass(frozen=True, slots=True)
class Look:
    """The look of lines and marks, told apart also without colours."""

    colour: str
    dash: str
    symbol: str

    @property
    def line(self) -> dict[str, Any]:
        return {"color": self.colour, "width": 2, "dash": self.dash}

    @property
    def marker(self) -> dict[str, Any]:
        return {"color": self.colour, "symbol": self.symbol, "size": 7}


LOOKS: Final = {
    WS: Look(BOUND, "dash", "line-ew"),
    "rp": Look(OURS, "solid", "circle"),
    "mvp": Look(RIVAL, "dashdot", "diamond"),
    "h1": Look(OTHERS, "dot", "square"),
    "h2": Look(OTHERS, "longdash", "triangle-up"),
    "h3": Look(GHOST, "longdashdot", "x"),
}
