"""Key figures are those of the independent check, and promise no more than is proven."""

import math

import pytest
from studied import on_the_wasteful

from core.capabilities.makespan import told as answer
from core.capabilities.makespan.solve import solve
from core.engines.front.known import Known
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.power import peak_power
from core.vocabulary.say.phrases import peak_in_words
from core.vocabulary.say.words import as_sentence
from dashboard.screens.schedule.figures import Limits, figures, limits, sentence
from dashboard.screens.schedule.power_chart import power_curve


def told(schedule):
    curve = None if schedule.system.apc is None else power_curve(schedule)
    bounds, verdict = limits(schedule.system), verify(schedule, schedule.system)
    return {f.label: f.value for f in figures(schedule, verdict, bounds, curve)}


def test_figures_of_a_schedule_by_hand():
    schedule = solve(load_sample("two-by-two"), method="paper").schedule
    found = told(schedule)
    assert found["Makespan"] == "12 s"
    assert set(found) == {
        "Makespan",
        "Energy",
        "Idle energy",
        "Average power",
        "Peak power",
        "Busy",
        "Machines at work",
    }


def test_without_powers_the_energy_is_unknown_and_no_power_is_claimed():
    schedule = solve(load_sample("e1"), method="paper").schedule
    found = told(schedule)
    assert found["Energy"] == "unknown"
    assert "Peak power" not in found
    assert limits(schedule.system).joules is None
    proven = limits(schedule.system)
    assert sentence(schedule, proven) == answer.sentence(schedule.makespan, proven.seconds)


def test_nothing_is_said_to_be_so_much_above_no_energy():
    system = load_sample("nine")
    schedule = solve(system, method="paper").schedule
    said = sentence(schedule, Limits(limits(system).seconds, 0.0))
    assert said.endswith("later than the fastest possible schedule.")


def test_the_sentence_compares_with_both_ends():
    system = load_sample("nine")
    schedule = solve(system, minimise="energy", method="paper").schedule
    bounds = limits(system)
    assert bounds.joules is not None
    later = math.ceil(100 * (schedule.makespan / bounds.seconds - 1))
    said = sentence(schedule, bounds)
    assert f"at most {later} % later" in said
    assert said.endswith("and with the least energy possible.")
    assert schedule.energy < 1.02 * bounds.joules


def test_a_schedule_that_reaches_both_bounds_is_said_to_be_the_best():
    schedule = solve(load_sample("nine"), method="paper").schedule
    said = sentence(schedule, Limits(schedule.makespan, schedule.energy))
    assert said.endswith(": as fast as possible, and with the least energy possible.")


def test_what_is_taken_and_gaps_are_rounded_up_and_what_is_proven_down():
    """Of 100.08001 s and 1,441,182.17 J, on a machine that draws 14,400.3 W."""
    schedule = on_the_wasteful()
    bounds, verdict = limits(schedule.system), verify(schedule, schedule.system)
    makespan, energy, _, average, peak, *_ = figures(
        schedule, verdict, bounds, power_curve(schedule)
    )
    assert (makespan.value, energy.value) == ("100.1 s", "400.4 Wh")
    assert (average.value, peak.value) == ("14.41 kW", "14.41 kW")
    assert " 100.081 s. It is proven that no schedule is shorter than 100 s." in makespan.meaning
    assert " 1,441,183 J. It is proven that no schedule takes less than 100 Wh." in energy.meaning
    assert sentence(schedule, bounds) == (
        "Done in 100.1 s with 400.4 Wh: at most 0.04 % later than the fastest possible schedule, "
        "and at most 301 % more energy than the thriftiest."
    )


@pytest.mark.parametrize(
    ("cap", "told"),
    [
        (math.inf, ""),
        (15e3, " Its power never exceeds the cap of 15 kW."),
        (14e3, " It draws 14.41 kW on average, above the cap of 14 kW at the machines."),
    ],
)
def test_of_a_schedule_for_a_power_cap_the_peak_is_said(cap, told):
    """Issue 33, point 17."""
    schedule = on_the_wasteful()
    bounds = limits(schedule.system)
    assert sentence(schedule, bounds, cap) == sentence(schedule, bounds) + told


def test_a_cap_on_the_average_leaves_the_peak_open():
    schedule = solve(load_sample("two-by-two"), effort=Effort(0)).schedule
    cap = 1.001 * schedule.energy / schedule.makespan
    said = sentence(schedule, limits(schedule.system), cap)
    assert said.endswith(as_sentence(peak_in_words(peak_power(schedule), cap)))
    assert "limits only its average power" in said


def test_bounds_are_raised_by_what_is_known_and_never_lowered():
    known = Known.nothing(load_sample("two-by-two")).proving(11.0, 900.0)
    assert Limits(10.8, 800.0).with_known(known) == Limits(11.0, 900.0)
    assert Limits(12.0, 1000.0).with_known(known) == Limits(12.0, 1000.0)
    assert Limits(10.8, None).with_known(known) == Limits(11.0, None)
