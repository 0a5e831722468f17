"""The figures of a run are those that every other part of Wattfront proves of the same system."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import all_schedules, tiny_systems

from core.capabilities.profit.program import CapTooLow, most_profit
from core.capabilities.profit.sweep import most_of
from core.capabilities.profit.terms import Terms
from core.capabilities.sweep.axes import read_axis
from core.capabilities.sweep.question import (
    IMPOSSIBLE,
    RunPrices,
    SweepQuestion,
    columns_of,
    schema_of,
)
from core.capabilities.sweep.run import computed_run, most_profit_a_second
from core.engines.front.proven import Proven
from core.engines.relaxed import trace_front
from core.vocabulary.say.words import HOUR, JOULES_PER_KWH
from core.vocabulary.without_work import WithoutWork


def question(system, *axes):
    return SweepQuestion(system, tuple(map(read_axis, axes)))


def rows(asked):
    columns = columns_of(asked)
    return [dict(zip(columns, computed_run(asked, run), strict=True)) for run in range(asked.runs)]


def test_every_combination_is_a_run_and_the_last_axis_changes_fastest(two_by_two):
    asked = question(two_by_two(), "idle=0,1", "machines.A=1:3")
    assert asked.runs == 6
    assert [tuple(asked.values(run).values()) for run in range(6)] == [
        (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3),
    ]  # fmt: skip
    assert sorted(asked.order().tolist()) == [*range(6)]


def test_a_run_says_what_machines_without_work_draw(two_by_two):
    before = WithoutWork(0.7, 3.0)
    kept = before.of(two_by_two())
    assert question(kept, "machines.A=1").changed(0) == kept
    assert question(kept, "machines.A=1").without_work(0, before) == before
    assert question(kept, "idle=0.1").without_work(0, before) == WithoutWork(0.1), "they stay on"
    assert question(kept, "asleep=5").without_work(0, before) == WithoutWork(0.7, 5.0)
    both = question(kept, "idle=0.1", "asleep=5")
    assert both.changed(0) == WithoutWork(0.1, 5.0).of(two_by_two())


@pytest.mark.parametrize("runs", [1, 2, 3, 7, 100, 1000])
def test_the_order_has_each_run_once(two_by_two, runs):
    asked = question(two_by_two(), f"machines.A=1:{runs}")
    assert sorted(asked.order().tolist()) == [*range(runs)]


def test_figures_are_those_of_the_front(two_by_two):
    asked = question(two_by_two(), "idle=0.1,0.5", "machines.A=1,2", "tasks.1=6,9")
    for row in rows(asked):
        system = two_by_two().with_counts(
            np.array([row["tasks.1"], 6]), np.array([row["machines.A"], 1])
        )
        front = trace_front(system.with_idle_fraction(row["idle"]))
        proven = Proven.of(front)
        assert row["fastest_s"] == proven.soonest
        assert row["least_energy_j"] == proven.thriftiest
        assert row["energy_at_fastest_j"] == proven.least_energy(proven.soonest)
        assert row["makespan_at_least_energy_s"] == front.makespan[0]
        assert row["vertices"] == len(front)
        assert row[IMPOSSIBLE] is None


def test_figures_by_hand(two_by_two):
    """T1 takes 1 s on A (100 W) and 2 s on B (30 W); T2 2 s and 3 s: six of each."""
    (row,) = rows(question(two_by_two(), "idle=0"))
    assert row["fastest_s"] == pytest.approx(10.8)
    assert row["energy_at_fastest_j"] == pytest.approx(1404)
    assert row["least_energy_j"] == pytest.approx(900)
    assert row["makespan_at_least_energy_s"] == pytest.approx(30)
    assert row["knee_makespan_s"] == pytest.approx(18)
    assert row["knee_energy_j"] == pytest.approx(1140)


def test_idle_power_of_0_is_set_too(two_by_two):
    (row,) = rows(question(two_by_two(20, 10), "idle=0"))
    (without,) = rows(question(two_by_two(), "idle=0"))
    assert row == without
    assert question(two_by_two(20, 10), "idle=0").changed(0).total_idle_power == 0


def test_no_machine_for_a_task_is_impossible_and_says_why(two_by_two):
    asked = question(two_by_two(), "machines.A=0,1", "machines.B=0,1")
    reasons = [row[IMPOSSIBLE] for row in rows(asked)]
    assert "every machine type that can run task type '1' has count 0" in reasons[0]
    assert reasons[1:] == [None, None, None]
    assert rows(asked)[0]["fastest_s"] is None


def test_without_powers_there_is_the_makespan_alone(two_by_two):
    system = replace(two_by_two(), apc=None)
    asked = question(system, "machines.A=1,2")
    assert columns_of(asked) == ("run", "machines.A", "fastest_s", "impossible")
    (with_powers,) = rows(question(two_by_two(), "machines.A=2"))
    fastest = [row["fastest_s"] for row in rows(asked)]
    assert fastest == pytest.approx([10.8, with_powers["fastest_s"]])


def test_a_cap_is_kept_or_impossible(two):
    low, high = rows(question(two, "power_cap=20,60"))
    assert low["fastest_within_cap_s"] is None
    assert "no schedule keeps the cap" in low[IMPOSSIBLE]
    assert low["fastest_s"] is not None
    assert high["fastest_within_cap_s"] > high["fastest_s"]
    assert high[IMPOSSIBLE] is None


def test_cost_is_that_of_the_least_energy(two_by_two):
    (row,) = rows(question(two_by_two(), "energy_price=0.3"))
    assert row["least_energy_cost"] == pytest.approx(0.3 * row["least_energy_j"] / JOULES_PER_KWH)
    assert "profit_per_h" not in row


@pytest.mark.parametrize("cap", [None, 30, 40, 60, 200])
@pytest.mark.parametrize("price", [0.0, 1000.0, 1656.0, 3000.0])
def test_profit_is_that_of_the_program(two, price, cap):
    axes = [f"price={price}", f"energy_price={JOULES_PER_KWH}"]
    (row,) = rows(question(two, *axes, *([] if cap is None else [f"power_cap={cap}"])))
    terms = Terms(price, power_cap=np.inf if cap is None else cap)
    most = most_of(most_profit(two, terms), two)
    assert row["profit_per_h"] / HOUR == pytest.approx(most, rel=1e-3, abs=1e-6)


def test_a_ratio_is_of_what_the_least_energy_costs(two):
    (row,) = rows(question(two, "profit_ratio=1.2"))
    least = float(trace_front(two).lines.value[0])
    (priced,) = rows(question(two, f"price={1.2 * least}", f"energy_price={JOULES_PER_KWH}"))
    assert row["profit_per_s"] == pytest.approx(priced["profit_per_h"] / HOUR)


def test_free_energy_is_paid_as_fast_as_can_be(two):
    (row,) = rows(question(two, "price=108", "energy_price=0"))
    assert row["profit_per_h"] == pytest.approx(10 * HOUR)
    assert row["least_energy_cost"] == 0


def test_a_cap_that_even_idle_machines_break_leaves_no_profit(two):
    (row,) = rows(question(two, "price=5", "energy_price=1", "power_cap=29"))
    assert row["profit_per_h"] is None
    with pytest.raises(CapTooLow):
        most_profit(two, Terms(5.0, power_cap=29.0))


@given(tiny_systems(), st.sampled_from([0.0, 0.5, 1.0, 1.5]), st.sampled_from([0.3, 0.7, np.inf]))
def test_no_schedule_earns_more_whatever_it_waits(system, ratio, of_cap):
    """The cap is a share of the way from idle power to that of the fastest divisible schedule."""
    front = trace_front(system)
    idle = system.total_idle_power
    cap = idle + of_cap * abs(float(front.energy[-1] / front.makespan[-1]) - idle)
    price = ratio * float(front.energy.max())
    most = most_profit_a_second(Proven.of(front), RunPrices(1.0, price, None, cap))
    assert most is not None
    assert most >= -idle
    for schedule in all_schedules(system):
        above = schedule.energy - idle * schedule.makespan
        waited = above / (cap - idle) if 0 < cap - idle < np.inf else 0.0
        period = max(schedule.makespan, waited)
        if above <= (cap - idle) * period * (1 + 1e-12):
            earned = (price - above) / period - idle
            assert earned <= most + 1e-9 * (abs(price) + abs(above) + idle)


def test_columns_have_types_and_units(two_by_two):
    schema = schema_of(question(two_by_two(), "idle=0", "machines.A=1", "energy_price=0.3"))
    assert str(schema.field("machines.A").type) == "int64"
    assert str(schema.field("idle").type) == "double"
    assert schema.field("least_energy_j").metadata == {b"unit": b"J"}
    assert schema.names[0] == "run"
    assert schema.names[-1] == IMPOSSIBLE
