"""The target power: as text by the hour of the clock, and handles on its corners in the chart."""

from typing import Final

import streamlit as st

from core.capabilities.centre.files.centre_file import CentreFile
from core.shells.settings.by_hour import read_steps
from core.vocabulary.prices.day import DailySteps
from core.vocabulary.problems import InvalidInput
from core.vocabulary.say.units import Unit
from core.vocabulary.say.words import DAY, HOUR
from core.vocabulary.setting import ByHour, settings_in
from core.vocabulary.tolerances import SAME
from dashboard.parts.fields.in_browser import MOST_CORNERS, StepHandles, show_step_handles
from dashboard.parts.fields.setting import show_widget
from dashboard.screens.centre import state
from dashboard.screens.centre.clock_axis import CentreClock
from dashboard.screens.centre.inputs import WATTS, CentreInputs, target_corners
from dashboard.screens.centre.state import CentreDesk
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.parameters import written_pairs

_FAULT: Final = "centre.target fault"


def show_target(desk: CentreDesk) -> None:
    """The field for the target, and why what was typed last is none."""
    fault: tuple[str, CentreInputs, str, str] | None = st.session_state.get(_FAULT)
    if fault is not None and fault[:2] != (desk.name, desk.inputs):
        fault = None
    said = written_pairs(dict(desk.inputs.target)) if fault is None else fault[2]
    key = session.fresh_key("centre.target", said)
    show_widget(
        desk.inputs,
        "target",
        value=said,
        key=key,
        placeholder="as in the files",
        on_change=_take_text,
        args=(key,),
    )
    if fault is not None:
        st.error(fault[3], icon=":material/error:")


@callback
def _take_text(key: str) -> None:
    text = st.session_state[key]
    st.session_state.pop(_FAULT, None)
    try:
        state.set_target(read_target(text))
    except InvalidInput as refused:
        desk = state.current()
        why = f"The target stays as it is: {str(refused).removeprefix('error: ')}"
        st.session_state[_FAULT] = desk.name, desk.inputs, text, why


def read_target(text: str) -> DailySteps:
    """Kilowatts from each hour on, with spaces or commas between them. Raises `InvalidInput`."""
    kind, steps = settings_in(CentreInputs)["target"].kind, ",".join(text.replace(",", " ").split())
    if not steps or not isinstance(kind, ByHour):
        return ()
    return read_steps(steps, kind, "", "or leave it empty for that of the files")


def has_target(file: CentreFile) -> bool:
    """Whether the centre could draw more than its target."""
    return bool((file.day().curves.target < file.most_watts).any())


def show_target_handles(file: CentreFile, unit: Unit, most: float) -> None:
    """Handles on the corners of the target in the chart, which reaches up to `most` watts; none if
    there is no target, or one with many corners, or that differs from day to day.
    """
    corners = target_corners(file, file.day().curves.target)
    if not has_target(file) or len(corners) > MOST_CORNERS or file.grid.seconds > DAY * (1 + SAME):
        return
    clock, grid = CentreClock.of(file.grid), file.grid

    def take(moved: list[tuple[float, float]]) -> None:
        # A clock that is moved back shows an hour twice: the later one holds.
        levels = {clock.hour(at * HOUR): level * unit.size / WATTS for at, level in moved}
        state.set_target(tuple(levels.items()))

    handles = StepHandles(
        [(at / HOUR, min(level, most) / unit.size) for at, level in corners],
        grid.seconds / HOUR,
        grid.step / HOUR,
        [clock.said(step * grid.step) for step in range(grid.steps)],
        most / unit.size,
        unit.symbol,
        "Target power",
    )
    show_step_handles("centre-day", handles, take)
