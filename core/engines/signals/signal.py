"""A curve over time: what a thing was in each step, or what was forecast of it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, Self
from zoneinfo import ZoneInfo

import numpy as np

from core.engines.signals.kinds import PRICE, SignalKind
from core.engines.signals.zones import LocalClock, moment_said
from core.files.numbers import number_cell
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.prices.day import DayTariff
from core.vocabulary.problems import InvalidInput, Problem, refuse
from core.vocabulary.say.words import DAY, JOULES_PER_KWH, Sense, duration
from core.vocabulary.tolerances import SAME_MOMENT

Fill = Literal["last", "linear"]
MOST_STEPS: Final = 4_000_000
GAPS_NAMED: Final = 3


class SignalGap(NamedTuple):
    """A span of which nothing is known, in seconds since 1970."""

    begin: float
    end: float

    def __str__(self) -> str:
        return f"{moment_said(self.begin)} to {moment_said(self.end)}"


@dataclass(frozen=True, slots=True, eq=False)
class Signal:
    """In the `seconds[k]` from `begins[k]` on, in seconds since 1970, the mean is `values[k]`, in
    the unit of its kind. Steps rise and do not overlap; between them there may be gaps.

    `issued` are the moments at which the values of a forecast were made; it is None for what came.
    The same step may be forecast several times: later issues stand below earlier ones.
    Raises `InvalidInput` with all faults.
    """

    kind: SignalKind
    begins: FloatArray
    seconds: FloatArray
    values: FloatArray
    issued: FloatArray | None = None

    def __post_init__(self) -> None:
        names = ["begins", "seconds", "values"] + ["issued"] * (self.issued is not None)
        for name in names:
            array = np.array(getattr(self, name), np.float64)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        refuse(f"{self.kind.said}: {fault}" for fault in self._faults(names))

    def _faults(self, names: list[str]) -> Iterator[str]:
        shapes = {getattr(self, name).shape for name in names}
        if len(shapes) > 1 or self.begins.ndim != 1 or not len(self.begins):
            lengths = ", ".join(f"{getattr(self, name).size:,} {name}" for name in names)
            yield f"there are {lengths}; give as many of each, and at least one"
            return
        for name in names:
            if not np.isfinite(getattr(self, name)).all():
                yield f"{name} are not all finite numbers; leave such steps out"
                return
        odd = (self.values < self.kind.allowed.low) | (self.values > self.kind.allowed.high)
        for k in np.flatnonzero(odd)[:1].tolist():
            value, at = number_cell(float(self.values[k])), moment_said(float(self.begins[k]))
            yield f"{value} at {at} is out of range; give {self.kind.allowed}"
        if (self.seconds <= 0).any():
            yield "a step has no length; give each more than 0 s"
        issued = np.zeros(len(self.begins)) if self.issued is None else self.issued
        rises, same = np.diff(self.begins) > 0, np.diff(self.begins) == 0
        again = same & (np.diff(self.seconds) == 0) & (np.diff(issued) > 0)
        for k in np.flatnonzero(~rises & ~again)[:1].tolist():
            yield (
                f"{moment_said(float(self.begins[k + 1]))} comes after "
                f"{moment_said(float(self.begins[k]))}; give each step once, in order"
            )
        over = rises & (self.ends[:-1] > self.begins[1:] + SAME_MOMENT)
        for k in np.flatnonzero(over)[:1].tolist():
            yield (
                f"the step from {moment_said(float(self.begins[k]))} on overlaps the next; "
                "shorten it"
            )

    @classmethod
    def of_day(cls, tariff: DayTariff, begin: float, end: float, zone: ZoneInfo) -> Self:
        """The prices of a tariff of the day, by the clock of a place, from a moment to another. An
        hour that the clock shows twice has its price twice.
        """
        clock = LocalClock.between(zone, begin - DAY, end + DAY)
        first, last = (math.floor((at + clock.ahead[0]) / DAY) for at in (begin, end))
        walls = (np.arange(first - 1, last + 2)[:, None] * DAY + tariff.begins).ravel()
        steps = [clock.moved, *(walls - ahead for ahead in clock.ahead)]
        begins = np.unique(np.clip(np.concatenate([[begin], *steps]), begin, end))[:-1]
        price = tariff.at(begins + clock.ahead_at(begins)) * JOULES_PER_KWH
        new = np.append(True, np.diff(price) != 0)
        return cls(PRICE, begins[new], np.diff(begins[new], append=end), price[new])

    @property
    def ends(self) -> FloatArray:
        return self.begins + self.seconds

    @property
    def is_forecast(self) -> bool:
        return self.issued is not None

    def known_at(self, moment: float) -> "Signal | None":
        """The latest value of each step that was issued by a moment; None if there is none yet.
        What came is known when its step has ended.
        """
        known = (self.ends if self.issued is None else self.issued) <= moment
        chosen = np.flatnonzero(known)
        return self._of(_latest(self.begins, chosen)) if len(chosen) else None

    @property
    def latest(self) -> "Signal":
        """The value of each step that was issued last."""
        return self._of(_latest(self.begins, np.arange(len(self.begins))))

    def _of(self, rows: IntArray) -> "Signal":
        return replace(
            self,
            begins=self.begins[rows],
            seconds=self.seconds[rows],
            values=self.values[rows],
            issued=None if self.issued is None else self.issued[rows],
        )

    def shifted(self, seconds: float) -> "Signal":
        """The same curve so much later; its issues, too."""
        issued = None if self.issued is None else self.issued + seconds
        return replace(self, begins=self.begins + seconds, issued=issued)

    def gaps(self, begin: float, end: float) -> tuple[SignalGap, ...]:
        """The spans between two moments of which nothing is known."""
        inside = (self.ends > begin) & (self.begins < end)
        starts = np.append(begin, self.ends[inside])
        stops = np.append(self.begins[inside], end)
        gaps = np.flatnonzero(stops - starts > SAME_MOMENT).tolist()
        return tuple(SignalGap(float(starts[k]), float(stops[k])) for k in gaps)

    def on_grid(self, start: float, step_seconds: float, steps: int) -> FloatArray:
        """The mean over each step of a grid, weighted by time, so that a curve and its values on
        any grid have the same integral. Of several issues, the latest counts.

        Raises `InvalidInput` that names from when to when nothing is known.
        """
        if not (math.isfinite(start) and 0 < step_seconds < math.inf and 0 < steps <= MOST_STEPS):
            raise InvalidInput.of(
                f"a grid of {steps:,} steps of {number_cell(step_seconds)} s is no grid; give 1 to "
                f"{MOST_STEPS:,} steps of more than 0 s"
            )
        end = start + step_seconds * steps
        if gaps := self.gaps(start, end):
            raise InvalidInput([Problem("", "", self.kind.name, self._unknown(gaps))])
        curve = self.latest
        edges = step_seconds * np.arange(steps + 1)
        begins = curve.begins - start
        inside = begins[(begins > 0) & (begins < edges[-1])]
        cuts = np.unique(np.concatenate([edges, inside]))
        weights = np.diff(cuts) / step_seconds
        source = np.maximum(np.searchsorted(begins, cuts[:-1], side="right") - 1, 0)
        first = np.searchsorted(cuts, edges[:-1])
        means: FloatArray = np.add.reduceat(curve.values[source] * weights, first)
        return means

    def _unknown(self, gaps: tuple[SignalGap, ...]) -> str:
        return (
            f"{self.kind.said} is not known from {_listed(gaps)}; give a file that has it, or ask "
            "to fill gaps"
        )

    def filled(self, begin: float, end: float, how: Fill) -> tuple["Signal", tuple[str, ...]]:
        """The curve without gaps between two moments, and notes that name what was filled.

        "last" repeats the value before a gap; "linear" goes evenly from the value before to the
        value after, in steps as long as those of the curve. Before the first step its value holds,
        and after the last that of the last.
        """
        curve = self.latest
        gaps = curve.gaps(begin, end)
        if not gaps:
            return curve, ()
        parts = [curve.begins], [curve.seconds], [curve.values]
        usual = float(np.median(curve.seconds))
        for gap in gaps:
            pieces = max(math.ceil((gap.end - gap.begin) / usual - SAME_MOMENT), 1)
            pieces = min(pieces, MOST_STEPS // len(gaps)) if how == "linear" else 1
            length = (gap.end - gap.begin) / pieces
            starts: FloatArray = gap.begin + length * np.arange(pieces, dtype=np.float64)
            parts[0].append(starts)
            parts[1].append(np.full(pieces, length))
            parts[2].append(curve._between(starts + length / 2, gap, how))
        begins, seconds, values = map(np.concatenate, parts)
        order = np.argsort(begins, kind="stable")
        issued = None
        if curve.issued is not None:
            added = np.full(len(begins) - len(curve.begins), curve.issued.max())
            issued = np.append(curve.issued, added)[order]
        found = Signal(self.kind, begins[order], seconds[order], values[order], issued)
        hours = duration(sum(gap.end - gap.begin for gap in gaps), Sense.PLAIN)
        value = "the last value" if how == "last" else "values between those around it"
        note = f"{self.kind.said}: {hours} without data have {value}: {_listed(gaps)}"
        return found, (note,)

    def _between(self, moments: FloatArray, gap: SignalGap, how: Fill) -> FloatArray:
        """What fills a gap at these moments."""
        before = int(np.searchsorted(self.begins, gap.begin + SAME_MOMENT, side="right")) - 1
        after = before + 1
        if before < 0 or after >= len(self.begins) or how == "last":
            return np.full(len(moments), self.values[max(before, 0)])
        middles = (self.begins + self.seconds / 2)[[before, after]]
        return np.interp(moments, middles, self.values[[before, after]])


def _listed(gaps: Sequence[SignalGap]) -> str:
    more = f" and {len(gaps) - GAPS_NAMED:,} more" if len(gaps) > GAPS_NAMED else ""
    return ", ".join(map(str, gaps[:GAPS_NAMED])) + more


def _latest(begins: FloatArray, rows: IntArray) -> IntArray:
    """The last of these rows, in order, of each step."""
    last: BoolArray = np.append(np.diff(begins[rows]) > 0, True)
    return rows[last]
