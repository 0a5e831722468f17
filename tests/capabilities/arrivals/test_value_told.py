"""What is said of value of service: two worths, sizes, and prices by the hour."""

from dataclasses import replace

import numpy as np
import pytest
from arriving_days import a_bag, a_trial, tried

from core.capabilities.arrivals.files.workload_file import MEMORY_GB
from core.capabilities.arrivals.given import GivenWork
from core.capabilities.arrivals.made.job_sizes import JobSize, JobSizes
from core.capabilities.arrivals.question import ReplayQuestion, TrialPart
from core.capabilities.arrivals.told import told
from core.capabilities.arrivals.trials import (
    PolicyTrial,
    ReplayComparison,
    TrialBound,
    bound_of,
    compare_policies,
)
from core.capabilities.arrivals.value_told import size_said
from core.engines.compute.executors import InThisThread
from core.engines.replay.hourly_prices import HourlyPrices
from core.engines.replay.value_score import ValueScore
from core.shells.told.told import Told, ToldTable
from core.vocabulary.prices.site import Site

POLICIES = ("max-vptr", "simple-dp")
RESOURCES = (MEMORY_GB, "licences")


def trial(worth: float, *sizes: tuple[float, ...], energy: float | None = 30.0) -> PolicyTrial:
    jobs = {size: 1 + place for place, size in enumerate(sizes)}
    seconds = {size: 1800.0 * count for size, count in jobs.items()}
    value = ValueScore(worth - 30, energy, RESOURCES, jobs, seconds)
    return a_trial(worth)._replace(value=value)


def prices(*pools: str, cores: float = 2.0, memory: float = 0.0) -> HourlyPrices:
    """A core is worth so much at 13:00 and half of it at 14:00, a GB so much at 23:00."""
    worth = np.zeros((len(pools), 3, 24))
    worth[:, 0, 13:15], worth[:, 1, 23] = [cores, cores / 2], memory
    worth *= np.arange(1, len(pools) + 1)[:, None, None]
    amounts = np.full((len(pools), 3), 8.0)
    return HourlyPrices(pools, ("cores", *RESOURCES), amounts, worth)


def found_of(
    *days: tuple[PolicyTrial, PolicyTrial], priced: HourlyPrices | None = None
) -> ReplayComparison:
    question = ReplayQuestion("value", POLICIES, trials=len(days))
    trials = {policy: [day[k] for day in days] for k, policy in enumerate(POLICIES)}
    return tried(question, trials, len(days) * [TrialBound(100.0, prices=priced)])


def said(*days: tuple[PolicyTrial, PolicyTrial], priced: HourlyPrices | None = None) -> Told:
    return told(found_of(*days, priced=priced), "")


def table(answer: Told, title: str) -> ToldTable:
    return next(one for one in answer.tables if one.title == title)


def test_worth_is_split_into_time_and_energy() -> None:
    answer = said((trial(80), trial(50)), (trial(70), trial(40)))
    first = answer.tables[0]
    at = first.head.index("Worth of being early")
    assert first.head[at + 1] == "Worth of little energy"
    assert [row[at : at + 2] for row in first.rows] == [("45", "30"), ("15", "30")]
    assert (
        "Under Most value per share of the pool and second, 60 % of the worth is for being early, "
        "and 40 % for taking little energy."
    ) in answer.sentences
    data = answer.data["policies"]["max-vptr"]
    assert (data["value_time"], data["value_energy"]) == (45.0, 30.0)


