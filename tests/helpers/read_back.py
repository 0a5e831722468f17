"""What printed quantities say, read back into fractions by a parser that shares nothing with
`core.vocabulary.say.words`.
"""

import re
from fractions import Fraction

SECONDS = {"d": 86400, "h": 3600, "min": 60, "s": 1}
PREFIXES = {"T": 12, "G": 9, "M": 6, "k": 3, "": 0, "m": -3, "µ": -6, "n": -9}
_NUMBER = r"−?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?"
_TIME = re.compile(rf"(?<![\w.,−])((?:{_NUMBER} (?:d|h|min|[mµn]?s)(?![\w/]) ?)+)")
_ENERGY = re.compile(rf"(?<![\w.,−])({_NUMBER}) ([TGMkmµn]?)(Wh|J)(?![\w/])(?! s\b)")
_POWER = re.compile(rf"(?<![\w.,−])({_NUMBER}) ([TGMkmµn]?)W(?![\w/])")
_SHARE = re.compile(rf"(?<![\w.,−])({_NUMBER}) %")
_MONEY = re.compile(rf"(?<![\w.,−])({_NUMBER})(?= an? (?:hour|second|bag)| EUR| ¤/s)")


def number(text: str) -> Fraction:
    """One number, its sign typeset and its thousands apart."""
    return Fraction(text.replace(",", "").replace("−", "-"))


def decimal(value: float) -> Fraction:
    """The decimal number that is shown of a float, as in JSON."""
    return Fraction(repr(float(value)))


def quantity(text: str) -> Fraction:
    """The one quantity that a text consists of, in SI units; percents are hundredths."""
    sign = -1 if text.startswith("−") else 1
    parts = re.findall(rf"({_NUMBER})(?: (\S+))?", text.removeprefix("−"))
    return sign * sum((number(found) * _size(unit) for found, unit in parts), start=Fraction(0))


def times(text: str) -> list[Fraction]:
    """Seconds of each time in a text."""
    return [quantity(found) for found in _TIME.findall(text)]


def energies(text: str) -> list[Fraction]:
    """Joules of each energy in a text."""
    return [
        number(amount) * Fraction(10) ** PREFIXES[prefix] * (3600 if unit == "Wh" else 1)
        for amount, prefix, unit in _ENERGY.findall(text)
    ]


def powers(text: str) -> list[Fraction]:
    """Watts of each power in a text."""
    return [
        number(amount) * Fraction(10) ** PREFIXES[prefix] for amount, prefix in _POWER.findall(text)
    ]


def shares(text: str) -> list[Fraction]:
    """Each percentage in a text, as a fraction."""
    return [number(percent) / 100 for percent in _SHARE.findall(text)]


def amounts(text: str) -> list[Fraction]:
    """Money in a text, before "an hour", "a bag" or its currency."""
    return [number(found) for found in _MONEY.findall(text)]


def _size(unit: str) -> Fraction:
    if unit in SECONDS:
        return Fraction(SECONDS[unit])
    if unit == "%":
        return Fraction(1, 100)
    prefix = re.sub(r"(?:Wh|W|J|s)$", "", unit)
    return (3600 if unit.endswith("Wh") else 1) * Fraction(10) ** PREFIXES[prefix]
