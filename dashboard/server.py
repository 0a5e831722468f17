"""The dashboard's server: Streamlit's own, which loads what every page needs before anybody asks.

Run as `python -m dashboard.server run dashboard/app.py`, with Streamlit's options.
"""

import gc
import sys
import threading
from typing import Final


def serve() -> int:
    """Until it is stopped."""
    gc.disable()  # what is loaded stays, and to look through it takes a quarter of the start
    from streamlit.web.cli import main

    sys.setswitchinterval(_HAND_OVER_SECONDS)
    threading.Thread(target=load, daemon=True, name="loading").start()
    status: int = main(prog_name="streamlit")
    return status


def load() -> None:
    """Imports, and a study so small that it takes no time: its kernels are then in memory."""
    from core.samples import load_sample
    from core.study import study
    from dashboard.charts import front, front_regions, heat_map  # noqa: F401

    try:
        study(load_sample("two-by-two"), seconds=0.01)
    finally:
        gc.freeze()
        gc.enable()


# What polishes behind the pages hands over to them this soon; by default, five times as late.
_HAND_OVER_SECONDS: Final = 0.001

if __name__ == "__main__":
    sys.exit(serve())
