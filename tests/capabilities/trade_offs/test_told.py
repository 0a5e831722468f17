"""What is said of the trade-off is said truly: of schedules that exist, and of proven bounds."""

from dataclasses import replace

import numpy as np
import pytest
from studied import on_the_wasteful, study_of, uneven

from core.capabilities.trade_offs import told as told_module
from core.capabilities.trade_offs.told import counts, figures, lead, told, told_of_front
from core.engines.front.axis import axis_for, usual_axis
from core.engines.front.study import Study, study
from core.engines.recover.along import NO_PROGRESSION
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.points import non_dominated
from core.vocabulary.prices.site import Site
from core.vocabulary.prices.tariff import Tariff
from core.vocabulary.say.words import Sense, begun, duration, longer
from core.vocabulary.system import System

JOULES = axis_for("MJ", Tariff(1.0), "EUR", 1.0)


@pytest.fixture(scope="module")
def testbed_study():
    return study(load_sample("testbed"), effort=Effort(0))


@pytest.fixture(scope="module")
def kwh(testbed_study):
    return usual_axis(float(testbed_study.nadir[0]))


def at(front, points):
    """A study whose schedules are at these points; only the fastest and the thriftiest run."""
    points = np.array(points, float).reshape(-1, 2)
    best = non_dominated(points)
    return Study("lp", front, [None] * len(points), points, best, NO_PROGRESSION, True, {})


def sentences(found):
    return list(told_module._sentences(found, JOULES))


def one_machine(watts, seconds=120.0):
    """No choice at all: one task on one machine."""
    system = System(
        (TaskType("T", 1),), (MachineType("M", 1),), np.array([[seconds]]), np.array([[watts]])
    )
    return study(system, effort=Effort(0))


def test_the_sentence_is_about_schedules_that_exist(testbed_study, kwh):
    fastest, thriftiest = testbed_study.achieved[-1], testbed_study.achieved[0]
    said = lead(testbed_study, kwh)
    assert said.startswith(f"Fastest: {duration(fastest[1], Sense.HEADLINE)}. ")
    cost = longer(thriftiest[1] - fastest[1], fastest[1])
    assert said.endswith(f"; {cost} longer saves 27 %, the most that was found.")
    assert 0.265 <= 1 - thriftiest[0] / fastest[0] <= 0.275


def test_a_slightly_better_schedule_leaves_the_headline_as_it_is(testbed_study, kwh):
    """Issue 33, point 18: pages share what they find, and so it changed at the next visit."""
    better = testbed_study.achieved.copy()
    better[-1, 1] -= 2.0
    better[0, 0] *= 0.9999
    later = replace(testbed_study, points=better, on_front=np.ones(len(better), bool))
    assert lead(later, kwh) == lead(testbed_study, kwh)
    assert figures(testbed_study, kwh)[0].value == duration(
        testbed_study.achieved[-1, 1], Sense.SPENT
    )


def test_the_first_saving_costs_at_least_what_the_front_asks(testbed_study, kwh):
    said = lead(testbed_study, kwh)
    wanted = testbed_study.achieved[
        testbed_study.achieved[:, 0] <= 0.8 * testbed_study.achieved[-1, 0], 1
    ].min()
    cost = longer(wanted - testbed_study.achieved[-1, 1], testbed_study.achieved[-1, 1])
    assert f". {begun(cost)} longer saves 20 % of the energy; " in said


def test_until_there_are_schedules_the_bound_says_what_can_be_at_best(kwh):
    bound = study(load_sample("testbed"), method="bound")
    assert "If tasks can be split, 4 h 4 min longer saves 20 % of the energy;" in lead(bound, kwh)


def test_a_bound_that_is_a_point_is_not_called_the_fastest_schedule():
    """Issue 33, point 18: perhaps no schedule reaches the bound."""
    bound = study(one_machine(50.0).system, method="bound")
    said = lead(bound, JOULES)
    assert said.startswith(
        "There is no trade-off if tasks can be split: no schedule is done before"
    )
    assert "fastest" not in said
    assert said == lead(bound, JOULES, final=False)


def test_a_front_that_is_a_point_is_told_in_words():
    assert lead(one_machine(50.0), JOULES) == (
        "There is no trade-off: the fastest schedule (2 min) is also the thriftiest (6 kJ)."
    )
    assert figures(one_machine(50.0), JOULES)[0].value == "2 min"


def test_without_any_draw_only_time_matters():
    assert lead(one_machine(0.0), JOULES).startswith("No machine draws power")
    assert figures(one_machine(0.0), JOULES)


@pytest.mark.parametrize(("saved", "almost"), [(1e-5, True), (0.0049, True), (0.0051, False)])
def test_a_saving_too_small_to_speak_of_is_called_so(two_by_two, saved, almost):
    found = study(two_by_two(), effort=Effort(0))
    found.achieved[0, 0] = found.achieved[-1, 0] * (1 - saved)
    assert lead(found, JOULES).startswith("There is almost no trade-off") == almost


