"""The judge of plans adds up what others add up, with its own arithmetic, and sees every fault."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from capabilities.centre.drawn_days import days, plans
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.centre import Centre, Cooling, PhysicalRoom, ServerKind
from core.capabilities.centre.day import CentreDay, Curves, grouped
from core.capabilities.centre.judge import STATED_FIGURES, DayVerdict, judged_plan
from core.capabilities.centre.plan import DayPlan, executing, measured, starting

ATOM = ServerKind("atom", 3, 30.0, 22.0, 3.0)
COOLING = Cooling(410.0, 800.0, 2300.0, 3000.0)
ROOM = PhysicalRoom(60_000.0, 100.0)


def day_of(
    centre: Centre, jobs: list[tuple[int, int, int, int, float]], steps: int, **curves: list[float]
) -> CentreDay:
    """A day in steps of a minute, whose curves are even unless they are given."""
    usual = {"price": 1.0, "carbon": 100.0, "outside": 25.0, "green": 0.0, "target": 1000.0}
    given = {
        name: np.array(curves.get(name, [value] * steps), float) for name, value in usual.items()
    }
    return CentreDay(centre, grouped(jobs), Curves(**given), 60.0)


def centre_of(*kinds: ServerKind, limit: float = 27.0, cooling: Cooling = COOLING) -> Centre:
    return Centre(kinds, cooling, ROOM, limit, 26.5)


def plan_of(
    starts: list[tuple[int, int, int]],
    awake: list[list[int]],
    speed: list[float] | None = None,
    compressor: list[bool] | None = None,
) -> DayPlan:
    steps = len(awake[0])
    columns = np.array(starts, np.int64).reshape(-1, 3).T
    return DayPlan(
        *columns,
        np.array(awake),
        np.array(speed or [0.0] * steps),
        np.array(compressor or [False] * steps),
    )


def messages(verdict: DayVerdict) -> list[str]:
    return [str(problem) for problem in verdict.problems]


def first_message(day: CentreDay, plan: DayPlan, **stated: float) -> str:
    return messages(judged_plan(day, plan, stated=stated))[0]


@given(st.data())
def test_it_adds_up_what_the_model_does(data: st.DataObject) -> None:
    day = data.draw(days())
    plan = data.draw(plans(day))
    found, verdict = measured(day, plan), judged_plan(day, plan)
    there = plan.awake + starting(day, plan.awake) <= day.centre.counts[:, None]
    work = executing(day, plan.group, plan.start, plan.count)
    assert verdict.ok == bool((there & (work <= plan.awake)).all())
    if not verdict.ok:
        return
    for name in STATED_FIGURES:
        assert getattr(verdict, name) == pytest.approx(getattr(found, name), rel=1e-9, abs=1e-6)
    assert verdict.inside == pytest.approx(found.inside)
    assert verdict.power == pytest.approx(found.power)


@given(st.data())
def test_a_plan_may_be_judged_by_what_came_instead(data: st.DataObject) -> None:
    day, other = data.draw(days()), data.draw(days())
    plan = data.draw(plans(day))
    steps = min(day.steps, other.steps)
    came = replace(
        day.curves,
        outside=np.resize(other.curves.outside[:steps], day.steps),
        price=day.curves.green,
    )
    verdict = judged_plan(day, plan, came)
    if verdict.ok:
        found = measured(day, plan, came)
        assert verdict.cost == pytest.approx(found.cost, rel=1e-9, abs=1e-6)
        assert verdict.inside == pytest.approx(found.inside)


@given(st.data())
def test_what_is_too_hot_is_found(data: st.DataObject) -> None:
    day = data.draw(days(limit=27.0))
    plan = data.draw(plans(day))
    found, verdict = measured(day, plan), judged_plan(day, plan)
    hot = int(np.count_nonzero(found.inside[1:] > 27.0 + 1e-9))
    said = [one for one in messages(verdict) if "above the limit" in one]
    if len(verdict.inside):
        assert len(said) == min(hot, 10)


def test_watts_of_servers_by_hand() -> None:
    """C1 and C13: 64 busy, idle or asleep servers, and two of which one has a job."""
    many = replace(ATOM, count=64)
    free = centre_of(many, limit=99.0)
    for jobs, awake, watts in ((64, 64, 1920), (0, 64, 1408), (0, 0, 192)):
        day = day_of(free, [(0, 64, 1, 0, 1.0)] if jobs else [], 1)
        plan = plan_of([(0, 0, 1)] if jobs else [], [[awake]])
        assert judged_plan(day, plan).power == (watts,)
    for awake, watts in ((2, 63), (3, 82)):
        day = day_of(centre_of(ATOM), [(0, 2, 1, 0, 1.0)], 1)
        assert judged_plan(day, plan_of([(0, 0, 1)], [[awake]])).power == (watts,)
    day = day_of(centre_of(replace(ATOM, count=2)), [(0, 1, 2, 0, 2.0)], 3)
    verdict = judged_plan(day, plan_of([(0, 0, 1)], [[2, 2, 2]]))
    assert sum(verdict.power) == 148
    assert verdict.cost == pytest.approx(148 / 60_000)


def test_fan_by_both_laws() -> None:
    """C2: a fan of 410 W at half its speed."""
    for law, watts in (("cubic", 51.25), ("linear", 205.0)):
        cooling = replace(COOLING, fan_law=law)
        day = day_of(centre_of(replace(ATOM, count=1), cooling=cooling), [], 1)
        verdict = judged_plan(day, plan_of([], [[0]], [0.5]))
        assert verdict.power == (3 + watts,)
        assert verdict.cooling_energy == 60 * watts


def test_objectives_by_hand() -> None:
    """C3: powers of 100, 200, 300 and 50 W, and three jobs of which two are late."""
    watt = ServerKind("watt", 300, 1.0, 1.0, 0.0)
    centre = Centre((watt, ServerKind("idle", 9, 0.0, 0.0, 0.0)), COOLING, ROOM, 99.0, 26.5)
    jobs = [(1, 1, 2, 0, 4.0), (1, 2, 3, 0, 4.0), (1, 3, 5, 0, 6.0)]
    day = day_of(
        centre,
        jobs,
        9,
        target=[150, 150, 200, 200, *[200] * 5],
        green=[0, 50, 400, 0, *[0] * 5],
        price=[1, 2, 1, 1, *[1] * 5],
    )
    plan = plan_of([(0, 1, 1), (1, 2, 1), (2, 4, 1)], [[100, 200, 300, 50, *[0] * 5], [9] * 9])
    verdict = judged_plan(day, plan)
    assert verdict.problems == ()
    assert verdict.excess == 60 * 150
    assert verdict.relative_excess == 150 / 1700
    assert verdict.cost == pytest.approx(450 / 60_000)
    assert verdict.lateness == 60 * 4
    assert verdict.late_jobs == 2
    assert verdict.on_time_share == pytest.approx(0.6)


def test_temperature_by_hand() -> None:
    """C4: 1,000 W in a room of 1,000 W/K a step, from 26.5 °C inside and 25 °C outside. Its fan of
    1,000 W/K at half its speed is one of 800 W/K at 0.625.
    """
    oven = ServerKind("oven", 1, 1000.0, 1000.0, 0.0)
    day = day_of(centre_of(oven, limit=40.0), [], 1)
    for speed, compressor, then in ((0.0, False, 27.35), (0.625, False, 26.6), (0.0, True, 24.35)):
        verdict = judged_plan(day, plan_of([], [[1]], [speed], [compressor]))
        assert verdict.inside[1] == pytest.approx(then)
        assert verdict.hottest == verdict.inside[1]
    warmer = replace(day, curves=replace(day.curves, outside=np.array([30.0])))
    with_fan, without = (judged_plan(warmer, plan_of([], [[1]], [s])) for s in (1.0, 0.0))
    assert with_fan.inside == without.inside


def test_temperature_in_fractions() -> None:
    """Three steps in exact fractions."""
    day = day_of(centre_of(ATOM), [(0, 2, 2, 0, 9.0)], 3, outside=[20, 30, 26])
    plan = plan_of([(0, 1, 1)], [[1, 2, 3]], [0.25, 0.0, 0.75], [False, True, False])
    now = Fraction(53, 2)
    for watts, outside, speed, compressor in (
        (22 + 6, 20, Fraction(1, 4), 0),
        (60 + 3, 30, Fraction(0), 1),
        (60 + 22, 26, Fraction(3, 4), 0),
    ):
        warms = watts - 100 * (now - outside) - 800 * speed * max(now - outside, 0)
        now += (warms - 3000 * compressor) / 1000
    assert judged_plan(day, plan).inside[3] == pytest.approx(float(now), rel=1e-14)


JOB = (0, 2, 2, 1, 3.0)
GOOD = plan_of([(0, 1, 1)], [[2, 2, 3, 3]], [0.5] * 4)


def small_day(**changes: float) -> CentreDay:
    return day_of(centre_of(replace(ATOM, **changes)), [JOB], 4)


def test_a_plan_without_fault() -> None:
    verdict = judged_plan(small_day(), GOOD)
    assert verdict.ok
    assert verdict.problems == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"start": np.array([0])},
            "error: starts, row 1, column start: is 0 s, before the release at 60 s; start the job "
            "then or later",
        ),
        (
            {"start": np.array([3])},
            "error: starts, row 1, column start: is 180 s, so the job would end at 300 s, after "
            "the day, which has 240 s; start it earlier",
        ),
        (
            {"start": np.array([1, 1]), "count": np.array([1, 1]), "group": np.array([0, 0])},
            "error: starts, row job 1, column job: has 2 starts, but there is 1 such job; give as "
            "many starts",
        ),
        (
            {"group": np.array([1])},
            "error: starts, row 1, column job: is no job of the day; remove the row",
        ),
        (
            {"group": np.array([-1])},
            "error: starts, row 1, column job: is no job of the day; remove the row",
        ),
        (
            {name: np.zeros(0, np.int64) for name in ("group", "start", "count")},
            "error: starts, row job 1, column job: never starts; give a row with its start",
        ),
        (
            {"start": np.array([1, 1])},
            "error: starts: has columns of different lengths; give whole rows",
        ),
        (
            {"awake": np.array([[2, 1, 3, 3]])},
            "error: awake, row atom, step 2, column awake: is 1, but 2 servers at work; let more "
            "be awake, or start jobs at another time",
        ),
        (
            {"awake": np.array([[2, 2, 2, 4]])},
            "error: awake, row atom, step 4, column awake: is 4, of 3 servers; give "
            "numbers that there are",
        ),
        (
            {"awake": np.array([[-1, 2, 2, 2]])},
            "error: awake, row atom, step 1, column awake: is -1, of 3 servers; give "
            "numbers that there are",
        ),
        (
            {"awake": np.array([[2, 2, 2]])},
            "error: awake: has 3 steps, but the day has 4 steps; give a row for each",
        ),
        (
            {"awake": np.array([[2, 2, 2, 2]] * 2)},
            "error: awake, column kind: is of 2 kinds of servers, not of the 1 of the centre; give "
            "each",
        ),
        (
            {"speed": np.array([0.5] * 5)},
            "error: steps, column fan_speed: has 5 steps, but the day has 4 steps; give a row for "
            "each",
        ),
        (
            {"speed": np.array([0.5, 1.5, 0.5, 0.5])},
            "error: steps, row step 2, column fan_speed: is 1.5; give 0 to 1, a share of the full "
            "speed",
        ),
        (
            {"speed": np.array([0.5, 0.5, 0.5, np.nan])},
            "error: steps, row step 4, column fan_speed: is nan; give 0 to 1, a share of the full "
            "speed",
        ),
        (
            {"compressor": np.array([False, False, True, False])},
            "error: steps, row step 3, column compressor: runs beside the fan at 0.5 of its speed; "
            "let one of them run",
        ),
    ],
)
def test_each_fault_is_said(change: dict[str, np.ndarray], message: str) -> None:
    assert first_message(small_day(), replace(GOOD, **change)) == message


def test_a_job_that_starts_in_part() -> None:
    day = day_of(centre_of(ATOM), [(0, 1, 1, 0, 4.0)] * 3, 4)
    plan = plan_of([(0, 0, 2)], [[3] * 4], [0.5] * 4)
    assert "has 2 starts, but there are 3 such jobs" in first_message(day, plan)
    never = replace(plan, group=plan.group[:0], start=plan.start[:0], count=plan.count[:0])
    assert "never starts; give a row with its start, 3 times" in first_message(day, never)
    less = replace(plan, count=np.array([-2]))
    assert "is -2; give a whole number, at least 1" in messages(judged_plan(day, less))[0]


def test_starts_of_servers_take_time_and_servers() -> None:
    """A server that is awake from step 3 on starts in steps 1 and 2, by 100 s of which 2 are whole
    steps, and draws its joules in them, and 3 W asleep for the other 20 s.
    """
    day = small_day(start_seconds=100.0, start_joules=2400.0)
    verdict = judged_plan(day, replace(GOOD, awake=np.array([[2, 2, 2, 3]])))
    watts = np.array(verdict.power) - 51.25
    assert watts == pytest.approx([44 + 3, 60 + 20.5, 60 + 20.5, 44 + 22])
    early = first_message(day, replace(GOOD, awake=np.array([[2, 3, 3, 3]])))
    assert early == (
        "error: awake, row atom, step 2, column awake: 3 after 2 needs a start of 120 s, which "
        "would begin before the day; let them wake later, or never sleep"
    )
    many = small_day(start_seconds=60.0)
    plan = replace(GOOD, awake=np.array([[3, 3, 2, 3]]))
    assert judged_plan(many, plan).ok
    plan = replace(GOOD, awake=np.array([[2, 3, 3, 3]]))
    assert judged_plan(many, plan).ok
    assert judged_plan(replace(many, jobs=grouped([])), plan).problems[0].column == "job"
    idle = day_of(centre_of(replace(ATOM, start_seconds=60.0)), [], 4)
    two = plan_of([], [[3, 0, 3, 3]], [0.5] * 4)
    assert judged_plan(idle, two).ok
    slow = day_of(centre_of(replace(ATOM, start_seconds=120.0)), [], 4)
    assert "is 3, and 3 more start, of 3 servers" in messages(judged_plan(slow, two))[0]


def test_how_much_too_hot_and_when() -> None:
    warm = ServerKind("warm", 1, 400.0, 400.0, 400.0)
    day = day_of(centre_of(warm, limit=27.0), [], 4)
    message = first_message(day, plan_of([], [[0] * 4], [0.0] * 4))
    inside = [26.5]
    for _ in range(4):
        inside.append(inside[-1] + (400 - 100 * (inside[-1] - 25)) / 1000)
    assert inside[2] < 27 < inside[3]
    by = inside[3] - 27
    assert message == (
        f"error: steps, row step 3: it is {inside[3]:.9g} °C inside after this step, {by:.3g} K "
        "above the limit of 27 °C; cool more in it or before"
    )


def test_the_room_is_not_cooled_below_the_least() -> None:
    """It may be cooler by itself."""
    day = small_day()
    inside = judged_plan(day, GOOD).inside
    cooled = [step for step in range(day.steps) if GOOD.speed[step] or GOOD.compressor[step]]
    least = min(inside[step + 1] for step in cooled)
    centre = day.centre
    assert judged_plan(replace(day, centre=replace(centre, coolest=least)), GOOD).ok
    message = first_message(replace(day, centre=replace(centre, coolest=least + 1e-6)), GOOD)
    assert "below the least" in message


def test_a_plan_that_just_keeps_the_limit() -> None:
    """At the limit, and above it by rounding or by more."""
    warm = ServerKind("warm", 1, 400.0, 400.0, 400.0)
    plan = plan_of([], [[0]])
    day = day_of(centre_of(warm, limit=40.0), [], 1)
    inside = judged_plan(day, plan).hottest
    for below, ok in ((0.0, True), (0.9e-9, True), (1.1e-9, False)):
        cooler = replace(day, centre=replace(day.centre, limit=inside - below))
        assert judged_plan(cooler, plan).ok is ok


def test_what_is_stated_must_follow() -> None:
    day = small_day()
    verdict = judged_plan(day, GOOD)
    for name in STATED_FIGURES:
        true = getattr(verdict, name)
        assert judged_plan(day, GOOD, stated={name: true}).ok
        message = first_message(day, GOOD, **{name: true + 1})
        assert message.startswith(f"error: plan, column {name}: is ")
        assert "but should be" in message
    assert not judged_plan(day, GOOD, stated={"cost": float("nan")}).ok


def test_only_a_few_of_each_fault_are_listed() -> None:
    day = day_of(centre_of(ATOM), [], 40)
    found = judged_plan(day, plan_of([], [[3] * 40], [2.0] * 40)).problems
    assert len(found) == 11
    assert "and 30 more" in found[-1].message


def test_money_by_hand() -> None:
    """Hours of 2, 0 and 1 kW with 0.5 kW of one's own: 1.5 and 0.5 kWh are bought, 0.5 are left
    over, and the highest kW is 1.5. Two jobs of a row are an hour late each, and one is not.
    """
    oven = ServerKind("oven", 2, 1000.0, 0.0, 0.0)
    room = PhysicalRoom(1e12, 100.0)
    centre = Centre((oven,), COOLING, room, 27.0, 26.5)
    curves = Curves(
        *(np.array(x, float) for x in ([2, 9, 4], [100, 9, 300], [20] * 3)),
        np.array([500.0, 500.0, 500.0]),
        np.array([0.0, 0.0, 700.0]),
    )
    jobs = grouped([(0, 1, 1, 0, 0.0)] * 2 + [(0, 1, 1, 0, 3.0)])
    day = CentreDay(centre, jobs, curves, 3600.0, feed_in=0.25, peak_price=10.0)
    plan = plan_of([(0, 0, 2), (1, 2, 1)], [[2, 0, 1]])
    verdict = judged_plan(day, plan)
    assert verdict.problems == ()
    assert verdict.power == (2000.0, 0.0, 1000.0)
    assert verdict.cost == pytest.approx(1.5 * 2 + 0.5 * 4 - 0.5 * 0.25 + 1.5 * 10)
    assert verdict.carbon == pytest.approx(1.5 * 100 + 0.5 * 300)
    assert (verdict.energy, verdict.grid_energy) == (3 * 3.6e6, 2 * 3.6e6)
    assert (verdict.green_energy, verdict.peak) == (3.6e6, 1500.0)
    assert verdict.excess == (2000 + 300) * 3600
    assert verdict.relative_excess == 2300 / 700
    assert (verdict.lateness, verdict.late_jobs) == (2 * 3600, 2)
    assert verdict.on_time_share == pytest.approx(1 / 3)


def test_rows_of_several_jobs() -> None:
    """Two jobs of two servers start in one row: four are at work."""
    day = day_of(centre_of(replace(ATOM, count=5), limit=99.0), [(0, 2, 1, 0, 9.0)] * 3, 3)
    starts = [(0, 0, 2), (0, 2, 1)]
    assert judged_plan(day, plan_of(starts, [[4, 0, 2]])).power == (123.0, 15.0, 69.0)
    said = first_message(day, plan_of(starts, [[3, 0, 2]]))
    assert "is 3, but 4 servers at work" in said
    assert "is 0, but 4 servers at work" in first_message(day, plan_of(starts, [[0, 0, 2]]))
    assert "is 1, but 4 servers at work" in first_message(day, plan_of(starts, [[1, 0, 2]]))


def test_figures_agree_to_a_millionth() -> None:
    day = small_day()
    energy = judged_plan(day, GOOD).energy
    for share, ok in ((0.9e-6, True), (1.1e-6, False)):
        assert judged_plan(day, GOOD, stated={"energy": energy * (1 + share)}).ok is ok
    cost = judged_plan(day, GOOD).cost
    assert cost < 1
    for amount, ok in ((0.9e-6, True), (1.1e-6, False)):
        assert judged_plan(day, GOOD, stated={"cost": cost + amount}).ok is ok


def test_curves_of_another_length() -> None:
    day = small_day()
    short = Curves(**{name: values[:3] for name, values in vars(day.curves).items()})
    (problem,) = judged_plan(day, GOOD, short).problems
    assert str(problem) == (
        "error: steps: is judged by 3 steps, but the day has 4 steps; give a row for each"
    )
