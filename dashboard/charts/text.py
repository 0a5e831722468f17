"""Names in a figure: what a person wrote is shown as written, never read as markup."""

import html
from typing import Final

LONGEST: Final = 18


def plain(text: str) -> str:
    """Safe where Plotly would take tags and entities for markup."""
    return html.escape(text, quote=False)


def label(name: str, longest: int = LONGEST) -> str:
    """A name short enough for an axis or a bar."""
    return plain(name if len(name) <= longest else f"{name[: longest - 1]}…")
