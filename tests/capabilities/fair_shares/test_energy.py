"""The front of worst stretch and energy has all its vertices, is proven, and says so in words."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from capabilities.fair_shares.as_published import least_energy
from capabilities.fair_shares.made import compute_only, f9, f12, made, powered, random_powered
from capabilities.fair_shares.test_prices import order
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.day_clock import UNKNOWN_HOURS, DayClock
from core.capabilities.fair_shares.energy import EnergyFront, energy_front
from core.capabilities.fair_shares.epochs import count_intervals, epochs_between, milestones
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.prices import PricesOverTime
from core.capabilities.fair_shares.recheck import energy_of, front_faults
from core.capabilities.fair_shares.routes import RouteProgram, RouteShares
from core.capabilities.fair_shares.shares import AskedBags, FairShares
from core.capabilities.fair_shares.told import told, told_of_front
from core.capabilities.fair_shares.trials import published_scenario
from core.capabilities.fair_shares.words import progress_said
from core.vocabulary.budget import Budget, Cancelled
from core.vocabulary.prices.site import Site
from core.vocabulary.system import NoPowerData


def front_of(bags: ArrivingBags, budget: Budget | None = None) -> EnergyFront:
    return energy_front(least_stretch(bags, early=False), budget)


def optimum_at(bags: ArrivingBags, stretch: float) -> RouteShares:
    """The least energy of one stretch."""
    program = RouteProgram(bags.work, bags.ideal)
    program.at(order(bags, stretch), stretch)
    program.solve()
    program.thrifty(order(bags, stretch), stretch, stretch)
    return program.solve()


def two_machines(idle: float) -> ArrivingBags:
    """Four tasks of a second; one machine draws 100 W, the other 40 W."""
    return powered(made((4,), [[1], [1]]), [[100], [40]], [idle, idle])


def test_a_slow_down_lets_the_thrifty_machine_do_more() -> None:
    """Alone, both machines take 2 s. In 2 S seconds, the thrifty one does 2 S of the tasks."""
    front = front_of(two_machines(0))
    np.testing.assert_allclose(front.points, [[1, 280], [2, 160]], rtol=2e-9)
    assert front.exact
    assert front.least_energy(1.5) == pytest.approx(220)
    assert front.least_energy(7) == pytest.approx(160)
    assert front.least_energy(0.9) == math.inf


def test_energy_is_priced_by_the_hours_of_the_clock() -> None:
    """Two machines at 50 W for 2 h from 23.30 on, nothing drawn idle: 50 Wh until midnight,
    100 Wh in the next hour, 50 Wh in the last.
    """
    bags = powered(made((2,), [[7_200], [7_200]]), [[50], [50]], [0, 0])
    least = least_stretch(bags, early=False)
    hours = least.plan.joules_by_hour(23.5 * 3_600)
    assert np.flatnonzero(hours).tolist() == [0, 1, 23]
    assert hours[[23, 0, 1]] / 3.6e6 == pytest.approx([0.05, 0.1, 0.05])
    site = Site(0.9, 2.0, day_tariff=((0.0, 0.1), (1.0, 0.5)))
    answer = FairShares(AskedBags(bags, clock=DayClock(23.5 * 3_600)), least, None, None, ())
    said = told(answer, None, site)
    assert said.data["money"] == pytest.approx(0.05 * 0.5 + 0.1 * 0.1 + 0.05 * 0.5)
    assert said.data["carbon"] == pytest.approx(0.2 * 2.0)
    assert said.figures[-1].value == "0.06 EUR"
    unknown = told(replace(answer, asked=AskedBags(bags, clock=UNKNOWN_HOURS)), None, site)
    assert unknown.data["money"] == pytest.approx(0.2 * 0.9)
    assert "not known" in unknown.sentences[-1]
    front = told_of_front(energy_front(least), (), DayClock(23.5 * 3_600), site).data["front"]
    assert isinstance(front, dict)
    assert front["vertices"][0]["money"] == pytest.approx(0.06)


@examples(20)
@given(st.integers(0, 2**32), st.floats(0.0, 86_000.0))
def test_the_hours_of_a_plan_have_its_energy(seed: int, begins: float) -> None:
    plan = least_stretch(random_powered(seed), early=False).plan
    assert plan.joules_by_hour(begins).sum() == pytest.approx(plan.energy)


def test_idle_machines_count_until_the_last_task_ends() -> None:
    """At S = 2, the thrifty machine works for 4 s and the other is idle: none sleeps meanwhile."""
    bags = two_machines(10)
    for system in (bags.system, bags.system.with_asleep_watts(0.0)):
        front = front_of(replace(bags, system=system))
        np.testing.assert_allclose(front.points, [[1, 280], [2, 200]], rtol=2e-9)


def test_where_idle_power_is_high_it_is_best_to_be_done_early() -> None:
    """Each second of both machines costs 80 W idle, and a task on the other saves only 60 J."""
    front = front_of(two_machines(40))
    np.testing.assert_allclose(front.points, [[1, 280]], rtol=2e-9)
    assert front.exact


def test_idle_machines_count_from_the_first_release() -> None:
    """Before the last release there is nothing to win by being early: 10 W of 5 s, and 2 tasks."""
    bags = powered(compute_only((1, 1), (3, 7)), [[50, 50]], [10])
    np.testing.assert_allclose(front_of(bags).points, [[1, 2 * 40 + 5 * 10]], rtol=2e-9)


def test_an_example_with_a_network() -> None:
    """Regression values; its least stretch is 201/142."""
    front = front_of(powered(f12(), [[100, 90, 120], [40, 200, 150]], [20, 30]))
    expected = [
        [1.415492959, 3737.183091],
        [1.430305132, 3660.554785],
        [1.5, 3590.333333],
        [1.681034483, 3560],
    ]
    np.testing.assert_allclose(front.points, expected, rtol=1e-9)
    assert front_faults(front) == []


def test_at_a_milestone_the_front_may_bend_the_other_way() -> None:
    """At 2.1, the first bag is due when the other is released."""
    bags = random_powered(2870, bags=2, workers=2)
    front = front_of(bags)
    assert least_stretch(bags).milestones.tolist() == pytest.approx([1, 2.1])
    assert front.points[1] == pytest.approx([2.1, 45.96666667])
    slopes = np.diff(front.points[:, 1]) / np.diff(front.points[:, 0])
    assert slopes == pytest.approx([-58.66666667, -100.57142857])
    assert front.exact


@pytest.mark.thorough
def test_a_scenario_of_many_milestones() -> None:
    """Regression values."""
    bags = published_scenario(202, 12, 5)
    watts = [[100.0 + 20 * u] * 12 for u in range(5)]
    front = front_of(powered(bags, watts, [30.0] * 5))
    assert front.exact
    assert front_faults(front) == []
    assert len(front.points) == len(front.plans) == len(front.proven) == 35
    assert front.points[0] == pytest.approx([3.96426066, 719157.507779])
    assert front.points[-1] == pytest.approx([10.85404808, 581835.577123])


@pytest.mark.thorough
@example(703)  # falls by 2 J within 0.0001 of stretch
@examples(30)
@given(st.integers(0, 2**32))
def test_it_is_the_least_energy_of_any_stretch(seed: int) -> None:
    """The other code searches when the last task ends, and knows no front and no prices."""
    bags = random_powered(seed)
    front = front_of(bags)
    assert front.exact
    low, high = front.points[0, 0], front.points[-1, 0]
    samples = np.random.default_rng(seed).uniform(low, 1.3 * high, 4)
    for stretch in [low * (1 + 1e-6), *samples, *front.points[1:, 0]]:
        expected = least_energy(bags, float(stretch))
        assert front.least_energy(stretch) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_the_energy_of_any_plan_is_counted_until_its_last_task() -> None:
    """The last bag may be done by 20 s, but all are done at 14 s at the latest."""
    times = [[1, 1, 1, math.inf], [math.inf, math.inf, math.inf, 1]]
    bags = made((1, 1, 1, 10), times, release=(0, 0, 12, 0))
    plan = least_stretch(powered(bags, [[10] * 4] * 2, [1, 1])).plan
    assert plan.dates[-1] == pytest.approx(20, rel=1e-5)
    assert plan.energy == pytest.approx(13 * 9 + 2 * 14, rel=1e-5)
    assert energy_of(plan) == pytest.approx(plan.energy)


@example(67)  # level from 1.93 to the milestone 2.67, where it begins to fall again
@examples(12)
@given(st.integers(0, 2**32))
def test_its_plans_are_sound_and_proven(seed: int) -> None:
    front = front_of(random_powered(seed))
    stretches, joules = front.points.T
    assert (np.diff(stretches) > 0).all()
    level = np.diff(joules) == 0
    assert (np.diff(joules)[~level] < 0).all()
    assert not level[-1:].any()
    assert front_faults(front) == []
    assert (front.proven <= joules).all()
    size = max(abs(joules).max(), 1.0)
    assert (joules - front.proven <= 1e-8 * size).all()


@examples(12)
@given(st.integers(0, 2**32), st.floats(1, 3))
def test_no_prices_prove_more_than_is_true(seed: int, share: float) -> None:
    bags, rng = random_powered(seed, bags=3), np.random.default_rng(seed)
    front, least = front_of(bags), least_stretch(bags, early=False)
    stretch = max(least.stretch * share, front.points[0, 0])
    shares = optimum_at(bags, stretch)
    size = max(float(abs(front.points[:, 1]).max()), 1.0)
    for noise in (0.0, 0.3, 3.0):
        noisy = PricesOverTime(
            *(each * rng.uniform(1 / (1 + noise), 1 + noise, each.shape) for each in shares.prices)
        )
        proven = noisy.least_energy(bags.work, bags.ideal, shares.epochs, stretch)
        assert proven <= front.least_energy(stretch) + 1e-9 * size


def test_memory_is_worth_what_it_saves() -> None:
    """Three tasks of 15 J above idle, and 5 W until the end: at 3 s, if memory lets the machine
    work all the time.
    """
    bags = powered(f9(0.25), [[20, 20, 20]], [5])
    front = front_of(bags)
    expected = [[4.75 / 3, 45 + 5 * 9.5 / 3], [1.75, 45 + 5 * 3]]
    np.testing.assert_allclose(front.points, expected, rtol=2e-9)
    shares = optimum_at(bags, 1.65)
    assert shares.prices.memory.max() == pytest.approx(5)
    near = 1.65 * (1 - 1e-9)
    proven = shares.prices.least_energy(bags.work, bags.ideal, shares.epochs, near)
    assert front.least_energy(1.65) * (1 - 1e-9) < proven <= front.least_energy(near)


@examples(30)
@given(st.integers(0, 2**32))
def test_what_prices_prove_is_linear_up_to_milestones(seed: int) -> None:
    """Where dates meet, intervals have no length, and still their routes count."""
    bags, rng = random_powered(seed, bags=3, workers=2), np.random.default_rng(seed)
    work, shape = (
        bags.work,
        (bags.work.seconds.shape[1], count_intervals(bags.work.release, bags.ideal)),
    )
    holds = np.broadcast_to(work.memory[:, None] > 0, shape)
    for low, high in pairwise(milestones(work.release, bags.ideal)):
        epochs = epochs_between(work.release, bags.ideal, low, high)
        links, cpus, master = (
            rng.exponential(9, of) * (rng.random(of) < 0.5) for of in (shape, shape, shape[1])
        )
        prices = PricesOverTime(links, cpus, master, np.where(holds, 0.0, np.inf))
        for end, inside in ((low, low * (1 + 1e-9)), (high, high * (1 - 1e-9))):
            at_end = prices.least_energy(work, bags.ideal, epochs, end)
            near = prices.least_energy(work, bags.ideal, epochs, inside)
            assert at_end <= near + 1e-6 * (abs(near) + 1)


def test_what_is_not_proven_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """If prices prove a tenth less, the front does too, also where it bends the other way."""
    bags = random_powered(2870, bags=2, workers=2)
    joules, proves = front_of(bags).points[:, 1], PricesOverTime.least_energy
    monkeypatch.setattr(PricesOverTime, "least_energy", lambda *arguments: 0.9 * proves(*arguments))
    front = front_of(bags)
    assert front.points[:, 1] == pytest.approx(joules)
    assert front.proven == pytest.approx(0.9 * joules)
    assert front.gap == pytest.approx(0.1)
    assert not front.exact


def test_milestones_that_exist_only_by_rounding_are_none() -> None:
    """The deadlines of two bags of the same ideal duration, but for rounding, never meet."""
    bags = random_powered(477)
    assert np.ptp(bags.ideal[:2]) / bags.ideal[0] < 1e-15
    assert least_stretch(bags).milestones.max() < 100
    assert front_of(bags).exact


def test_machines_of_unlike_power_are_unlike_workers() -> None:
    assert two_machines(0).work.joules.tolist() == [[100, 40]]
    assert two_machines(0).work.idle_power == 0
    assert made((4,), [[1], [1]]).work.joules.tolist() == [[0]]


def test_a_front_that_is_stopped_is_not_complete() -> None:
    bags = powered(f12(), [[100, 90, 120], [40, 200, 150]], [20, 30])
    reached: list[float] = []
    asked = Budget(should_stop=lambda: len(reached) > 0)
    bags = replace(bags, release=bags.release * [1, 0.2, 1.4])
    whole, least = front_of(bags), least_stretch(bags)
    part = energy_front(least, asked, reached.append)
    assert not part.complete
    assert not part.exact
    assert 1 <= len(part.points) < len(whole.points)
    assert part.gap < 1e-9
    np.testing.assert_allclose(part.points[0], whole.points[0])
    with pytest.raises(Cancelled, match="stopped while sharing out bags"):
        energy_front(least, Budget(should_stop=lambda: True))
    with pytest.raises(Cancelled):
        least_stretch(bags, Budget(should_stop=lambda: True))


def test_with_another_baseline_it_is_the_same_in_other_units() -> None:
    """Twice the durations are half of the stretch."""
    bags = powered(f12(), [[100, 90, 120], [40, 200, 150]], [20, 30])
    half = least_stretch(bags, early=False, baseline=bags.ideal * 2)
    front = energy_front(half)
    np.testing.assert_allclose(front.points * [2, 1], front_of(bags).points, rtol=1e-8)
    assert front_faults(front, (bags.ideal * 2).tolist()) == []
    assert front_faults(front)
    assert front.exact


def test_without_powers_there_is_no_front() -> None:
    with pytest.raises(NoPowerData):
        front_of(f12())


def test_wrong_joules_are_noticed() -> None:
    front = front_of(two_machines(10))
    assert [energy_of(plan) for plan in front.plans] == pytest.approx([280, 200])
    wrong = replace(front, points=front.points * [1, 1 + 1e-6])
    assert len(front_faults(wrong)) == 2
    assert front_faults(wrong)[1].startswith(
        "at a worst stretch of 2, the plan uses 200 J, not 200"
    )
    soon = replace(front, points=front.points * [0.9, 1])
    assert "computed after its deadline" in front_faults(soon)[0]
    assert math.isnan(energy_of(least_stretch(f12()).plan))


def test_energies_of_pairs_that_cannot_run_are_not_looked_at():
    """Of a bag that is done nothing is left, and no times infinity is no number."""
    bags = random_powered(3)
    joules, seconds = bags.work.joules.copy(), bags.work.seconds.copy()
    joules[0, 0] = seconds[0, 0] = np.inf
    counts = bags.work.counts * ([0.0] + [1.0] * (len(bags.work.counts) - 1))
    work = replace(bags.work, joules=joules, seconds=seconds, counts=counts)
    program = RouteProgram(work, bags.ideal)
    assert program._largest_energy() == np.abs(counts[1:, None] * joules[1:]).max()


FRONT = front_of(powered(made((4,), [[1], [1]]), [[100], [40]], [0, 0]))


def test_what_is_saved_and_where_a_front_ends_that_was_stopped() -> None:
    whole = told_of_front(FRONT, [])
    assert whole.lead == "A worst stretch of 2 in place of 1.001 saves 42.8 % of 280 J."
    assert whole.sentences[0] == "No schedule is below the front (proven)."
    (table,) = whole.tables
    assert table.rows[0] == ("1.001", "280 J")
    assert table.rows[-1] == ("2", "160 J")
    part = told_of_front(replace(FRONT, complete=False, gap=0.0123), [])
    assert part.lead.endswith("of 280 J so far.")
    assert part.sentences[0] == (
        "The front was not traced to its end. No schedule is 1.3 % below it (proven)."
    )
    assert told_of_front(replace(FRONT, complete=False), []).data["front"]["exact"] is False
    said = told_of_front(replace(FRONT, gap=0.0123), []).sentences[0]
    assert said == "No schedule is more than 1.3 % below the front (proven)."
    assert progress_said(2.5) == "the front is known up to a worst stretch of 2.5"


def test_a_front_of_one_vertex_saves_nothing() -> None:
    one = replace(FRONT, points=FRONT.points[:1], proven=FRONT.proven[:1], plans=FRONT.plans[:1])
    said = told_of_front(one, ["a fault"])
    assert said.lead == "No larger stretch saves energy: 280 J in any case."
    assert "NOT verified: plans of the front: a fault" in said.sentences
    assert told_of_front(one, ["a fault"]).data["front"]["verified"] is False