def test_sizes_stand_in_their_order_with_the_policies_beside_each_other() -> None:
    small, wide, more = (4.0, 6.0, 0.0), (16.0, 1.5, 0.0), (4.0, 16.0, 2.0)
    days = (trial(80, wide, small), trial(50, more)), (trial(80, wide), trial(50, more))
    sizes = table(said(*days), "Sizes")
    assert sizes.head == (
        "Size",
        "Most value per share of the pool and second",
        "Any job, any size, drops and holds places",
    )
    assert sizes.rows == (
        ("4 cores, 6 GB", "1", "0"),
        ("4 cores, 16 GB, 2 licences", "0", "1"),
        ("16 cores, 1.5 GB", "1", "0"),
    )
    data = said(*days).data["policies"]
    assert data["max-vptr"]["sizes"] == {"4 cores, 6 GB": 1.0, "16 cores, 1.5 GB": 1.0}
    assert size_said((1.0,), ()) == "1 core"


def test_sizes_cost_their_hours() -> None:
    """A policy that used a size without a price has no cost; without prices there is no column."""
    found = found_of((trial(80, (4.0, 6.0, 0.0), (8.0, 6.0, 0.0)), trial(50, (16.0, 6.0, 0.0))))
    priced = JobSize("a", 4, 6.0, 2.0), JobSize("b", 8, 6.0, 3.0)
    sizes = JobSizes((*priced, JobSize("c", 16, 6.0)))
    answer = told(found, "", known=GivenWork("log", "value", sizes=sizes))
    first = answer.tables[0]
    at = first.head.index("Cost of sizes")
    assert [row[at] for row in first.rows] == ["4", "–"]
    paid = told(found, "", Site(currency="CHF"), known=GivenWork("log", "value", sizes=sizes))
    assert [row[at] for row in paid.tables[0].rows] == ["4 CHF", "–"]
    assert answer.data["sizes_cost"] == {"max-vptr": 2 * 0.5 + 3 * 1.0, "simple-dp": None}
    assert table(answer, "Sizes that are offered").rows[2] == ("c", "16", "6", "")
    unpriced = JobSizes((JobSize("a", 4, 6.0),))
    answer = told(found, "", known=GivenWork("log", "value", sizes=unpriced))
    assert "Cost of sizes" not in answer.tables[0].head
    assert "sizes_cost" not in said((trial(80), trial(50))).data


def test_many_sizes_are_not_all_shown_and_that_is_said() -> None:
    many = [(4.0, float(k), 0.0) for k in range(1, 103)]
    sizes = table(said((trial(80, *many), trial(50))), "Sizes")
    assert len(sizes.rows) == 100
    assert sizes.note.endswith("Left out: 2 larger ones.")
    assert len(said((trial(80, *many), trial(50))).data["policies"]["max-vptr"]["sizes"]) == 102


def test_nothing_is_said_of_what_a_workload_does_not_have() -> None:
    plain = said((a_trial(80), a_trial(50)))
    assert [one.title for one in plain.tables] == ["Policies beside each other"]
    assert not {"value_time", "sizes"} & set(plain.data["policies"]["max-vptr"])
    assert "prices" not in plain.data
    alone = said((trial(80, (4.0, 6.0, 0.0), energy=None), trial(50, energy=None)))
    assert "Worth of being early" not in alone.tables[0].head
    assert {"sizes"} == {"value_time", "value_energy", "sizes"} & set(
        alone.data["policies"]["max-vptr"]
    )


def test_a_method_for_bags_may_stand_beside_policies() -> None:
    question = ReplayQuestion("value", ("max-vptr", "greedy-min"), bounded=False)
    days = {
        "max-vptr": [trial(50, (4.0, 6.0, 0.0))],
        "greedy-min": [a_bag(1.0, 1.0, (1.0, 1.0))._replace(value=trial(2000).value)],
    }
    answer = told(tried(question, days), "")
    assert any(one.startswith("Under greedy Min, ") for one in answer.sentences)
    assert len(table(answer, "Sizes").head) == 3


