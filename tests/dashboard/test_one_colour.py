"""A task type has the same colour on every page."""

import json

import pytest
from pages import Open, charts, put, settled

from core.files.samples.named import load_sample
from core.vocabulary.say.colours import leading_task_types
from dashboard.parts.charts.palette import paint_task


@pytest.mark.parametrize("folder", ["schedule", "work", "fair_shares", "arrivals"])
def test_a_task_type_has_one_colour_on_every_page(open_page: Open, folder: str) -> None:
    system = load_sample("university")
    ranks = leading_task_types(system).rank.tolist()
    wanted = {
        name: paint_task(rank).fill for name, rank in zip(system.task_names, ranks, strict=True)
    }
    page = settled(open_page(folder, sample="university", polish=0))
    if folder == "arrivals":
        put(page, "A closer look at the day", "gantt")
    figures = [json.loads(chart.proto.spec) for chart in charts(page)]
    shown = {
        (trace["name"], trace["marker"]["color"])
        for figure in figures
        for trace in figure["data"]
        if trace.get("name") in wanted
    }
    assert shown
    assert shown <= wanted.items()
