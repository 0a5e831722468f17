"""Small charts of several days say what the plan says, and each names its date."""

from typing import Any

import numpy as np
import pytest
from shown_days import several_days, shown_plan, small_answer

from dashboard.screens.centre.day_chart import day_figure
from dashboard.screens.centre.week_chart import dates_of, week_figure


def drawn(opened: int | None = None) -> Any:
    answer = several_days()
    dates = dates_of(answer.file)
    chosen = None if opened is None else dates[opened]
    return week_figure(answer.file, shown_plan(answer.ours), dates, chosen)


def test_dates_are_those_of_the_clock_and_one_day_has_none() -> None:
    dates = dates_of(several_days().file)
    assert [one.name for one in dates][:2] == ["Sat 1 Aug", "Sun 2 Aug"]
    assert [one.name for one in dates][-1] == "Sun 9 Aug"
    assert [(one.begins, one.ends, one.hour) for one in dates][:2] == [
        (0, 6 * 3600, 18),
        (6 * 3600, 30 * 3600, 0),
    ]
    assert dates[-1].ends == 196 * 3600
    assert dates_of(small_answer().file) == []


@pytest.mark.parametrize("panel", ["y", "y2"])
def test_small_charts_have_all_of_the_plan(panel: str) -> None:
    """Seven dates stand in the first row; bands, between dates 0, add up to the energy of all."""
    measures = shown_plan(several_days().ours).measures
    ends = [round(one.ends / 3600) for one in dates_of(several_days().file)]
    steps = slice(0, ends[6]) if panel == "y" else slice(ends[6], None)
    traces = [one for one in drawn().data if (one.yaxis or "y") == panel]
    bands = [one for one in traces if one.type == "scatter" and one.stackgroup]
    total = sum(np.asarray(one.y) for one in bands)
    hours = np.append(np.diff(bands[0].x), 0.0)
    assert (total[:-1] * hours[:-1]).sum() * 1000 == pytest.approx(measures.power[steps].sum())
    excess = next(one for one in traces if one.fill == "tonexty")
    above = np.nansum((np.asarray(excess.y)[:-1] - 0.5) * hours[:-1])
    assert above * 1000 == pytest.approx(measures.over[steps].sum())
    assert above > 0, "the target is low"


def test_a_click_says_which_date_it_is_of() -> None:
    figure = drawn(opened=8)
    clicked = [one for one in figure.data if one.type == "bar" and one.customdata is not None]
    dates = dates_of(several_days().file)
    assert [one.customdata[0][0] for one in clicked] == [*range(len(dates))]
    for one, date in zip(clicked, dates, strict=True):
        assert one.customdata[0][1].startswith(f"<b>{date.name}</b><br>")
        assert one.width == (date.ends - date.begins) / 3600
    assert [one.marker.line.width for one in clicked] == [0] * 8 + [2]
    power = shown_plan(several_days().ours).measures.power[-len(range(174, 196)) :]
    assert f"{power.sum() / 1000:.1f}"[:3] in clicked[-1].customdata[0][1]
    texts = [one.text for one in figure.layout.annotations]
    assert texts[-1] == "<b>Sun<br>9 Aug</b>"


def test_a_date_that_is_open_is_all_that_the_day_shows() -> None:
    answer = several_days()
    date = dates_of(answer.file)[1]
    figure = day_figure(answer.file, [shown_plan(answer.ours)], date)
    assert figure.layout.xaxis.range == (6, 30)
    assert figure.layout.xaxis.tickvals[0] == 6
    assert figure.layout.xaxis.ticktext[:2] == ("00:00<br>2 Aug", "04:00")
    assert figure.layout.xaxis.title.text == "Sun 2 Aug, Europe/London"
