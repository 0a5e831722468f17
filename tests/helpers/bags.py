"""What batches of tasks earn, asked as the publication asks it, and systems to ask about."""

import numpy as np

from core.capabilities.profit.earn import Profit, earn
from core.capabilities.profit.settings import ProfitSettings
from core.engines.relaxed import Front, trace_front
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.site import Site
from core.vocabulary.system import System

EVERYTHING = ProfitSettings(
    by="bag",
    price=0.005,
    site=Site(
        price=0.7,
        carbon=0.5,
        carbon_price=0.1,
        pue=1.25,
        cap_kw=0.2,
        day_tariff=((20.0, 0.2), (7.0, 0.4)),
    ),
    overhead=0.001,
    wear=(("A", 0.5),),
    depreciation=(("B", 0.25),),
)
"""All that can be asked of the 2 x 2 instance."""


def answered(system: System, settings: ProfitSettings) -> tuple[Profit, Front]:
    """Without polish, and the front by which batches are priced."""
    front = trace_front(system)
    return earn(system, settings.terms(front), effort=Effort(0)), front


def published(ratio: float, cap_kw: float | None = None) -> ProfitSettings:
    """A joule costs 1, and a batch is priced by the least energy it takes."""
    return ProfitSettings(ratio=ratio, electricity="joule", site=Site(cap_kw=cap_kw))


def one_type(idle: float, watts: float, tasks: int = 2, machines: int = 1) -> System:
    """Tasks of 10 s, each on a machine that draws so many watts idle and at work."""
    return System(
        (TaskType("task", tasks),),
        (MachineType("machine", machines, idle),),
        np.array([[10.0]]),
        np.array([[watts]]),
    )
