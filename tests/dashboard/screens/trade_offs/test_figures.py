"""What a front means is said truly: from schedules that exist, with proven gaps."""

from collections.abc import Callable

import numpy as np
import pytest
from studied import on_the_wasteful, study_of, uneven

from core.engines.front.study import Study, study
from core.engines.front.tariff import Tariff
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.words import Sense, duration, rounded
from core.vocabulary.system import System
from dashboard.screens.trade_offs import page
from dashboard.screens.trade_offs.figures import (
    Standing,
    counts,
    figures,
    price,
    rates,
    sentence,
    table,
)
from dashboard.workspace.axis import Axis, axis_for

JOULES = axis_for("MJ", Tariff(1.0), "EUR", 1.0)


def one_machine(watts: float, seconds: float = 120.0) -> Study:
    """No choice at all: one task on one machine."""
    system = System(
        (TaskType("T", 1),), (MachineType("M", 1),), np.array([[seconds]]), np.array([[watts]])
    )
    return study(system, effort=Effort(0))


def test_the_sentence_is_about_schedules_that_exist(testbed_study: Study, kwh: Axis) -> None:
    fastest, thriftiest = testbed_study.achieved[-1], testbed_study.achieved[0]
    ends = [duration(seconds, Sense.SPENT) for seconds in (fastest[1], thriftiest[1])]
    assert sentence(testbed_study, kwh).startswith(f"Between {ends[0]} and {ends[1]}, you can save")
    assert "save up to 27" in sentence(testbed_study, kwh)
    assert 1 - thriftiest[0] / fastest[0] >= 0.27


def test_the_first_saving_costs_at_least_what_the_front_asks(
    testbed_study: Study, kwh: Axis
) -> None:
    said = sentence(testbed_study, kwh)
    assert ". The first 20 % cost " in said
    wanted = testbed_study.achieved[
        testbed_study.achieved[:, 0] <= 0.8 * testbed_study.achieved[-1, 0], 1
    ].min()
    cost = duration(wanted - testbed_study.achieved[-1, 1], Sense.SPENT)
    assert said.endswith(f"cost {cost} more time.")


def test_until_there_are_schedules_the_bound_says_what_can_be_at_best(kwh: Axis) -> None:
    bound = study(load_sample("testbed"), method="bound")
    assert "you can save at most 27" in sentence(bound, kwh)


def test_a_bound_that_is_a_point_is_not_called_the_fastest_schedule() -> None:
    """Issue 33, point 18: perhaps no schedule reaches the bound."""
    bound = study(one_machine(50.0).system, method="bound")
    said = sentence(bound, JOULES)
    assert said.startswith(
        "There is no trade-off if tasks can be split: no schedule is done before"
    )
    assert "fastest" not in said
    assert said == sentence(bound, JOULES, final=False)


def test_a_front_that_is_a_point_is_told_in_words() -> None:
    assert sentence(one_machine(50.0), JOULES) == (
        "There is no trade-off: the fastest schedule (2 min) is also the thriftiest (6 kJ)."
    )
    assert figures(one_machine(50.0), JOULES)[0].value == "2 min"


def test_without_any_draw_only_time_matters() -> None:
    assert sentence(one_machine(0.0), JOULES).startswith("No machine draws power")
    assert figures(one_machine(0.0), JOULES)


def test_a_saving_too_small_to_speak_of_is_called_so(two_by_two: Callable[..., System]) -> None:
    found = study(two_by_two(), effort=Effort(0))
    found.achieved[0, 0] = found.achieved[-1, 0] * (1 - 1e-5)
    assert sentence(found, JOULES).startswith("There is almost no trade-off")


def test_no_schedule_is_below_what_is_proven_and_gaps_say_how_far_above(
    testbed_study: Study,
) -> None:
    standing = Standing.of(testbed_study.proven, testbed_study.points)
    for (joules, seconds), gap in zip(testbed_study.points, standing.energy_gap, strict=True):
        least = testbed_study.front.least_energy(seconds)
        assert joules / (1 + gap) == pytest.approx(least)
        assert gap >= 0
    vertices = Standing.of(testbed_study.proven, testbed_study.front.points)
    assert vertices.energy_gap == pytest.approx(0, abs=1e-6)
    assert vertices.time_gap == pytest.approx(0, abs=1e-6)


