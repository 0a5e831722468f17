"""What worker processes have loaded before there is anything to do."""

import core.profit.accept
import core.profit.curve
import core.profit.earn
import core.profit.region
import core.profit.sweep
import core.rivals
import core.solve  # noqa: F401
from core.samples import load_sample
from core.study import study


def prepare() -> None:
    """Takes no time, and has the kernels in memory."""
    study(load_sample("two-by-two"), seconds=0.01)
