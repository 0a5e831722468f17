"""What counts how much on a day of value of service: its weights and its value functions."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

import numpy as np
import pandas as pd
import streamlit as st

from core.capabilities.arrivals.asked import ArrivalsSettings, GivenWorkload, WorkloadName
from core.capabilities.arrivals.made.recipes import drawn
from core.capabilities.arrivals.study_block import digest_of
from core.engines.replay.value import JobValues, ValueFunctions, ValueWeights
from core.vocabulary.arrays import BoolArray, IntArray
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.units import energy_unit, round_step, time_unit
from core.vocabulary.say.words import typed
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.in_browser import ValueHandles, show_value_function
from dashboard.parts.fields.setting import show_field
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import show_problems
from dashboard.parts.tables.editor import height_of, show_grid
from dashboard.screens.arrivals.state import STATE
from dashboard.server.guard import callback
from dashboard.workspace import edits, session

Factors = tuple[float, float, float]
"""Something of the soft threshold, of the hard one, and of the least value."""
ValueOf = Literal["time", "energy"]
_CHANGED: Final = "arrivals.value changed"
_FAULTS: Final = "arrivals.value faults"
_EDITOR: Final = "arrivals.value.weights"
_SHOWN: Final = "arrivals.value.weights shown"
_MOST_LINES: Final = 40
_TICKS: Final = 5
_FAR: Final = 1e9
"""A browser is told of no threshold beyond; some are never reached."""
_CATEGORY: Final = st.column_config.TextColumn(disabled=True, pinned=True)
_WEIGHT: Final = st.column_config.NumberColumn(min_value=0.0, max_value=1e6, required=True)
_TITLES: Final[dict[ValueOf, str]] = {
    "time": "Time from arrival to end",
    "energy": "Energy of the job",
}


@dataclass(frozen=True, eq=False)
class ChangedValues:
    """A day with other weights, and value functions of categories that are so many times as wide or
    as high. Without `drawn`, a name of workloads, the one `before` was given.
    """

    before: GivenWorkload
    values: JobValues
    weights: ValueWeights
    drawn: WorkloadName | None = None
    factors: Mapping[tuple[int, ValueOf], Factors] = field(default_factory=dict)

    @property
    def changed(self) -> JobValues:
        """The value functions and weights after the changes."""
        found = replace(self.values, weights=self.weights)
        for (category, of), factors in self.factors.items():
            function = getattr(found, of).scaled(found.category == category, *factors)
            found = replace(found, **{of: function})
        return found

    @property
    def given(self) -> GivenWorkload:
        """The day with them, as a workload of a person's own. Raises `InvalidInput` if a job would
        be worth nothing on any option.
        """
        before = self.before
        changes = before.digest, _mark(self.weights), self.factors
        return replace(
            before,
            name=f"{before.name}, with other values",
            digest=digest_of(repr(changes).encode()),
            file=before.file.with_values(self.changed),
            of_study=False,
        )


def changed_values(settings: ArrivalsSettings) -> ChangedValues | None:
    """The day in force with what was changed of it; None if its jobs have no value functions."""
    if settings.is_given and (changes := _changes()) is not None:
        return changes
    recipe, before, name = settings.recipe, STATE.given(), None
    if recipe is not None:
        file, name = drawn(recipe.name, settings.seed), settings.workload
        before = GivenWorkload(file.workload.name, file.workload.name, file)
    if before is None or (values := before.file.values) is None:
        return None
    return ChangedValues(before, values, values.weights, name)


def _changes() -> ChangedValues | None:
    """What was changed of the workload that is given; None if nothing was."""
    before: tuple[str, ChangedValues] | None = st.session_state.get(_CHANGED)
    given = STATE.given()
    return before[1] if before and given and before[0] == given.digest else None


def _take(now: ChangedValues) -> None:
    """Replays the day with these values, or says why it cannot be."""
    try:
        given = now.given
    except InvalidInput as refused:
        st.session_state[_FAULTS] = refused.problems
        return
    st.session_state.pop(_FAULTS, None)
    st.session_state[_CHANGED] = given.digest, now
    STATE.give(given)


def _take_back(now: ChangedValues) -> None:
    st.session_state.pop(_CHANGED, None)
    if now.drawn is None:
        STATE.give(now.before)
    else:
        STATE.take_up(now.drawn)
        STATE.ask()


def show_value(settings: ArrivalsSettings) -> None:
    """Cores and memory of a day that is drawn, and how much time and energy count."""
    with st.popover("Value", icon=":material/paid:"):
        if settings.workload == "value":
            for name in ("cores", "memory"):
                show_field("arrivals", STATE.take, settings, name)
        show_field("arrivals", STATE.take, settings, "memory_weight")
        now = changed_values(settings)
        if now is None:
            st.caption("The file says what each option adds, and not by which weights.")
            return
        _show_weights(now)
        if settings.is_given and _changes() is not None:
            show_button("Take all changes back", _take_back, now, icon="undo")


def _show_weights(now: ChangedValues) -> None:
    weights = now.weights
    st.markdown("**How much time and energy count**")
    key = editor_key(weights)
    begun = edits.begun_with(key, f"wattfront.{_EDITOR}", weights)
    frame = weights_frame(begun)
    columns: dict[str, Any] = dict.fromkeys(frame.columns[1:], _WEIGHT)

    @callback
    def take() -> None:
        state = st.session_state.get(key, {})
        typed = typed_weights(begun, state.get("edited_rows", {}))
        st.session_state[_SHOWN] = _mark(typed)
        _take(replace(now, weights=typed))

    alt = "Table to edit: weights by category and period"
    how = {"Category": _CATEGORY, **columns}
    show_grid(frame, key, take=take, columns=how, height=height_of(frame), alt=alt)
    st.html(markup.note(f"Periods by the hour of submission: {periods_said(weights)}."))
    tariff = session.site().day
    if tariff is not None:
        priced = replace(now, weights=weights.at_prices(tariff.of_hours))
        is_priced = weights.periods != now.values.weights.periods
        label = "Let energy count as it costs in each hour"
        show_button(label, _take, priced, icon="schedule", disabled=is_priced)


def editor_key(weights: ValueWeights) -> str:
    """The key of the editor of these weights; another one if they were changed elsewhere."""
    if st.session_state.get(_SHOWN) != _mark(weights):
        session.renew(_EDITOR)
        st.session_state[_SHOWN] = _mark(weights)
    return f"{_EDITOR} {session.turn(_EDITOR)}"


def _mark(weights: ValueWeights) -> str:
    """What tells weights from others."""
    tables = weights.time.tolist(), weights.energy.tolist(), weights.period.tolist()
    return repr((weights.categories, weights.periods, tables))


def weights_frame(weights: ValueWeights) -> pd.DataFrame:
    """A row for each category, and two columns for each period."""
    columns: dict[str, Any] = {"Category": weights.categories}
    for period, name in enumerate(weights.periods):
        for of, table in (("time", weights.time), ("energy", weights.energy)):
            columns[f"{name}: {of}"] = table[:, period].tolist()
    return pd.DataFrame(columns)


def typed_weights(
    weights: ValueWeights, edited: Mapping[int, Mapping[str, float | None]]
) -> ValueWeights:
    """The weights after edits, as Streamlit reports them; a blank cell is 0."""
    time, energy = weights.time.copy(), weights.energy.copy()
    for row, cells in edited.items():
        for title, value in cells.items():
            period, _, of = title.rpartition(": ")
            table = time if of == "time" else energy
            table[int(row), weights.periods.index(period)] = value or 0.0
    return replace(weights, time=time, energy=energy)


def periods_said(weights: ValueWeights) -> str:
    """The hours of each period: "low 0 to 4 h; medium 4 to 10 and 18 to 24 h"."""
    edges = np.flatnonzero(np.diff(weights.period, prepend=-1, append=-1))
    spans: dict[int, list[str]] = {}
    for begin, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        spans.setdefault(int(weights.period[begin]), []).append(f"{begin} to {end}")
    return "; ".join(
        f"{weights.periods[one]} {' and '.join(mine)} h" for one, mine in sorted(spans.items())
    )


def show_functions(now: ChangedValues) -> None:
    """The value functions of a category, with handles on that of its middle job."""
    categories, values = now.weights.categories, now.changed
    st.markdown("**What a job is worth over its time, and over its energy**")
    category = st.selectbox(
        "Category",
        range(len(categories)),
        format_func=lambda one: categories[one] or "all jobs",
        key="arrivals.value.category",
        width=280,
    )
    problems: tuple[Problem, ...] = st.session_state.get(_FAULTS, ())
    if problems:
        show_problems("This change is not in force:", problems)
    mine = values.category == category
    if not mine.any():
        st.caption("No job is of this category.")
        return
    sides: tuple[ValueOf, ...] = ("time", "energy")
    for place, of in zip(st.columns(2, gap="large"), sides, strict=True):
        with place:
            _show_function(now, category, of, mine)
    st.caption(
        "The thick line is that of the middle job of the category, thin lines are those of others. "
        "A handle moves the thresholds of all jobs of the category by the same factor."
    )


def _show_function(now: ChangedValues, category: int, of: ValueOf, mine: BoolArray) -> None:
    function: ValueFunctions = getattr(now.changed, of)
    begun = middle_of(getattr(now.values, of), mine)
    at = middle_of(function, mine)
    if not np.isfinite(at[1]):
        st.caption(f"{_TITLES[of]}: the value never falls to nothing.")
        return
    unit = (time_unit if of == "time" else energy_unit)(at[1])
    end = 1.5 * at[1] / unit.size
    step = round_step(end / _TICKS)

    def take(soft: float, hard: float, least: float) -> None:
        moved = soft * unit.size, hard * unit.size, least
        factors = times(moved, begun)
        _take(replace(now, factors={**now.factors, (category, of): factors}))

    rows = np.flatnonzero(mine)
    some = rows[np.linspace(0, len(rows) - 1, min(len(rows), _MOST_LINES)).astype(int)]
    others = [_shown(middle_of(function, np.array([one])), unit.size) for one in some.tolist()]
    handles = ValueHandles(
        _shown(at, unit.size),
        others,
        end,
        [float(typed(one)) for one in np.arange(0.0, end, step)],
        unit.symbol,
        f"{_TITLES[of]} ({unit.symbol})",
    )
    show_value_function(f"arrivals.value.{of}", handles, take)


def times(moved: Factors, begun: Factors) -> Factors:
    """How many times as large each is; 1 where it was 0."""
    soft, hard, least = (
        one / first if first > 0.0 else 1.0 for one, first in zip(moved, begun, strict=True)
    )
    return soft, hard, least


def middle_of(function: ValueFunctions, jobs: BoolArray | IntArray) -> Factors:
    """The medians of the thresholds of some jobs, and of their least values as shares."""
    soft, hard, most, least = (one[jobs] for one in function)
    shares = np.divide(least, most, out=np.zeros(len(most)), where=most > 0.0)
    middle = (float(np.median(one)) for one in (soft, hard, shares))
    return next(middle), next(middle), next(middle)


def _shown(parts: Factors, size: float) -> Factors:
    soft, hard, least = parts
    return min(soft / size, _FAR), min(hard / size, _FAR), least
