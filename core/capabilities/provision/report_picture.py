"""The picture of shopping lists: bars of what each way to choose buys and sells."""

from typing import Final

import numpy as np

from core.capabilities.provision.comparison import Comparison
from core.capabilities.provision.words import DECIDED
from core.shells.report.axes import tick
from core.shells.report.svg import Scale, SvgDrawing

WIDTH: Final = 760.0
HEIGHT: Final = 300.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 74.0, 20.0, 744.0, 262.0
_BAR: Final = 0.7


def shopping_picture(found: Comparison) -> SvgDrawing:
    """Machines bought above the line, and machines sold below it, a bar each way to choose."""
    purchases = [found.outcomes[way].purchase for way in DECIDED]
    bought = [float(purchase.buy.sum()) for purchase in purchases]
    sold = [float(purchase.sell.sum()) for purchase in purchases]
    high, low = max(*bought, 1.0), -max(*sold, 0.0)
    up = Scale(low, high, _BOTTOM, _TOP)
    drawing = SvgDrawing(WIDTH, HEIGHT, "Machines to buy and to sell, by way to choose")
    for value in up.ticks(6):
        y = up(value)
        drawing.line(np.array([[_LEFT, y], [_RIGHT, y]]), "grid")
        drawing.text(_LEFT - 8, y + 4, tick(value), "end")
    step, zero = (_RIGHT - _LEFT) / len(DECIDED), up(0.0)
    for k, (way, title) in enumerate(DECIDED.items()):
        x = _LEFT + step * (k + (1 - _BAR) / 2)
        style = "schedule" if way == "rp" else "others"
        drawing.bars([(x, up(bought[k]), step * _BAR, zero - up(bought[k]))], style)
        drawing.bars([(x, zero, step * _BAR, up(-sold[k]) - zero)], style)
        drawing.text(x + step * _BAR / 2, _BOTTOM + 20, title, "middle")
    drawing.line(np.array([[_LEFT, zero], [_RIGHT, zero]]), "axis")
    drawing.text(14, (_TOP + _BOTTOM) / 2, "Machines", "middle title", turned=True)
    return drawing
