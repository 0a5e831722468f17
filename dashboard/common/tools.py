"""What the bar of every chart offers: the picture, zoom and pan, and no selections."""

from typing import Any, Final

TOOLS: Final[dict[str, Any]] = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d"],
}
