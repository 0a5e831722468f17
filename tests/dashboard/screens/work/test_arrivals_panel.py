"""Work says when the tasks of the study come; what is typed there is that of every page."""

import numpy as np
import pytest
from pages import Open, press, put, run, settled, spoken, typed, visit
from streamlit.testing.v1 import AppTest

from core.files.samples.named import load_sample
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.calendar import WEEKDAYS
from core.vocabulary.say.colours import leading_task_types
from dashboard.parts.charts.palette import paint_task
from dashboard.screens.arrivals.state import STATE
from dashboard.screens.provision.desk import PlanDesk
from dashboard.screens.work.arrivals_chart import arrivals_figure
from dashboard.screens.work.arrivals_panel import (
    SHAPES,
    arrivals_frame,
    arrivals_now,
    arrivals_said,
    edited,
    shaped,
)
from dashboard.workspace import session
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.workspace import Workspace, begin


def two() -> HourlyArrivals:
    """Types T1 and T2, as many tasks of each."""
    return arrivals_now(begin("two-by-two"))


def test_without_a_log_types_are_mixed_as_in_the_system_at_all_hours_alike() -> None:
    arrivals = two()
    assert (arrivals.rates == arrivals.rates[0, 0]).all()
    assert arrivals.rates.sum() == pytest.approx(1_000)
    assert (arrivals.days, arrivals_said(arrivals)) == (0, "1,000 tasks a day.")


@pytest.mark.parametrize(
    ("shape", "highest", "lowest", "share"),
    [("even", 0, 0, 1.0), ("noon", 12, 0, 2.96), ("work", 9, 0, 5.0), ("night", 23, 12, 5.0)],
)
def test_a_shape_keeps_the_mix_and_the_tasks(
    shape: str, highest: int, lowest: int, share: float
) -> None:
    before = edited(two(), "hours", {5: {"t1": 300.0}})
    after = shaped(before, shape, 24_000)
    assert after.rates.sum() == pytest.approx(24_000)
    mixes = (one.rates.sum(axis=0) / one.rates.sum() for one in (before, after))
    assert next(mixes) == pytest.approx(next(mixes))
    hours = after.rates.sum(axis=1)
    assert hours[highest] / hours[lowest] == pytest.approx(share, rel=0.01)
    assert hours.max() == hours[highest]
    busy = {"work": range(9, 18), "night": [*range(6), *range(21, 24)]}.get(shape)
    if busy is not None:
        assert np.flatnonzero(hours > hours.mean()).tolist() == list(busy)


def test_each_shape_fills_also_an_empty_table() -> None:
    nothing = HourlyArrivals(("a", "b"), np.zeros((24, 2)), 0.0)
    for shape in SHAPES:
        assert shaped(nothing, shape, 480).rates.sum(axis=0) == pytest.approx([240, 240])


def test_edits_are_of_the_table_that_was_given() -> None:
    given = two()
    usual = given.rates[0, 0]
    after = edited(given, "hours", {9: {"t0": 7.0}, 23: {"t1": None}})
    assert after.rates[9].tolist() == [7, usual]
    assert after.rates[23].tolist() == [usual, 0]
    days = edited(after, "days", {6: {"t0": 0.0}})
    assert days.by_day[6].tolist() == pytest.approx([0, after.rates[:, 1].sum()])
    frame = arrivals_frame(days, "days")
    assert frame["when"].tolist() == [*WEEKDAYS]
    assert frame["t0"].tolist()[5:] == pytest.approx([after.rates[:, 0].sum(), 0])
    assert arrivals_frame(after, "hours")["when"].tolist()[::23] == ["00–01", "23–24"]
    assert "; on Sunday 50 % less than on Monday." in arrivals_said(days)
    alike = days.with_rates(np.full((24, 2), 7.0)).with_days(np.full((7, 2), 0.7))
    assert arrivals_said(alike) == "1.4 tasks a day.", "no day differs but by rounding"


def test_bars_are_the_numbers_and_small_types_are_together() -> None:
    arrivals = arrivals_now(begin("nine"))
    figure = arrivals_figure(arrivals)
    assert len(figure.data) == 9
    assert figure.data[-1].name == "other types"
    assert sum(np.array(bar.y) for bar in figure.data) == pytest.approx(arrivals.rates.sum(axis=1))
    week = arrivals_figure(arrivals_now(begin("university")))
    assert {len(bar.y) for bar in week.data} == {168}
    assert week.data[0].customdata[25].startswith("blast_batch<br>Tuesday, 01–02: ")


