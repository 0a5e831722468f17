"""Names in a figure: what a person wrote is shown as written, never read as markup."""

import html
from dataclasses import replace
from typing import Final

from core.say.money import Money

LONGEST: Final = 18
# What the colours begin with that a browser replaces by those of its theme.
_PLACES: Final = "#0000"


def plain(text: str) -> str:
    """Safe where Plotly would take tags and entities for markup, or Streamlit a colour of a theme
    (`#000012`) for what it replaces.
    """
    return html.escape(text, quote=False).replace(_PLACES, f"&#35;{_PLACES[1:]}")


def plain_money(money: Money) -> Money:
    """The same money, whose currency a study file may have named, as a figure says it."""
    return replace(money, currency=plain(money.currency))


def label(name: str, longest: int = LONGEST) -> str:
    """A name short enough for an axis or a bar."""
    return plain(name if len(name) <= longest else f"{name[: longest - 1]}…")
