"""What batches of tasks earn, asked as the publication asks it."""

from core.capabilities.profit.earn import Profit, earn
from core.capabilities.profit.settings import ProfitSettings
from core.engines.relaxed import Front, trace_front
from core.vocabulary.budget import Effort
from core.vocabulary.system import System


def answered(system: System, settings: ProfitSettings) -> tuple[Profit, Front]:
    """Without polish, and the front by which batches are priced."""
    front = trace_front(system)
    return earn(system, settings.terms(front), effort=Effort(0)), front


def published(ratio: float, cap_kw: float | None = None) -> ProfitSettings:
    """A joule costs 1, and a batch is priced by the least energy it takes."""
    return ProfitSettings(ratio=ratio, electricity="joule", cap_kw=cap_kw)
