"""The bars are the work of every group, and few however much there is."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from markup import checked
from strategies import schedules, systems

from core.capabilities.makespan.solve import solve
from core.files.samples.generate import Generation, generate
from core.files.samples.named import load_sample
from core.shells.report.gantt_picture import gantt_picture, shows_all
from core.shells.report.markup import STYLE
from core.shells.report.svg import Scale
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.colours import TASK_TYPES, leading_task_types
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.parts.charts.palette import paint_task


@examples(10)
@given(schedule=schedules(systems(with_apc=True, dyadic=True)))
def test_bars_cover_the_busy_time_of_every_group(schedule: Schedule) -> None:
    drawing = gantt_picture(schedule)
    scale = Scale(0.0, schedule.makespan or 1.0, 150.0, 744.0)
    widths = sum(
        float(part.split("h")[1].split("v")[0])
        for path in drawing.parts
        if 'class="bar' in path and "h14v11" not in path
        for part in path.split('d="')[1].split("M")[1:]
    )
    expected = sum(scale(load) - 150.0 for load in schedule.load.tolist())
    assert widths == pytest.approx(expected, abs=0.2 * (len(schedule.load) * 12 + 1))


def test_names_of_types_are_text_whatever_they_are_also_where_they_are_cut() -> None:
    system = System(
        (TaskType("<i>a&b</i>", 2), TaskType("<u>&lt;</u>x", 2), TaskType("<u>&lt;</u>xy", 2)),
        (MachineType("<b>&M</b>"), MachineType("&amp;<img src=x>y")),
        np.full((3, 2), 5.0),
    )
    picture = checked(str(gantt_picture(solve(system, "paper").schedule)))
    assert {"<i>a&b</i>", "<u>&lt;</u>x", "<u>&lt;</u>…"} < {*picture.text}
    assert {"<b>&M</b> #1", "&amp;<img src=x… #1"} < {*picture.text}


def test_however_large_rows_and_bars_are_few() -> None:
    system = generate(Generation(task_types=400, machine_types=60, tasks=90_000, machines=900))
    drawing = gantt_picture(solve(system, method="paper").schedule)
    bars = sum(part.count("M") for part in drawing.parts if 'class="bar' in part)
    rows = sum('class="end"' in part for part in drawing.parts)
    assert rows == 40
    assert rows <= bars <= 2 * 1_500


def test_a_task_type_has_the_colour_that_it_has_on_the_page() -> None:
    system = load_sample("nine")
    schedule, ranks = solve(system, method="paper").schedule, leading_task_types(system)
    drawing = str(gantt_picture(schedule))
    for rank, task_type in enumerate(ranks.own):
        assert f'class="bar t{rank}"' in drawing
        assert f">{system.task_names[task_type]}</text>" in drawing
        assert (f'<pattern id="t{rank}"' in drawing) == bool(paint_task(rank).shape)
        assert f"--t{rank % len(TASK_TYPES)}: {TASK_TYPES[rank % len(TASK_TYPES)].light}" in STYLE
    assert 'class="bar others"' in drawing


@pytest.mark.parametrize(("groups", "rows"), [(39, 39), (40, 40), (41, 1)])
def test_up_to_forty_groups_are_shown_or_the_last_of_each_type(groups: int, rows: int) -> None:
    """Each machine runs one task more than the one before."""
    each = np.arange(groups)
    system = System(
        (TaskType("T", int(each.sum())),), (MachineType("M", groups),), np.array([[3.0]])
    )
    schedule = Schedule(system, 0 * each, 0 * each + 1, each[:, None])
    parts = gantt_picture(schedule).parts
    assert sum('class="end"' in part for part in parts) == rows
    assert shows_all(schedule) is (groups == rows)
