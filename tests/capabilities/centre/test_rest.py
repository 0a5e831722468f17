"""The rest of a day has what the whole day has from a step on, and no plan is below its bound."""

from dataclasses import replace

import numpy as np
from capabilities.centre.drawn_days import days, plans
from centre_days import day_of
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st

from core.capabilities.centre.bound import DaySearch
from core.capabilities.centre.centre import Centre, ServerKind, parasol
from core.capabilities.centre.day import Begun, CentreDay
from core.capabilities.centre.judge import judged_plan
from core.capabilities.centre.objectives import DayCaps, DayWeights
from core.capabilities.centre.plan import DayPlan, executing, measured, started, starting
from core.capabilities.centre.recover import counted
from core.capabilities.centre.rest import able, joined, rest_of
from core.vocabulary.say.words import JOULES_PER_KWH


def rest_at(day: CentreDay, plan: DayPlan, step: int) -> tuple[CentreDay, np.ndarray, DayPlan]:
    """The rest of a day under a plan from a step on, its groups, and what the plan has of it."""
    ahead = np.flatnonzero(plan.start >= step)
    left = np.bincount(plan.group[ahead], plan.count[ahead], len(day.jobs)).astype(np.int64)
    whole = measured(day, plan)
    peak = float(whole.grid[:step].max(initial=0.0))
    rest = rest_of(day, plan, step, left, float(whole.inside[step]), peak)
    group = np.flatnonzero(left)
    then = DayPlan(
        np.searchsorted(group, plan.group[ahead]),
        plan.start[ahead] - step,
        plan.count[ahead],
        plan.awake[:, step:],
        plan.speed[step:],
        plan.compressor[step:],
    )
    return rest, group, then


@st.composite
def parted(draw: st.DrawFn) -> tuple[CentreDay, DayPlan, int]:
    """A day, a plan that can be carried out, and a step."""
    day = draw(days())
    plan = draw(plans(day))
    assume(judged_plan(day, plan).ok)
    return day, plan, draw(st.integers(0, day.steps - 1))


@examples(60)
@given(parted())
def test_a_rest_has_what_the_whole_day_has_from_a_step_on(
    drawn: tuple[CentreDay, DayPlan, int],
) -> None:
    day, plan, step = drawn
    rest, group, then = rest_at(day, plan, step)
    whole, part = measured(day, plan), measured(rest, then)
    assert rest.begins == day.begins + step * day.step
    for name in ("busy", "idle", "asleep", "starting", "grid", "over", "green_used"):
        np.testing.assert_allclose(getattr(part, name), getattr(whole, name)[step:])
    np.testing.assert_allclose(part.inside, whole.inside[step:])
    curves, kwh = day.curves, day.step / JOULES_PER_KWH
    left = np.maximum(curves.green - whole.power, 0)
    paid = (whole.grid * curves.price - day.feed_in * left)[:step].sum() * kwh
    np.testing.assert_allclose(part.cost + paid, whole.cost, atol=1e-9)
    again = joined(plan, step, group, then)
    gone = plan.start < step
    assert sorted(zip(again.group, again.start, again.count, strict=True)) == sorted(
        zip(plan.group, plan.start, plan.count, strict=True)
    )
    assert (again.awake == plan.awake).all()
    late = day.jobs.lateness(plan.group, plan.start)[gone] @ plan.count[gone]
    np.testing.assert_allclose(part.lateness / day.step + late, whole.lateness / day.step)


@examples(25)
@given(parted(), st.sampled_from(["cost", "energy", "carbon", "lateness"]))
def test_no_plan_of_a_rest_is_below_its_bound(
    drawn: tuple[CentreDay, DayPlan, int], aim: str
) -> None:
    day, plan, step = drawn
    rest, _, then = rest_at(day, plan, step)
    part = measured(rest, then)
    reached = counted(rest, part)
    peak = max(part.peak, 0.0 if rest.begun is None else rest.begun.peak) / 1000
    caps = DayCaps(energy=reached["energy"] * (1 + 1e-9), peak=peak * (1 + 1e-9))
    bound = DaySearch(rest).bound(DayWeights.only(aim), caps)
    assert bound.value <= reached[aim] + 1e-6 * max(abs(reached[aim]), 1.0)


