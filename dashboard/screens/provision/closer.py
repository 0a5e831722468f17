"""A closer look at the answer. Only what is looked at is computed, in the background."""

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

import streamlit as st

from core.capabilities.provision.words import why_said
from core.engines.compute.task import Task
from core.vocabulary.say.words import Sense, duration
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup
from dashboard.parts.frame.watch import show_end
from dashboard.screens.provision.answer import ProvisionAnswer
from dashboard.screens.provision.charts import (
    budget_figure,
    count_figure,
    kinds_alt,
    kinds_figure,
    kinds_in_words,
    more_figure,
    purchases_figure,
    risk_figure,
    seconds_figure,
    spread_figure,
    violins_figure,
)
from dashboard.screens.provision.desk import PlanDesk
from dashboard.screens.provision.front_view import choose_pair, show_front
from dashboard.screens.provision.sweeps import (
    LONG,
    MOST_SCENARIOS,
    Pair,
    cautious,
    one_more,
    over_budget,
    over_count,
    over_spread,
    two_objectives,
    why_so_many,
)
from dashboard.screens.provision.words import (
    caution_sentence,
    more_sentence,
    sentences,
    sweep_notes,
    violins,
)
from dashboard.server.background import Job, patience
from dashboard.workspace import asking

PAGE: Final = "provision"
Improvement = Literal["share", "reward"]
IMPROVEMENTS: Final[dict[Improvement, str]] = {"share": "% of the rival", "reward": "As it is"}
VIEW: Final = "provision.view"
_JOB: Final = "closer"
_PATIENCE: Final = 0.5


def show_closer(desk: PlanDesk, found: ProvisionAnswer) -> None:
    """The choice of a view, and the view. A view that is not chosen any more is not computed."""
    operations = found.file.operations
    of_use = {"kinds": operations is not None and operations.by_error}
    st.subheader("A closer look", anchor=False)
    view: str = show_look(
        "A closer look",
        [name for name in VIEWS if of_use.get(name, True)],
        VIEW,
        lambda name: VIEWS[name].title,
        wrap=True,
    )
    jobs, chosen = asking.jobs(PAGE), VIEWS[view]
    if chosen.compute is None:
        jobs.drop(_JOB)
        chosen.show(found, None)
        return
    pair = choose_pair(found) if view == "front" else None
    known = view if pair is None else " ".join((view, *pair))
    if known not in desk.closer:
        job = jobs.ask(_JOB, (known, found.asked), looking(view, found, pair))
        job.wait(1, patience(_PATIENCE))
        if job.latest is None:
            if job.running:
                st.caption("It is being computed. Progress is at the top of the page.")
            show_end(job, "This was stopped.", lambda: jobs.drop(_JOB), "Compute it again")
            return
        desk.closer[known] = job.latest
    chosen.show(found, desk.closer[known])


def looking(
    view: str, found: ProvisionAnswer, pair: Pair | None = None
) -> Callable[[Job[Any]], None]:
    """The work of a job that computes a view."""
    title, _, compute, takes, reports = VIEWS[view]
    there = {"inputs": found.asked.inputs, "purchase": found.best.purchase, "pair": pair}
    given = (found.file, *map(there.__getitem__, takes))

    def work(job: Job[Any]) -> None:
        job.begin(title)

        def tell(said: tuple[int, int | None]) -> None:
            step, of = said
            job.begin(f"{title}: {step}" + ("" if of is None else f" of {of}"))

        if compute is not None:
            with job.turn() as turn:
                job.show(turn.compute(Task(compute, given, reports=reports), report=tell))

    return work


def _show_better(found: ProvisionAnswer, _none: None) -> None:
    show_as: Improvement = show_look(
        "Improvement", IMPROVEMENTS, "provision.improvement", IMPROVEMENTS.__getitem__
    )
    each = violins(found, relative=show_as == "share")
    left, right = st.columns([3, 2], gap="large")
    with left:
        show_chart(
            violins_figure(each, found.asked.inputs),
            "provision_violins",
            alt="Violins: how much more the two-stage purchase reaches than each rival, over "
            "all scenarios",
        )
    with right:
        st.html(markup.items(sentences(found, each)))
        if show_as == "share":
            st.caption(
                "Each violin shows the middle 98 % of the scenarios; the dot is the mean of all."
            )


def _show_why(found: ProvisionAnswer, regrets: Any) -> None:
    st.html(markup.items(why_said(found.plan, found.best.purchase, regrets, found.file.currency)))
    st.caption(
        "Each is decided anew: the others are then bought and sold as is best. Losses are shares "
        f"of the expected {found.rate.noun}."
    )


