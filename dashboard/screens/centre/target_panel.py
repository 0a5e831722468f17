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
from dashboard.parts.fields.setting import show_field
from dashboard.screens.centre import state
from dashboard.screens.centre.clock_axis import CentreClock
from dashboard.screens.centre.inputs import WATTS, CentreInputs, target_corners
from dashboard.screens.centre.state import CentreDesk
from dashboard.server.guard import callback

_FAULT: Final = "centre.target fault"


def show_target(desk: CentreDesk) -> None:
    """The field for the target, and why what was typed last is none."""
    show_field("centre", _take_text, desk.inputs, "target", placeholder="as in the files")
    fault: tuple[str, CentreInputs, str] | None = st.session_state.get(_FAULT)
    if fault is not None and fault[:2] == (desk.name, desk.inputs):
        st.error(fault[2], icon=":material/error:")


@callback
def _take_text(name: str, key: str) -> None:
    del name
    st.session_state.pop(_FAULT, None)
    try:
        state.set_target(read_target(st.session_state[key]))
    except InvalidInput as refused:
        desk = state.current()
        why = str(refused).removeprefix("error: ")
        st.session_state[_FAULT] = desk.name, desk.inputs, f"The target stays as it is: {why}"


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
