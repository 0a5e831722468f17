"""Thermostats hold the limit wherever that is possible, and say how much cooling is missing."""

from dataclasses import replace

import numpy as np
import pytest
from centre_days import centre_days, day_of
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.centre import SPEEDS, Cooling, LinearRoom, PhysicalRoom, Room
from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.plan import DayPlan, inside
from core.capabilities.centre.rivals.thermostat import as_wished, by_thermostat, cheapest_safe
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.budget import NoScheduleFound
from core.vocabulary.tolerances import SAME

Ways = tuple[FloatArray, BoolArray]


def warmth(day: CentreDay, servers: FloatArray, ways: Ways) -> FloatArray:
    none = np.empty(0, np.int64)
    plan = DayPlan(none, none, none, none, *ways)
    return inside(day, servers, plan, day.curves)


def cooled_day(cooling: Cooling, steps: int, **curves: object) -> CentreDay:
    """A room in which a watt warms by a thousandth of a kelvin a step, and a tenth of the
    difference to the outside goes.
    """
    day = day_of([], steps, **curves)
    room = PhysicalRoom(1000.0, 100.0)
    centre = replace(day.centre, cooling=cooling, room=room)
    return replace(day, centre=centre, step=1.0)


def test_the_compressor_runs_from_the_limit_down_to_one_kelvin_below() -> None:
    """26.5 warms to 26.85; 27.165 would be too much, so it is cooled to 26.165 and 25.549."""
    day = cooled_day(Cooling(410, 0, 2300, 1000), 8)
    servers = np.full(8, 500.0)
    speed, compressor = by_thermostat(day, servers)
    assert (speed == 0).all()
    assert compressor.tolist() == [False, True, True, False, False, False, True, True]
    at = warmth(day, servers, (speed, compressor))
    assert at[:4].tolist() == pytest.approx([26.5, 26.85, 26.165, 25.5485])


def test_a_centre_without_a_compressor_has_its_fan_switched() -> None:
    day = cooled_day(Cooling(410, 800, 0, 0), 6)
    speed, compressor = by_thermostat(day, np.full(6, 500.0))
    assert not compressor.any()
    assert set(speed.tolist()) == {0.0, 1.0}


def test_what_draws_least_is_chosen_of_what_holds_the_limit() -> None:
    """At 26.5 °C, 1.5 K warmer than outside, 650 W need no cooling, and 1,850 W the full fan."""
    day = cooled_day(Cooling(410, 800, 2300, 3000), 1)
    for servers, speed in ((500.0, 0.0), (1200.0, 0.5), (1700.0, 0.9)):
        ways = cheapest_safe(day, np.array([servers]))
        assert ways[0].tolist() == pytest.approx([speed])
        lower = max(float(ways[0][0]) - 0.05, 0.0)
        assert warmth(day, np.array([servers]), ways)[-1] <= 27
        if speed:
            slower = np.array([lower]), ways[1]
            assert warmth(day, np.array([servers]), slower)[-1] > 27
    assert cheapest_safe(day, np.array([3500.0]))[1].tolist() == [True]


@pytest.mark.parametrize(
    ("cooling", "room", "outside", "watts", "most"),
    [
        (Cooling(410, 500, 0, 0), PhysicalRoom(1000.0, 100.0), 20.0, 6500.0, 21.25),
        (Cooling(410, 0, 2300, 1000), PhysicalRoom(1000.0, 100.0), 25.0, 3500.0, 22.0 / 0.9),
        (
            Cooling(410, 0, 0, 0),
            LinearRoom(0.9, 0.1, 1e-3, 1.0, 0.0, 1.0),
            25.0,
            3500.0,
            22.0 / 0.9,
        ),
        (
            Cooling(410, 0, 1, 0),
            LinearRoom(0.9, 0.1, 1e-3, 0.0, 1.0, 1.0),
            25.0,
            3500.0,
            22.0 / 0.9,
        ),
    ],
)
def test_it_is_cooled_before_what_could_not_be_held_else(
    cooling: Cooling, room: Room, outside: float, watts: float, most: float
) -> None:
    """From warmer than `most`, the last step could not be held by all that cools."""
    day = day_of([], 5, outside=outside)
    day = replace(day, centre=replace(day.centre, cooling=cooling, room=room), step=1.0)
    servers = np.array([0.0, 0.0, 0.0, 0.0, watts])
    at = warmth(day, servers, cheapest_safe(day, servers))
    assert most - 0.7 < at[-2] <= most
    assert at[-1] <= 27
    assert at[1] > most


