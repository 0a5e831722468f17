"""Caps as a text, such as "late=5%,cost=40,peak=30kW": what `--at-most` takes, and is given."""

import re
from typing import Final, NamedTuple

from core.capabilities.centre.settings import DaySettings
from core.shells.settings.forms import shell_word
from core.vocabulary.problems import InvalidInput


class _CapWord(NamedTuple):
    """The setting that a word stands for, and its unit, of which the setting has `many` a unit."""

    setting: str
    unit: str
    many: float = 1.0


_WORDS: Final = {
    "cost": _CapWord("most_cost", ""),
    "carbon": _CapWord("most_carbon", "kg"),
    "energy": _CapWord("most_energy", "kWh"),
    "excess": _CapWord("most_excess", "kWh"),
    "late": _CapWord("most_late", "%", 100.0),
    "peak": _CapWord("most_peak", "kW"),
}
_ANY: Final = "any"
_NUMBER: Final = r"[-+]?[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]+)?"
_CAP: Final = re.compile(rf"([a-z]+)\s*=\s*({_ANY}|{_NUMBER})\s*(%|[a-z]*)", re.IGNORECASE)


def read_caps(text: str) -> dict[str, float | None]:
    """The settings that a text gives; a share may be said as 5% or as 0.05. Raises `InvalidInput`
    if it cannot be understood.
    """
    found: dict[str, float | None] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        match = _CAP.fullmatch(part)
        word = _WORDS.get(match[1].lower()) if match else None
        if match is None or word is None:
            known = ", ".join(_WORDS)
            raise InvalidInput.of(
                f"--at-most: {part!r} is no cap; give some of {known}, such as late=5%"
            )
        if match[3].lower() not in ("", word.unit.lower()):
            unit = word.unit or "money"
            raise InvalidInput.of(
                f"--at-most: {match[1]} is in {unit}, not in {match[3]!r}; leave the unit out"
            )
        many = word.many if match[3] else 1.0
        found[word.setting] = None if match[2].lower() == _ANY else float(match[2]) / many
    return found


def written_caps(asked: DaySettings) -> str:
    """The caps that are not the usual ones, as such a text."""
    usual, said = DaySettings(), []
    for name, word in _WORDS.items():
        value = getattr(asked, word.setting)
        if value == getattr(usual, word.setting):
            continue
        # A product with 100 is rounded, as 7.000000000000001 %.
        most = _ANY if value is None else f"{shell_word(round(value * word.many, 12))}{word.unit}"
        said.append(f"{name}={most}")
    return ",".join(said)
