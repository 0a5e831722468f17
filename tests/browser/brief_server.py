"""The server of the dashboard, with pages that polish briefly: see `brief_polish`."""

import sys
from functools import partial

from brief_polish import brief_polish

from dashboard.shell import server
from dashboard.stretch import trials
from dashboard.workspace import answering

if __name__ == "__main__":
    answering.Effort = partial(brief_polish, work=0.2)
    trials.POLISH = 0.0
    sys.exit(server.serve())
