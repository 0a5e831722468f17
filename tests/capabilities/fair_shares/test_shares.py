"""The whole answer, and what one stretch asks of links and machines."""

from dataclasses import replace

import pytest
from capabilities.fair_shares.made import compute_only, f10, made, random_bags
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

from core.capabilities.fair_shares.day_clock import ElapsedTime
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.recheck import faults
from core.capabilities.fair_shares.shares import (
    AskedBags,
    BagsChange,
    MachinesAdded,
    OneMoreBag,
    one_more_of_each,
    promises_of,
    try_stretch,
)
from core.capabilities.fair_shares.told import told
from core.capabilities.fair_shares.words import in_minutes, later_by, shares_lead

F4 = compute_only((7200, 7200), (0, 3600))


def said(change: BagsChange) -> str:
    return told(promises_of(AskedBags(F4, change=change))).sentences[-2]


def test_promises_that_come_earlier_later_or_not_at_all() -> None:
    assert said(BagsChange(machines=MachinesAdded(0, 1))) == (
        "With 1 more of M0, promises come 2 h earlier."
    )
    later = said(BagsChange(bag=OneMoreBag(0, 3600, 0.0)))
    assert later.startswith("With another bag of 3,600 tasks of T0, promises come ")
    assert later.endswith(" later.")
    assert said(BagsChange(bandwidth=1e12)) == (
        "With 1,000,000 MB/s from the master, all promises stay as they are."
    )


def test_one_bag_is_as_fast_as_alone_and_nothing_is_short() -> None:
    found = promises_of(AskedBags(made((3,), [[1.0]])))
    said = "each bag can be done as fast as if it were alone"
    assert shares_lead(found) == f"If tasks can be split, {said}."
    assert shares_lead(found, 1.0) == f"E{said[1:]}, as whole tasks, too."
    assert found.short is None
    _, said, checked = told(found).sentences
    assert checked.startswith("Checked: code that shares nothing")
    assert said.startswith("Promises are for tasks that can be split")
    assert found.wrong == ()


def test_the_headline_says_what_holds_for_whole_tasks() -> None:
    """Issue 33, point 32: the best possible worst stretch is for tasks that can be split."""
    found = promises_of(AskedBags(F4))
    split = "each bag can be done within 1.5 times what it takes alone"
    assert shares_lead(found) == f"If tasks can be split, {split}."
    assert shares_lead(found, 1.5004) == f"E{split[1:]}, as whole tasks, too."
    assert shares_lead(found, 1.7212) == (
        "As whole tasks, each bag is done within 1.73 times what it takes alone. No schedule is "
        "below 1.499."
    )
    changed = promises_of(AskedBags(F4, change=BagsChange(machines=MachinesAdded(0, 1))))
    assert shares_lead(changed, 0.75).startswith(
        "With the change, as whole tasks, each bag is done within 0.75 times what it took alone "
        "before. No schedule is below 0.5."
    )


def test_a_smaller_part_of_a_shortage_is_not_said() -> None:
    # At F10 the master decides alone.
    _, _, _, short, _ = told(promises_of(AskedBags(f10()))).sentences
    assert short == "What is short: bandwidth of the master (100 %)."


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.5, "500 ms"), (61.76, "62 s"), (599.6, "10 min"), (5000.0, "1 h 23 min")],
)
def test_times_are_as_exact_as_people_need(seconds: float, text: str) -> None:
    assert in_minutes(seconds) == text
    assert [later_by(one) for one in (0.0, 90.0, -90.0)] == ["0 s", "+90 s", "−90 s"]


def test_one_more_machine_halves_the_promises_of_one() -> None:
    more, *_ = one_more_of_each(least_stretch(compute_only((1, 3))))
    assert more.change == BagsChange(machines=MachinesAdded(0, 1))
    # Two machines do the 4 s of work in 2 s, and the bag of 1 s is first.
    assert more.stretch == pytest.approx(2 / 3)


def test_more_bandwidth_comes_last_if_the_master_has_a_limit() -> None:
    before = least_stretch(f10())
    found = [*one_more_of_each(before)]
    assert len(found) == 3
    assert found[-1].change == BagsChange(bandwidth=1.1)
    assert found[-1].stretch == pytest.approx(1.25 / 1.1)
    assert all(one.stretch <= before.stretch for one in found)


def test_a_table_has_the_promises_before_and_after_a_change() -> None:
    """F4 with hours for seconds: four hours of work fit from 08:00 to 11:00 and 12:00."""
    found = promises_of(AskedBags(F4))
    (table,) = told(found).tables
    assert table.head == ("Bag", "Done by", "Done in the plan", "Released", "Alone", "Tasks")
    assert [row[3] for row in table.rows] == ["08:00", "09:00"]
    assert table.rows[0][1] == "11:01", "a millionth later than 11:00"
    (table,) = told(replace(found, asked=AskedBags(F4, clock=ElapsedTime()))).tables
    assert [row[3] for row in table.rows] == ["0 s", "1 h"], "who knows no clock"
    wrong = replace(found, wrong=("a link is too slow",))
    assert "NOT verified: a link is too slow" in told(wrong).sentences
    (table,) = told(
        promises_of(AskedBags(F4, change=BagsChange(machines=MachinesAdded(0, 1))))
    ).tables
    assert table.rows[0][4] == "−2 h"
    (table,) = told(
        promises_of(AskedBags(F4, change=BagsChange(bag=OneMoreBag(0, 3600, 0.0))))
    ).tables
    assert table.rows[-1][3:5] == ("–", "–"), "there was no such promise before"


@examples(16)
@given(st.integers(0, 10**6))
def test_it_is_possible_from_the_optimum_on(seed: int) -> None:
    bags = random_bags(seed)
    least = least_stretch(bags, early=False).stretch
    above, below = try_stretch(bags, 1.01 * least), try_stretch(bags, 0.99 * least)
    assert above.plan is not None
    assert faults(above.plan, above.stretch) == []
    assert above.load <= 1 + 1e-9
    assert below.load > 1
    assert not below.is_possible


def test_how_much_faster_all_would_have_to_be() -> None:
    # Four seconds of work have to be done by 3 S, so at 1 everything is a third too slow.
    tried = try_stretch(compute_only((1, 3)), 1.0)
    assert tried.load == pytest.approx(4 / 3)
    assert tried.shortage.machines.tolist() == pytest.approx([1.0])
    assert tried.shortage.master == 0


def test_it_is_the_master_that_is_short() -> None:
    tried = try_stretch(made((4, 4), [[1e-3, 1e-3]] * 2, data=1, release=(0, 2)), 1.2)
    assert tried.shortage.master == pytest.approx(1.0)
    assert tried.load == pytest.approx(8 / 6.8)


@example(20600)  # at 0.88, dates come in another order than from 1 on
@examples(8)
@given(st.integers(0, 10**6))
def test_so_much_more_speed_makes_it_possible(seed: int) -> None:
    bags = random_bags(seed)
    below = try_stretch(bags, 0.8 * least_stretch(bags, early=False).stretch)
    system, network = bags.system, bags.network
    faster = replace(
        bags,
        system=replace(system, etc=system.etc / (below.load * 1.000001)),
        network=replace(
            network,
            bandwidth=network.bandwidth * below.load * 1.000001,
            links=network.links * below.load * 1.000001,
        ),
    )
    assert try_stretch(faster, below.stretch, baseline=bags.ideal).is_possible
