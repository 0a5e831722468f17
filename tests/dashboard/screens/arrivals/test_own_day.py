"""The day of the study is drawn as its work arrives, and drawn anew when that changes."""

import numpy as np
import pytest
from pages import Open, button, html, opened, press, put, settled
from streamlit.testing.v1 import AppTest

from core.capabilities.arrivals.asked import GivenWorkload
from core.capabilities.arrivals.made.system_work import HourlyWork
from core.files.samples.named import load_sample
from dashboard.screens.arrivals import own_day
from dashboard.screens.arrivals.own_day import made_day
from dashboard.screens.arrivals.state import STATE

TWO = load_sample("two-by-two")
JOBS = b"job,arrival,seconds,units\nj,0,300,1\n"


def test_a_pattern_becomes_a_workload() -> None:
    rates = tuple((0.0, 100.0 * (hour == 9)) for hour in range(24))
    made, other = (
        made_day(TWO, HourlyWork(rates, fades=7200.0, seed=seed), "two-by-two") for seed in (7, 8)
    )
    assert isinstance(made, GivenWorkload)
    assert isinstance(other, GivenWorkload)
    jobs = made.file.workload.jobs
    assert (jobs.arrival // 3600 == 9).all()
    assert (made.name, made.file.workload.pools.units.sum()) == ("Jobs by hour on two-by-two", 2)
    assert other.digest != made.digest


def test_a_pattern_without_jobs_says_so() -> None:
    nothing = HourlyWork(tuple((0.0, 0.0) for _ in range(24)))
    (problem,) = made_day(TWO, nothing, "two")
    assert "no job arrives" in str(problem)


@pytest.fixture
def page(open_page: Open) -> AppTest:
    given = {"arrivals_policies": "max-upr", "arrivals_budget": "none"}
    return open_page("arrivals", sample="two-by-two", **given)


def test_a_day_is_drawn_anew_with_what_is_typed_of_it(page: AppTest) -> None:
    before = page.session_state[STATE.given_key]
    put(page, "arrivals.day.fades", 3.0)
    made = settled(page).session_state[STATE.given_key]
    assert [piece.begin for piece in made.file.workload.curves.pieces[0]] == [0, 3 * 3600]
    assert page.session_state[STATE.asked_key].given is made, "it is replayed at once"
    assert page.dataframe[0].value["Jobs done"].tolist() == [str(len(made.file.workload.jobs))]
    put(page, "arrivals.day.fades", None)
    put(page, "arrivals.day.seed", 2)
    other = page.session_state[STATE.given_key]
    assert len({one.digest for one in (before, made, other)}) == 3


def test_the_day_comes_back_after_another_workload(page: AppTest) -> None:
    own = page.session_state[STATE.given_key]
    opened(page, "arrivals.workload", ("mine.csv", JOBS))
    assert page.session_state[STATE.given_key].name == "mine.csv"
    settled(press(page, "Replay this day"))
    again = page.session_state[STATE.given_key]
    assert (again.name, again.digest) == (own.name, own.digest)


def test_too_many_or_no_jobs_are_not_replayed(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_day, "MOST_JOBS", 10)
    opened(page, "arrivals.workload", ("mine.csv", JOBS))
    assert button(page, "Replay this day").disabled
    monkeypatch.undo()
    rates = lambda *_: np.full((24, 2), 1e-9)  # noqa: E731
    monkeypatch.setattr(own_day, "rates_of", rates)
    before = page.session_state[STATE.given_key]
    settled(press(page.run(), "Replay this day"))
    assert "no job arrives" in html(page)
    assert page.session_state[STATE.given_key] is before
