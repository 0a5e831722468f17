"""Panels of a day say what the plan says, and no number is drawn that is not said."""

from dataclasses import replace
from typing import Any

import numpy as np
from shown_days import shown_plan, small_answer

from core.engines.signals.kinds import TARGET
from dashboard.parts.charts.palette import LOSS
from dashboard.screens.centre.day_chart import day_figure
from dashboard.screens.centre.power_panel import BANDS


def traces(figure: Any, panel: str) -> list[Any]:
    return [one for one in figure.data if (one.yaxis or "y") == panel]


def test_bands_add_up_to_the_power_and_the_axis_has_room_for_it() -> None:
    answer = small_answer()
    plan = shown_plan(answer.usual)
    figure = day_figure(answer.file, [plan])
    bands = [one for one in traces(figure, "y") if one.type == "scatter" and one.stackgroup]
    total = sum(np.asarray(one.y)[:-1] for one in bands)
    assert np.allclose(total * 1000, plan.measures.power)
    assert figure.layout.yaxis.range[1] >= total.max()
    assert {one.name for one in bands} <= {words for words, _ in BANDS.values()}
    assert np.allclose(bands[0].x, np.arange(17) / 4)


def test_both_plans_have_one_scale() -> None:
    answer = small_answer()
    figure = day_figure(answer.file, [shown_plan(answer.ours), shown_plan(answer.usual)])
    assert figure.layout.yaxis.range == figure.layout.yaxis2.range
    names = [one.name for one in figure.data if one.showlegend]
    assert len(names) == len({*names}), "each has one place in the legend"


def test_the_excess_is_striped_between_the_target_and_the_power() -> None:
    answer = small_answer()
    plan = shown_plan(answer.usual)
    assert not any(one.name == "target" for one in day_figure(answer.file, [plan]).data)
    day = answer.file.day()
    low = np.full(day.steps, float(np.median(plan.measures.power)))
    signals = replace(answer.file.signals, all_day={**answer.file.signals.all_day, TARGET: low[0]})
    over = np.maximum(plan.measures.power - low, 0.0)
    changed = replace(plan, measures=replace(plan.measures, over=over))
    figure = day_figure(replace(answer.file, signals=signals), [changed])
    (excess,) = (one for one in figure.data if one.name == "excess")
    assert np.allclose(np.asarray(excess.y)[:-1] * 1000 - low, over)
    assert excess.fillpattern.fgcolor == LOSS
    (target,) = (one for one in figure.data if one.name == "target")
    assert np.allclose(np.asarray(target.y) * 1000, low[0])
    said = " ".join(texts(figure, "y"))
    assert "excess " in said
    assert "target " in said


def texts(figure: Any, panel: str) -> list[str]:
    return [text for one in traces(figure, panel) for text in one.customdata or ()]


def test_each_step_says_when_it_is_and_what_is_drawn() -> None:
    answer = small_answer()
    first, *_, last = texts(day_figure(answer.file, [shown_plan(answer.usual)]), "y")
    assert first.startswith("<b>00:00 to 00:15</b><br>")
    assert last.startswith("<b>03:45 to 04:00</b><br>")
    assert "in all" in first


def test_a_forecast_is_dashed_beside_what_came() -> None:
    answer = small_answer()
    figure = day_figure(answer.file, [shown_plan(answer.ours)])
    dashes = [one.line.dash for one in traces(figure, "y2") if one.type == "scatter"]
    assert dashes == ["dash", None]
    assert "forecast" in texts(figure, "y2")[0]


def test_late_jobs_are_striped_and_say_by_how_much() -> None:
    answer = small_answer()
    jobs = replace(answer.file.jobs, due=np.full(3, 1800.0))
    file = replace(answer.file, jobs=jobs)
    plan = shown_plan(answer.ours)
    figure = day_figure(file, [plan])
    blocks = [one for one in figure.data if one.type == "bar" and one.orientation == "h"]
    late = [one for one in blocks if one.marker.pattern.shape]
    assert late
    assert all(" late</b>" in text for one in late for text in one.customdata)
    assert not any(
        " late</b>" in text for one in blocks if one not in late for text in one.customdata
    )
