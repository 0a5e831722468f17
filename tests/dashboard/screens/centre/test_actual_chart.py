"""Each curve as it was forecast and as it came, and by how much a plan costs more so far."""

from dataclasses import replace
from typing import Any

import numpy as np
from shown_days import small_answer

from core.capabilities.centre.not_knowing import NotKnowing
from core.capabilities.centre.objectives import NO_CAPS, DayWeights
from core.capabilities.centre.recover import by_step, judged
from dashboard.parts.charts.palette import LOSS, OTHERS, OURS
from dashboard.screens.centre.actual_chart import actual_figure


def lines(figure: Any, colour: str) -> list[Any]:
    return [one for one in figure.data if one.type == "scatter" and one.line.color == colour]


def test_what_it_cost_is_added_up_step_by_step() -> None:
    answer = small_answer()
    price = NotKnowing(answer.ours, answer.usual, {})
    figure = actual_figure(replace(answer, not_knowing=price))
    (line,) = lines(figure, LOSS)
    ours, usual = answer.ours.measures, answer.usual.measures
    until = np.asarray(line.y)[:-1]
    assert np.isclose(until[-1], ours.cost - usual.cost)
    first = [by_step(answer.day, one)["cost"][0] for one in (ours, usual)]
    assert np.isclose(until[0], first[0] - first[1])


def test_a_curve_is_dashed_as_it_was_known_when_the_day_began() -> None:
    answer = small_answer()
    figure = actual_figure(answer)
    (dashed,) = lines(figure, OTHERS)
    assert dashed.line.dash == "dash"
    assert np.allclose(dashed.y[:-1], answer.file.known_at(0.0).carbon)
    (came,) = lines(figure, OURS)
    assert np.allclose(came.y[:-1], answer.day.curves.carbon)


def test_where_nothing_was_forecast_nor_is_known_there_is_no_chart() -> None:
    answer = small_answer()
    signals = replace(answer.file.signals, forecast={})
    assert actual_figure(replace(answer, file=replace(answer.file, signals=signals))) is None
    aim = replace(answer.asked, minimise="lateness")
    price = NotKnowing(answer.ours, answer.usual, {})
    late = replace(answer, asked=aim, not_knowing=price)
    assert not lines(actual_figure(late), LOSS)


def test_steps_add_up_to_the_day() -> None:
    answer = small_answer()
    found = judged(answer.file.day(), answer.ours.found.plan, DayWeights(), NO_CAPS, answer.bound)
    steps = by_step(answer.file.day(), found.measures)
    measures = found.measures
    assert np.isclose(steps["cost"].sum(), measures.cost)
    assert np.isclose(steps["carbon"].sum(), measures.carbon)
    assert np.isclose(steps["energy"].sum() * 3.6e6, measures.energy)
    assert np.isclose(steps["excess"].sum() * 3.6e6, measures.excess)
