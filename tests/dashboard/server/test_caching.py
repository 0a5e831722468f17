"""To a cache, schedules are the same when their content is."""

import pytest

from core.capabilities.makespan.solve import solve
from core.files.samples.named import load_sample
from core.vocabulary.system import System
from dashboard.server.caching import BY_CONTENT


@pytest.mark.parametrize("other", ["another method", "another idle power"])
def test_schedules_are_told_apart_by_content(other: str) -> None:
    def made(system: System, method: str = "paper") -> object:
        schedule = solve(system, method=method).schedule
        return BY_CONTENT[type(schedule)](schedule)

    system = load_sample("nine")
    assert made(system) == made(load_sample("nine"))
    if other == "another method":
        assert made(system, "olb") != made(system)
    else:
        assert made(system.with_idle_fraction(0.1)) != made(system)
