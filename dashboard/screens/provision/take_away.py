"""The exports of the page What to buy, and the system that a purchase leads to."""

import json
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.capabilities.provision.answer import as_data
from core.capabilities.provision.files.plan_file import PlanFile
from core.capabilities.provision.files.plan_format import write_plan
from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.study_block import ProvisionSettings, commands
from core.capabilities.provision.words import DECIDED, METHODS
from core.files.sheet import neutralised
from core.vocabulary.problems import InvalidInput
from dashboard.parts.frame import markup
from dashboard.parts.taking.take_away import csv_of, download, show_study_downloads
from dashboard.screens.provision.answer import GoalFound, ProvisionAnswer
from dashboard.workspace import session
from dashboard.workspace.export import file_name, written_bytes
from dashboard.workspace.workspace import Version
from dashboard.workspace.workspace import choose as choose_version

_DECIMALS = 9


def show_downloads(found: ProvisionAnswer | GoalFound) -> None:
    """Buttons for the shopping list, the plan, the report and a study, and the command."""
    inputs = found.asked.inputs
    every = partial(shopping_json, found)
    if isinstance(found, GoalFound):
        file = found.answer.file
        _show_lists(file, found.purchases, every)
        asked = ProvisionSettings(file, inputs.goal, sought=inputs.sought)
        _show_plan(asked, file)
        return
    busy = "Wait until the search is finished." if found.fresh is None else None
    purchases = {DECIDED[method]: one.purchase for method, one in found.outcomes.items()}
    _show_lists(found.file, purchases, every, busy)
    asked = ProvisionSettings(found.file, whole=inputs.whole, caution=inputs.caution)
    _show_plan(asked, found.file)


def _show_lists(
    file: PlanFile,
    purchases: Mapping[str, Purchase],
    every: Callable[[], bytes],
    busy: str | None = None,
) -> None:
    list_name = partial(file_name, session.workspace().version.title, what="purchase")
    csv = partial(shopping_csv, file, purchases)
    download("Shopping list (CSV)", csv, list_name(".csv"))
    download("Shopping list (JSON)", every, list_name(".json"), busy)


def _show_plan(asked: ProvisionSettings, file: PlanFile) -> None:
    """The plan, the command that decides it, the report and a study."""
    plan_name = file_name(session.workspace().version.title, ".zip", "plan")
    plan = partial(written_bytes, partial(write_plan, file), ".zip")
    download("Plan (ZIP of CSV tables)", plan, plan_name)
    st.caption("The command that finds what to buy with this plan:")
    (flags,) = commands(asked)
    if asked.of_week is not None:  # a plan does not say in which hours work arrives
        plan_name = file_name(session.workspace().version.title, ".json", "study")
    command = " ".join(["wattfront provision", plan_name, *map(str, flags)])
    st.code(command, language="bash", wrap_lines=True)
    show_study_downloads(session.system())


def shopping_csv(file: PlanFile, purchases: Mapping[str, Purchase]) -> bytes:
    """A line for each purchase and machine type: what is bought and sold, and what that costs."""
    plan = file.plan
    rows = []
    for title, purchase in purchases.items():
        cost = purchase.buy * plan.prices - purchase.sell * plan.resales
        for j, offer in enumerate(plan.offers):
            rows.append(
                {
                    "method": title,
                    "machine_type": neutralised(offer.name),
                    "count": offer.count,
                    "buy": _clean(purchase.buy[j]),
                    "sell": _clean(purchase.sell[j]),
                    "in the end": _clean(purchase.counts[j]),
                    f"cost ({file.currency})": _clean(cost[j]),
                }
            )
    return csv_of(pd.DataFrame(rows))


def shopping_json(found: ProvisionAnswer | GoalFound) -> bytes:
    """What `wattfront provision --json` says, also with another objective."""
    if isinstance(found, ProvisionAnswer) and found.fresh is None:
        return b""
    data = (
        found.told(session.site()).data
        if isinstance(found, GoalFound)
        else as_data(found, [*METHODS])
    )
    return json.dumps(data, ensure_ascii=False, indent=1).encode()


def _clean(number: float) -> float:
    """Without a solver's rounding."""
    return round(float(number), _DECIMALS) + 0.0


def whole_counts(purchase: Purchase) -> list[int]:
    """The counts that a purchase leads to, rounded to whole machines."""
    return [round(count) for count in purchase.counts.tolist()]


def show_provisioned(purchase: Purchase, *, is_current: bool) -> None:
    """A button that opens the system with what is bought, on the page Trade-offs."""
    counts = whole_counts(purchase)
    rounded = bool(np.abs(purchase.counts - counts).max(initial=0.0) > 10**-_DECIMALS)
    if st.button(
        "Open the provisioned system",
        icon=":material/show_chart:",
        disabled=not is_current,
        help="On the page Trade-offs, with the machines that are there in the end"
        + (", rounded to whole machines" if rounded else "")
        + ". Undo on the page Machines goes back.",
    ):
        version = session.workspace().version
        system = version.system
        try:
            provisioned = system.with_counts(system.task_counts, np.array(counts))
        except InvalidInput as refused:
            st.error("With these machines, not all tasks of the system can run:")
            st.html(markup.problems(refused.problems))
            return
        opened = Version(provisioned, version.origin, edited=True, seen=version.seen)
        session.apply(choose_version, opened)
        st.switch_page("screens/trade_offs/page.py")
