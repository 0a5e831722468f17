"""The closer look at an answer: which view, of what, as the session and the address keep it."""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from core.arrivals.policies import POLICIES
from core.model.ranges import Range
from dashboard.workspace.parameters import Parameters
from dashboard.workspace.parameters import written as parameter

DayView = Literal["time", "gantt", "event", "budgets", "two"]
DAY_VIEWS: Final[dict[DayView, str]] = {
    "time": "Over the day",
    "gantt": "Unit by unit",
    "event": "Event by event",
    "budgets": "Other budgets",
    "two": "Two policies",
}
_PREFIX: Final = "arrivals_look_"
_MOMENT: Final = Range(-1e12, 1e12, "s since the day began")
_POOL: Final = Range(0, 1e9, "")


class CloserLook(NamedTuple):
    """A view; the policies in it, the second beside the first; the moment of the event (s since
    the day began); and the place of the pool. None: that which the page finds best.
    """

    view: DayView = "time"
    policy: str | None = None
    beside: str | None = None
    moment: float | None = None
    pool: int | None = None


PARAMETERS: Final = frozenset(_PREFIX + name for name in CloserLook._fields)


def written(look: CloserLook) -> dict[str, str]:
    """The parameters of what a person chose; `read` is the inverse."""
    chosen = look._asdict().items()
    usual = CloserLook()._asdict()
    return {_PREFIX + name: parameter(value) for name, value in chosen if value != usual[name]}


def read(given: Mapping[str, str]) -> tuple[CloserLook, tuple[str, ...]]:
    """The look of an address, and a sentence for each parameter that was ignored."""
    parameters = Parameters(given)
    found: dict[str, Any] = {
        "view": parameters.choice(f"{_PREFIX}view", tuple(DAY_VIEWS)),
        "policy": parameters.choice(f"{_PREFIX}policy", tuple(POLICIES)),
        "beside": parameters.choice(f"{_PREFIX}beside", tuple(POLICIES)),
        "moment": parameters.number(f"{_PREFIX}moment", _MOMENT, float),
        "pool": parameters.number(f"{_PREFIX}pool", _POOL, int),
    }
    said = {name: value for name, value in found.items() if value is not None}
    return CloserLook()._replace(**said), tuple(parameters.notes)
