"""The table of schedules in the report: what each takes is rounded up, what it saves down."""

from itertools import chain

import numpy as np
import pytest
from drawn import corners, dots, places_of
from studied import on_the_wasteful, settled_above, study_of, uneven

from core.capabilities.trade_offs.report import front_picture, schedules_table, section
from core.engines.front.study import study
from core.shells.studies import StudySettings
from core.shells.studies.settings import Choice
from core.vocabulary.budget import Effort
from core.vocabulary.plane.points import nearest_to_knee
from core.vocabulary.prices.site import Site

TARIFF = StudySettings("uneven", site=Site())


def cells(found, settings=TARIFF):
    table = schedules_table(found, settings)
    return [*table.head, *chain(*table.rows)]


def test_what_a_schedule_takes_and_its_gap_are_rounded_up():
    """0.4003284 kWh in 100.08 s are 14.4003 kW, and 1.0008 times more than is proven."""
    assert cells(study_of(on_the_wasteful())) == [
        *("Makespan", "Energy (kWh)", "Cost (EUR)", "Carbon (kg CO₂)"),
        *("Average power (kW)", "Saved against the fastest", "Above the bound, at most"),
        *("100.1 s", "0.4004", "0.1201", "0.1402", "14.41", "0 %", "101 %"),
    ]


def test_what_it_saves_is_rounded_down():
    """Of 200.0883 Wh all but 100.02 Wh, which are 0.50012 of them."""
    found = study(uneven(), effort=Effort(0))
    *_, makespan, energy, power, saved, gap = cells(found, StudySettings("uneven"))
    assert (makespan, energy, power) == ("3 min 21 s", "0.1001", "1.801")
    assert (saved, gap) == ("50 %", "0 %")


def test_points_are_drawn_in_proportion_and_the_regions_reach_them(nine):
    chosen = nine.schedules[3]
    drawing = front_picture(nine, chosen)
    front, drawn = nine.front.points, dots(drawing, "vertex")
    assert drawn == pytest.approx(places_of(front, drawn, front), abs=0.11)
    assert dots(drawing, "schedule") == pytest.approx(
        places_of(front, drawn, nine.achieved), abs=0.2
    )
    at = np.array([[chosen.energy, chosen.makespan]])
    assert dots(drawing, "chosen") == pytest.approx(places_of(front, drawn, at), abs=0.2)
    for style, boundary in (("bound", nine.outer), ("impossible", nine.outer)):
        assert corners(drawing, style)[1 : len(boundary) + 1] == pytest.approx(
            places_of(front, drawn, boundary), abs=0.2
        )
    for style in ("stairs", "achieved"):
        assert corners(drawing, style)[1 : len(nine.inner) + 1] == pytest.approx(
            places_of(front, drawn, nine.inner), abs=0.2
        )


def test_of_the_bound_alone_nothing_is_achieved(nine):
    drawing = front_picture(study(nine.system, method="bound", front=nine.front), None)
    assert len(dots(drawing, "vertex")) == len(nine.front)
    assert not any(
        f'class="{style}' in str(drawing) for style in ("schedule", "achieved", "chosen")
    )


def test_where_only_parts_of_tasks_keep_the_bound_all_that_is_seen_is_impossible():
    drawing = front_picture(study(settled_above(), method="bound"), None)
    assert len(corners(drawing, "impossible")) == 4


def test_a_front_of_one_point_has_room_around_it(nine):
    idle = study(nine.system.with_idle_fraction(1.0), effort=Effort(0))
    drawing = front_picture(idle, idle.schedules[0])
    (place,) = dots(drawing, "chosen")
    assert 62 < place[0] < 744
    assert 40 < place[1] < 376


def test_one_schedule_alone_is_called_balanced(nine):
    """One that was chosen during a search has its name, though another is nearer by now."""
    bend = nearest_to_knee(nine.achieved, nine.front.points)
    nearest = int(np.flatnonzero(nine.on_front)[bend])
    other = int(np.flatnonzero(nine.on_front)[bend - 1])

    def said(number: int, title: str) -> int:
        choice = Choice(nine.schedules[number], title)
        return section(nine, StudySettings("nine"), choice).count("Balanced: ")

    assert (said(nearest, "Balanced"), said(other, "Balanced"), said(other, "Fastest")) == (1, 0, 1)