@examples(60)
@given(parted(), st.integers(0, 2**32 - 1))
def test_servers_awake_are_made_possible(drawn: tuple[CentreDay, DayPlan, int], seed: int) -> None:
    """Starts that run end as begun, none began before the rest, and each busy server is awake."""
    day, plan, step = drawn
    assume(step)
    rest, _, then = rest_at(day, plan, step)
    random = np.random.default_rng(seed)
    busy = np.minimum(executing(rest, then.group, then.start, then.count), then.awake)
    wanted = np.maximum(busy, random.integers(0, rest.centre.counts[:, None] + 1, busy.shape))
    found = able(rest, busy, wanted)
    assert (found >= busy).all()
    assert (found + starting(rest, found) <= rest.centre.counts[:, None]).all()
    begun = rest.begun
    assert begun is not None
    for kind, steps in enumerate(rest.centre.start_steps(rest.step).tolist()):
        rise = started(rest, found)[kind, :steps]
        assert rise.tolist() == begun.ready[kind, :steps].tolist()


def test_what_has_begun_says_which_servers_are_there() -> None:
    """2 of 6 are awake, one more is ready in step 0 and two in step 1; a start takes 2 steps."""
    begun = Begun(np.zeros((1, 4), int), np.array([2]), np.array([[1, 2, 0, 0]]))
    assert begun.allowed(np.array([6]), np.array([2])).tolist() == [[3, 5, 6, 6]]


def begun_day() -> CentreDay:
    """A start of a step; 2 of 4 servers were awake, one more is ready at once, one works on."""
    kind = ServerKind("a", 4, 30.0, 22.0, 3.0, 60.0, 600.0)
    centre = Centre((kind,), parasol().cooling, parasol().room, limit=40.0, first=25.0)
    begun = Begun(np.array([[1, 1, 1, 0, 0]]), np.array([2]), np.array([[1, 0, 0, 0, 0]]))
    return replace(day_of([], 5), centre=centre, begun=begun)


def test_a_start_that_has_begun_ends_and_then_servers_may_sleep() -> None:
    day = begun_day()
    busy = executing(day, *(np.zeros(0, np.int64),) * 3)
    assert able(day, busy, busy).tolist() == [[3, 1, 1, 0, 0]]


def test_jobs_that_run_count_in_the_bound() -> None:
    """Nothing can be chosen: one of four works for 3 steps, and two wait in the first."""
    day = begun_day()
    watts = (30 + 2 * 22 + 3) + 2 * (30 + 3 * 3) + 2 * (4 * 3)
    bound = DaySearch(day).bound(DayWeights.only("energy"))
    # A server that is ready need not wait in the program.
    least = watts - 2 * (22 - 3)
    assert least * 60 / 3.6e6 <= bound.value * (1 + 1e-6) <= watts * 60 / 3.6e6 * (1 + 1e-6)


def test_a_rest_that_begins_too_hot_begins_at_the_limit() -> None:
    """A centre that is above its limit at first is none."""
    day = day_of([(0, 1, 1, 3, 6.0)], 6)
    none = np.zeros(0, np.int64)
    awake = np.full((1, 6), 64)
    plan = DayPlan(none, none, none, awake, np.zeros(6), np.zeros(6, bool))
    rest = rest_of(day, plan, 2, np.array([1]), day.centre.limit + 0.5, 0.0)
    assert rest.centre.first == day.centre.limit
    assert rest.jobs.release.tolist() == [1]


def test_who_was_awake_before_a_rest_is_awake_in_it() -> None:
    """Of 4, one went to sleep with the first step of the rest, and starts again later."""
    day = begun_day()
    none = np.zeros(0, np.int64)
    awake = np.array([[4, 4, 3, 3, 4]])
    plan = DayPlan(none, none, none, awake, np.zeros(5), np.zeros(5, bool))
    rest = rest_of(replace(day, begun=None), plan, 2, np.zeros(0, np.int64), 25.0, 0.0)
    assert rest.begun is not None
    assert rest.begun.before.tolist() == [4]
    assert rest.begun.ready.tolist() == [[0, 0, 1]]
