"""The part of the view on bags that are known only when they arrive: release by release."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from core.say.words import NOTHING, Sense, amount, share
from core.stretch.share_words import later_by
from core.stretch.shares import FairShares
from core.stretch.tasks.online import ONLINE_POLICY, OnlineStep
from core.stretch.tasks.policies import TASK_POLICIES
from dashboard.shell.background import Job
from dashboard.stretch.answer import AskedShares
from dashboard.stretch.desk import BagsDesk
from dashboard.stretch.whole_tasks import may_replay, stepping
from dashboard.workspace import asking

PAGE: Final = "arrivals"
_JOB: Final = "online"


def ask_online(desk: BagsDesk, answer: FairShares) -> Job[Sequence[OnlineStep]] | None:
    """The plans made at each release, if whole tasks were asked for."""
    if not desk.whole or not may_replay(answer):
        return None
    key = AskedShares(desk.system.fingerprint, desk.inputs)
    return asking.jobs(PAGE).ask(_JOB, key, stepping(answer))


def show_online(answer: FairShares, job: Job[Sequence[OnlineStep]] | None) -> None:
    """Who is known at a release, and what is promised then."""
    if job is None or not job.latest:
        return
    steps = job.latest
    clock, span = answer.asked.clock, answer.span
    st.subheader("Online, step by step", anchor=False)
    at = 0
    if len(steps) > 1:
        at = st.select_slider(
            "Release",
            list(range(len(steps))),
            len(steps) - 1,
            format_func=lambda k: clock.said(steps[k].now, Sense.PLAIN, span),
            key=f"stretch.online {len(steps)}",
            help="The policy learns of a bag when it is released, and plans what is left anew.",
        )
    step = steps[at]
    st.markdown(f"**{online_said(answer, step)}**")
    st.dataframe(
        online_table(answer, steps, at),
        hide_index=True,
        height="content",
        alt="What is done of each bag that is known, and by when it can be done",
    )
    st.caption(
        f"{TASK_POLICIES[ONLINE_POLICY].label}. A promise made online is later once others arrive. "
        "Stretches here are multiples of what bags take alone on these machines."
    )


def online_said(answer: FairShares, step: OnlineStep) -> str:
    """What is known at a step."""
    known, bags = int(np.isfinite(step.due).sum()), len(step.due)
    when = answer.asked.clock.said(step.now, Sense.PLAIN, answer.span)
    stretch = amount(step.stretch, Sense.PLAIN)
    return (
        f"At {when}, {known:,} of {bags:,} bags are known. A worst stretch of {stretch} is "
        "possible for them."
    )


def online_table(answer: FairShares, steps: Sequence[OnlineStep], at: int) -> pd.DataFrame:
    """A row for each bag that is known at a step."""
    now, clock, step = answer.now, answer.asked.clock, steps[at]
    known: list[int] = np.flatnonzero(np.isfinite(step.due)).tolist()
    counts = now.bags.work.counts

    def part(left: np.ndarray, k: int) -> str:
        return share(1 - float(left[k]) / float(counts[k]), Sense.PLAIN)

    def moved(k: int) -> str:
        before = steps[at - 1].due[k] if at else np.inf
        return later_by(float(step.due[k] - before)) if np.isfinite(before) else NOTHING

    def promise(k: int) -> str:
        if not step.unfinished[k]:
            return "is done"
        return f"done by {clock.said(float(step.due[k]), Sense.SPENT, answer.span)}"

    return pd.DataFrame(
        {
            "Bag": [now.bags.names[k] for k in known],
            "Promise then": [promise(k) for k in known],
            "Later than before": [moved(k) if step.unfinished[k] else NOTHING for k in known],
            "Sent": [part(step.unsent, k) for k in known],
            "Done": [part(step.unfinished, k) for k in known],
        }
    )
