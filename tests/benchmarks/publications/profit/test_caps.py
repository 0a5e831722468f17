"""An active cap pushes profits off the front and is broken by what runs on at once; ours waits."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.publications.profit import caps as profit_caps


@pytest.fixture(scope="module")
def capped(larger_nine_idle):
    return profit_caps.measure(larger_nine_idle, 0.0, (55e3, 30e3, 23e3, 16e3))


def verdicts(capped):
    return [claim.holds for claim in profit_caps.figure(capped).claims]


def only(capped, *caps):
    return replace(capped, by_cap={cap: capped.by_cap[cap] for cap in caps})


def test_watts_are_those_computed_elsewhere(capped):
    bounds = [capped.by_cap[cap].profit.bound.value for cap in (30e3, 23e3, 16e3)]
    assert bounds == pytest.approx([14358.49, 11476.64, 7341.85], abs=0.01)
    assert verdicts(capped) == [False, False, True]
    assert "16.599 kW" in profit_caps.figure(capped).claims[1].here


def test_each_verdict_is_about_its_own_caps(capped):
    assert verdicts(only(capped, 55e3, 30e3)) == [True, True, True]
    assert verdicts(only(capped, 55e3, 23e3)) == [False, True, True]


def test_a_schedule_of_ours_that_drew_too_much_would_flip_the_last(capped):
    one = capped.by_cap[16e3]
    greedy = replace(one.profit.earnings, power=16.1e3)
    changed = replace(one, profit=replace(one.profit, earnings=greedy))
    assert verdicts(replace(capped, by_cap={16e3: changed})) == [False, False, False]


def test_why_a_cap_pushes_profit_off_the_front_was_tried(capped):
    off, broken, _ = profit_caps.figure(capped).claims
    assert (
        "Without a cap the optimum (17.829 kW) is on the front, and also at 55 kW, 30 kW."
        in off.cause
    )
    assert "below the 23.967 kW that the thriftiest schedule" in off.cause
    assert "the same schedules draw 16.000 kW." in broken.cause


def test_caps_are_the_published_one_and_some_about_what_the_thriftiest_draws(larger_nine_idle):
    caps = profit_caps.measure(larger_nine_idle, 0.0).by_cap
    assert list(caps) == [55e3, 30e3, 23e3, 16.1e3]


def test_each_cap_is_a_ray_with_its_optimum_on_it_or_above(capped):
    plane = profit_caps.figure(capped).panels[0]
    rays = {curve.name: curve.points for curve in plane.curves if curve.name.startswith("cap")}
    assert len(rays) == len(capped.by_cap) == 4
    for cap, one in capped.by_cap.items():
        ray = rays[f"cap of {cap / 1e3:g} kW"]
        assert np.allclose(ray[:, 0] / ray[:, 1], cap)
        assert one.bound[0] <= cap * one.bound[1] * (1 + 1e-9)