def test_prices_are_said_by_the_hour() -> None:
    answer = said((trial(80), trial(50)), priced=prices("cluster", memory=0.5))
    shown = table(answer, "What cores and memory are worth by hour")
    assert shown.head == ("Hour", "A core-hour", "A GB-hour", "A licences-hour")
    assert shown.rows[13] == ("13:00 to 14:00", "2", "0", "0")
    assert shown.rows[23] == ("23:00 to 00:00", "0", "0.5", "0")
    assert shown.rows[24] == ("Whole day", "3", "0.5", "0")
    assert (
        "A core-hour is worth most from 13:00 to 14:00 (2), a GB-hour from 23:00 to 00:00 (0.5); "
        "licences are short at no hour."
    ) in answer.sentences
    each = answer.data["prices"]["cluster"]
    assert [len(each[name]) for name in ("cores", *RESOURCES)] == [24, 24, 24]
    assert (each["cores"][13], each[MEMORY_GB][23]) == (2.0, 0.5)


@pytest.mark.parametrize(
    ("cores", "memory", "sentence"),
    [
        (2.0, 0.0, "A core-hour is worth most from 13:00 to 14:00 (2); memory and licences are "),
        (0.0, 2.0, "A GB-hour is worth most from 23:00 to 00:00 (2); cores and licences are "),
        (0.0, 0.001, "Cores, memory and licences are short at no hour."),
    ],
)
def test_what_is_not_short_is_said(cores: float, memory: float, sentence: str) -> None:
    """A thousandth of the bound is 0.1: 8 GB that are worth 0.008 are not short."""
    priced = prices("cluster", cores=cores, memory=memory)
    answer = said((trial(80), trial(50)), priced=priced)
    assert any(one.startswith(sentence) for one in answer.sentences)


def test_memory_alone_is_singular() -> None:
    priced = prices("cluster")
    licensed = priced._replace(
        resources=priced.resources[:2], amounts=priced.amounts[:, :2], worth=priced.worth[:, :2]
    )
    assert any(
        one.endswith("; memory is short at no hour.")
        for one in said((trial(80), trial(50)), priced=licensed).sentences
    )


def test_of_many_pools_those_that_are_worth_the_most_are_shown() -> None:
    answer = said((trial(80), trial(50)), priced=prices(*"abcdef"))
    shown = table(answer, "What cores and memory are worth by hour")
    assert shown.head[1::3] == tuple(f"A core-hour of {pool}" for pool in "cdef")
    assert "The pools where the day is worth the most are shown." in shown.note
    assert any("A core-hour is worth most in f from" in one for one in answer.sentences)
    assert list(answer.data["prices"]) == list("abcdef")


def test_prices_are_the_mean_of_the_days_and_need_all_of_them() -> None:
    found = found_of(2 * (trial(80),), 2 * (trial(70),), priced=prices("p"))
    other = TrialBound(100.0, prices=prices("p", cores=4.0))
    both = replace(found, bounds={**found.bounds, 1: other})
    assert both.prices is not None
    assert both.prices.worth[0, 0, 13] == 3.0
    assert replace(found, bounds={**found.bounds, 1: TrialBound(1.0)}).prices is None
    assert found_of(2 * (trial(80),)).prices is None


def test_a_drawn_day_has_all_of_it() -> None:
    question = ReplayQuestion("value", POLICIES, bounded=False)
    found = compare_policies(question, InThisThread())
    data = told(found, "value").data
    for policy in POLICIES:
        one = data["policies"][policy]
        assert one["value_time"] + one["value_energy"] == pytest.approx(one["worth"])
        assert sum(one["sizes"].values()) == one["completed"]
        assert one["value_energy"] > 0.0
        assert "8 cores, 6 GB" in one["sizes"]


@pytest.mark.thorough
def test_a_drawn_day_is_short_of_both_at_noon_and_of_neither_at_night() -> None:
    one = bound_of(ReplayQuestion("value", POLICIES), TrialPart(0, None))
    assert one.prices is not None
    noon, night = one.prices.worth[0, :, 12:14], one.prices.worth[0, :, :6]
    assert (noon > 0.5).all()
    assert not night.any()
    assert (one.prices.worth.sum(axis=2) * one.prices.amounts).sum() < one.worth
