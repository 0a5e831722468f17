"""The exports of the page Centre: plan, day, numbers, and the command that computes them."""

import json
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from core.capabilities.centre.answer import CentreAnswer
from core.capabilities.centre.asked import AskedCentre
from core.capabilities.centre.files.centre_writer import write_centre
from core.capabilities.centre.files.day_plan_file import planned_file, write_day_plan
from core.capabilities.centre.method_plan import MethodPlan
from core.capabilities.centre.settings import PlanningSettings
from core.shells.studies.settings import shell_line
from core.shells.told.told import Told
from dashboard.parts.taking.take_away import (
    csv_of,
    download,
    show_command,
    show_study_downloads,
)
from dashboard.screens.centre.state import CentreLook
from dashboard.workspace import session
from dashboard.workspace.export import written_bytes

_CENTRE: Final = "wattfront-centre.zip"


def show_centre_downloads(
    answer: CentreAnswer, shown: MethodPlan, said: Told, look: CentreLook, *, fits: bool
) -> None:
    """Buttons for the plan that is shown, its steps, the centre and all numbers; the command; and
    report and study file, which have the centre if it `fits` there.
    """
    download("Plan (ZIP)", partial(plan_bytes, answer, shown), "wattfront-centre-plan.zip")
    download("Steps of the plan (CSV)", partial(steps_csv, answer, shown), "wattfront-centre.csv")
    download("Centre (ZIP)", partial(centre_bytes, answer), _CENTRE)
    download("All numbers (JSON)", lambda: json.dumps(said.data).encode(), "wattfront-centre.json")
    show_command(command_of(answer, look), "The command that computes this from the centre:")
    if not fits:
        st.caption(
            "This centre is too large for a study file: keep its ZIP. Reports leave it out, too."
        )
    show_study_downloads(session.system())


def plan_bytes(answer: CentreAnswer, shown: MethodPlan) -> bytes:
    """The files of a plan, which `wattfront verify` judges."""
    if shown.found is None or shown.verdict is None:
        return b""
    planned = planned_file(answer.file, shown.found.plan, shown.verdict, shown.method)
    return written_bytes(partial(write_day_plan, planned), ".zip")


def centre_bytes(answer: CentreAnswer) -> bytes:
    """The files of the centre, which every page and the command can open."""
    return written_bytes(partial(write_centre, answer.file), ".zip")


def steps_csv(answer: CentreAnswer, shown: MethodPlan) -> bytes:
    """A line for each step: seconds since the day began, watts, and temperatures."""
    found, measures = shown.found, shown.measures
    if found is None or measures is None:
        return b""
    day = answer.file.day()
    columns = {
        "time": [step * day.step for step in range(day.steps)],
        **{
            f"{name}_watts": getattr(measures, name)
            for name in (
                *("busy", "idle", "asleep", "starting", "fans", "compressor"),
                *("power", "grid", "green_used", "over"),
            )
        },
        "target_watts": day.curves.target,
        "green_watts": day.curves.green,
        "price": day.curves.price,
        "carbon": day.curves.carbon,
        "outside": day.curves.outside,
        "inside": measures.inside[:-1],
        **{f"awake_{place + 1}": levels for place, levels in enumerate(found.plan.awake)},
    }
    return csv_of(pd.DataFrame(columns))


def command_of(answer: CentreAnswer, look: CentreLook) -> str:
    """The command line that computes the same."""
    planning = PlanningSettings(look.methods, look.forecast)
    words = AskedCentre(answer.file, settings=answer.asked, planning=planning).words
    return shell_line("wattfront", "centre", _CENTRE, *words)
