"""Conclusions and figures say what the fronts prove."""

from dataclasses import replace

import numpy as np
import pytest

from core.engines.front.axis import Axis
from core.engines.front.known import Known, Proofs
from core.engines.recover.settling import settle
from core.engines.relaxed import SolverFailed, trace_front
from core.files.samples.named import load_sample
from core.vocabulary.prices.tariff import Tariff
from core.vocabulary.say.words import energy
from dashboard.screens.what_if.compare.outcome import (
    axes,
    conclusion,
    finding,
    measured,
    outcome,
    table,
)
from dashboard.screens.what_if.compare.what_ifs import WhatIf

KWH = Axis("Energy", "kWh", 1 / 3.6e6, energy)


@pytest.fixture(scope="module")
def nine():
    return outcome(WhatIf.of(1, "nine", load_sample("nine")), trace_front)


def changed(one, change):
    return outcome(replace(change(one.what_if), number=2), trace_front)


def twice_as_fast(one):
    """Every machine twice: as fast again with the same energy, as idling costs nothing."""
    return changed(one, lambda s: replace(s, machines=tuple(2 * m for m in s.machines)))


def said(one, first):
    return conclusion(one, KWH, first, KWH)


def test_nothing_changed_is_no_difference(nine):
    same = changed(nine, lambda s: s)
    assert said(same, nine) == "no change: no noticeable difference."


def test_machines_that_idle_for_free_halve_the_time_for_the_same_energy(nine):
    twice = twice_as_fast(nine)
    found = measured(twice, KWH, nine, KWH)
    usual = measured(nine, KWH, nine, KWH)
    assert found.fastest == pytest.approx(usual.fastest / 2, rel=1e-9)
    assert found.at_same_amount == pytest.approx(usual.at_same_amount / 2, rel=1e-9)
    assert found.least == pytest.approx(usual.least, rel=1e-9)
    assert ": it ends 50 % sooner with the same energy, or " in said(twice, nine)
    assert said(twice, nine).endswith("the least energy is the same.")


def test_the_other_way_round_it_is_never_as_soon(nine):
    assert (
        "it always ends later than the first at its earliest; the earliest possible end is "
        "100 % later" in said(nine, twice_as_fast(nine))
    )


def test_figures_are_what_the_lines_prove(nine):
    fewer = changed(nine, lambda s: replace(s, machines=(0, *s.machines[1:])))
    joules, seconds = nine.front.points[-1]
    found = measured(fewer, KWH, nine, KWH)
    assert found.at_same_time == KWH.of(fewer.front.least_energy(seconds * (1 + 1e-9)))
    assert found.at_same_amount == pytest.approx(fewer.front.least_makespan(joules), rel=1e-6)


def test_dear_energy_buys_less_time_for_the_same_money(nine):
    dear = changed(nine, lambda s: replace(s, tariff=Tariff(0.6, 0.35)))
    both = axes([nine, dear], "money", "EUR")
    assert [axis.unit for axis in both] == ["EUR", "EUR"]
    found = measured(dear, both[1], nine, both[0])
    usual = measured(nine, both[0], nine, both[0])
    assert found.at_same_time == pytest.approx(2 * usual.at_same_time, rel=1e-5)
    assert np.isinf(found.at_same_amount)
    assert "it always takes more cost than the first at its earliest end" in conclusion(
        dear, both[1], nine, both[0]
    )


def test_carbon_is_in_one_unit_however_clean_one_of_them_is(nine):
    clean = changed(nine, lambda s: replace(s, tariff=Tariff(0.3, 0.001)))
    one, other = axes([nine, clean], "carbon", "EUR")
    assert one.unit == other.unit
    assert one.of(1e6) == pytest.approx(350 * other.of(1e6))


def test_without_powers_times_alone_are_compared(nine):
    e1 = outcome(WhatIf.of(2, "e1", load_sample("e1")), trace_front)
    assert e1.front is None
    text = said(e1, nine)
    assert text.startswith("e1 instead of nine: the earliest possible end is ")
    assert text.endswith("energy is unknown.")
    assert said(nine, e1).startswith("nine instead of e1: the earliest possible end is ")
    frame = table([nine, e1], [KWH, KWH])
    assert frame["Least energy"].tolist() == ["2.847 kWh", "unknown"]


