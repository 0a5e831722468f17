"""What the page Arrivals offers to choose from, with its names for people."""

from typing import Final

from core.arrivals.policies import FILTERS, POLICIES, FilterName
from core.arrivals.uncertain import ERROR_LEVELS, ErrorLevel

BUDGETS: Final = tuple(step / 100 for step in range(40, 125, 5))
"""The energy budgets to choose from, as shares of what is spent without a budget."""
EXCHANGES: Final = (0.0, 100.0, 300.0, 1_000.0, 3_000.0, 10_000.0)
"""Exchange rates to choose from (J/s). Above the last, outcomes of drawn bags hardly change."""
ERRORS: Final[dict[ErrorLevel, str]] = {level: level.capitalize() for level in ERROR_LEVELS}
"""How far estimates of run times are above the truth."""
FILTER_NAMES: Final[tuple[FilterName, ...]] = tuple(FILTERS)


def label_of(policy: str) -> str:
    """The name of a policy for people."""
    return POLICIES[policy].label
