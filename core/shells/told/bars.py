"""A picture of bars that an answer has: a report draws it, and a page."""

from dataclasses import dataclass

from core.vocabulary.intervals import Interval


@dataclass(frozen=True, slots=True)
class ToldBar:
    """A bar with its interval in the unit of its axis, and how that is said."""

    label: str
    value: Interval
    said: str = ""


@dataclass(frozen=True, slots=True)
class ToldBars:
    """Bars, the best first, with the title of their axis; and a proven limit that no bar passes,
    from either side, with its text. Labels may have names from files, and no other text.
    """

    axis: str
    bars: tuple[ToldBar, ...]
    limit: float | None = None
    limit_said: str = ""

    @property
    def sides(self) -> list[tuple[float, float]]:
        """How far each interval reaches below and above its bar: not past 0, nor past the limit."""
        return [self._sides(bar.value) for bar in self.bars]

    def _sides(self, value: Interval) -> tuple[float, float]:
        if self.limit is None:
            return value.sides(0.0)
        above = value.mean > self.limit
        return value.sides(self.limit) if above else value.sides(0.0, self.limit)

    @property
    def end(self) -> float:
        """How far bars, intervals and the limit reach."""
        pairs = zip(self.bars, self.sides, strict=True)
        return max(0.0, self.limit or 0.0, *(bar.value.mean + above for bar, (_, above) in pairs))
