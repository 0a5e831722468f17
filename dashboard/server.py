"""The dashboard's server: Streamlit's own, which loads what every page needs before anybody asks.

Run as `python -m dashboard.server run dashboard/web.py`, with Streamlit's options.
"""

import sys
import threading
from typing import Final

from streamlit.web.cli import main


def load() -> None:
    """Imports, and a study so small that it takes no time: its kernels are then in memory."""
    from core.samples import load_sample
    from core.study import study
    from dashboard.charts import front, front_regions, heat_map  # noqa: F401

    study(load_sample("two-by-two"), seconds=0.01)


# What polishes behind the pages hands over to them this soon; by default, five times as late.
_HAND_OVER_SECONDS: Final = 0.001

if __name__ == "__main__":
    sys.setswitchinterval(_HAND_OVER_SECONDS)
    threading.Thread(target=load, daemon=True, name="loading").start()
    sys.exit(main(prog_name="streamlit"))
