"""The editor of arrival patterns: cells by hour and type, shapes of a day, and the workload."""

import numpy as np
import pytest
from pages import Open, button, html, press, run, settled, spoken, tell
from streamlit.testing.v1 import AppTest

from core.capabilities.arrivals.asked import GivenWorkload
from core.capabilities.arrivals.made.system_work import HourlyWork
from core.files.samples.named import load_sample
from dashboard.screens.arrivals.hours_desk import (
    SHAPES,
    HoursDesk,
    hours_frame,
    made_of_hours,
    work_of,
)
from dashboard.screens.arrivals.hours_editor import hours_figure
from dashboard.screens.arrivals.state import STATE

DESK = "arrivals.hours"


def two() -> HoursDesk:
    """Types T1 and T2, as many tasks of each, on two machines."""
    return HoursDesk.of(load_sample("two-by-two"))


def test_at_first_types_are_mixed_as_in_the_system_at_all_hours_alike() -> None:
    desk = two()
    assert desk.rates.shape == (24, 2)
    assert (desk.rates == desk.rates[0, 0]).all()
    assert desk.jobs_a_day == pytest.approx(1_000, rel=0.01)


@pytest.mark.parametrize(
    ("shape", "highest", "lowest", "share"),
    [("even", 0, 0, 1.0), ("noon", 12, 0, 2.96), ("work", 9, 0, 5.0), ("night", 23, 12, 5.0)],
)
def test_a_shape_keeps_the_mix_and_the_jobs(
    shape: str, highest: int, lowest: int, share: float
) -> None:
    desk = two()
    desk.change({5: {"t1": 3 * desk.rates[0, 0]}})
    mix = desk.rates.sum(axis=0) / desk.rates.sum()
    desk.fill(shape, 24_000)
    assert desk.jobs_a_day == pytest.approx(24_000, rel=0.002)
    assert desk.rates.sum(axis=0) / desk.rates.sum() == pytest.approx(mix, rel=0.002)
    hours = desk.rates.sum(axis=1)
    assert hours[highest] / hours[lowest] == pytest.approx(share, rel=0.01)
    assert hours.max() == hours[highest]
    busy = {"work": range(9, 18), "night": [*range(6), *range(21, 24)]}.get(shape)
    if busy is not None:
        assert np.flatnonzero(hours > hours.mean()).tolist() == list(busy)
    assert desk.turn == 1
    assert (desk.given == desk.rates).all()


def test_each_shape_has_a_name_and_fills_also_an_empty_table() -> None:
    for shape in SHAPES:
        desk = two()
        desk.rates = np.zeros((24, 2))
        desk.fill(shape, 480)
        assert desk.rates.sum(axis=0) == pytest.approx([240, 240], rel=0.01)


def test_edits_are_of_the_table_that_was_given() -> None:
    desk = two()
    usual = desk.rates[0, 0]
    desk.change({9: {"t0": 7.0}})
    desk.change({9: {"t0": 7.0}, 23: {"t1": None}})
    assert desk.rates[9].tolist() == [7, usual]
    assert desk.rates[23].tolist() == [usual, 0]
    desk.change({})
    assert (desk.rates == usual).all()
    frame = hours_frame(desk)
    assert frame["hour"].tolist()[::23] == ["00–01", "23–24"]
    assert list(frame.columns) == ["hour", "t0", "t1"]


def test_a_pattern_becomes_a_workload() -> None:
    desk = two()
    desk.rates = np.zeros((24, 2))
    desk.rates[9, 1] = 100.0
    work = work_of(desk, 2.0, 7)
    assert (work.fades, work.seed) == (7200.0, 7)
    made = made_of_hours(load_sample("two-by-two"), work, "two-by-two")
    assert isinstance(made, GivenWorkload)
    jobs = made.file.workload.jobs
    assert (jobs.arrival // 3600 == 9).all()
    assert (made.name, made.file.workload.pools.units.sum()) == ("Jobs by hour on two-by-two", 2)
    other = made_of_hours(load_sample("two-by-two"), work_of(desk, 2.0, 8), "two-by-two")
    assert isinstance(other, GivenWorkload)
    assert other.digest != made.digest


def test_a_pattern_without_jobs_says_so() -> None:
    nothing = HourlyWork(tuple((0.0, 0.0) for _ in range(24)))
    (problem,) = made_of_hours(load_sample("two-by-two"), nothing, "two")
    assert "no job arrives" in str(problem)


def test_the_bars_are_the_numbers_and_small_types_are_together() -> None:
    desk = HoursDesk.of(load_sample("nine"))
    figure = hours_figure(desk)
    assert len(figure.data) == 9
    assert figure.data[-1].name == "other types"
    assert sum(np.array(bar.y) for bar in figure.data) == pytest.approx(desk.rates.sum(axis=1))


@pytest.fixture
def page(open_page: Open) -> AppTest:
    given = {"arrivals_policies": "max-upr", "arrivals_budget": "none"}
    return open_page("arrivals", sample="two-by-two", **given)


def test_a_day_is_typed_and_replayed(page: AppTest) -> None:
    assert not any(one.label == "Use this pattern" for one in page.button)
    press(page, "Arrival pattern")
    (jobs,) = [one for one in page.number_input if one.label == "Jobs a day in all"]
    jobs.set_value(240.0)
    page.selectbox(key="arrivals.hours.shape").set_value("work")
    press(page, "Fill in")
    desk = page.session_state[DESK]
    assert desk.jobs_a_day == pytest.approx(240, rel=0.01)
    tell(page, desk.key, edited_rows={hour: {"t0": 0.0, "t1": 0.0} for hour in range(12)})
    assert desk.rates[:12].sum() == 0
    assert desk.rates[12:].sum() > 0
    page.number_input(key="arrivals.hours.fades").set_value(3.0)
    settled(press(page, "Use this pattern"))
    made = page.session_state[STATE.given_key]
    assert page.session_state[STATE.settings].workload == "own"
    assert made.file.workload.jobs.arrival.min() >= 12 * 3600
    assert [piece.begin for piece in made.file.workload.curves.pieces[0]] == [0, 3 * 3600]
    assert not any(one.label == "Use this pattern" for one in page.button), "it closes"
    assert page.session_state[STATE.asked_key].given is made, "it is replayed at once"
    assert page.dataframe[0].value["Jobs done"].tolist() == [str(len(made.file.workload.jobs))]


@pytest.mark.thorough
def test_nothing_is_no_pattern(page: AppTest) -> None:
    before = page.session_state[STATE.given_key]
    press(page, "Arrival pattern")
    desk = page.session_state[DESK]
    every = {hour: {"t0": 0.0, "t1": None} for hour in range(24)}
    tell(page, desk.key, edited_rows=every)
    assert button(page, "Use this pattern").disabled
    tell(page, desk.key, edited_rows={**every, 3: {"t0": 100_000.0, "t1": 100_000.0}})
    assert button(page, "Use this pattern").disabled
    tell(page, desk.key, edited_rows={**every, 3: {"t0": 1e-9, "t1": 0.0}})
    settled(press(page, "Use this pattern"))
    assert "no job arrives" in html(page)
    assert page.session_state[STATE.given_key] is before
    press(page, "Arrival pattern")
    assert not any(one.label == "Use this pattern" for one in page.button)


def test_a_system_of_many_types_says_what_to_use(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.screens.arrivals.hours_editor.MOST_TYPES", 1)
    press(page, "Arrival pattern")
    assert any("--by-hour FILE" in said for said in spoken(run(page)))
