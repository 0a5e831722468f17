"""The address says the settings of the page Arrivals, and what it cannot read it ignores."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrivals.asked import ArrivalsSettings
from core.arrivals.policies import POLICIES
from core.arrivals.uncertain_methods import BAG_METHODS
from dashboard.arrivals import look
from dashboard.arrivals.address import PARAMETERS, read, written
from dashboard.arrivals.look import DAY_VIEWS, CloserLook
from dashboard.arrivals.settings import BUDGETS, ERRORS, FILTER_NAMES
from dashboard.arrivals.state import STATE

SETTINGS = st.builds(
    ArrivalsSettings,
    workload=st.sampled_from(["budget", "testbed", "uncertain"]),
    jobs=st.integers(100, 20_000),
    seed=st.integers(0, 1_000),
    days=st.integers(1, 100),
    policies=st.lists(st.sampled_from([*POLICIES]), unique=True).map(
        lambda chosen: tuple(name for name in POLICIES if name in chosen)
    ),
    budget=st.sampled_from([None, *BUDGETS]),
    errors=st.sampled_from([*ERRORS]),
    machines=st.sampled_from([8, 12, 16]),
    drop_below=st.floats(-1, 100),
    filter=st.sampled_from([None, *FILTER_NAMES]),
    methods=st.lists(st.sampled_from([*BAG_METHODS]), unique=True).map(
        lambda chosen: tuple(name for name in BAG_METHODS if name in chosen)
    ),
    exchange=st.none() | st.floats(0, 1e15),
)


@given(SETTINGS)
def test_what_was_written_is_read(settings: ArrivalsSettings) -> None:
    said = written(settings)
    assert set(said) <= PARAMETERS
    assert read(said) == (settings, ())


def test_the_usual_settings_need_no_word() -> None:
    assert written(ArrivalsSettings()) == {}
    assert look.written(CloserLook()) == {}


@given(
    st.builds(
        CloserLook,
        view=st.sampled_from([*DAY_VIEWS]),
        policy=st.sampled_from([None, *POLICIES]),
        beside=st.sampled_from([None, *POLICIES]),
        moment=st.none() | st.floats(-14_400, 1e9),
        pool=st.none() | st.integers(0, 1_000),
    )
)
def test_a_closer_look_that_was_written_is_read(closer: CloserLook) -> None:
    said = look.written(closer)
    assert set(said) <= look.PARAMETERS <= STATE.parameters
    assert look.read(said) == (closer, ())


@pytest.mark.parametrize(
    ("name", "text"),
    [("view", "all"), ("policy", "best"), ("moment", "noon"), ("moment", "nan"), ("pool", "-1")],
)
def test_a_look_that_cannot_be_read_is_ignored_with_a_note(name: str, text: str) -> None:
    found, (note,) = look.read({f"arrivals_look_{name}": text})
    assert found == CloserLook()
    assert f"arrivals_look_{name} is “{text}”" in note


@pytest.mark.parametrize(
    ("name", "text", "instead"),
    [
        ("arrivals_jobs", "many", "a whole number, 100 to 20000 jobs"),
        ("arrivals_budget", "-1", "0.01 to 10 times"),
        ("arrivals_policies", "best", "one of random"),
        ("arrivals_workload", "own", "one of budget"),
        ("arrivals_filter", "all", "one of resource, task"),
        ("arrivals_methods", "best", "one of offline-maxmin"),
        ("arrivals_exchange", "-1", "0 to 1e+15 J/s"),
    ],
)
def test_what_cannot_be_read_is_ignored_with_a_note(name: str, text: str, instead: str) -> None:
    settings, notes = read({name: text})
    assert settings == ArrivalsSettings()
    assert len(notes) == 1
    assert f"{name} is “{text}”" in notes[0]
    assert instead in notes[0]
