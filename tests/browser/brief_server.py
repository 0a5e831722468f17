"""The server of the dashboard, with pages that polish briefly, see `brief_polish`, and replay few
jobs. Its long computations do not give way to what else the computer does, since a journey waits
for them.
"""

import sys
from functools import partial
from unittest.mock import patch

from brief_polish import brief_polish

from core.engines.compute.workers import Worker
from dashboard.server import serving as server
from dashboard.workspace import answering

if __name__ == "__main__":
    answering.polish_for = partial(brief_polish, work=0.2)
    patch("dashboard.parts.replays.rates._USUAL_JOBS", 48.0).start()
    for name in ("POLISH", "TRIAL_POLISH"):
        patch(f"dashboard.screens.fair_shares.answer.{name}", 0.0).start()
    patch.object(Worker, "be_nicer").start()
    sys.exit(server.serve())
