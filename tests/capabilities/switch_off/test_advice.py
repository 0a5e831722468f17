"""An advice is chosen by the first half of a log and judged by the second."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from capabilities.switch_off.uses import changes_of
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core import System
from core.capabilities.switch_off.advice import AS_GOOD, SHARES, SleepOutcome, advise, known_in
from core.capabilities.switch_off.hours import hours_of_week
from core.capabilities.switch_off.settings import SwitchOffSettings
from core.capabilities.switch_off.sleeping import CLOSE, least_by_time
from core.capabilities.switch_off.slurm_lines import slurm_lines
from core.capabilities.switch_off.told import told
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.node_use import NodeUse
from core.vocabulary.prices.site import Site
from core.vocabulary.say.words import JOULES_PER_KWH, Sense, amount

HOUR, DAY = 3600, 86_400


@pytest.fixture(scope="module")
def system():
    return System(
        (TaskType("a", 1),),
        (MachineType("cpu", 4, 100.0), MachineType("gpu", 2)),
        np.array([[1.0, 1.0]]),
        np.array([[300.0, 900.0]]),
    )


@pytest.fixture(scope="module")
def use():
    """Two weeks: by day all four nodes of cpu work, at night one; gpu works on Mondays."""
    days = [DAY * day for day in range(14)]
    cpu = [(day + 9 * HOUR, day + 17 * HOUR, 3) for day in days]
    cpu += [(day, day + DAY, 1) for day in days]
    gpu = [(day + 8 * HOUR, day + 9 * HOUR, 2) for day in days if day % (7 * DAY) == 4 * DAY]
    return NodeUse(
        ("cpu", "gpu"),
        np.array([4, 2]),
        np.ones(2),
        0.0,
        14.0 * DAY,
        (changes_of(cpu), changes_of(gpu)),
        ("c1", "c2", "c3", "c4", "g1", "g2"),
        np.array([0, 0, 0, 0, 1, 1]),
        np.array([14.0 * DAY, *[14 * 8.0 * HOUR] * 3, *[2.0 * HOUR] * 2]),
    )


@pytest.fixture(scope="module")
def advice(system, use):
    return advise(system, use, SwitchOffSettings(most_waits=1.0))


def test_nights_are_slept_through(advice):
    """Three nodes of cpu sleep for 16 hours a night, and both of gpu but for two hours."""
    assert advice.may_sleep.tolist() == [3, 2]
    assert advice.plan.awake == (1, 0)
    judged = advice.judged
    assert [one.starts for one in judged.slept] == [21, 2]
    assert [one.waits for one in judged.slept] == [7, 1]
    assert judged.span.jobs == 15
    nights = 3 * 7 * 16 * HOUR - 3 * 8 * advice.plan.after
    assert judged.slept[0].seconds == pytest.approx(nights)
    saved = 90 * nights - 21 * 290 * 180
    assert judged.saved_by_type[0] == pytest.approx(saved)
    assert judged.joules >= judged.least


def test_idle_power_that_nothing_says_is_assumed(advice):
    assert advice.powers.idle.tolist() == [100.0, 270.0]
    assert advice.powers.idle_assumed.tolist() == [False, True]
    assert not advice.powers.busy_assumed.any()
    said = " ".join(told(advice).sentences)
    assert "idle power 30 % of that at work (gpu)" in said


def test_power_at_work_that_nothing_says_is_assumed(system, use):
    powers = advise(replace(system, apc=None), use, SwitchOffSettings(busy_watts=200.0)).powers
    assert powers.busy.tolist() == [200.0, 200.0]
    assert powers.busy_assumed.all()


def test_what_may_wait_is_kept_where_the_plan_is_chosen(system, use):
    for most in SHARES:
        found = advise(system, use, SwitchOffSettings(most_waits=most))
        for slept, table in zip(found.chosen.slept, found.chosen.span.tables, strict=True):
            assert slept.waits <= most * table.levels.jobs
    drawn = [first.joules for first, _ in found.front]
    assert all(later <= (1 + CLOSE) * before for before, later in pairwise(drawn))


@pytest.mark.parametrize(("name", "power"), [("idle", "idle"), ("asleep", "asleep")])
def test_a_plan_holds_within_its_range_and_not_beyond(advice, name, power):
    holds = next(one for one in advice.holds if one.name == name)
    assert holds.value == {"idle": 1.0, "asleep": 10.0}[name]

    def loss(value):
        now = value * advice.powers.idle if name == "idle" else value
        powers = replace(advice.powers, **{power: now})
        span = advice.chosen.span
        least, _ = least_by_time(span.tables, span.drawn(powers), advice.settings.most_waits)
        return SleepOutcome(span, powers, advice.plan).joules / float(least.min()) - 1

    assert 0 <= loss(holds.value) <= CLOSE
    ends = [one for one in (holds.low, holds.high) if one is not None]
    assert ends
    for end in ends:
        assert loss(end) <= AS_GOOD * (1 + 1e-9)
        assert loss(end + 1e-3 * (end - holds.value)) > AS_GOOD


def test_lines_name_the_nodes(advice, use, system):
    lines = slurm_lines(advice)
    assert lines.splitlines() == [
        f"SuspendTime={advice.plan.after:.0f}",
        "ResumeTimeout=360",
        "SuspendExcNodes=c1",
        "# In the lines of these nodes, so that Slurm fills the same ones first:",
        "NodeName=c1 Weight=1",
        "NodeName=c[2-4],g[1-2] Weight=10",
    ]
    nobody = replace(use, node_names=(), node_types=np.zeros(0, int), node_busy=np.zeros(0))
    assert "names no nodes" in slurm_lines(advise(system, nobody, SwitchOffSettings(1.0)))


def test_names_that_are_no_names_of_nodes_are_left_out(system, use):
    odd = replace(use, node_names=("c1\nSuspendProgram=/bin/sh", "c 2", "c3", "c4", "g1", "$(g2)"))
    lines = slurm_lines(advise(system, odd, SwitchOffSettings(1.0)))
    assert "bin" not in lines
    assert "c 2" not in lines
    assert "$" not in lines


def test_a_sleep_that_saves_nothing_is_not_advised(system, use):
    found = advise(system, use, SwitchOffSettings(1.0, asleep_watts=5000.0))
    assert np.isinf(found.plan.after)
    assert not found.may_sleep.any()
    assert found.judged.saved == 0
    assert slurm_lines(found) == ""
    assert told(found).lead.startswith("Leave all nodes on:")


def test_money_and_carbon_are_those_of_the_site(advice):
    figures = {one.label: one for one in told(advice, Site(0.5, 0.2, pue=2.0)).figures}
    kwh = advice.judged.a_year(advice.judged.saved) / JOULES_PER_KWH
    assert figures["Worth a year"].value == amount(kwh, Sense.HEADLINE, "EUR")
    assert amount(0.4 * kwh, Sense.HEADLINE, "kg") in figures["Worth a year"].meaning
    assert "Worth a year" not in {one.label for one in told(advice).figures}


def test_types_that_the_system_has_no_more_are_left_out(system, use):
    only = replace(system, machine_types=system.machine_types[1:], etc=system.etc[:, 1:], apc=None)
    known = known_in(use, only)
    assert (known.names, known.node_names) == (("gpu",), ("g1", "g2"))
    assert known.node_types.tolist() == [0, 0]
    more = replace(system, machine_types=(MachineType("cpu", 9), system.machine_types[1]))
    found = known_in(use, more)
    assert found.nodes.tolist() == [9, 2]
    other = replace(only, machine_types=(MachineType("x", 1),))
    assert known_in(use, other) is None


@examples(20)
@given(st.lists(st.tuples(st.integers(0, 400), st.integers(1, 60), st.integers(1, 3)), max_size=6))
def test_hours_of_the_week_are_as_counted_minute_by_minute(jobs):
    """In quarters of an hour since a Thursday, 0:00; over two weeks and a half."""
    quarter, end = 900, 1700
    spans = [(4 * start, 4 * start + length, nodes) for start, length, nodes in jobs]
    busy = [sum(n for a, b, n in spans if a <= q < b) for q in range(end)]
    changes = changes_of([(quarter * a, quarter * b, n) for a, b, n in spans])
    found = hours_of_week(changes, 0.0, float(quarter * end))
    hours = [[] for _ in range(168)]
    for q, number in enumerate(busy):
        hours[(q // 4 + 72) % 168].append(number)
    assert found.most.tolist() == [max(each) for each in hours]
    means = np.array([np.mean(each) for each in hours])
    assert found.mean == pytest.approx(means)
