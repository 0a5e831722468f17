"""The part of the page Arrivals on bags with uncertain run times."""

from typing import Final

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.arrivals.asked import ArrivalsSettings
from core.arrivals.bag_trials import BagTrials
from core.arrivals.uncertain_methods import BAG_METHODS
from core.arrivals.words import bags_lead, mean_in_unit
from core.say.words import NOTHING, Sense, change, share
from dashboard.arrivals import state
from dashboard.arrivals.boxes_chart import boxes_figure
from dashboard.arrivals.ending import show_end
from dashboard.arrivals.replaying import AskedReplays
from dashboard.arrivals.robust import trying_bags
from dashboard.common.drawing import TOOLS
from dashboard.shell.background import Job, patience
from dashboard.workspace import asking

PAGE: Final = "arrivals"
_JOB: Final = "bags"
_PATIENCE: Final = 1.0


def ask_bags(asked: AskedReplays) -> Job[BagTrials]:
    before = asked.before if isinstance(asked.before, BagTrials) else None
    job = asking.jobs(PAGE).ask(_JOB, asked.turn, trying_bags(asked.settings, before))
    job.wait(1, patience(_PATIENCE))
    return job


def show_bags(job: Job[BagTrials], settings: ArrivalsSettings, headline: DeltaGenerator) -> None:
    """Expected against actual makespan and energy of each method."""
    show_end(job, "The runs")
    found = job.latest
    if found is None:
        if job.running:
            st.caption("The first bag is being run. Progress is at the top of the page.")
        return
    state.keep(found)
    with headline:
        st.header(bags_lead(found), anchor=False)
        if found.settings != settings:
            st.caption(
                ":material/history: This answer is for earlier settings. Press “Replay” for the "
                "present ones."
            )
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Makespan", anchor=False)
        st.plotly_chart(
            boxes_figure(found, "seconds"),
            key="arrivals_makespans",
            config=TOOLS,
            alt="Box chart: expected and actual makespan of each method",
        )
    with right:
        st.subheader("Energy", anchor=False)
        st.plotly_chart(
            boxes_figure(found, "joules"),
            key="arrivals_energies",
            config=TOOLS,
            alt="Box chart: expected and actual energy of each method",
        )
    explained = "A box is the middle half of all bags; its line is the median."
    if found.bound("seconds") is not None:
        explained += (
            " The dashed line is the mean of the lower bounds: what no method could have beaten, "
            "had it known how long each task takes."
        )
    st.caption(explained)
    st.dataframe(
        bags_table(found),
        hide_index=True,
        height="content",
        alt="Expected and actual makespan and energy of each method",
    )


def bags_table(found: BagTrials) -> pd.DataFrame:
    """A row for each method: means over all bags, and what is actual against what was expected."""

    def off(method: str, figure: str) -> str:
        expected = found.mean(method, f"expected_{figure}").mean
        return change(found.mean(method, figure).mean / expected - 1) if expected else "–"

    def above(method: str, figure: str) -> str:
        part = found.above_bound(method, figure)
        return NOTHING if part is None else f"at most {share(part.mean, Sense.UPPER_BOUND)}"

    methods = found.methods
    columns: dict[str, list[str]] = {"Method": [BAG_METHODS[one].label for one in methods]}
    for title, figure in (("makespan", "seconds"), ("energy", "joules")):
        unit = found.unit(figure)
        columns[f"Expected {title}"] = [
            mean_in_unit(found.mean(one, f"expected_{figure}"), unit) for one in methods
        ]
        columns[f"Actual {title}"] = [
            mean_in_unit(found.mean(one, figure), unit) for one in methods
        ]
        columns[f"Difference of {title}"] = [off(one, figure) for one in methods]
        if found.bound(figure) is not None:
            columns[f"{title.capitalize()} above the bound"] = [
                above(one, figure) for one in methods
            ]
    return pd.DataFrame(columns)
