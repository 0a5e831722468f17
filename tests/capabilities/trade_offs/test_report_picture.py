"""Everything on the picture of a front is where its joules and seconds are."""

import numpy as np
import pytest
from drawn import corners, dots, places_of

from core.capabilities.trade_offs.report_picture import front_picture
from core.engines.front.study import Study, study
from core.vocabulary.budget import Effort


def test_points_are_drawn_in_proportion_and_the_regions_reach_them(nine: Study) -> None:
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


def test_of_the_bound_alone_nothing_is_achieved(nine: Study) -> None:
    drawing = front_picture(study(nine.system, method="bound", front=nine.front), None)
    assert len(dots(drawing, "vertex")) == len(nine.front)
    assert not any(
        f'class="{style}' in str(drawing) for style in ("schedule", "achieved", "chosen")
    )


def test_a_front_of_one_point_has_room_around_it(nine: Study) -> None:
    idle = study(nine.system.with_idle_fraction(1.0), effort=Effort(0))
    drawing = front_picture(idle, idle.schedules[0])
    (place,) = dots(drawing, "chosen")
    assert 62 < place[0] < 744
    assert 40 < place[1] < 376
