"""Genes mean plans, and what is judged of them is what the plans are measured by."""

from dataclasses import replace

import numpy as np
import pytest
from centre_days import centre_days, day_of, faults, parasol_day
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.centre import parasol
from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.judge import judged_plan
from core.capabilities.centre.plan import measured
from core.capabilities.centre.rivals.best_fit_hole import FIRST_HOLES, FirstHoles, placed_in_holes
from core.capabilities.centre.rivals.genes import HIGH_READINGS, DayGenes, moved_on
from core.vocabulary.budget import NoScheduleFound


def test_what_genes_of_cooling_mean() -> None:
    """Fixture C2."""
    day = replace(day_of([], 6))
    row = np.array([1, 100, 101, 200, 201, 300] + [1920] * 6)
    plan = DayGenes(day, "power", "awake").plan(row)
    assert plan.speed.tolist() == [0.01, 1, 0, 0, 0, 0]
    assert plan.compressor.tolist() == [False, False, True, True, False, False]
    found = measured(day, plan)
    assert found.fans[:2].tolist() == pytest.approx([410e-6, 410])
    assert found.compressor.tolist() == [0, 0, 2300, 2300, 0, 0]


@pytest.mark.parametrize(("law", "watts"), [("cubic", 51.25), ("linear", 205.0)])
def test_the_fan_at_half_its_speed(law: str, watts: float) -> None:
    cooling = replace(parasol().cooling, fan_law=law)
    assert cooling.fan_power(np.array([0.5])).tolist() == [watts]


def test_a_mutated_gene_of_cooling_moves_on_around_its_circle() -> None:
    """Fixture C2, and both ends of the circle."""
    found = moved_on(np.array([300, 300, 1, 1]), np.array([0.5, 0.0, 0.999, 0.0034]))
    assert found.tolist() == [150, 300, 300, 2]


def test_watts_are_those_of_servers_that_all_execute() -> None:
    day = day_of([], 5)
    row = np.array([300] * 5 + [0, 29, 30, 1919, 1920])
    assert DayGenes(day, "power", "awake").plan(row).awake.tolist() == [[0, 0, 1, 63, 64]]


def test_servers_that_draw_nothing_can_be_awake_one_by_one() -> None:
    day = day_of([], 3)
    free = replace(day.centre.kinds[0], busy_watts=0.0, idle_watts=0.0, asleep_watts=0.0)
    day = replace(day, centre=replace(day.centre, kinds=(free,)))
    genes = DayGenes(day, "power", "awake")
    assert genes.plan(np.array([300] * 3 + [0, 7, 64])).awake.tolist() == [[0, 7, 64]]
    assert genes.most.tolist() == [300] * 3 + [64] * 3


def test_all_servers_can_be_awake_whatever_they_draw() -> None:
    """64 times 30.1 W are 1,926.4 W, so 1,927 W are all of them."""
    day = day_of([], 3)
    odd = replace(day.centre.kinds[0], busy_watts=30.1)
    day = replace(day, centre=replace(day.centre, kinds=(odd,)))
    genes = DayGenes(day, "power", "awake")
    assert genes.most[3:].tolist() == [1927] * 3
    assert genes.plan(np.array([300] * 3 + [1926, 1927, 31])).awake.tolist() == [[63, 64, 1]]


@pytest.mark.parametrize("first", FIRST_HOLES)
def test_starts_are_those_of_best_fit_hole(first: FirstHoles) -> None:
    day = parasol_day(200)
    row = np.repeat([150, 1800], day.steps)
    plan = DayGenes(day, "power", first).plan(row)
    expected = placed_in_holes(day, plan.awake, first)
    for one, other in zip((plan.group, plan.start, plan.count), expected, strict=True):
        assert one.tolist() == other.tolist()


def test_half_of_the_first_rows_are_where_much_is_drawn() -> None:
    """At least 80 % of the servers, and the compressor; or as printed, where nothing cools."""
    random = np.random.default_rng(1)
    for high, least, most in (("power", 101, 200), ("literal", 241, 300)):
        rows = DayGenes(parasol_day(1), high, "awake").begun(random, 400)
        cooling, servers = rows[:, :150], rows[:, 150:]
        much = (servers >= 0.8 * 1920).all(axis=1)
        assert 150 < much.sum() < 250
        assert (cooling[much].min(), cooling[much].max()) == (least, most)
        assert (servers[much].min(), servers[much].max()) == (1536, 1920)
        assert (cooling[~much].min(), cooling[~much].max()) == (1, 300)
        assert (servers[~much].min(), servers[~much].max()) == (0, 1920)


def test_each_gene_is_mutated_with_its_probability() -> None:
    genes, random = DayGenes(parasol_day(1), "power", "awake"), np.random.default_rng(1)
    rows = genes.begun(random, 100)
    changed = genes.mutated(random, rows, 0.2) != rows
    assert changed[:, :150].mean() == pytest.approx(0.2, abs=0.01)
    assert changed[:, 150:].mean() == pytest.approx(0.2, abs=0.01)
    assert (genes.mutated(random, rows, 0.0) == rows).all()
    assert (genes.mutated(random, rows, 1.0) >= genes.least).all()
    assert (genes.mutated(random, rows, 1.0) <= genes.most).all()


