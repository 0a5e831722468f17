"""Whose outcome is looked at, and what each unit of a pool runs in it."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from core.capabilities.arrivals.labels import policy_label
from dashboard.parts.fields.setting import show_field
from dashboard.parts.replays.gantt_chart import busiest_pool, choose_pool, show_pool
from dashboard.parts.replays.replaying import ArrivalsFound
from dashboard.parts.replays.state import ReplayState
from dashboard.workspace import session


def choose_policy(
    state: ReplayState,
    found: ArrivalsFound,
    *,
    beside: bool = False,
    among: Collection[str] | None = None,
    **how: Any,
) -> str:
    """One of the policies with a record, or of those `among` them; if none was chosen, the best,
    or beside it the next.
    """
    names = [name for name in found.shown.ranked if name in (among or found.records)]
    look, which = state.closer_look(), "beside" if beside else "policy"
    wanted = look.beside if beside else look.policy
    if wanted not in names:
        first = look.policy if look.policy in names else names[0]
        wanted = next((name for name in names if name != first), first) if beside else first
    shown = replace(look, beside=wanted) if beside else replace(look, policy=wanted)
    how |= {"options": names, "width": 320}
    chosen: str = show_field(f"{state.page}.look", state.take_look, shown, which, **how)
    return chosen


def show_units(state: ReplayState, found: ArrivalsFound, policy: str) -> None:
    outcome, chosen = found.records[policy], state.closer_look().pool
    if chosen is None or chosen >= len(outcome.workload.pools):
        chosen = busiest_pool(outcome)
    key = session.fresh_key(f"{state.page}.look.pool", chosen)
    pool = choose_pool(outcome, chosen, key, on_change=state.take_look, args=("pool", key))
    show_pool(outcome, pool, f"{state.page}_gantt", policy_label(policy))