def test_too_little_cooling_is_said_with_the_step_and_the_kilowatts() -> None:
    day = cooled_day(Cooling(410, 0, 2300, 1000), 5)
    servers = np.array([1000.0, 1000.0, 3000.0, 1000.0, 1000.0])
    for method in (by_thermostat, cheapest_safe):
        with pytest.raises(NoScheduleFound) as refused:
            method(day, servers)
        assert str(refused.value).startswith(
            "in step 3 of 5 it gets 28.09 °C inside, above the limit of 27 °C, however much is "
            "cooled before: 1.093 kW of cooling are missing; give"
        )


@st.composite
def rooms(draw: st.DrawFn) -> tuple[CentreDay, FloatArray]:
    """Days that can be too warm, in rooms of both laws, with watts of servers."""
    day = draw(centre_days())
    cooling = replace(day.centre.cooling, compressor_heat=draw(st.integers(0, 150)))
    room = day.centre.room
    if draw(st.booleans()):
        tenths = st.integers(0, 9).map(lambda tenth: tenth / 10)
        room = LinearRoom(draw(tenths), draw(tenths), 0.02, draw(tenths), draw(tenths), 1.0)
    centre = replace(day.centre, cooling=cooling, room=room)
    watts = st.lists(st.integers(0, 200), min_size=day.steps, max_size=day.steps)
    return replace(day, centre=centre), np.array(draw(watts), float)


@given(drawn=rooms())
def test_who_gives_up_could_not_have_held_the_limit(drawn: tuple[CentreDay, FloatArray]) -> None:
    """The room is monotone: nothing is cooler than whatever cools most in each step."""
    day, servers = drawn
    law, now, coolest = day.centre.heat(day.step), day.centre.first, [0.0]
    for step, outside in enumerate(day.curves.outside.tolist()):
        colder = max(now - outside, 0.0) if law.by_difference else 1.0
        warming = law.kept * now + law.outside * outside + law.per_watt * servers[step]
        now = warming - max(law.fan * colder, law.compressor)
        coolest.append(now)
    try:
        ways = cheapest_safe(day, servers)
    except NoScheduleFound:
        assert max(coolest) > day.centre.limit - 9 * SAME
        return
    assert max(coolest) <= day.centre.limit + SAME
    assert warmth(day, servers, ways)[1:].max() <= day.centre.limit + SAME
    assert np.isin(ways[0], [0.0, *SPEEDS]).all()
    assert not (ways[1] & (ways[0] > 0)).any()


def test_a_room_that_keeps_no_heat_is_cooled_step_by_step() -> None:
    day = day_of([], 60)
    room = LinearRoom(0.0, 1.0, 0.01, 2.0, 5.0, 60.0)
    day = replace(day, centre=replace(day.centre, room=room))
    servers = np.where(np.arange(60) % 2, 690.0, 100.0)
    speed, compressor = cheapest_safe(day, servers)
    assert compressor.tolist() == [bool(step % 2) for step in range(60)]
    assert (speed == 0).all()


def test_a_room_that_keeps_no_heat_is_too_warm_in_the_very_step() -> None:
    day = day_of([], 60)
    room = LinearRoom(0.0, 1.0, 0.01, 2.0, 5.0, 60.0)
    day = replace(day, centre=replace(day.centre, room=room))
    servers = np.where(np.arange(60) == 41, 710.0, 100.0)
    with pytest.raises(NoScheduleFound, match=r"^in step 42 of 60 it gets 27\.1 °C .* 10 W"):
        cheapest_safe(day, servers)


