"""The exports of the page Provision, and the system that a purchase leads to."""

import json
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.files.names import neutralised
from core.model.arrays import FloatArray
from core.model.problems import InvalidInput
from core.provision.plan import Plan
from core.provision.two_stage import Purchase
from dashboard.common import markup
from dashboard.common.take_away import CSV_MIME, download
from dashboard.provision.answer import METHODS, ProvisionAnswer
from dashboard.workspace import session
from dashboard.workspace.export import file_name
from dashboard.workspace.workspace import Version
from dashboard.workspace.workspace import choose as choose_version

_JSON_MIME = "application/json"
_DECIMALS = 9


def show_provision_downloads(found: ProvisionAnswer) -> None:
    """Buttons for the shopping list, for people and for programs."""
    name = session.workspace().version.title
    list_name = partial(file_name, name, what="purchase")
    csv = partial(shopping_csv, found)
    download("Shopping list (CSV)", csv, list_name(".csv"), CSV_MIME)
    download("Shopping list (JSON)", partial(shopping_json, found), list_name(".json"), _JSON_MIME)


def shopping_csv(found: ProvisionAnswer) -> bytes:
    """A line for each method and machine type: what is bought and sold, and what that costs."""
    plan = found.plan
    rows = []
    for method, one in found.outcomes.items():
        purchase = one.purchase
        cost = purchase.buy * plan.prices - purchase.sell * plan.resales
        for j, offer in enumerate(plan.offers):
            rows.append(
                {
                    "method": METHODS[method],
                    "machine_type": neutralised(offer.name),
                    "count": offer.count,
                    "buy": _clean(purchase.buy[j]),
                    "sell": _clean(purchase.sell[j]),
                    "in the end": _clean(purchase.counts[j]),
                    f"cost ({found.asked.inputs.currency})": _clean(cost[j]),
                }
            )
    return pd.DataFrame(rows).to_csv(index=False, lineterminator="\n").encode()


def shopping_json(found: ProvisionAnswer) -> bytes:
    """By method: what is bought and sold, the expected reward a second and its interval."""
    plan = found.plan
    said = {
        method: {
            "buy": _by_type(plan, one.purchase.buy),
            "sell": _by_type(plan, one.purchase.sell),
            "expected_reward": one.reward,
            "confidence95": [one.value - one.half_width, one.value + one.half_width],
            "mean_value_reward": one.believed,
            "cost": one.purchase.cost,
            "power": one.power,
            "failure_rate": one.failures,
        }
        for method, one in found.outcomes.items()
    }
    decision = found.found.decision
    both = {
        "vss": found.vss,
        "evpi": found.evpi,
        "gap": decision.gap,
        "lower": decision.lower,
        "upper": decision.upper,
        "scenarios": found.file.scenarios.count,
        "seconds": found.seconds,
    }
    return json.dumps({**said, **both}, ensure_ascii=False, indent=1).encode()


def _by_type(plan: Plan, numbers: FloatArray) -> dict[str, float]:
    pairs = zip(plan.offers, numbers.tolist(), strict=True)
    return {offer.name: _clean(number) for offer, number in pairs if _clean(number)}


def _clean(number: float) -> float:
    """Without a solver's rounding."""
    return round(float(number), _DECIMALS) + 0.0


def whole_counts(purchase: Purchase) -> list[int]:
    """The counts that a purchase leads to, rounded to whole machines."""
    return [round(count) for count in purchase.counts.tolist()]


def show_provisioned(found: ProvisionAnswer, *, is_current: bool) -> None:
    """A button that opens the system with what is bought, on the page Trade-offs."""
    counts = whole_counts(found.best.purchase)
    rounded = bool(np.abs(found.best.purchase.counts - counts).max(initial=0.0) > 10**-_DECIMALS)
    if st.button(
        "Open the provisioned system",
        icon=":material/show_chart:",
        disabled=not is_current,
        help="On the page Trade-offs, with the machines that are there in the end"
        + (", rounded to whole machines" if rounded else "")
        + ". Undo on the page System goes back.",
    ):
        version = session.workspace().version
        system = version.system
        try:
            provisioned = system.with_counts(system.task_counts, np.array(counts))
        except InvalidInput as refused:
            st.error("With these machines, not all tasks of the system can run:")
            st.html(markup.problems(refused.problems))
            return
        session.apply(choose_version, Version(provisioned, version.origin, edited=True))
        st.switch_page("trade_offs/page.py")
