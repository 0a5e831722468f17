"""A task type has the same colour on every page, and long names of types are told apart there."""

import json
from typing import Any, Final

import pytest
from pages import Open, bar_colours, charts, put, run, settled

from core.files.samples.named import load_sample
from core.vocabulary.say.colours import leading_task_types
from dashboard.parts.charts.palette import paint_task
from dashboard.parts.machines.machines import MACHINES, TYPES
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.upload import Upload
from dashboard.workspace.workspace import begin, take_upload


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
    shown = {(name, colour) for name, colour in bar_colours(page) if name in wanted}
    assert len(shown) > 1
    assert shown <= wanted.items()


LONG: Final = {
    "times.csv": b"task_type,cascade-lake-nodes-gpu-v100,cascade-lake-nodes-gpu-a100\n"
    b"genome-alignment-for-human,30,20\ngenome-alignment-for-mouse,20,30\n",
    "power.csv": b"task_type,cascade-lake-nodes-gpu-v100,cascade-lake-nodes-gpu-a100\n"
    b"genome-alignment-for-human,300,200\ngenome-alignment-for-mouse,300,400\n",
    "tasks.csv": b"task_type,count\ngenome-alignment-for-human,40\ngenome-alignment-for-mouse,40\n",
    "machines.csv": b"machine_type,count,idle_power\n"
    b"cascade-lake-nodes-gpu-v100,2,40\ncascade-lake-nodes-gpu-a100,3,40\n",
}


def texts(part: Any, where: str = "") -> set[str]:
    """The texts that stand in a figure without a pointer: names of traces, ticks and bars."""
    if isinstance(part, dict):
        return set().union(*(texts(one, key) for key, one in part.items()))
    if isinstance(part, list):
        return set().union(*(texts(one, where) for one in part))
    return {part} if isinstance(part, str) and where in ("name", "text", "ticktext", "y") else set()


BOTH: Final = {"human", "mouse", "v100", "a100"}


@pytest.mark.parametrize(
    ("folder", "look", "seen"),
    [
        ("schedule", {"Rows": MACHINES}, BOTH),
        ("schedule", {"Rows": TYPES, "By": "task type"}, BOTH),
        ("work", {}, BOTH),
        ("machines", {"Detail": "Best for"}, {"v100", "a100"}),
        ("machines", {"Detail": "Speed and energy"}, {"v100", "a100"}),
        ("provision", {}, {"v100", "a100"}),
        ("provision", {"A closer look": "more"}, {"v100", "a100"}),
        ("fair_shares", {}, BOTH),
        ("arrivals", {"A closer look at the day": "gantt"}, {"human", "a100"}),
    ],
)
def test_names_that_begin_alike_are_told_apart_in_every_chart(
    open_page: Open, folder: str, look: dict[str, str], seen: set[str]
) -> None:
    page = open_page(folder, sample="two-by-two", polish=0)
    page.session_state[WORKSPACE] = take_upload(begin("two-by-two"), Upload.together(LONG))
    page = settled(settled(run(page)))
    for name, value in look.items():
        settled(put(page, name, value))
    said = texts([json.loads(chart.proto.spec) for chart in charts(page)])
    assert {one for one in BOTH if any(one in text for text in said)} >= seen
    cut = [text for text in said if "…" in text]
    assert not [text for text in cut if "genome-alig" in text or "cascade-lak" in text]
