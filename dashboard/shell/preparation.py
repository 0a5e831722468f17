"""What worker processes load before they get work.

They do not load pandas: it has its own thread, and a forked process has no such thread.
"""

from core import Effort, load_sample, study
from core.lp.program import end_threads


def prepare() -> None:
    """Loads all kernels with a tiny study. Leaves no thread behind."""
    study(load_sample("two-by-two"), effort=Effort(0.01))
    end_threads()  # a forked process would not have them
