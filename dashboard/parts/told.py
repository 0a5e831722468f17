"""What an answer says, as pages show it. Charts take the place of some tables."""

from collections.abc import Iterable
from typing import Literal

import pandas as pd
import streamlit as st

from core import System
from core.capabilities.makespan.solve import Solution
from core.engines.front.proven import share_above
from core.engines.relaxed import met_bound
from core.engines.verify.verdict import Verdict
from core.shells.told.told import KeyFigure, Told, ToldTable
from core.vocabulary.say.words import Sense, amount, counted, duration, energy, share
from core.vocabulary.tolerances import SAME
from dashboard.parts.frame import markup


def show_lead(told: Told) -> None:
    """The answer as the headline of the page."""
    st.header(told.lead, anchor=False)


def show_sentences(told: Told) -> None:
    st.html(markup.items(told.sentences))


def show_key_figures(figures: Iterable[KeyFigure], width: int | Literal["content"]) -> None:
    """Key figures with their meaning on hover, each in its own frame."""
    for one in figures:
        st.metric(one.label, one.value, help=one.meaning, border=True, width=width)


def show_table(told: ToldTable) -> None:
    """A table of words, with its note below; its first column stays in sight."""
    rows = pd.DataFrame(told.rows, columns=told.head)
    pinned = {told.head[0]: st.column_config.TextColumn(pinned=True)}
    st.dataframe(rows, hide_index=True, height="content", column_config=pinned, alt=told.title)
    if told.note:
        st.caption(told.note)


def solved_in_words(makespan: float, bound: float) -> str:
    """When all tasks are done, and how much sooner that could be at most; both in seconds."""
    done = duration(makespan, Sense.SPENT)
    gap = share_above(makespan, bound)
    if gap <= SAME:
        return f"Done in {done}. No schedule can be faster."
    return (
        f"Done in {done}. No schedule can be faster than {duration(bound, Sense.LOWER_BOUND)}; "
        f"the gap is at most {share(gap, Sense.UPPER_BOUND)}."
    )


def solution_figures(solution: Solution) -> tuple[KeyFigure, ...]:
    """The key figures, as the judge computed them again."""
    verdict, system = solution.verdict, solution.schedule.system
    joules = verdict.energy
    return (
        KeyFigure(
            "Makespan",
            duration(verdict.makespan, Sense.SPENT),
            f"The time from the start to the end of the last task: "
            f"{_seconds(verdict.makespan, Sense.SPENT)}.",
        ),
        KeyFigure(
            "Lower bound",
            duration(solution.bound.value, Sense.LOWER_BOUND),
            f"No schedule can be shorter than {_seconds(solution.bound.value, Sense.LOWER_BOUND)}. "
            "Duality of linear programming proves this. If every task ran on its fastest machine "
            f"type, the bound would be {_seconds(met_bound(system), Sense.LOWER_BOUND)}.",
        ),
        KeyFigure(
            "Gap",
            share(solution.gap, Sense.UPPER_BOUND),
            "How far the makespan is above the lower bound: makespan / lower bound − 1. The best "
            "schedule is nearer to this one than that, or as near.",
        ),
        *work_figures(verdict, system),
        KeyFigure(
            "Energy",
            "unknown" if joules is None else energy(joules, Sense.SPENT),
            "Unknown without the average power of each pair. Add the table apc."
            if joules is None
            else f"The energy of all machines from the start to the makespan, idle power included: "
            f"{amount(joules, Sense.SPENT, 'J', digits=6)}.",
        ),
    )


def _seconds(value: float, sense: Sense) -> str:
    """With six digits, to compare with other programs."""
    return amount(value, sense, "s", digits=6)


def work_figures(verdict: Verdict, system: System) -> tuple[KeyFigure, KeyFigure]:
    """How many machines run tasks, and for what share of the time."""
    capacity = verdict.busy_seconds + verdict.idle_seconds
    return (
        KeyFigure(
            "Busy",
            share(verdict.busy_seconds / capacity if capacity > 0 else None, Sense.PLAIN),
            "The share of the time of all machines, from the start to the makespan, that they "
            "spend on tasks.",
        ),
        KeyFigure(
            "Machines at work",
            f"{verdict.machines:,}",
            f"Of {counted(system.machines, 'machine')}. They run {counted(verdict.tasks, 'task')}.",
        ),
    )


def show_verdict(verdict: Verdict) -> None:
    if not verdict.ok:
        st.error("The judge found faults in this schedule. Do not use it.")
        for problem in verdict.problems:
            st.text(str(problem))
        return
    with st.popover("Verified", icon=":material/verified:", type="tertiary"):
        st.markdown("The judge, which shares no code with the solvers, found:")
        st.markdown("\n".join(f"- {check}" for check in verdict.checks))
