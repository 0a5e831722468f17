"""The help drawer of each page: how to read its charts, what terms mean, and what is proven."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Final

import streamlit as st

from dashboard.pages import HowToRead, Page
from dashboard.parts.fields.buttons import is_dialog_in_front, show_button, show_dialog


@dataclass(frozen=True, slots=True)
class Definition:
    """A term, its meaning in Markdown, and its formula in LaTeX, if it has one."""

    term: str
    meaning: str
    formula: str = ""


DEFINITIONS: Final = (
    Definition(
        "ETC and APC",
        "ETC is the time in seconds that one task of type $i$ takes on one machine of type $j$. "
        "APC is the average power in watts that the machine draws meanwhile. There are $T_i$ "
        "tasks and $M_j$ machines of these types. An idle machine draws $P_j$ watts.",
        r"ETC_{ij},\quad APC_{ij},\quad T_i,\quad M_j,\quad P_j",
    ),
    Definition(
        "Idle power",
        "The power that an idle machine draws, as a share of its mean power at work. The mean is "
        "taken over all task types that can run on the machine type. 0 % means that a machine "
        "without work is off.",
        r"P_j = \text{share} \cdot \operatorname{mean}_i\, APC_{ij}",
    ),
    Definition(
        "Makespan",
        "The time from the start to the end of the last task. Machine $m$ is of type $j(m)$ and "
        "runs $n_{im}$ tasks of type $i$.",
        r"MS = \max_m \sum_i n_{im}\, ETC_{i\,j(m)}",
    ),
    Definition(
        "Energy",
        "All machines stay on until the last task ends, at work or idle. Waiting costs energy, "
        "too: a schedule that ends sooner saves idle power on every machine. If machines are "
        "switched off when their last task ends, $P_j$ is what one draws asleep, if that is less.",
        r"\begin{aligned} E ={}& \sum_{m,i} n_{im}\, ETC_{i\,j(m)}"
        r" \left(APC_{i\,j(m)} - P_{j(m)}\right) \\ & + MS \sum_j M_j P_j \end{aligned}",
    ),
    Definition(
        "Average and peak power",
        "The average power is the energy divided by the makespan. The peak power is the largest "
        "power that all machines draw together at any moment $t$.",
        r"\bar P = E / MS, \qquad \hat P = \max_t \sum_m P_m(t)",
    ),
    Definition(
        "Busy",
        "The share of the time of all machines, from the start to the makespan, that they spend on "
        "tasks.",
        r"\frac{\sum_{m,i} n_{im}\, ETC_{i\,j(m)}}{MS \sum_j M_j}",
    ),
    Definition(
        "Divisible tasks",
        "Suppose that tasks could be split, and that $\\mu_{ij}$ tasks of type $i$ went to machine "
        "type $j$. A linear program then finds the shortest makespan; its size does not depend on "
        "the number of tasks and machines. No schedule of whole tasks has a shorter makespan.",
        r"\begin{gathered} \min MS \;\text{ with }\; \sum_j \mu_{ij} = T_i, \\"
        r" \sum_i \mu_{ij}\, ETC_{ij} \le M_j\, MS, \quad \mu \ge 0 \end{gathered}",
    ),
    Definition(
        "Lower bound",
        "A value that no schedule is below. Prices prove it: machine type $j$ gets a price "
        "$\\lambda_j \\ge 0$ for each second of a machine, and one second of all machines together "
        "costs at most 1. The dual values of the linear program are the best prices.",
        r"\sum_j M_j \lambda_j \le 1 \;\Rightarrow\; MS \ge \sum_i T_i \min_j \lambda_j\, ETC_{ij}",
    ),
    Definition(
        "From the best, at most (gap)",
        "How far a schedule is above its lower bound, as a share of the bound. A better schedule "
        "can save at most this much. It may save less, because whole tasks cannot always reach "
        "the bound.",
        r"\text{gap} = \frac{\text{value}}{\text{bound}} - 1",
    ),
    Definition(
        "Pareto front",
        "The points at which energy cannot be saved without more time, nor time without more "
        "energy. Each point minimises the energy plus a price for each second of makespan. This "
        "price is its **exchange rate**: the joules that one second less of makespan costs.",
        r"\min\; E + w\, MS \quad \text{for some } w \ge 0",
    ),
    Definition(
        "What a deadline proves",
        "Every edge of the front is part of a line, and no schedule is below that line. For a "
        "deadline $D$ the lines give the least energy that is possible. The same lines answer "
        "energy budgets and power caps.",
        r"E + w_k\, MS \ge v_k \;\Rightarrow\; E \ge \max_k\,(v_k - w_k D)",
    ),
    Definition(
        "Whole tasks on single machines",
        "The lines treat all machines of a type as one pool of time. Patterns of whole tasks prove "
        "more. Give each task of type $i$ any price $\\pi_i$ in joules. $K_j$ is the most that one "
        "machine can collect within a time $T$: the prices of its tasks, less the energy that they "
        "take above idle power. No schedule of makespan $T$ or less takes less energy than this.",
        r"E \ge \sum_i \pi_i T_i - \sum_j M_j K_j(\pi, T) + MS \sum_j M_j P_j",
    ),
    Definition(
        "Utopia and nadir",
        "Utopia is the point of the least energy and the shortest makespan; in general no schedule "
        "reaches both. The nadir is the point of the largest energy and the largest makespan of "
        "the front. Areas are measured up to the nadir, so they can be compared only where the "
        "nadir is the same.",
    ),
    Definition(
        "Balanced (the knee)",
        "The knee is the vertex of the lower bound that is farthest below the straight line "
        "between both ends, where energy and time are each scaled from 0 to 1. The balanced "
        "schedule is the nearest to it of all that were found. It is a suggestion only. A bound "
        "that is nearly straight has no knee.",
        r"\arg\max\; 1 - \frac{E - E_{\min}}{E_{\max} - E_{\min}}"
        r" - \frac{MS - MS_{\min}}{MS_{\max} - MS_{\min}}",
    ),
    Definition(
        "Profit",
        "A batch is all tasks of the system, run once; one batch follows the other. Each batch "
        "brings a price $p$. It costs an overhead $o$, electricity at $c$ a joule (carbon "
        "included) times the PUE, and wear $W$ for its busy seconds. Depreciation is $a$ a "
        "second. Profit is the money that is left, divided by the period. The period is the "
        "makespan $MS$, or longer where a power cap makes machines wait between batches.",
        r"\frac{p - o - c \cdot \text{PUE} \cdot E - W}{MS} - a",
    ),
    Definition(
        "Profit ratio",
        "The price of a batch divided by the cost of its least energy, without the PUE. At 1 the "
        "price just pays for the electricity of the thriftiest schedule.",
        r"\frac{p}{c\,E_{\min}}",
    ),
)

CERTAINTIES: Final = [
    {"What": what, "How certain": certain, "Because": because}
    for what, certain, because in (
        (
            "Bounds on makespan and energy",
            "Proven",
            "Any admissible prices give a valid bound, and rounding errors are counted against it.",
        ),
        (
            "The region called impossible",
            "Proven",
            "Each of its edges is such a bound, or is proven from the patterns of whole tasks. The "
            "front is called exact if the edges also meet its vertices to one part in 10⁹.",
        ),
        (
            "“Impossible” as the answer to a wish",
            "Proven",
            "The wish asks for a point in the region called impossible, where no schedule can be.",
        ),
        (
            "Tasks, times and energy of a schedule",
            "Checked",
            "The judge computes them again from the tables. It shares no code with the solvers.",
        ),
        (
            "Average and peak power",
            "Exact",
            "They follow from the schedule. The area under the power curve is the energy.",
        ),
        (
            "The schedules themselves",
            "Heuristic",
            "A divisible schedule is rounded, its tasks are assigned to machines, the longest "
            "first, and local search polishes the result for as long as you allow. A better "
            "schedule may exist; it is better by the gap at most.",
        ),
        (
            "The upper bound on profit",
            "Proven",
            "Admissible prices of machine time and of power give a valid upper bound. It includes "
            "wear, the power cap and idle power.",
        ),
        (
            "“Not met by any schedule found”",
            "Open",
            "The wish lies between what is proven and what was found. More seconds of polish may "
            "decide it.",
        ),
        (
            "The knee, and other suggestions",
            "Convention",
            "They are good places to start. Your prices and deadlines decide.",
        ),
        (
            "ETC and APC",
            "As given",
            "They are averages that you measured. A real run varies, and so do its makespan and "
            "its energy.",
        ),
    )
]


INTRODUCTION: Final = (
    "You give times and powers. Wattfront answers with schedules that can really run, and with "
    "bounds that no schedule can beat. Between the two is the gap: a better schedule may or may "
    "not exist there."
)
_OPEN: Final = "help.open"


def offer_help(page: Page) -> None:
    """A button that opens the drawer of a page, which stays open while the page is drawn again, and
    closes with it, or if another dialog covers it.
    """
    if page.in_menu:  # the other one says all of it
        show_button("Help", _open, page.folder, icon="help", key="help", type="tertiary")
    if is_dialog_in_front() or st.session_state.get(_OPEN) != page.folder:
        _close()
        return
    title, show = f"Help: {page.title}", partial(_show_drawer, page)
    show_dialog(title, show, _close, width="medium", position="right")


def _open(folder: str) -> None:
    st.session_state[_OPEN] = folder


def _close() -> None:
    st.session_state.pop(_OPEN, None)


def _show_drawer(page: Page) -> None:
    st.markdown(INTRODUCTION)
    reading, terms, certainty = st.tabs(["This page", "Definitions", "Proven or heuristic"])
    with reading:
        for chart in readings(page):
            st.markdown(f"**{chart.name}**  \n{chart.how}")
    with terms:
        show_definitions(DEFINITIONS)
    with certainty:
        show_certainty()
    st.page_link("screens/about/page.py", label="All of it, of every page", icon=":material/help:")


def readings(page: Page) -> tuple[HowToRead, ...]:
    """How to read each chart of a page."""
    found: tuple[HowToRead, ...] = import_module(f"dashboard.screens.{page.folder}").READINGS
    return found


def show_definitions(definitions: Sequence[Definition], *, wide: bool = False) -> None:
    """Terms and their formulas, which stand beside them where there is room, else below."""
    for definition in definitions:
        words = formula = st.container()
        if wide:
            words, formula = st.columns([5, 6], gap="large", vertical_alignment="center")
        words.markdown(f"**{definition.term}**  \n{definition.meaning}")
        if definition.formula:
            formula.latex(definition.formula)


def show_certainty() -> None:
    st.markdown(
        "The proof of a bound does not rely on the solver. The prices that the solver returns are "
        "first made admissible; then the bound is computed from them, with every rounding error "
        "counted against it. A poor answer of the solver makes the bound weaker, never wrong."
    )
    st.table(CERTAINTIES, border="horizontal", hide_index=True)
