"""The exports of the page Fair shares: promises, the plan, the bags, and the command."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import pandas as pd

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.beside import additions_of
from core.capabilities.fair_shares.plan import FluidPlan
from core.capabilities.fair_shares.shares import FairShares
from core.files.system_file import write_beside
from dashboard.parts.taking.take_away import (
    csv_of,
    download,
    show_command,
    show_study_downloads,
)
from dashboard.screens.fair_shares.dates_chart import name_of_worker
from dashboard.workspace import session
from dashboard.workspace.export import written_bytes

FILE: Final = "wattfront-fair-shares"


def show_shares_downloads(found: FairShares) -> None:
    """Buttons for promises, plan and bags; report and study file of the system in force."""
    download("Promises (CSV)", partial(promises_csv, found), f"{FILE}.csv")
    download("Plan (CSV)", partial(plan_csv, found.now.plan), f"{FILE}-plan.csv")
    name = f"{FILE}-bags.zip"
    download("Bags and network (ZIP)", partial(bags_bytes, found.asked.bags), name)
    what = "without the what-if, " if found.after is not None else ""
    show_command(
        f"wattfront fair-shares {name}",
        f"The command for these bags, {what}as they are in the ZIP:",
    )
    show_study_downloads(session.system())


def promises_csv(found: FairShares) -> bytes:
    """A line for each bag, in seconds since time 0."""
    now = found.now
    bags = now.bags
    columns = {
        "bag": list(bags.names),
        "tasks": bags.system.task_counts[bags.present],
        "release": bags.release[bags.present],
        "alone": now.baseline,
        "promise": now.deadlines,
        "planned_end": now.plan.ends,
    }
    if found.after is not None:
        before = found.before.deadlines.tolist()
        columns["promise_before"] = before + [None] * (len(bags.present) - len(before))
    return csv_of(pd.DataFrame(columns))


def plan_csv(plan: FluidPlan) -> bytes:
    """A line for each bag, worker and interval with work: seconds since time 0, and tasks."""
    return csv_of(pd.DataFrame(_plan_rows(plan)))


def _plan_rows(plan: FluidPlan) -> Iterator[dict[str, object]]:
    dates = plan.dates.tolist()
    for k, name in enumerate(plan.bags.names):
        for u, types in enumerate(plan.bags.work.machine_types):
            for j in range(len(dates) - 1):
                sent, computed = float(plan.sent[k, u, j]), float(plan.computed[k, u, j])
                if sent or computed:
                    yield {
                        "bag": name,
                        "machines": name_of_worker(plan.bags, types),
                        "begin": dates[j],
                        "end": dates[j + 1],
                        "sent": sent,
                        "computed": computed,
                    }


def bags_bytes(bags: ArrivingBags) -> bytes:
    """The system with its network, in the upload format."""
    return written_bytes(partial(_write, bags), ".zip")


def _write(bags: ArrivingBags, path: Path) -> None:
    write_beside(bags.system, path, additions_of(bags))