def test_of_a_room_that_servers_do_not_warm_kelvins_are_missing() -> None:
    day = day_of([], 3, outside=30.0)
    room = LinearRoom(0.5, 0.5, 0.0, 0.0, 1.0, 60.0)
    day = replace(day, centre=replace(day.centre, room=room))
    with pytest.raises(
        NoScheduleFound, match=r"^in step 1 of 3 .*: 0\.25 K of cooling are missing"
    ):
        cheapest_safe(day, np.zeros(3))


def test_exactly_at_the_limit_is_not_too_warm() -> None:
    """27 °C inside and outside, nothing on: it stays so."""
    day = day_of([], 4, outside=27.0)
    day = replace(day, centre=replace(day.centre, first=27.0, cooling=Cooling(0, 0, 0, 0)))
    for method in (by_thermostat, cheapest_safe):
        assert warmth(day, np.zeros(4), method(day, np.zeros(4))).tolist() == [27.0] * 5


def test_cooling_that_is_too_strong_for_a_step_is_said() -> None:
    """Nothing holds 27 °C from 26.5 °C but 2 kW, which cools to 25.15 °C: too far for 26 °C."""
    day = cooled_day(Cooling(410, 0, 2300, 2000), 3)
    servers = np.array([100.0, 800.0, 100.0])
    assert cheapest_safe(day, servers)[1].tolist() == [False, True, False]
    day = replace(day, centre=replace(day.centre, coolest=26.0))
    for method in (by_thermostat, cheapest_safe):
        with pytest.raises(NoScheduleFound) as refused:
            method(day, servers)
        assert str(refused.value) == (
            "in step 2 of 3, all that keeps the limit of 27 °C cools the room below the least of "
            "26 °C; take shorter steps, or lower what it may be cooled to"
        )


def test_what_is_wished_is_done_where_it_holds_the_limit_and_cools_not_too_far() -> None:
    """The fan at 90 % where nothing is wished but 1.7 kW come; 25 °C from 26.15 °C is too far."""
    day = cooled_day(Cooling(410, 800, 2300, 1300), 4)
    day = replace(day, centre=replace(day.centre, coolest=25.1))
    servers = np.array([1700.0, 100.0, 300.0, 100.0])
    wished = np.array([0.0, 0.33, 0.0, 0.0]), np.array([False, False, True, True])
    speed, compressor = as_wished(day, servers, *wished)
    assert speed.tolist() == [0.9, 0.33, 0.0, 0.0]
    assert compressor.tolist() == [False, False, True, False]
    at = warmth(day, servers, (speed, compressor))
    assert at[1:].max() <= 27
    assert at[3] >= 25.1


@given(drawn=rooms(), data=st.data())
def test_wishes_that_can_be_met_are_met(
    drawn: tuple[CentreDay, FloatArray], data: st.DataObject
) -> None:
    day, servers = drawn
    percent = st.lists(st.integers(-1, 100), min_size=day.steps, max_size=day.steps)
    wished = np.array(data.draw(percent)) / 100
    ways = np.maximum(wished, 0.0), wished < 0
    at = warmth(day, servers, ways)[1:]
    cools = (ways[0] > 0) | ways[1]
    try:
        found = as_wished(day, servers, *ways)
    except NoScheduleFound:
        assert at.max() > day.centre.limit or at[cools].min() < day.centre.coolest
        return
    now = warmth(day, servers, found)[1:]
    assert now.max() <= day.centre.limit + SAME
    assert (now[(found[0] > 0) | found[1]] >= day.centre.coolest).all()
    if at.max() <= day.centre.limit - 9 * SAME and (at[cools] >= day.centre.coolest).all():
        assert found[0].tolist() == ways[0].tolist()
        assert found[1].tolist() == ways[1].tolist()