def test_the_figures_name_both_ends_and_what_waiting_costs(testbed_study, kwh):
    said = {figure.label: figure.value for figure in figures(testbed_study, kwh)}
    thrifty = testbed_study.schedules[int(np.flatnonzero(testbed_study.on_front)[0])]
    idle = 100 * thrifty.idle_energy.sum() / thrifty.energy
    assert said["Idle energy"] == f"{idle:.1f} %" if idle >= 1 else f"{idle:.2f} %"
    assert said["Least energy"].endswith("Wh")
    assert counts(testbed_study).endswith("schedules are on the front")
    bound = figures(study(testbed_study.system, method="bound"), kwh)
    assert [figure.label for figure in bound] == ["Not before", "Not below"]


@pytest.fixture(scope="module")
def uneven_study():
    """A schedule of 100.04001 s and 200.0884 Wh, and one of 200.04001 s and 100.02002 Wh."""
    return study(uneven(), effort=Effort(0))


def test_a_saving_is_that_of_schedules_or_until_there_are_some_of_tasks_that_are_split(
    uneven_study, kwh
):
    """Of 0.50012, and of 0.61552 where tasks may be split."""
    assert lead(uneven_study, kwh) == ("Fastest: 100 s. 100 s longer saves 50 % of the energy.")
    assert lead(uneven_study, kwh, final=False) == (
        "No schedule is faster than 40.02 s. If tasks can be split, 27 s longer saves 25 % of the "
        "energy; 2 min 40 s longer saves 61.6 %, the most."
    )


def test_figures_of_schedules_are_rounded_up_and_bounds_down(uneven_study, kwh):
    fastest, least, slowest, _, gap = figures(uneven_study, kwh)
    assert (fastest.value, least.value, slowest.value) == ("100.1 s", "100.1 Wh", "3 min 21 s")
    assert fastest.meaning == "It takes 200.1 Wh. No schedule is faster than 100 s."
    assert least.meaning == "No schedule takes less than 100 Wh."
    *_, gap = figures(study_of(on_the_wasteful()), kwh)
    assert gap.value == "101 %"  # 1.0008
    assert gap.meaning.endswith("the largest gap is 101 %.")


@pytest.mark.parametrize(
    ("cap_kw", "within"),
    [(None, None), (14.41, "100.1 s"), (5.0, "3 min 21 s"), (3.5, "none found")],
)
def test_at_a_site_both_ends_have_a_price_and_the_power_cap_a_schedule(
    uneven_study, kwh, cap_kw, within
):
    """By hand: 0.1 and 0.2 kWh at the machines, twice that at the site, 3.6 kW and 14.41 kW."""
    site = Site(3.0, 0.5, 2.0, 2.0, "CHF", cap_kw=cap_kw)
    of_site = figures(uneven_study, kwh, site)[5:]
    assert [one.value for one in of_site] == ["0.8002 to 1.601 CHF", *([within] if within else [])]
    assert of_site[0].meaning.endswith("PUE included; and 0.1001 to 0.2001 kg of CO₂.")


def test_a_single_point_is_about():
    assert lead(one_machine(50.004, 100.04), JOULES) == (
        "There is no trade-off: the fastest schedule (100 s) is also the thriftiest (5 kJ)."
    )


def test_all_that_was_found_is_said():
    front = trace_front(load_sample("two-by-two"))
    points = [
        [900.1234567, 30.1234567],
        [1000.3, 24.123456],
        [1140.2, 18.7],
        [1200.0, 19.0],
        [1250.7, 14.3],
        [1430.7654321, 11.7654321],
    ]
    assert sentences(at(front, np.array(points))) == [
        "Balanced: 18.7 s with 1.141 kJ. Up to there saving time costs little energy, beyond it "
        "much.",
        "The front of the bound has 3 vertices, and no others (proven).",
        "One second less costs 20 J at the slow end, 36.67 J at the fast end.",
        "5 of 6 schedules are on the front.",
        "The largest gap between neighbours is 5.423 s and 139.9 J.",
        "Better schedules can only lie in 19.4 % of the region from the bound to 30.12 s with "
        "1.431 kJ.",
    ]


def test_of_a_bound_no_schedule_is_said(two_by_two):
    """Issue 33, point 18: the bound is never called the fastest."""
    front = replace(trace_front(two_by_two(20, 10)), exact=False)
    bound = at(front, np.empty((0, 2)))
    assert sentences(bound) == [
        "The front of the bound has 2 vertices; there may be others, but none below the proven "
        "lines.",
        "One second less costs 3.333 J at the slow end.",
    ]
    said = told(bound, JOULES)
    assert [(one.label, one.value) for one in said.figures] == [
        ("Not before", "10.79 s"),
        ("Not below", "1.379 kJ"),
    ]
    assert "fastest" not in said.lead
    assert told_of_front(front, JOULES) == f"{said.lead} {said.sentences[0]}"


def test_of_one_point_is_left_out_what_needs_two():
    found = one_machine(10.0, 6.0)
    assert told(found, JOULES).sentences == (
        "The front of the bound has 1 vertex, and no others (proven).",
        "1 of 1 schedule is on the front.",
    )


def test_areas_below_one_joule_second_have_a_share_too(two_by_two):
    system = two_by_two()
    front = trace_front(replace(system, etc=system.etc / 100))
    *_, areas = sentences(at(front, front.points * [1, 1.0601]))
    # 0.31085 of 0.64667 J s: no more than that share is open.
    assert "can only lie in 48.1 % of the region" in areas
