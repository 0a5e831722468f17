"""What batches of tasks earn, asked as the publication asks it."""

from core.model.system import System
from core.profit.conditions import Conditions
from core.profit.earn import Profit, earn
from core.relaxed import Front, trace_front


def answered(system: System, conditions: Conditions) -> tuple[Profit, Front]:
    """Without polish, and the front by which batches are priced."""
    front = trace_front(system)
    return earn(system, conditions.terms(front), seconds=0), front


def published(ratio: float, cap_kw: float | None = None) -> Conditions:
    """A joule costs 1, and a batch is priced by the least energy it takes."""
    return Conditions(ratio=ratio, electricity="joule", cap_kw=cap_kw)
