"""Names in a figure: they are shown as written, and never read as markup."""

import html
from dataclasses import replace
from typing import Final

from core.vocabulary.say.money import Money

LONGEST: Final = 18
# The beginning of the colours that a browser replaces by those of its theme.
_PLACES: Final = "#0000"


def plain(text: str) -> str:
    """The text, in which neither Plotly reads markup nor Streamlit a colour (`#000012`)."""
    return html.escape(text, quote=False).replace(_PLACES, f"&#35;{_PLACES[1:]}")


def plain_money(money: Money) -> Money:
    """The same money, with a currency that is safe in a figure: a study file may have named it."""
    return replace(money, currency=plain(money.currency))


def label(name: str, longest: int = LONGEST) -> str:
    """A name, safe in a figure and cut to `longest` characters."""
    return plain(name if len(name) <= longest else f"{name[: longest - 1]}…")