def test_what_cannot_work_keeps_its_problems(nine):
    none = changed(nine, lambda s: replace(s, machines=(0,) * 9))
    assert none.problems
    assert "this system cannot run" in said(none, nine)
    assert "nothing to compare with" in said(nine, none)
    assert table([none, nine], [KWH, KWH])["Done at the earliest"].tolist() == ["–", "43 min 17 s"]


def test_a_solver_that_gives_up_is_a_problem_not_a_failure():
    def failing(system):
        raise SolverFailed("gave up")

    found = outcome(WhatIf.of(1, "nine", load_sample("nine")), failing)
    assert found.problems[0].message == "gave up"


def test_the_table_says_how_far_each_is_from_the_first(nine):
    frame = table([nine, twice_as_fast(nine)], [KWH, KWH])
    assert frame.columns.tolist() == [
        "What if",
        "Machines",
        "Done at the earliest",
        "Least energy",
        "Energy within 43 min 17 s",
    ]
    assert frame["Machines"].tolist() == ["36", "72"]
    assert frame["Done at the earliest"].tolist() == ["43 min 17 s", "21 min 38 s (−50 %)"]
    assert "impossible" in table([twice_as_fast(nine), nine], [KWH, KWH]).iloc[1, 4]


@pytest.mark.parametrize(("more", "possible"), [(0.9e-9, True), (1.1e-9, False)])
def test_what_is_slower_only_by_rounding_is_not_called_impossible(two_by_two, more, *, possible):
    system = two_by_two(20, 10)
    slower = replace(system, etc=system.etc * (1 + more))
    first, one = (
        outcome(WhatIf.of(number, "", made), trace_front)
        for number, made in enumerate((system, slower))
    )
    found = measured(one, KWH, first, KWH)
    assert found.at_same_time is not None
    assert found.at_same_amount is not None
    assert np.isfinite([found.at_same_time, found.at_same_amount]).tolist() == [possible, True]


@pytest.mark.parametrize(("known", "soonest"), [(10.7, 10.8), (10.9, 10.9)])
def test_what_others_have_proven_of_the_makespan_counts_if_it_is_more(two_by_two, known, soonest):
    system = replace(two_by_two(), apc=None)
    one = outcome(
        WhatIf.of(1, "", system),
        trace_front,
        known=lambda asked: Known.nothing(asked).proving(known),
    )
    assert one.soonest == pytest.approx(soonest)


def test_what_others_have_settled_is_asked_of_the_system_itself(two_by_two):
    system = two_by_two(20, 10)
    asked = []

    def known(of):
        asked.append(of)
        return Known.nothing(of).proving(proofs=Proofs(settled=settle(of)))

    one = outcome(WhatIf.of(1, "", system), trace_front, known=known)
    assert asked == [system]
    assert one.soonest == 11.0


def test_no_bound_is_called_fastest(nine):
    """Issue 33, point 18: three values had stood under the word for one system."""
    e1 = outcome(WhatIf.of(2, "e1", load_sample("e1")), trace_front)
    others = (twice_as_fast(nine), e1)
    said = [*table([nine, *others], [KWH] * 3).columns]
    said += [
        conclusion(one, KWH, first, KWH) for first in (nine, *others) for one in (nine, *others)
    ]
    assert not [text for text in said if "fastest" in text.lower()]


def test_the_finding_is_a_sentence_without_names(nine):
    twice, same = twice_as_fast(nine), changed(nine, lambda s: s)
    none = changed(nine, lambda s: replace(s, machines=(0,) * len(s.machines)))

    def found(*outcomes):
        return finding(outcomes, [KWH] * len(outcomes))

    assert found(nine) == (
        "As it is: done at the earliest in 43 min 17 s, or with 2.847 kWh at the least."
    )
    assert found(nine, twice).startswith("It ends 50 % sooner with the same energy, or takes ")
    assert found(nine, same) == "No noticeable difference."
    assert found(nine, none) == "None of the what-ifs can run."
    assert found(none, nine) == "The first system cannot run."
    assert found(nine, twice, same, none) == ("1 of 3 what-ifs can be done sooner than the first.")