def test_cuts_are_from_behind_the_first_step_to_before_the_last() -> None:
    genes, random = DayGenes(day_of([], 4), "power", "awake"), np.random.default_rng(1)
    first, second = genes.cut(random, np.zeros((99, 8), int), np.ones((99, 8), int))
    assert set(map(tuple, first.tolist())) == {
        (*row, *row) for row in [(0, 1, 1, 1), (0, 0, 1, 1), (0, 0, 0, 1)]
    }
    assert (first + second == 1).all()


@given(day=centre_days(), seed=st.integers(0, 99), first=st.sampled_from(FIRST_HOLES))
def test_what_is_judged_is_what_the_plan_is_measured_by(
    day: CentreDay, seed: int, first: FirstHoles
) -> None:
    genes = DayGenes(day, HIGH_READINGS[seed % 2], first)
    rows = genes.begun(np.random.default_rng(seed), 4)
    values, violation = genes.judged(rows)
    for row, value, violated in zip(rows, values, violation, strict=True):
        plan = genes.bred(row)
        found = (
            faults(day, plan) if day.jobs.total == plan.count[plan.start >= 0].sum() else ["lost"]
        )
        assert (violated > 0) == (found != [])
        if not found:
            what = measured(day, plan)
            late = what.lateness / day.step
            assert value.tolist() == pytest.approx([what.excess, what.cost, late], abs=1e-9)


@given(day=centre_days(), seed=st.integers(0, 99), coolest=st.sampled_from((18.0, 24.0, 26.5)))
def test_a_plan_is_cooled_as_its_genes_say_or_less_where_that_is_too_far(
    day: CentreDay, seed: int, coolest: float
) -> None:
    """What is within its limits stays as it is; all else is mended, or refused."""
    day = replace(day, centre=replace(day.centre, coolest=coolest))
    genes = DayGenes(day, HIGH_READINGS[seed % 2], "awake")
    rows = genes.begun(np.random.default_rng(seed), 4)
    _, violation = genes.judged(rows)
    for row in rows[violation == 0]:
        bred = genes.bred(row)
        is_sound = judged_plan(day, bred).problems == ()
        try:
            plan = genes.plan(row)
        except NoScheduleFound:
            assert not is_sound
            continue
        assert judged_plan(day, plan).problems == ()
        if is_sound:
            assert plan.speed.tolist() == bred.speed.tolist()
            assert plan.compressor.tolist() == bred.compressor.tolist()


def test_a_compressor_that_cools_too_far_rests_and_goes_on_when_it_may() -> None:
    """Two steps of it cool by 0.65 K each, from 19 °C: the second would come below 18 °C."""
    day = day_of([], 4)
    day = replace(day, centre=replace(day.centre, first=19.0))
    row = np.array([150, 150, 150, 150] + [0] * 4)
    genes = DayGenes(day, "power", "awake")
    assert genes.bred(row).compressor.tolist() == [True] * 4
    plan = genes.plan(row)
    assert plan.compressor.tolist() == [True, False, False, False]
    assert (plan.speed == 0).all()
    warm = replace(day, centre=replace(day.centre, coolest=17.5))
    assert (
        DayGenes(warm, "power", "awake").plan(row).compressor.tolist() == [True] * 2 + [False] * 2
    )


def test_what_is_violated_is_kelvins_and_the_work_of_jobs_without_room() -> None:
    """No server is awake for a job of 3 servers and 2 steps, and none for one of 1 server; 192 W of
    servers that sleep warm by 0.023 K - 0.009 K a step, from the limit on.
    """
    day = day_of([(0, 3, 2, 0, 9.0), (0, 1, 2, 0, 9.0)], 4)
    genes = DayGenes(day, "power", "awake")
    asleep = np.zeros(4, int)
    _, violation = genes.judged(np.append(np.full(4, 300), asleep)[None, :])
    assert violation.tolist() == [8.0]
    warm = replace(day, centre=replace(day.centre, first=27.0))
    _, violation = DayGenes(warm, "power", "awake").judged(np.append(np.full(4, 300), asleep)[None])
    step, now, above = 60 / 5e5, 27.0, 0.0
    for _ in range(4):
        now += step * (192 - 50 * (now - 25))
        above += now - 27
    assert violation.tolist() == pytest.approx([8 + above])


def test_a_fan_that_cools_too_far_stops_and_blows_again_when_it_may() -> None:
    """It is cold outside: from 18.1 °C, the full fan would bring the room below 18 °C at once."""
    day = day_of([], 3, outside=5.0)
    day = replace(day, centre=replace(day.centre, first=18.1))
    row = np.array([100, 300, 1] + [1920] * 3)
    genes = DayGenes(day, "power", "awake")
    assert genes.bred(row).speed.tolist() == [1, 0, 0.01]
    plan = genes.plan(row)
    assert plan.speed.tolist() == [0, 0, 0.01]
    assert not plan.compressor.any()
