"""Along the front, how near schedules come is judged by work, how long it takes by the clock."""

import json

import numpy as np
import pytest

from benchmarks import along
from core.engines.front.study import study
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort


def environment(ours):
    return {
        "published": 100e6,
        "published_tight": 99e6,
        "published_exact": 98e6,
        "ours": ours,
        "schedules": 9,
    }


def by_clock(share, seconds):
    return {"share": share, "published_seconds": 0.5, "our_seconds": seconds}


def test_a_slow_spell_costs_seconds_and_no_area():
    section = along.tell(
        {
            along.AREAS: {"six": environment(17e6)},
            along.CLOCK: {"six": by_clock(0.31, 6.5)},
            along.LARGE: {"1000": 0.25, "10": 0.2},
        }
    )
    targets = {target.what: target for target in section.targets}
    area = targets["six: area between bounds, share of the published"]
    assert (area.value, area.met) == (pytest.approx(0.17), True)
    whole = targets["whole time of these studies"]
    assert (whole.value, whole.met) == (6.5, False)
    assert "| six | 500 ms | 6.5 s | 31.0 % |" in section.body


def test_six_is_below_a_fifth_with_less_work_than_it_is_judged_by():
    """Six is the one that is nearest to the limit."""
    six = load_sample("six").with_idle_fraction(0.0)
    published = study(six, method="paper", effort=Effort(0))
    ours = study(six, effort=Effort(work=0.625 * along.WORK))
    corner = np.maximum(published.nadir, ours.nadir)
    assert ours.areas(corner).between < along.FIFTH * published.areas(corner).loose


def test_areas_are_the_same_whenever_they_are_measured(monkeypatch):
    monkeypatch.setattr(along, "ENVIRONMENTS", ("nine",))
    first, second = (along.measure_areas(quick=True) for _ in range(2))
    assert first == second
    assert json.loads(json.dumps(first)) == first
    assert 0 < first["nine"]["ours"] < first["nine"]["published"]
    assert set(along.measure_by_clock(quick=True)["nine"]) == set(by_clock(0.1, 1.0))
