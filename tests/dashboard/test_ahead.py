"""What draws charts is asked for before anything that takes long."""

import subprocess
import sys

from pages import Open

from dashboard.ahead import CHART


def test_somebody_new_loads_what_draws_charts_and_nobody_else(open_page: Open) -> None:
    page = open_page("about")
    opened = [chart.key for chart in page.get("plotly_chart")]
    page.run()
    assert CHART in opened
    assert CHART not in [chart.key for chart in page.get("plotly_chart")]


def test_it_waits_for_no_solver() -> None:
    loaded = "import sys, dashboard.ahead; print(*sys.modules)"
    run = [sys.executable, "-c", loaded]
    names = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    assert "dashboard.ahead" in names
    assert not {"core", "numba", "scipy"} & set(names)
