"""The server of the dashboard, with pages that polish briefly: see `brief`."""

import sys
from functools import partial

from brief import brief

from dashboard.shell import server
from dashboard.workspace import answering

if __name__ == "__main__":
    answering.Effort = partial(brief, work=0.5)
    sys.exit(server.serve())
