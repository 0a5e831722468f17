"""Days under a budget: every setting of the figures is replayed once, and the figures are judged."""

import pytest

from core.arrivals.reproduce import budget
from core.arrivals.reproduce.budget_figures import figure_25, figure_26, figure_27
from core.arrivals.reproduce.budget_sweeps import figure_28, figure_29, figure_30, run_times
from core.arrivals.synthetic import BudgetSettings, draw_budget_day
from core.engine.executors import ENGINE_VARIABLE, HERE


def small_day(a_day, trial):
    return draw_budget_day(BudgetSettings(a_day=a_day / 50, seed=trial))


@pytest.fixture(scope="module")
def found():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ENGINE_VARIABLE, HERE)
        patch.setattr(budget, "drawn_day", small_day)
        return {a_day: budget.measure(2, a_day, lambda _: None) for a_day in (5000, 10000)}


def test_all(found):
    few, many = found[5000], found[10000]
    for f in (
        figure_25(few),
        figure_26(many),
        figure_27(few),
        figure_28(few),
        figure_29(few),
        figure_30(few),
        run_times(few, many),
    ):
        print(f.name)
        for c in f.claims:
            print("   ", c.claim, "|", c.published, "|", c.here, "|", c.verdict, "|", c.difference)
        for r in f.table.rows[:3]:
            print("   ", r)
