"""A recipe has a name that says how a day is drawn, and names that say nothing are none."""

import pytest

from core.capabilities.arrivals.made.recipes import RECIPES, drawn, recipe_named


def test_other_sizes_and_errors_have_names() -> None:
    day = recipe_named("budget-700")
    assert day is not None
    assert day.name == "budget-700"
    jobs = [len(drawn(name, 1).workload.jobs) for name in ("budget-200", "budget-400")]
    assert 1.5 < jobs[1] / jobs[0] < 2.5
    assert drawn("budget-200", 1).day_joules == float("inf")
    bags = recipe_named("uncertain-high")
    assert bags is not None
    assert bags.of_bags
    assert [len(drawn(f"uncertain-low-{n}", 1).workload.pools) for n in (8, 12, 16)] == [8, 12, 16]
    least = {level: drawn(f"uncertain-{level}", 2).truth.time.mean() for level in ("low", "high")}
    assert least["high"] < least["low"] < 1


def test_published_sizes_have_their_published_budgets() -> None:
    assert recipe_named("budget-10000") is RECIPES["budget-10000"]
    assert drawn("budget-5000", 1).day_joules == 12e9
    assert drawn("budget-5000", 1).workload.jobs.arrival.tolist() == (
        drawn("budget", 1).workload.jobs.arrival.tolist()
    )


@pytest.mark.parametrize(
    "name",
    [
        "",
        "budget-",
        "budget-7",
        "budget-0700",
        "budget-²00",
        "uncertain-all",
        "uncertain-low-9",
        "bag",
    ],
)
def test_other_names_are_none(name: str) -> None:
    assert recipe_named(name) is None
    with pytest.raises(KeyError):
        drawn(name, 0)
