"""Times of bags as people say and type them: on a clock."""

import math
import re
from dataclasses import dataclass
from typing import ClassVar, Final

from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import DAY, HOUR, MINUTE, Sense, clock, duration, typed
from core.vocabulary.tolerances import SAME

BEGINS: Final = Range(0.0, DAY - MINUTE, "s after midnight")
USUAL_BEGIN: Final = 8 * HOUR
EXAMPLE: Final = "09:30, or 2 d 09:30 for two days later"
_TYPED: Final = re.compile(
    r"(?:([-−]?\d{1,8}) ?d )?(\d{1,2}):([0-5]\d)(?::([0-5]\d(?:\.\d{1,9})?))?"
)
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class DayClock:
    """Time 0 is `begins` seconds after midnight."""

    begins: float = USUAL_BEGIN
    knows_hours: ClassVar[bool] = True

    def said(self, seconds: float, sense: Sense, span: float = DAY) -> str:
        """The time of day, to the minute: "14:20", or "2 d 14:20" for two days later. It is to the
        second where all times are within `span` seconds, less than an hour. What takes its time
        is over by then.
        """
        step = MINUTE if span >= HOUR else 1.0
        steps = (self.begins + seconds) / step
        near = round(steps)
        if sense is Sense.SPENT and steps > near + SAME * max(abs(steps), 1.0):
            near = math.ceil(steps)
        days, within = divmod(near * step, DAY)
        day = f"{_whole(days)} d " if days else ""
        return f"{day}{clock(within)}"

    def cell(self, seconds: float) -> str:
        """The time of day with all digits, as `typed` reads it."""
        days, within = divmod(round(self.begins + seconds, _DIGITS), DAY)
        whole = int(within)
        rest = round(within - whole, _DIGITS)
        said = f"{_whole(days)} d {clock(whole)}" if days else clock(whole)
        if not rest:
            return said
        full = "" if whole % MINUTE else ":00"
        return f"{said}{full}{typed(rest).removeprefix('0')}"

    def typed(self, text: str) -> float:
        """Seconds since time 0. Raises `ValueError` with a message that says what to type."""
        found = _TYPED.fullmatch(" ".join(text.split()).lower())
        if found is None or int(found[2]) >= HOURS_OF_DAY:
            raise ValueError(f"“{text[:40]}” is not a time of day; type for example {EXAMPLE}")
        days, hours, minutes, rest = found.groups()
        whole = (
            int((days or "0").replace("−", "-")) * DAY + int(hours) * HOUR + int(minutes) * MINUTE
        )
        return whole + float(rest or 0) - self.begins


class ElapsedTime(DayClock):
    """Times since time 0, for who does not know when that is: "2 h 54 min 23 s"."""

    knows_hours = False

    def said(self, seconds: float, sense: Sense, span: float = DAY) -> str:
        del span
        return duration(seconds, sense)


USUAL_CLOCK: Final = DayClock()
UNKNOWN_HOURS: Final = ElapsedTime()


def _whole(days: float) -> str:
    return f"{'−' if days < 0 else ''}{abs(int(days)):,}"
