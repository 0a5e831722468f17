"""Names in a figure: they are shown as written, and never read as markup."""

import html
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from core.vocabulary.say.money import Money

LONGEST: Final = 18
_HEAD: Final = 4
"""So much of the begin of a name stands before what tells it from others."""
# The beginning of the colours that a browser replaces by those of its theme.
_PLACES: Final = "#0000"


def plain(text: str) -> str:
    """The text, in which neither Plotly reads markup nor Streamlit a colour (`#000012`)."""
    return html.escape(text, quote=False).replace(_PLACES, f"&#35;{_PLACES[1:]}")


def plain_money(money: Money) -> Money:
    """The same money, with a currency that is safe in a figure: a study file may have named it."""
    return replace(money, currency=plain(money.currency))


def labels(names: Sequence[str], longest: int = LONGEST) -> list[str]:
    """Names, safe in a figure and cut to `longest` characters so that those that differ still do:
    of what begins alike, what tells it apart stands behind its begin. Where many are alike in
    several places, labels get up to twice as long; if that does not do, names that are cut have
    their number.

    >>> labels(["genome-align-human", "genome-align-mouse", "sort"], 12)
    ['geno…n-human', 'geno…n-mouse', 'sort']
    """
    for most in range(longest, 2 * longest):
        cut = _cut(names, most)
        if len(set(cut)) == len(set(names)):
            break
    else:
        number = {name: k for k, name in enumerate(dict.fromkeys(names), 1)}
        several = zip(cut, names, strict=True)
        cut = [one if one == name else f"{one} ({number[name]:,})" for one, name in several]
    return [plain(name) for name in cut]


def _cut(names: Sequence[str], longest: int, apart: tuple[int, int] = (0, 0)) -> list[str]:
    """Each name cut so that it has what follows the last two places up to which it is `apart`."""
    found = [_around(name, *apart, longest) for name in names]
    alike: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(found):
        alike[one].append(place)
    for places in alike.values():
        several = [names[place] for place in places]
        if len(set(several)) > 1 and (shared := _shared(several)) > apart[1]:
            for place, one in zip(places, _cut(several, longest, (apart[1], shared)), strict=True):
                found[place] = one
    return found


def _shared(names: Sequence[str]) -> int:
    """How many characters all of these begin with alike."""
    first, last = min(names), max(names)
    alike = (one == other for one, other in zip(first, last, strict=False))
    return sum(takewhile(bool, alike))


def _around(name: str, before: int, at: int, longest: int) -> str:
    """A name cut to `longest` characters that has those from `at` on, behind some from `before`."""
    if len(name) <= longest:
        return name
    if at < longest - 1:
        return f"{name[: longest - 1]}…"
    head = f"…{name[before : before + _HEAD - 1]}" if before else name[:_HEAD]
    room = longest - _HEAD - 1
    if len(name) - at <= room:
        return f"{head}…{name[-room:]}"
    return f"{head}…{name[at : at + room - 1]}…"
