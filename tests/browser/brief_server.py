"""The server of the dashboard, with pages that polish briefly, see `brief_polish`, and replay few
jobs. Its long computations do not give way to what else the computer does, since a journey waits
for them.
"""

import sys
from functools import partial

from brief_polish import brief_polish

from core.engines.compute.workers import Worker
from dashboard.screens.arrivals import hours_desk
from dashboard.screens.fair_shares import answer as whole_tasks
from dashboard.server import serving as server
from dashboard.workspace import answering

if __name__ == "__main__":
    answering.polish_for = partial(brief_polish, work=0.2)
    hours_desk._USUAL_JOBS = 48.0
    whole_tasks.POLISH = whole_tasks.TRIAL_POLISH = 0.0
    Worker.be_nicer = lambda *_: None  # type: ignore[method-assign]  # for this server alone
    sys.exit(server.serve())
