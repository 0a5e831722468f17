"""What stopping jobs comes to."""

import pytest
from engines.replay.stopping.stopped_days import GREEDY, MINUTE, Job, day, run

from core.engines.replay.stopping.rules import NOTHING
from core.engines.replay.stopping.score import StopScore

pytestmark = pytest.mark.usefixtures("kernels_interpreted")


def test_the_score_of_stops():
    """Job 0 loses 4 minutes on 2 cores; the urgent job waits a minute for it."""
    wide = Job(0, {0: 10}, 1, units=2)
    outcome = run(
        day([2], [wide, Job(4, {0: 5}, 9)]), GREEDY, checkpoints=NOTHING, stop_seconds=60.0
    )
    score = StopScore.of(outcome)
    assert (score.stops, score.lost_core_seconds) == (1, 5 * MINUTE * 2)
    assert score.lost_share == pytest.approx(10 / (10 + 20 + 5))
    assert (score.urgent_wait, score.urgent_wait_p95) == (MINUTE, MINUTE)
    assert score.other_flow == outcome.end[0]
