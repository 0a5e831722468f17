"""The colours of figures, by what they stand for. The browser replaces them by those of its theme.

Streamlit's page replaces some colours of a figure by those of the theme in use, light or dark,
without asking the server (`theme.light.chartCategoricalColors` and so on in `config.toml`). The
colours here are such placeholders. `core/vocabulary/say/colours.py` says which colour each stands
for; a test holds `config.toml` to it.
"""

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from core.vocabulary.say import colours
from core.vocabulary.say.colours import Colour, Leaders

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
"""Ten colours for each option, in the order in which Streamlit numbers them."""
_PLACE: Final = {
    colour: f"#{place:06}"
    for place, colour in enumerate((one for each in PLACES.values() for one in each), start=1)
}

PAPER: Final = "#000038"
"""The background of the page: for text on strong colours, and behind text that crosses lines."""
INK: Final = "#000037"
"""The colour of text. The theme's own colour of axes is too faint to read."""

OURS: Final = _PLACE[colours.OURS]
OTHERS: Final = _PLACE[colours.OTHERS]
BOUND: Final = _PLACE[colours.BOUND]
"""For bounds: what is proven."""
RIVAL: Final = _PLACE[colours.RIVAL]
CHOSEN: Final = _PLACE[colours.CHOSEN]
GHOST: Final = _PLACE[colours.GHOST]
"""For the front before the last change."""
LEVEL: Final = BOUND
"""For a line at a value: a peak, an average."""
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
"""The look of a region in which no schedule can be."""
GRID: Final = "rgba(128, 140, 152, 0.25)"
UNSEEN: Final = "rgba(0, 0, 0, 0)"
"""For transparent bars that only take the pointer."""
SEQUENTIAL: Final = tuple(
    (step / (len(colours.SCALE) - 1), _PLACE[colour]) for step, colour in enumerate(colours.SCALE)
)
"""From the smallest value, which is pale, to the largest."""
_RAMP: Final = ((0, 114, 178), (213, 94, 0))


# Stripes have a colour between fill and page, so that text can be read on both.
_STRIPES: Final = {"fillmode": "replace", "fgcolor": IDLE, "size": 6, "solidity": 0.35}


@dataclass(frozen=True, slots=True)
class Paint:
    """A fill on which text in the colour of the page can be read, and the shape of its stripes."""

    fill: str
    shape: str = ""

    @property
    def pattern(self) -> dict[str, Any] | None:
        """The stripes in Plotly's words; None without stripes."""
        return {"shape": self.shape, "bgcolor": self.fill, **_STRIPES} if self.shape else None

    @property
    def marker(self) -> dict[str, Any]:
        """The look of a bar in Plotly's words."""
        stripes = {} if self.pattern is None else {"pattern": self.pattern}
        return {"color": self.fill, **stripes}


MIXED: Final = Paint(_PLACE[colours.MIXED])
"""For several types together, or types without their own colour."""
_SHAPES: Final = ("", "/", "\\", "x", "-", "|", "+", ".")


def paint_task(rank: int) -> Paint:
    """The paint of the task type with this rank. When all colours are used, stripes are added."""
    return MIXED if rank == colours.NO_COLOUR else _paint(rank, colours.TASK_TYPES)


def paint_machine(place: int) -> Paint:
    """The paint of the machine type at this place in its system, which is the same on every page:
    muted, unlike those of task types.
    """
    return _paint(place, colours.MACHINE_TYPES)


def _paint(rank: int, among: tuple[Colour, ...]) -> Paint:
    place, rounds = colours.place_of(rank, among)
    return Paint(_PLACE[among[place]], _SHAPES[rounds % len(_SHAPES)])


def distinct(rank: int) -> str:
    """The colour of one of several lines. Colours repeat after all task colours are used."""
    return paint_task(rank % len(colours.TASK_TYPES)).fill


_DASHES: Final = ("solid", "dash", "dot", "dashdot")
_SYMBOLS: Final = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "hexagon")


def dash(rank: int) -> str:
    """How one of several lines is dashed, for who does not tell their colours."""
    return _DASHES[rank % len(_DASHES)]


def symbol(rank: int) -> str:
    """The symbol of the marks of one of several lines, likewise."""
    return _SYMBOLS[rank % len(_SYMBOLS)]


def of_profit(value: float) -> str:
    """The colour of a gain, or of a loss."""
    return LOSS if value < 0 else GAIN


def shade(share: float) -> str:
    """A colour from blue (0) to orange (1), readable on light and dark backgrounds."""
    mixed = [round(a + (b - a) * share) for a, b in zip(*_RAMP, strict=True)]
    return f"rgb({', '.join(map(str, mixed))})"


# The stripes, as lines on a square of 16 pixels.
_STRIPE_LINES: Final = {
    1: "M-2 8L8 -2M2 20L20 2M-2 16L16 -2",
    2: "M-2 8L10 20M2 -2L20 16M-2 0L16 18",
}


def swatch(ranks: Leaders, task_type: int, *, dark: bool) -> str:
    """A data URL that contains the picture."""
    rank = int(ranks.rank[task_type])
    rounds, place = divmod(rank, len(colours.TASK_TYPES))
    own = rank < ranks.tail

    def css(colour: Colour) -> str:
        return colour.dark if dark else colour.light

    fill = css(colours.TASK_TYPES[place] if own else colours.MIXED)
    stripes = _STRIPE_LINES.get(min(rounds, 2), "") if own and rounds else ""
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">'
        f'<rect width="16" height="16" fill="{fill}"/>'
        f'<path d="{stripes}" stroke="{css(colours.IDLE)}" stroke-width="2"/></svg>'
    )
    return f"data:image/svg+xml,{quote(drawn)}"