def test_the_next_second_costs_what_the_next_edge_of_the_front_costs(testbed_study: Study) -> None:
    points = testbed_study.front.points
    edges = np.diff(points[:, 0]) / -np.diff(points[:, 1])
    middles = (points[:-1, 1] + points[1:, 1]) / 2
    assert rates(testbed_study.front, middles) == pytest.approx(edges)
    assert rates(testbed_study.front, points[:, 1]) == pytest.approx([*edges, np.inf])
    assert price(float(rates(testbed_study.front, points[-1:, 1])[0]), JOULES) == (
        "no schedule can be faster"
    )
    assert price(100.0, JOULES) == "one second less costs 100 J, one minute 6 kJ"


def test_the_table_lists_the_front_fastest_first_and_knows_each_schedule(
    testbed_study: Study, kwh: Axis
) -> None:
    frame, indices = table(testbed_study, kwh)
    assert len(frame) == testbed_study.on_front.sum()
    makespans = [testbed_study.schedules[index].makespan for index in indices]
    assert makespans == sorted(makespans)
    energies = [testbed_study.schedules[index].energy for index in indices]
    assert frame[kwh.label].tolist() == [
        rounded(kwh.of(joules), Sense.SPENT) for joules in energies
    ]


def test_the_figures_name_both_ends_and_what_waiting_costs(testbed_study: Study, kwh: Axis) -> None:
    said = {figure.label: figure.value for figure in figures(testbed_study, kwh)}
    thrifty = testbed_study.schedules[int(np.flatnonzero(testbed_study.on_front)[0])]
    idle = 100 * thrifty.idle_energy.sum() / thrifty.energy
    assert said["Idle energy"] == f"{idle:.1f} %" if idle >= 1 else f"{idle:.2f} %"
    assert said["Least energy"].endswith("Wh")
    assert counts(testbed_study).endswith("schedules are on the front")
    assert figures(study(testbed_study.system, method="bound"), kwh) == ()


@pytest.fixture(scope="module")
def uneven_study() -> Study:
    """A schedule of 100.04001 s and 200.0884 Wh, and one of 200.04001 s and 100.02002 Wh."""
    return study(uneven(), effort=Effort(0))


def test_a_saving_is_rounded_down_if_a_schedule_has_it_and_up_if_it_is_only_not_impossible(
    uneven_study: Study, kwh: Axis
) -> None:
    """Of 0.50012, and of 0.61552 where tasks may be split."""
    assert sentence(uneven_study, kwh) == (
        "Between 100.1 s and 3 min 21 s, you can save up to 50 % energy. The first 25 % cost 100 s "
        "more time."
    )
    assert sentence(uneven_study, kwh, final=False) == (
        "Between 40.02 s and 3 min 20 s, you can save at most 61.6 % energy. The first 25 % cost "
        "26.67 s more time."
    )


def test_figures_of_schedules_are_rounded_up_and_bounds_down(
    uneven_study: Study, kwh: Axis
) -> None:
    fastest, least, slowest, _, gap = figures(uneven_study, kwh)
    assert (fastest.value, least.value, slowest.value) == ("100.1 s", "100.1 Wh", "3 min 21 s")
    assert fastest.meaning == "It takes 200.1 Wh. No schedule is faster than 100 s."
    assert least.meaning == "No schedule takes less than 100 Wh."
    *_, gap = figures(study_of(on_the_wasteful()), kwh)
    assert gap.value == "101 %"  # 1.0008
    assert gap.meaning.endswith("the largest gap is 101 %.")


def test_the_table_rounds_what_schedules_take_up_and_what_they_save_down(
    uneven_study: Study, kwh: Axis
) -> None:
    frame, _ = table(uneven_study, kwh)
    assert frame["Makespan"].tolist() == ["100.1 s", "3 min 21 s"]
    assert frame[kwh.label].tolist() == [200.1, 100.1]
    assert frame["Average power (kW)"].tolist() == [7.201, 1.801]
    assert frame["Saved (%)"].tolist() == [0.0, 50.01]
    frame, _ = table(study_of(on_the_wasteful()), kwh)
    assert frame["Gap (%)"].tolist() == [100.1]  # 100.075


def test_a_single_point_is_rounded_up() -> None:
    assert sentence(one_machine(50.004, 100.04), JOULES) == (
        "There is no trade-off: the fastest schedule (100.1 s) is also the thriftiest (5.003 kJ)."
    )


def test_the_title_of_a_schedule_that_is_picked_is_rounded_up(
    uneven_study: Study, kwh: Axis, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: list[str] = []
    monkeypatch.setattr(page, "choose_by_hand", lambda _, title: chosen.append(title))
    page.take_schedule(uneven_study, 1, kwh)
    assert chosen == ["100.1 s, 200.1 Wh"]
