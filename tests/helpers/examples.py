"""What `make test` leaves to `make thorough`: many examples of a property, and further cases."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings

IN_CI = 10
IN_THOROUGH = 625


def register_profiles() -> None:
    """`ci`, which draws the same examples in every run, and `thorough`, which draws others."""
    settings.register_profile(
        "ci",
        max_examples=IN_CI,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.register_profile(
        "thorough", settings.get_profile("ci"), max_examples=IN_THOROUGH, derandomize=False
    )
    settings.load_profile("ci")


def examples(in_ci: int) -> settings:
    """For a property that needs another number; `thorough` multiplies it like that of others."""
    return settings(max_examples=in_ci * settings().max_examples // IN_CI)


def is_thorough() -> bool:
    return settings().max_examples > IN_CI


def thorough(*case: Any) -> Any:
    """A case that only `make thorough` runs, since others nearly always notice what it would."""
    return pytest.param(*case, marks=pytest.mark.thorough)


def seeds(in_ci: int, in_thorough: int) -> list[Any]:
    """So many cases drawn by a seed each, the further ones in `make thorough` only."""
    return [*range(in_ci), *map(thorough, range(in_ci, in_thorough))]
