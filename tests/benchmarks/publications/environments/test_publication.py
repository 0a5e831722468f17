"""The environments kept are the nearest of their ten to the published numbers."""

import numpy as np
import pytest

from benchmarks.publications.environments import publication as calibration
from benchmarks.publications.environments.publication import (
    GROUPS,
    CalibrationEffort,
    Likeness,
    found_areas,
    likeness,
    published,
)
from benchmarks.publications.stand_ins import CANDIDATES, KEPT, NAMES

LIGHT = {"1": CalibrationEffort(1, weights=60, spacing=0.1), "2": CalibrationEffort(1, 100, 0.05)}


@pytest.mark.parametrize("number", GROUPS)
def test_the_candidate_kept_is_the_nearest_of_the_ten(number):
    names = GROUPS[number]
    assert len(CANDIDATES) == 10
    assert {likeness(names, LIGHT[number]).nearest} == {KEPT[name] for name in names}


def test_every_environment_is_calibrated_by_its_published_column():
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(NAMES)
    assert list(published(["ten"]).values()) == [1.011, 0.762, 0.748, 0.689]
    nine = published(["nine"])
    assert [nine[key] for key in ("gap at 2,500 tasks", "max-min longer")] == [0.018, 0.26]


def test_twice_and_half_are_equally_far():
    one = Likeness(("a", "b"), np.array([[1.0, 1.1], [2.0, 2.0], [0.5, 0.5], [1.5, 1.0]]))
    assert one.nearest == 0
    assert one.distances[1] == pytest.approx(np.log(2))
    assert one.distances[1] == pytest.approx(one.distances[2])


def test_areas_are_less_with_more_schedules_and_better_bounds():
    swept, loose, convex, exhaustive = found_areas(
        "two", calibration.drawn("two", 0), CalibrationEffort(weights=30, spacing=0.05)
    )
    assert swept > loose > convex > exhaustive > 0


def test_a_report_says_which_is_kept(monkeypatch, tmp_path):
    ratios = np.full((10, 4), 2.0)
    ratios[3] = 1.0
    monkeypatch.setattr(calibration, "likeness", lambda *_: Likeness(("a", "b", "c", "d"), ratios))
    summary = calibration.reproduce(tmp_path, 2)
    assert (summary["published"], summary["pictures"]) == (0, [])
    text = (tmp_path / "environments.md").read_text(encoding="utf-8")
    assert "candidate 3 is, at a distance of 0.00" in text
    assert "**does not hold**" in text  # as it is not the one kept
    assert text.count("| distance | **0.69** |") == 2
