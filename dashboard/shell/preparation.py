"""What worker processes have loaded before there is anything to do.

Not pandas: it has a thread of its own, which would not be there in what is forked.
"""

from core import Effort, load_sample, study
from core.lp.program import end_threads


def prepare() -> None:
    """Takes no time, and has the kernels in memory. Leaves no thread behind."""
    study(load_sample("two-by-two"), effort=Effort(0.01))
    end_threads()  # whose threads would not be there, either
