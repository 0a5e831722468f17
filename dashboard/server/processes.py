"""The worker processes of the server, and what they load before they get work.

The server starts them before it loads anything else, so this module imports nothing that is heavy.
"""

import os
from typing import Final

from core.engines.compute.workers import Workers

PROCESSORS: Final = os.cpu_count() or 1

WORKERS: Final = Workers(__name__, spare=2 * PROCESSORS)


def prepare() -> None:
    """Loads all kernels with a tiny study, in the process that workers are forked from. Leaves no
    thread behind, since a forked process would not have it. So pandas, which has one, is not
    loaded.
    """
    from core import Effort, load_sample, study
    from core.engines.lp.program import end_threads

    study(load_sample("two-by-two"), effort=Effort(0.01))
    end_threads()