def test_types_have_the_colours_that_they_have_on_schedule() -> None:
    now = begin("university")
    lead = leading_task_types(now.system)
    for bar in arrivals_figure(arrivals_now(now), now.system).data[:-1]:
        rank = int(lead.rank[now.system.task_names.index(bar.name)])
        assert bar.marker.color == paint_task(rank).fill
        assert bar.marker.pattern.shape == (paint_task(rank).shape or None)


def of(page: AppTest) -> Workspace:
    found: Workspace = page.session_state[WORKSPACE]
    return found


def plan_of(page: AppTest) -> PlanDesk:
    (desk,) = page.session_state["wattfront.provision"].values()
    assert isinstance(desk, PlanDesk)
    return desk


def test_what_is_typed_is_the_arrivals_of_every_page(open_page: Open) -> None:
    """Of Policies, Late, Fair shares and What to buy; Undo takes it back everywhere."""
    page = open_page(
        "provision", sample="university", provision_scenarios=4, arrivals_policies="max-upr"
    )
    desk = plan_of(page)
    before = [demand.arrival_rate for demand in desk.inputs.demands]
    visit(page, "work")
    assert any("From the log, means over 13 d 18 h" in said for said in spoken(page))
    every: dict[int, dict[str, float | None]] = {hour: {"t0": 2.0} for hour in range(24)}
    typed(page, "arrivals.hours", every)
    known = of(page).version.seen.arrivals
    assert known is not None
    assert known.rates[:, 0].tolist() == [2.0] * 24
    assert any(" As typed. " in said for said in spoken(page))
    assert of(page).title == "university (edited)"
    assert of(page).version.is_of_log
    assert "kept" in page.query_params
    settled(visit(page, "arrivals"))
    workload = page.session_state[STATE.given_key].file.workload
    first = (workload.jobs.type == 0).sum()
    assert 20 <= first <= 80, "48 on average"
    visit(page, "provision")
    after = [demand.arrival_rate for demand in desk.inputs.demands]
    assert (after[0], after[1:]) == (pytest.approx(2 / 3600), before[1:])
    press(visit(page, "work"), "Undo")
    assert of(page).title == "university"
    visit(page, "provision")
    assert [demand.arrival_rate for demand in desk.inputs.demands] == before


def test_days_are_typed_and_shapes_filled_in(open_page: Open) -> None:
    page = open_page("work", sample="two-by-two")
    assert any("Nobody has said when they come" in said for said in spoken(page))
    put(page, "work.arrivals.period", "days")
    typed(page, "arrivals.days", {6: {"t0": 0.0, "t1": 0.0}})
    known = of(page).version.seen.arrivals
    assert known is not None
    assert known.by_day.sum(axis=1).tolist() == pytest.approx([48.0] * 6 + [0.0])
    assert not of(page).version.is_of_log, "no log says it"
    assert any("As typed." in said for said in spoken(page))
    (tasks,) = [one for one in page.number_input if one.label == "Tasks a day in all"]
    tasks.set_value(240.0)
    put(page, "work.arrivals.shape", "work")
    press(page, "Fill in")
    filled = of(page).version.seen.arrivals
    assert filled is not None
    assert filled.rates.sum() == pytest.approx(240)
    assert filled.by_day[6].sum() == 0, "days keep their shares"
    system = load_sample("two-by-two")
    assert of(page).system == system


def test_back_in_the_browser_takes_it_back(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = typed(open_page("work", sample="two-by-two"), "arrivals.hours", {0: {"t0": 5.0}})
    assert of(page).version.seen.arrivals is not None
    page.query_params.clear()
    page.query_params["sample"] = "two-by-two"
    monkeypatch.setattr(session, "went_back", lambda: True)
    assert of(run(page)).version.seen.arrivals is None


def test_a_system_of_many_types_says_what_to_use(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.screens.work.arrivals_panel.MOST_TYPES", 1)
    page = open_page("work", sample="two-by-two")
    assert any("--by-hour FILE" in said for said in spoken(run(page)))
