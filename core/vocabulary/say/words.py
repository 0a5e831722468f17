"""Numbers as people read them: rounded, with a unit, and never better than they are.

The caller says what a number is (`Sense`), and that decides how it is rounded. All rules:

- The text of a proven lower bound is never above it, that of an upper bound never below: exactly,
  in decimals.
- The text of what a schedule takes is never below it, and that of what it brings never above, but
  for rounding errors of the arithmetic (`SAME`). What was typed is repeated as typed.
- Numbers have four significant digits, and all digits before the point. Times are to the second up
  to ten hours, to the minute up to ten days, to the hour up to a thousand. So a figure has the same
  text everywhere.
- If a value keeps a limit (`against`), it gets as many digits as its text needs to keep it too; if
  it breaks the limit, so does its text.
- In a headline what is found is to the nearest, in the digits that a better search seldom changes:
  numbers have two, or three if the first is 1 or 2; times are to the minute from half an hour to
  five, and shares are whole from 10 %.
- A value that does not exist (None, or not finite) is "–". Only 0 is written as 0.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import Final, NamedTuple

from core.vocabulary.tolerances import FEW_OPERATIONS, SAME

MINUTE: Final = 60.0
HOUR: Final = 3600.0
DAY: Final = 86400.0
YEAR: Final = 365.0 * DAY
JOULES_PER_KWH: Final = 3.6e6

NOTHING: Final = "–"
"""The text of a value that does not exist."""


class Sense(Enum):
    """What a number is, which decides how it may be rounded."""

    LOWER_BOUND = "proven: nothing is less"
    UPPER_BOUND = "proven: nothing is more"
    SPENT = "what a schedule takes: not more than is said"
    EARNED = "what a schedule brings or saves: not less than is said"
    PLAIN = "a quantity, to the nearest"
    TYPED = "what a person typed"
    HEADLINE = "what is found, in a headline: about"

    @property
    def mirrored(self) -> "Sense":
        """The sense of the same number with its sign turned."""
        return _MIRRORED.get(self, self)


_MIRRORED: Final = {
    Sense.LOWER_BOUND: Sense.UPPER_BOUND,
    Sense.UPPER_BOUND: Sense.LOWER_BOUND,
    Sense.SPENT: Sense.EARNED,
    Sense.EARNED: Sense.SPENT,
}
_DOWN: Final = (Sense.LOWER_BOUND, Sense.EARNED)
_PROVEN: Final = (Sense.LOWER_BOUND, Sense.UPPER_BOUND)
_NEAREST: Final = (Sense.PLAIN, Sense.HEADLINE)

DIGITS: Final = 4
# A float holds at least this many of the digits that a person typed.
_MOST_DIGITS: Final = 15
# Numbers outside these powers of ten are written with an exponent.
_LEAST_POWER: Final = -12
_MOST_POWER: Final = 15
# Quotients by larger powers of ten, or by smaller ones than their inverses, lose digits.
_MOST_FLOAT_POWER: Final = 280
# Pairs of seconds: from the left one on, times are rounded to multiples of the right one.
_COARSE: Final = ((1000 * DAY, int(DAY)), (10 * DAY, int(HOUR)), (10 * HOUR, 60), (2 * MINUTE, 1))
# Times in headlines are rounded to the largest of these numbers of seconds that fits in so often.
_ROUGH: Final = {86400: "1 d", 3600: "1 h", 600: "10 min", 60: "1 min", 10: "10 s", 1: "1 s"}
_ROUGH_STEPS: Final = 30
# From this fraction on, shares in headlines are whole.
_WHOLE_PERCENT: Final = 0.1
_WITHIN: Final = (1, Fraction(3, 2), 2, 3, 5, 7, 10)
_PREFIXES: Final = ("n", "µ", "m", "", "k", "M", "G", "T")


class _Said(NamedTuple):
    """The number in a text: `steps` steps, each 10 to the minus `power` of `size` SI units."""

    steps: int
    power: int
    size: int = 1

    @property
    def exact(self) -> Fraction:
        """In the SI unit."""
        return self.steps * self.size / Fraction(10) ** self.power

    @property
    def exponent(self) -> int:
        """The power of ten of its first digit."""
        return len(str(self.steps)) - 1 - self.power


_WATT_HOUR: Final = 3600
_Candidates = Callable[[float, Sense], Iterator[_Said]]
"""The possible texts of a positive value: the usual one first, then with more and more digits."""


def duration(seconds: float | None, sense: Sense, against: float | None = None) -> str:
    """A time: "10.79 s", "1 h 57 min 13 s", "12 d 5 h"."""
    return _text(seconds, sense, against, _times, _in_units_of_time)


def longer(seconds: float, time: float) -> str:
    """How much longer than a `time` something takes, in a headline: "17 min", "less than 1 min"."""
    step = max(_rough_step(seconds), _rough_step(time))
    if not step:
        return duration(seconds, Sense.HEADLINE)
    if seconds < step:
        return f"less than {_ROUGH[step]}"
    steps = round(seconds / step)
    return _ROUGH[step] if steps == 1 else _in_units_of_time(_Said(steps, 0, step))


def energy(joules: float | None, sense: Sense, against: float | None = None) -> str:
    """An energy in watt-hours, as on a bill: "390 Wh", "3.428 kWh". It is in joules if it is below
    a watt-hour, or if it must be exact and is not a decimal number of watt-hours.
    """
    if joules is None or not math.isfinite(joules):
        return NOTHING
    given = joules if against is None or not math.isfinite(against) else against
    exact = sense is Sense.TYPED or given == against
    if abs(given) < _WATT_HOUR or (exact and _power_of(_decimal(given) / _WATT_HOUR) is None):
        return in_joules(joules, sense, against)
    watt_hours = partial(_significant, size=_WATT_HOUR)
    return _text(joules, sense, against, watt_hours, partial(_with_prefix, "Wh"))


def energies(joules: float, budget: float) -> tuple[str, str]:
    """What is drawn and its budget, in one unit and with as many digits, each to the nearest: so
    the first is above the second in text just where it is above it.
    """
    unit, size = ("Wh", _WATT_HOUR) if budget >= _WATT_HOUR else ("J", 1)
    over = joules > budget * (1 + SAME)
    drawn = most = _Said(0, 0, size)
    for digits in range(DIGITS, _MOST_DIGITS + 1):
        drawn, most = (
            next(_significant(one, Sense.PLAIN, size, digits)) if one > 0 else _Said(0, 0, size)
            for one in (joules, budget)
        )
        if not over or drawn.exact > most.exact:
            break
    return _with_prefix(unit, drawn, most), _with_prefix(unit, most)


def in_joules(joules: float | None, sense: Sense, against: float | None = None) -> str:
    """An energy in joules: "12.34 MJ"."""
    return _text(joules, sense, against, _significant, partial(_with_prefix, "J"))


def power(watts: float | None, sense: Sense, against: float | None = None) -> str:
    """A power: "930 W", "5.251 kW"."""
    return _text(watts, sense, against, _significant, partial(_with_prefix, "W"))


def amount(
    value: float | None,
    sense: Sense,
    unit: str = "",
    against: float | None = None,
    digits: int = DIGITS,
) -> str:
    """A number with at least so many digits, all of those before the point: "12,345 EUR/h"."""
    candidates = partial(_significant, digits=digits, whole=True)
    return _text(value, sense, against, candidates, partial(_with_unit, unit))


def typed(value: float) -> str:
    """A number as a person typed it, or as it is in the code."""
    return amount(value, Sense.TYPED)


def rounded(value: float, sense: Sense, digits: int = DIGITS) -> float:
    """The number that `amount` writes: for tables that sort by it and fields that start with it."""
    if not math.isfinite(value) or not value:
        return value
    said = next(_significant(abs(value), sense if value > 0 else sense.mirrored, digits=digits))
    return math.copysign(float(said.exact), value)


def share(fraction: float | None, sense: Sense) -> str:
    """A fraction as a percentage: whole from 100 %, to a tenth from 1 %, to a hundredth from 0.1 %,
    and to two digits below. A fraction of at most `SAME` is "0 %".
    """
    if fraction is not None and abs(fraction) <= SAME:
        fraction = 0.0
    return _text(fraction, sense, None, _hundredths, _in_percent)


def within(fraction: float) -> str:
    """A bound of a fraction in a headline, rounded up to the next of few numbers: "0.2 %"."""
    if not SAME < fraction < math.inf:
        return share(fraction, Sense.UPPER_BOUND)
    exact, place = Fraction(repr(float(fraction))), Fraction(10) ** _exponent(fraction)
    bound = next(place * step for step in _WITHIN if place * step >= exact)
    return share(float(bound), Sense.TYPED)


def change(fraction: float | None) -> str:
    """How much more or less, as a percentage with its sign: "+3.2 %", "−1.1 %", "0 %"."""
    said = share(fraction, Sense.PLAIN)
    return f"+{said}" if fraction is not None and SAME < fraction < math.inf else said


def difference(value: float, other: float) -> float:
    """The first less the second; 0 where they differ only by rounding."""
    return settled(value - other, max(abs(value), abs(other)))


def settled(value: float, scale: float) -> float:
    """A value computed from numbers as large as `scale`; 0 where it is only their rounding."""
    return 0.0 if abs(value) <= SAME * scale else value


def clock(seconds: float) -> str:
    """The time of day so many seconds after midnight: "07:30", or "07:30:05" within a minute."""
    minutes, rest = divmod(round(seconds) % int(DAY), 60)
    said = f"{minutes // 60:02}:{minutes % 60:02}"
    return f"{said}:{rest:02}" if rest else said


def begun(clause: str) -> str:
    """A clause as the beginning of a sentence."""
    return f"{clause[:1].upper()}{clause[1:]}"


def as_sentence(clause: str) -> str:
    """A clause as a sentence of its own."""
    return f"{begun(clause)}."


def joined(parts: Sequence[str]) -> str:
    """Parts in a sentence: "A, B and C"; empty if there are none."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def counted(number: int, noun: str) -> str:
    """A number with its noun, as in "1 task" and "1,100 tasks"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _text(
    value: float | None,
    sense: Sense,
    against: float | None,
    candidates: _Candidates,
    written: Callable[[_Said], str],
) -> str:
    if value is None or not math.isfinite(value):
        return NOTHING
    value = float(value)
    if value < 0:
        return f"−{_text(-value, sense.mirrored, None, candidates, written)}"
    if value == 0:
        return written(_Said(0, 0))
    if against is None or not math.isfinite(against) or sense is Sense.TYPED:
        return written(next(candidates(value, sense)))
    kept, limit = value <= against * (1 + SAME), _decimal(against)
    alike = (said for said in candidates(value, sense) if (said.exact <= limit) == kept)
    return written(next(alike, None) or next(candidates(against, Sense.TYPED)))


def _times(seconds: float, sense: Sense) -> Iterator[_Said]:
    if sense is Sense.HEADLINE and (step := _rough_step(seconds)):
        yield _Said(_steps(seconds, step, 0, sense), 0, step)
        return
    if sense in (Sense.TYPED, Sense.HEADLINE) or seconds < _COARSE[-1][0]:
        yield from _significant(seconds, sense)
        return
    coarse = next(size for least, size in _COARSE if seconds >= least)
    yield _Said(_steps(seconds, coarse, 0, sense), 0, coarse)
    yield from (_Said(_steps(seconds, 1, power, sense), power) for power in range(_MOST_DIGITS))


def _rough_step(seconds: float) -> int:
    """The seconds to which a time is rounded in a headline; 0 below half a minute."""
    return next((size for size in _ROUGH if seconds >= _ROUGH_STEPS * size), 0)


def _significant(
    value: float, sense: Sense, size: int = 1, digits: int = DIGITS, *, whole: bool = False
) -> Iterator[_Said]:
    """To so many digits of units of that `size`; if `whole`, to the unit at least."""
    if sense is Sense.TYPED:
        yield _typed(value, size)
        return
    exponent = _exponent(value / size)
    if sense is Sense.HEADLINE:
        digits, whole = 3 if value / size < 3 * 10.0**exponent else 2, False
    whole = whole and exponent < _MOST_POWER
    for number in range(digits, _MOST_DIGITS + 1):
        power = number - 1 - exponent
        power = max(power, 0) if whole else power
        steps = _steps(value, size, power, sense)
        if steps < 10 ** (number - 1):
            # The quotient was rounded up to a power of ten, and is one below it.
            power += 1
            steps = _steps(value, size, power, sense)
        yield _Said(steps, power, size)


def _hundredths(fraction: float, sense: Sense) -> Iterator[_Said]:
    if sense is Sense.TYPED:
        yield _typed(fraction, 1)
        return
    if sense is Sense.HEADLINE and fraction >= _WHOLE_PERCENT:
        yield _Said(_steps(fraction, 1, 2, sense), 2)
        return
    decimals = next(
        (number for least, number in ((1.0, 2), (0.01, 3), (0.001, 4)) if fraction >= least),
        1 - _exponent(fraction),
    )
    yield _Said(_steps(fraction, 1, decimals, sense), decimals)


def _steps(value: float, size: int, power: int, sense: Sense) -> int:
    """The steps that a positive value is rounded to; a step is 10 to the minus `power` of `size`.

    A proven value is taken as the decimal number that its `repr` shows.
    """
    rounded = math.floor if sense in _DOWN else math.ceil
    if abs(power) < _MOST_FLOAT_POWER:
        ratio = value / size * float(f"1e{power}")
        nearest = round(ratio)
        off = abs(ratio - nearest)
        if sense in _NEAREST or (sense not in _PROVEN and off <= SAME * ratio):
            return nearest
        if off > FEW_OPERATIONS * ratio:
            return rounded(ratio)
    return rounded(Fraction(repr(value)) * Fraction(10) ** power / size)


def _typed(value: float, size: int) -> _Said:
    """The number with all digits that were typed."""
    exact = _decimal(value) / size
    power = _power_of(exact)
    if power is None:
        raise ValueError(f"{value} / {size} is not a decimal number")
    return _Said(int(exact * 10**power), power, size)


def _decimal(value: float) -> Fraction:
    """The exact number that was typed."""
    return Fraction(f"{value:.{_MOST_DIGITS}g}")


def _power_of(exact: Fraction) -> int | None:
    """How many decimals a number has; None where they never end."""
    rest, power = exact.denominator, 0
    while rest % 10 == 0:
        rest, power = rest // 10, power + 1
    for factor in (2, 5):
        while rest % factor == 0:
            rest, power = rest // factor, power + 1
    return power if rest == 1 else None


def _exponent(value: float) -> int:
    return int(f"{value:.16e}".partition("e")[2])


def _in_units_of_time(said: _Said) -> str:
    """In days, hours, minutes and seconds from two minutes on; never "4 h 36 s", which people read
    as minutes.
    """
    minute = 60 * 10 ** max(said.power, 0)
    if said.steps * said.size < 2 * minute:
        return _with_prefix("s", said)
    minutes, rest = divmod(said.steps * said.size, minute)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = ((days, "d"), (hours, "h"), (minutes, "min"))
    words = [f"{number:,} {unit}" for number, unit in parts if number]
    if words and rest and not minutes:
        words.append("0 min")
    return " ".join([*words, f"{_number(rest, said.power)} s"] if rest else words)


def _with_prefix(unit: str, said: _Said, like: _Said | None = None) -> str:
    """The text with the prefix that leaves one to three digits before the point, if one does; of
    another number, if it is written like that.
    """
    first = like or said
    thousands = min(max(first.exponent // 3, -3), 4) if first.steps else 0
    return f"{_number(said.steps, said.power + 3 * thousands)} {_PREFIXES[thousands + 3]}{unit}"


def _with_unit(unit: str, said: _Said) -> str:
    return f"{_number(said.steps, said.power)} {unit}".rstrip()


def _in_percent(said: _Said) -> str:
    return f"{_number(said.steps, said.power - 2)} %"


def _number(steps: int, decimals: int) -> str:
    """The number of `steps` steps of 10 to the minus `decimals`, without zeros at the end."""
    exponent = len(str(steps)) - 1 - decimals
    if steps and not _LEAST_POWER <= exponent < _MOST_POWER + 3:
        return f"{_number(steps, len(str(steps)) - 1)}e{exponent}"
    if decimals <= 0:
        return f"{steps * 10**-decimals:,}"
    whole, rest = divmod(steps, 10**decimals)
    return f"{whole:,}.{rest:0{decimals}}".rstrip("0").rstrip(".")
