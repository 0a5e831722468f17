"""Policies and ways to stop that cannot be are refused."""

import numpy as np
import pytest
from engines.replay.stopping.stopped_days import GREEDY, LONG, UTIL, day, policy

from core.engines.replay.looking import see_event
from core.engines.replay.policy import Blocked, Measure, Order, Policy
from core.engines.replay.stopping.rules import Stopping, Technique

pytestmark = pytest.mark.usefixtures("kernels_interpreted")


@pytest.mark.parametrize(
    "wrong",
    [
        {"only_now": True},
        {"technique": GREEDY},
        {"technique": Technique.TIERS, "order": Order.BEST},
    ],
)
def test_policies_that_cannot_be_are_refused(wrong):
    usual = {"order": Order.ARRIVAL, "measure": UTIL, "blocked": Blocked.HOLD}
    with pytest.raises(ValueError, match=r"now|tiers"):
        Policy("wrong", **usual | wrong)


@pytest.mark.parametrize("wrong", [{"checkpoints": -1.0}, {"stop_seconds": np.inf}])
def test_ways_to_stop_that_cannot_be_are_refused(wrong):
    with pytest.raises(ValueError, match=r"checkpoints is -1|stop_seconds is inf"):
        Stopping(**wrong)


def test_an_event_of_such_a_policy_cannot_be_seen_from_near():
    """The loop that looks at events decides otherwise, and would show what never happened."""
    with pytest.raises(ValueError, match="cannot be seen from near"):
        see_event(day([1], [LONG]), policy(GREEDY), 0.0)


@pytest.mark.parametrize(
    ("technique", "measure"),
    [
        *((Technique.GREEDY, one) for one in (Measure.EARLIEST, Measure.ANY)),
        *((one, Measure.SURPLUS) for one in (Technique.NONE, Technique.DIFF, Technique.PRICES)),
    ],
)
def test_a_measure_that_says_nothing_of_worth_stops_no_job(technique, measure):
    with pytest.raises(ValueError, match="measure"):
        Policy("x", Order.BEST, measure, Blocked.WAIT, only_now=True, technique=technique)
