"""What is said of fair shares: promises, policies for whole tasks and their trials, and energy."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Final

from core.capabilities.fair_shares.day_clock import UNKNOWN_HOURS, DayClock
from core.capabilities.fair_shares.energy import EnergyFront
from core.capabilities.fair_shares.face import FairSharing
from core.capabilities.fair_shares.optimum import LeastStretch
from core.capabilities.fair_shares.plan import FluidPlan
from core.capabilities.fair_shares.shares import AskedBags, BesidePromises, FairShares
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES, faults_of, scores_of
from core.capabilities.fair_shares.trials import TaskTrials
from core.capabilities.fair_shares.words import (
    change_named,
    from_to,
    in_minutes,
    later_by,
    network_said,
    shares_lead,
    shortage_said,
    whole_said,
)
from core.shells.told.money import energy_cost_figure, money_columns, priced_said
from core.shells.told.told import KeyFigure, Told, ToldTable, checked
from core.vocabulary.intervals import Interval
from core.vocabulary.prices.site import EnergyCost, Site
from core.vocabulary.say.columns import size_in_words
from core.vocabulary.say.means import NO_UNIT, mean_within
from core.vocabulary.say.phrases import estimates_as_dict
from core.vocabulary.say.units import Unit, time_unit
from core.vocabulary.say.words import (
    NOTHING,
    Sense,
    amount,
    counted,
    duration,
    energy,
    share,
)
from core.vocabulary.tolerances import SAME

_SAME_TIME = 1e-3
SCORE_TITLES: Final = {
    "max_stretch": "Worst stretch",
    "sum_stretch": "Sum of stretches",
    "max_flow": "Longest time",
    "sum_flow": "Sum of times",
    "makespan": "Makespan",
}
"""The five scores, as people read them."""
TIME_SCORES: Final = ("max_flow", "sum_flow", "makespan")
"""The scores that are in seconds."""
_AGREES: Final = "a judge agrees that whole tasks can run so."


def told(answer: FairShares, whole: float | None = None, site: Site | None = None) -> Told:
    """All that is said of promises, and what the energy of their plan costs at a site; `whole` is
    the worst stretch of whole tasks, if known.
    """
    site = None if answer.now.bags.system.apc is None else site
    clock, plan = answer.asked.clock, answer.now.plan
    cost = None if site is None else cost_of(plan, clock, site)
    figures, data = [*_figures(answer, whole)], _data(answer.now)
    if site is not None and cost is not None:
        of = f"Of the {energy(plan.energy, Sense.SPENT)} of the plan that keeps all promises"
        figures.append(energy_cost_figure("Cost", cost, site, of))
        data |= cost._asdict()
    return Told(
        lead=shares_lead(answer, whole),
        sentences=(*_sentences(answer), *priced_said(site, knows_hours=clock.knows_hours)),
        figures=tuple(figures),
        tables=(promises(answer, plan=plan),),
        data=data,
    )


def cost_of(plan: FluidPlan, clock: DayClock, site: Site) -> EnergyCost:
    """What the energy of a plan costs, by the hours in which it is drawn if the clock has them."""
    hours = plan.joules_by_hour(clock.begins) if clock.knows_hours else None
    return site.cost_of(plan.energy, hours)


def _sentences(answer: FairShares) -> Iterator[str]:
    """The bags, the proof, what is short, what a change does, and what was checked."""
    bags, name = answer.now.bags, answer.asked.name
    yield (
        f"{f'{name}: ' if name else ''}{counted(len(bags.present), 'bag')}, "
        f"{size_in_words(bags.system)}; {network_said(bags)}."
    )
    yield from _said(answer)
    finding = "code that shares nothing with the solver finds that the plan keeps all limits."
    yield from checked(finding, answer.wrong)


def _said(answer: FairShares) -> Iterator[str]:
    """The proof, what is short, and what a change does."""
    now = answer.now
    if now.stretch > 1 + SAME or answer.after is not None:
        yield (
            f"No schedule has a worst stretch below {amount(now.proven, Sense.LOWER_BOUND)}, even "
            "if it knows all bags from the beginning (proven)."
        )
    yield (
        "Promises are for tasks that can be split, if all bags are known from the beginning: then "
        f"a plan has a worst stretch of {amount(now.stretch, Sense.SPENT)}. Whole tasks may end "
        "later."
    )
    if answer.short is not None and (parts := shortage_said(now.bags, answer.short)):
        yield f"What is short: {parts}."
    if changes := _change_said(answer):
        yield changes


def _change_said(answer: FairShares) -> str:
    if answer.after is None:
        return ""
    before = answer.before.deadlines
    later = answer.after.deadlines[: len(before)] - before
    low, high = float(later.min()), float(later.max())
    what = change_named(answer.asked.bags.system, answer.asked.change)
    if max(-low, high) < _SAME_TIME:
        return f"With {what}, all promises stay as they are."
    if high < _SAME_TIME:
        return f"With {what}, promises come {from_to(max(-high, 0.0), -low)} earlier."
    if low > -_SAME_TIME:
        return f"With {what}, promises come {from_to(max(low, 0.0), high)} later."
    return (
        f"With {what}, some promises come up to {in_minutes(-low)} earlier, others up to "
        f"{in_minutes(high)} later."
    )


def _figures(answer: FairShares, whole: float | None) -> Iterator[KeyFigure]:
    now, clock = answer.now, answer.asked.clock
    if whole is not None:
        yield KeyFigure(
            "Worst stretch",
            whole_said(whole),
            "How many times longer than alone a bag takes at most, from its release to its end, "
            "as whole tasks: in the best replay so far.",
        )
    yield KeyFigure(
        "Not below",
        amount(now.proven, Sense.LOWER_BOUND),
        "No schedule has a smaller worst stretch. Duality of linear programming proves this.",
    )
    yield KeyFigure(
        "All promised by",
        clock.said(float(now.deadlines.max()), Sense.SPENT, answer.span),
        "The last of all promises.",
    )
    yield KeyFigure(
        "Bags",
        f"{len(now.bags.present):,}",
        f"{counted(int(now.bags.work.counts.sum()), 'task')} on "
        f"{counted(now.bags.system.machines, 'machine')}.",
    )


def promises(
    answer: FairShares,
    stretch: float | None = None,
    plan: FluidPlan | None = None,
    whole: Sequence[str] = (),
) -> ToldTable:
    """A row for each bag: by when it is done at a stretch (without one, at the least), what is said
    of it as `whole` tasks, when it is done in the plan, and what a change does.
    """
    now, clock, span = answer.now, answer.asked.clock, answer.span
    due = answer.promises(stretch)

    def said(times: Iterable[float], sense: Sense = Sense.SPENT) -> list[str]:
        return [clock.said(float(one), sense, span) for one in times]

    columns = {"Bag": list(now.bags.names), "Done by": said(due)}
    if whole:
        columns["Whole tasks"] = list(whole)
    if plan is not None:
        columns["Done in the plan"] = said(plan.ends)
    if answer.after is not None:
        before = answer.before.deadlines
        new = [NOTHING] * (len(now.bags.names) - len(before))
        columns["Done by, before the change"] = [*said(before), *new]
        columns["Later by"] = [*map(later_by, (due[: len(before)] - before).tolist()), *new]
    columns |= {
        "Released": said(now.bags.release[now.bags.present], Sense.PLAIN),
        "Alone": [duration(float(one), Sense.LOWER_BOUND) for one in now.baseline],
        "Tasks": [f"{round(count):,}" for count in now.bags.work.counts.tolist()],
    }
    return ToldTable.of_columns("Promises", columns)


def _data(least: LeastStretch) -> dict[str, object]:
    bags = least.bags
    ends, release = least.plan.ends, bags.release[bags.present]
    stretches = (ends - release) / least.baseline
    return {
        "optimum": least.stretch,
        "proven": least.proven,
        "milestones": len(least.milestones),
        "programs": least.programs,
        "bags": {
            name: {
                "ideal": float(least.baseline[k]),
                "deadline": float(least.deadlines[k]),
                "completion": float(ends[k]),
                "stretch": float(stretches[k]),
            }
            for k, name in enumerate(bags.names)
        },
        **estimates_as_dict(bags.system),
    }


def told_of_sharing(
    shared: FairSharing,
    clock: DayClock = UNKNOWN_HOURS,
    site: Site | None = None,
    *,
    with_front: bool,
) -> Told:
    """All that is said of promises, of whole tasks, and of the front if it was asked for."""
    asked = AskedBags(shared.optimum.bags, clock=clock)
    found = FairShares(asked, shared.optimum, None, None, shared.wrong)
    scores, wrong = scores_of(shared.runs), faults_of(shared.runs)
    beside = BesidePromises(scores, shared.front, wrong, shared.front_wrong)
    said = told_beside(found, beside, shared.ideal.proven, site)
    if with_front and shared.front is None:
        stopped = "The front was stopped before it had a vertex."
        said = said.beside(Told(stopped, data={"front": None}))
    if not shared.runs:
        return said
    runs = {one.name: {**scores[one.name], "seconds": one.seconds} for one in shared.runs}
    return replace(said, data={**said.data, "policies": runs})


def told_beside(
    answer: FairShares, beside: BesidePromises, least: float, site: Site | None = None
) -> Told:
    """All that is said of promises and of what was computed beside them; no policy can have a worst
    stretch below the `least`.
    """
    worst = min((one["max_stretch"] for one in beside.scores.values()), default=None)
    said = told(answer, None if beside.wrong else worst, site)
    if beside.scores:
        said = said.beside(told_of_policies(beside.scores, least, beside.wrong))
    if beside.front is not None:
        said = said.beside(
            told_of_front(beside.front, beside.front_wrong, answer.asked.clock, site)
        )
    return said


def told_of_front(
    front: EnergyFront,
    faults: Sequence[str],
    clock: DayClock = UNKNOWN_HOURS,
    site: Site | None = None,
) -> Told:
    """All that is said of the front: what a larger worst stretch saves, and its vertices."""
    wrong = [f"plans of the front: {fault}" for fault in faults]
    stretches, joules = front.points.T.tolist()
    columns = {
        "Worst stretch": [amount(one, Sense.SPENT) for one in stretches],
        "Least energy": [energy(one, Sense.SPENT) for one in joules],
    }
    vertices = zip(stretches, joules, front.proven.tolist(), strict=True)
    names = ("stretch", "energy", "proven")
    listed = [dict(zip(names, vertex, strict=True)) for vertex in vertices]
    if site is not None:
        costs = [cost_of(plan, clock, site) for plan in front.plans]
        columns |= money_columns(costs, site)
        listed = [vertex | cost._asdict() for vertex, cost in zip(listed, costs, strict=True)]
    data = {
        "vertices": listed,
        "exact": front.exact,
        "gap": front.gap,
        "programs": front.programs,
        "verified": not faults,
    }
    return Told(
        energy_said(front),
        (
            proof_said(front),
            "Between two vertices, the least energy is linear.",
            *checked("the plans of the front keep all limits.", wrong),
        ),
        tables=(ToldTable.of_columns("Worst stretch and energy", columns),),
        data={"front": data},
    )


def energy_said(front: EnergyFront) -> str:
    """What a larger worst stretch saves."""
    (first, most), (last, least) = front.points[0].tolist(), front.points[-1].tolist()
    if most - least <= front.gap * most or len(front.points) == 1:
        return f"No larger stretch saves energy: {energy(most, Sense.SPENT)} in any case."
    saved = share((most - least) / abs(most) if most else None, Sense.EARNED)
    so_far = "" if front.complete else " so far"
    return (
        f"A worst stretch of {amount(last, Sense.SPENT)} in place of {amount(first, Sense.SPENT)} "
        f"saves {saved} of {energy(most, Sense.SPENT)}{so_far}."
    )


def proof_said(front: EnergyFront) -> str:
    """How far below the front schedules can be at most."""
    if front.exact:
        return "No schedule is below the front (proven)."
    most = share(front.gap, Sense.SPENT)
    if not front.complete:
        return f"The front was not traced to its end. No schedule is {most} below it (proven)."
    return f"No schedule is more than {most} below the front (proven)."


def told_of_policies(
    scores: Mapping[str, Mapping[str, float]], least: float, wrong: Iterable[str] = ()
) -> Told:
    """All that is said of policies for whole tasks, by their names: their five scores, beside the
    worst stretch that no policy can be below, and what a judge finds `wrong`.
    """
    best = min(scores, key=lambda one: scores[one]["max_stretch"])
    worst = amount(scores[best]["max_stretch"], Sense.SPENT)
    return Told(
        f"{TASK_POLICIES[best].label} has the smallest worst stretch: {worst}. No policy can be "
        f"below {amount(least, Sense.LOWER_BOUND)}.",
        (
            f"{len(scores):,} of {len(TASK_POLICIES):,} policies were replayed. There are no "
            "intervals: these are one set of bags.",
            *checked(_AGREES, wrong),
        ),
        tables=(policies_table(scores, least),),
        data={"policies": scores},
    )


def policies_table(
    scores: Mapping[str, Mapping[str, float]], least: float, by: str = "max_stretch"
) -> ToldTable:
    """A row for each policy, the best by this score first."""
    order = sorted(scores, key=lambda one: scores[one][by])
    columns = {"Policy": order} | {
        title: [score_said(name, scores[one][name]) for one in order]
        for name, title in SCORE_TITLES.items()
    }
    over = [amount(scores[one]["max_stretch"] / least, Sense.SPENT) for one in order]
    return ToldTable.of_columns("Whole tasks", {**columns, "Times the best possible": over}, 0)


def score_said(score: str, value: float) -> str:
    """A score with its unit."""
    said = duration if score in TIME_SCORES else amount
    return said(value, Sense.SPENT)


def score_unit(score: str, values: Iterable[float]) -> Unit:
    """The unit in which a score is given that has these values (s, or none)."""
    return time_unit(max(values)) if score in TIME_SCORES else NO_UNIT


def told_of_trials(found: TaskTrials) -> Told:
    """All that is said of trials: which policy is best on average, and how sure that is."""
    wrong = [
        f"{TASK_POLICIES[one].label}: {fault}"
        for one in found.trials
        for fault in found.faults(one)
    ]
    some = len(found.trials) > 1
    return Told(
        _lead(found),
        (
            *((_alike(found),) if some else ()),
            f"The best possible worst stretch is {mean_within(Interval.of(found.optimum))} on "
            "average.",
            *checked(_AGREES, wrong),
        ),
        tables=(means_table(found, "max_stretch"), *((_behind_table(found),) if some else ())),
        data={
            "optimum": float(found.optimum.mean()),
            "trials": len(found.common),
            "best": found.best,
            "policies": {policy: _means_as_data(found, policy) for policy in found.trials},
            "verified": not wrong,
        },
    )


def _means_as_data(found: TaskTrials, policy: str) -> dict[str, object]:
    """Means of what came of a policy, half of the widths of their intervals, and by how much its
    scores are behind the best policy of each.
    """
    means = {score: by_policy[policy] for score, by_policy in found.means.items()}
    means["over_optimum"] = found.over_optimum(policy)
    means["seconds"] = found.interval(policy, attrgetter("seconds"))
    behind = {score: found.behind(policy, score) for score in found.means}
    return {
        **{name: one.mean for name, one in means.items()},
        "confidence95": {
            name: one.half_width if one.known else None for name, one in means.items()
        },
        "behind_best": {
            score: {"mean": one.mean, "confidence95": one.half_width if one.known else None}
            for score, one in behind.items()
        },
    }


def _lead(found: TaskTrials) -> str:
    """Which policy is best on average."""
    best = found.best["max_stretch"]
    return (
        f"In {counted(len(found.common), 'trial')}, {TASK_POLICIES[best].label} has the smallest "
        f"mean worst stretch: {mean_within(found.means['max_stretch'][best])}, "
        f"{amount(found.over_optimum(best).mean, Sense.SPENT)} times the best possible on average."
    )


def _alike(found: TaskTrials) -> str:
    """Which policies may have as small a worst stretch as the best one."""
    best = found.best["max_stretch"]
    alike = [
        TASK_POLICIES[one].label
        for one in found.trials
        if one != best and found.behind(one, "max_stretch").low <= 0
    ]
    if not alike:
        return "All others have a larger one (95 % intervals of differences)."
    return f"These trials do not tell it from {', '.join(alike)}."


def means_table(found: TaskTrials, score: str) -> ToldTable:
    """A row for each policy, the best by this score first."""
    order = sorted(found.trials, key=lambda one: found.means[score][one].mean)
    columns = {"Policy": order}
    for name in (score, *(each for each in SCORE_TITLES if each != score)):
        unit = unit_of(found, name)
        columns[_head(found, name)] = [mean_within(found.means[name][one], unit) for one in order]
        if name == score:
            columns["More than the best"] = [behind_said(found, one, score) for one in order]
    note = (
        "± is half of the width of the 95 % interval. More than the best: the mean difference to "
        "the best policy in the same trial; if its interval has 0 in it, these trials do not tell "
        "the two apart."
    )
    return ToldTable.of_columns("Means over trials", columns, 0, note)


def _behind_table(found: TaskTrials) -> ToldTable:
    """A row for each policy: by how much it exceeds the best one of each score."""
    columns = {"Policy": [*found.trials]} | {
        _head(found, score): [behind_said(found, one, score) for one in found.trials]
        for score in SCORE_TITLES
    }
    return ToldTable.of_columns("More than the best of each score, trial by trial", columns)


def _head(found: TaskTrials, score: str) -> str:
    symbol, title = unit_of(found, score).symbol, SCORE_TITLES[score]
    return f"{title} ({symbol})" if symbol else title


def behind_said(found: TaskTrials, policy: str, score: str) -> str:
    """By how much a policy exceeds the best one, in the unit of the score."""
    if found.best[score] == policy:
        return "best"
    return mean_within(found.behind(policy, score), unit_of(found, score))


def unit_of(found: TaskTrials, score: str) -> Unit:
    return score_unit(score, [one.mean for one in found.means[score].values()])


def redrawn_said(gap: float) -> str:
    """How release dates of bags with a mean gap (s) are drawn."""
    mean = in_minutes(gap)
    return (
        "In each trial the bags come in another random order, with random (exponential) gaps of "
        f"the same mean, {mean}."
    )
