"""The dashboard's server: Streamlit's own, which loads what every page needs before anybody asks.

Run as `python -m dashboard.server run dashboard/web.py`, with Streamlit's options.
"""

import gc
import sys
import threading

from dashboard.loading import load
from dashboard.logic.processes import WORKERS


def serve() -> int:
    """Until it is stopped."""
    gc.disable()  # what is loaded stays, and to look through it takes a quarter of the start
    WORKERS.begin()  # beside this process, which loads something else meanwhile
    from streamlit.web.cli import main

    threading.Thread(target=_load_ahead, daemon=True, name="loading").start()
    status: int = main(prog_name="streamlit")
    return status


def _load_ahead() -> None:
    try:
        load()
    finally:
        gc.freeze()
        gc.enable()


if __name__ == "__main__":
    sys.exit(serve())
