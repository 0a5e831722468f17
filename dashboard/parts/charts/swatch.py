"""The colour of a task type as a small picture, for tables."""

from typing import Final
from urllib.parse import quote

from core.vocabulary.say import colours
from core.vocabulary.say.colours import Colour, Leaders

# The stripes of `palette`, as lines on a square of 16 pixels.
_STRIPES: Final = {
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
    stripes = _STRIPES.get(min(rounds, 2), "") if own and rounds else ""
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">'
        f'<rect width="16" height="16" fill="{fill}"/>'
        f'<path d="{stripes}" stroke="{css(colours.IDLE)}" stroke-width="2"/></svg>'
    )
    return f"data:image/svg+xml,{quote(drawn)}"
