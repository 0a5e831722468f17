"""The part of the page on energy: what a larger worst stretch saves."""

import math
from typing import Final

import streamlit as st

from core.capabilities.fair_shares.energy_words import energy_said, proof_said
from core.capabilities.fair_shares.shares import FairShares
from core.vocabulary.budget import Cancelled
from core.vocabulary.say.words import Sense, energy
from dashboard.parts.charts.drawing import TOOLS
from dashboard.screens.fair_shares.answer import AskedShares, CheckedFront, tracing
from dashboard.screens.fair_shares.choices import StretchChoices
from dashboard.screens.fair_shares.desk import BagsDesk
from dashboard.screens.fair_shares.energy_chart import energy_figure
from dashboard.server.background import Job
from dashboard.server.gave_up import show_failure
from dashboard.workspace import asking

PAGE: Final = "fair_shares"
_JOB: Final = "energy"


def ask_energy(desk: BagsDesk, answer: FairShares) -> Job[CheckedFront] | None:
    """The front, if the powers are known."""
    if answer.now.bags.system.apc is None:
        return None
    key = AskedShares(desk.system.fingerprint, desk.inputs)
    return asking.jobs(PAGE).ask(_JOB, key, tracing(answer))


def show_energy(job: Job[CheckedFront] | None, choices: StretchChoices) -> None:
    st.subheader("Worst stretch against energy", anchor=False)
    if job is None:
        st.caption("Energy is unknown, as this system has no powers.")
        return
    if job.failure is not None and not isinstance(job.failure, Cancelled):
        show_failure(job.failure)
    found = job.latest
    if found is None:
        st.caption("The front is being traced." if job.running else "The front was stopped.")
        return
    st.markdown(f"**{energy_said(found.front)}**")
    if found.wrong:
        st.error("An independent check disagrees with this front.", icon=":material/error:")
    st.plotly_chart(
        energy_figure(found.front, choices.exact),
        key="stretch_energy",
        config=TOOLS,
        alt=f"Line chart: the least energy for each worst stretch. {energy_said(found.front)}",
    )
    at = found.front.least_energy(choices.exact)
    of_choice = "" if math.isinf(at) else f" At the promised stretch: {energy(at, Sense.SPENT)}."
    st.caption(f"{proof_said(found.front)}{of_choice}")
