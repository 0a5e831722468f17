"""Names in CSV files: quoted where needed, and never a formula.

A spreadsheet runs a cell that begins with = + - or @. Such a name gets an apostrophe in front, and
so does one that already begins with apostrophes. Readers remove one.
"""

import re
from typing import Final

_FORMULA: Final = re.compile(r"'*[=+\-@]")
_NEUTRALISED: Final = re.compile(r"'+[=+\-@]")
_NEEDS_QUOTES: Final = re.compile(r"[,;\t\"\s]")


def neutralised(name: str) -> str:
    """The name as a text that no spreadsheet runs as a formula."""
    return "'" + name if _FORMULA.match(name) else name


def restored(text: str) -> str:
    """The name whose neutralised form is `text`."""
    return text[1:] if _NEUTRALISED.match(text) else text


def csv_cell(name: str) -> str:
    """The name as a cell of a CSV file of any delimiter."""
    text = neutralised(name)
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text
