"""The closer look at an answer: which view, of what, as the session and the address keep it."""

from dataclasses import dataclass
from typing import Final, Literal

from core.capabilities.arrivals.policies import POLICIES
from core.vocabulary.ranges import Range
from core.vocabulary.setting import NumberIn, OneOf, WholeIn, setting

DayView = Literal["time", "gantt", "event", "budgets", "two"]
DAY_VIEWS: Final[dict[DayView, str]] = {
    "time": "Over the day",
    "gantt": "Unit by unit",
    "event": "Event by event",
    "budgets": "Other budgets",
    "two": "Two policies",
}
_MOMENT: Final = Range(-1e12, 1e12, "s since the day began")
_POOL: Final = Range(0, 1e9, "")
_ANY: Final = OneOf(POLICIES, lambda name: POLICIES[name].label)


@dataclass(frozen=True, slots=True)
class CloserLook:
    """A view; the policies in it, the second beside the first; the moment of the event (s since
    the day began); and the place of the pool. None: that which the page finds best.
    """

    view: DayView = setting("time", OneOf(DAY_VIEWS, DAY_VIEWS.__getitem__))
    policy: str | None = setting(None, _ANY, "Policy")
    beside: str | None = setting(None, _ANY, "Beside")
    moment: float | None = setting(None, NumberIn(_MOMENT))
    pool: int | None = setting(None, WholeIn(_POOL))