def _show_kinds(found: ProvisionAnswer, _none: None) -> None:
    operations = found.file.operations
    if operations is None:
        return
    st.html(markup.note(kinds_in_words(operations)))
    _chart(kinds_figure(operations), kinds_alt(operations))
    st.caption(
        "By how much times that are made of operations differ from those of the plan, on average."
    )


def _show_front(found: ProvisionAnswer, data: Any) -> None:
    _say_how(found, *show_front(found, data))


def _show_budget(found: ProvisionAnswer, sweep: Any) -> None:
    inputs = found.asked.inputs
    _chart(
        budget_figure(sweep, inputs, found.plan.limits.budget),
        "Line chart: what each method is expected to reach over the budget",
    )
    _say_how(found, *sweep_notes(inputs))


def _show_more(found: ProvisionAnswer, data: Any) -> None:
    st.html(markup.note(more_sentence(data, found)))
    _chart(
        more_figure(data, found.plan, found.asked.inputs),
        "Bar chart: what one more machine of each type adds to what is expected",
    )
    _say_how(found, "Beside what is bought. The budget and the limits do not stop it.")


def _show_spread(found: ProvisionAnswer, sweep: Any) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        _chart(
            spread_figure(sweep, found.asked.inputs),
            "Line chart: what each method is expected to reach over the spread",
        )
    with right:
        _chart(
            purchases_figure(sweep, found.plan),
            "Line chart: the machines that are bought over the spread, by type",
            "provision_purchases",
        )
    _say_how(found, *sweep_notes(found.asked.inputs))


def _show_count(found: ProvisionAnswer, sweep: Any) -> None:
    del found
    left, right = st.columns(2, gap="large")
    with left:
        _chart(
            count_figure(sweep),
            "Line chart: the half-width of the 95 % interval of the expected value over the "
            "number of scenarios, for each kind of points",
        )
        st.caption(
            "How far the mean of so many scenarios is off, for the purchase above. It is measured "
            "with fresh scenarios."
        )
    with right:
        _chart(
            seconds_figure(sweep),
            "Line chart: the time to find what to buy over the number of scenarios",
            "provision_seconds",
        )
        st.caption(
            "What that takes on this server, measured once with the points of the plan. More "
            f"scenarios are not timed where some take over {duration(LONG, Sense.TYPED)}."
        )


def _show_risk(found: ProvisionAnswer, caution: Any) -> None:
    st.html(markup.note(caution_sentence(caution.values, caution.purchase, found)))
    _chart(
        risk_figure(found, caution),
        "Bar chart: the mean in the worst 5 % of scenarios and in all, for each method",
    )
    if found.file.scenarios.count > MOST_SCENARIOS:
        st.caption(
            f"The purchase for the worst 5 % is chosen with {MOST_SCENARIOS} scenarios that are "
            "drawn anew. All purchases are rated on the scenarios of the answer."
        )


def _chart(figure: Any, alt: str, key: str = "provision_closer") -> None:
    show_chart(figure, key, alt=alt)


def _say_how(found: ProvisionAnswer, *notes: str) -> None:
    """The notes on a view, and how many scenarios it is computed with."""
    said = [*notes]
    if found.file.scenarios.count > MOST_SCENARIOS:
        said.append(
            f"Computed with {MOST_SCENARIOS} scenarios that are drawn anew: fewer than those of "
            "the answer, so that it does not take long."
        )
    if said:
        st.caption(" ".join(said))


class _CloserView(NamedTuple):
    """A view: its title, how it is shown, what a worker computes for it, and from what."""

    title: str
    show: Callable[[ProvisionAnswer, Any], None]
    compute: Callable[..., Any] | None = None
    takes: tuple[str, ...] = ("inputs",)
    reports: bool = True


VIEWS: Final = {
    "better": _CloserView("Better by how much", _show_better),
    "why": _CloserView("Why this, why not that", _show_why, why_so_many, ("inputs", "purchase")),
    "budget": _CloserView("Budget", _show_budget, over_budget),
    "front": _CloserView("Two objectives", _show_front, two_objectives, ("pair",)),
    "more": _CloserView("One more machine", _show_more, one_more, ("purchase",)),
    "spread": _CloserView("Spread", _show_spread, over_spread),
    "kinds": _CloserView("Kinds of operations", _show_kinds),
    "count": _CloserView("Number of scenarios", _show_count, over_count, ("purchase", "inputs")),
    "risk": _CloserView("Worst 5 %", _show_risk, cautious, reports=False),
}
