"""Colours of figures, by the part they play: what a browser replaces by those of its theme.

Streamlit's page replaces some colours of a figure by those of the theme that is on, light or dark,
without asking the server (`theme.light.chartCategoricalColors` and so on in `config.toml`). The
colours here are such places; what stands in each is told by `core/say/colours.py`, and a test holds
`config.toml` to it.
"""

from dataclasses import dataclass
from typing import Any, Final

from core.say import colours
from core.say.colours import Colour

PLACES: Final[dict[str, tuple[Colour, ...]]] = {
    "chartCategoricalColors": (*colours.TASK_TYPES, colours.MIXED, colours.IDLE),
    "chartSequentialColors": (
        *colours.SCALE,
        colours.OURS,
        colours.BOUND,
        colours.RIVAL,
        colours.CHOSEN,
        colours.OTHERS,
    ),
    "chartDivergingColors": (
        *colours.MACHINE_TYPES,
        colours.GAIN,
        colours.LOSS,
        colours.GHOST,
        colours.POSSIBLE,
        colours.ACHIEVED,
    ),
}
"""Ten of each option, in the order in which Streamlit numbers them."""
_PLACE: Final = {
    colour: f"#{place:06}"
    for place, colour in enumerate((one for each in PLACES.values() for one in each), start=1)
}

PAPER: Final = "#000038"
"""The ground of the page: of text on strong colours, and behind text that crosses lines."""
INK: Final = "#000037"
"""Of text; the theme's own of axes is fainter than can be read."""

OURS: Final = _PLACE[colours.OURS]
OTHERS: Final = _PLACE[colours.OTHERS]
BOUND: Final = _PLACE[colours.BOUND]
"""What is proven."""
RIVAL: Final = _PLACE[colours.RIVAL]
CHOSEN: Final = _PLACE[colours.CHOSEN]
GHOST: Final = _PLACE[colours.GHOST]
"""What was there before the last change."""
LEVEL: Final = BOUND
"""A line at which values are read off: a peak, an average."""
GAIN: Final = _PLACE[colours.GAIN]
LOSS: Final = _PLACE[colours.LOSS]
IDLE: Final = _PLACE[colours.IDLE]
ACHIEVED: Final = _PLACE[colours.ACHIEVED]
POSSIBLE: Final = _PLACE[colours.POSSIBLE]
FEASIBLE: Final = ACHIEVED
FORBIDDEN: Final = "rgba(128, 134, 142, 0.16)"
HATCHED: Final[dict[str, Any]] = {
    "shape": "/",
    "size": 9,
    "solidity": 0.1,
    "fgcolor": "rgba(128, 134, 142, 0.5)",
    "bgcolor": FORBIDDEN,
}
"""Where nothing can be."""
GRID: Final = "rgba(128, 140, 152, 0.25)"
UNSEEN: Final = "rgba(0, 0, 0, 0)"
"""Of what is there for the pointer alone."""
SEQUENTIAL: Final = tuple(
    (step / (len(colours.SCALE) - 1), _PLACE[colour]) for step, colour in enumerate(colours.SCALE)
)
"""From none, which is calm, to most."""
_RAMP: Final = ((0, 114, 178), (213, 94, 0))


# Between the fills and the page, so that text is read on fill and stripe.
_STRIPES: Final = {"fillmode": "replace", "fgcolor": IDLE, "size": 6, "solidity": 0.35}


@dataclass(frozen=True, slots=True)
class Paint:
    """A fill on which text in the colour of the page is read well, and how it is striped."""

    fill: str
    shape: str = ""

    @property
    def pattern(self) -> dict[str, Any] | None:
        """In Plotly's words; None without stripes."""
        return {"shape": self.shape, "bgcolor": self.fill, **_STRIPES} if self.shape else None

    @property
    def marker(self) -> dict[str, Any]:
        """What a bar looks like, in Plotly's words."""
        stripes = {} if self.pattern is None else {"pattern": self.pattern}
        return {"color": self.fill, **stripes}


MIXED: Final = Paint(_PLACE[colours.MIXED])
"""Of several types, or of those without a colour of their own."""
_SHAPES: Final = ("", "/", "\\", "x", "-", "|", "+", ".")


def paint_task(rank: int) -> Paint:
    """Of the `rank`-th task type; after all colours come the same ones with stripes."""
    return _paint(rank, colours.TASK_TYPES)


def paint_machine(rank: int) -> Paint:
    """Of the `rank`-th machine type: muted, so that nobody takes it for a task type."""
    return _paint(rank, colours.MACHINE_TYPES)


def _paint(rank: int, among: tuple[Colour, ...]) -> Paint:
    place, rounds = colours.place_of(rank, among)
    return Paint(_PLACE[among[place]], _SHAPES[rounds % len(_SHAPES)])


def distinct(rank: int) -> str:
    """Of the `rank`-th of several lines; they repeat after as many as there are task colours."""
    return paint_task(rank % len(colours.TASK_TYPES)).fill


def shade(share: float) -> str:
    """A colour from blue to orange, told apart on light and dark ground."""
    mixed = [round(a + (b - a) * share) for a, b in zip(*_RAMP, strict=True)]
    return f"rgb({', '.join(map(str, mixed))})"
