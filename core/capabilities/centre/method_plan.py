"""What a method comes to."""

from dataclasses import dataclass

from core.capabilities.centre.judge import DayVerdict
from core.capabilities.centre.plan import DayMeasures
from core.capabilities.centre.recover import FoundPlan
from core.capabilities.centre.settings import DayMethod


@dataclass(frozen=True, eq=False)
class MethodPlan:
    """What a method came to in so many seconds: a plan and the judge's verdict on it under the
    curves that came; or `failed` says why there is none.
    """

    method: DayMethod
    seconds: float
    found: FoundPlan | None = None
    verdict: DayVerdict | None = None
    failed: str = ""

    @property
    def measures(self) -> DayMeasures | None:
        """What comes of the plan, under the curves that came."""
        return None if self.found is None else self.found.measures

    @property
    def keeps(self) -> bool:
        """Whether there is a plan, the judge agrees with it, and it keeps all caps."""
        return (
            self.found is not None
            and self.verdict is not None
            and self.verdict.ok
            and self.found.beyond == 0
        )
