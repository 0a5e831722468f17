"""Figures 25 to 27: policies at the usual budget, with filters, reservations and metaheuristics."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.budget import (
    BY_WORTH,
    COMPARISON,
    FEW,
    KINDS_OF_FILTER,
    MANY,
    METAHEURISTICS,
    POINTS,
    RESERVED,
    USUAL,
    BudgetDays,
    about,
    ahead,
    alike,
    in_line,
    label,
    labels,
    listed,
    said,
    signed,
)
from benchmarks.publications.arrivals.causes import WORST, Tried
from benchmarks.publications.arrivals.days import DaySetting
from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Figure, Panel, Series, Table
from core.vocabulary.intervals import Interval

FILTER_LABELS: Final[Mapping[str | None, str]] = {
    None: "no filter",
    "resource": "for each resource",
    "task": "for each task",
}
USED_UP: Final = 97.0
"""Percent of the budget that are "all" of it."""
UPT_GAIN: Final = (25.0, 75.0)
"""Percent that Max UPR may earn more than Max UPT, to be "up to 50 %" more."""
UPE_SAVES: Final = (10.0, 30.0)
"""Percent that Max UPR may draw more than Max UPE, to be "20 %" more."""
A_LINE: Final = 8
"""So many names of policies fit in a line below a picture."""
MANY_UPR, MANY_UPT, MANY_UPE = (
    DaySetting(name, USUAL[MANY], filter="resource") for name in ("max-upr", "max-upt", "max-upe")
)


def figure_25(found: BudgetDays, tried: Tried) -> Figure:
    days, usual = found.days, USUAL[FEW]
    compared = {name: in_line(name, usual) for name in COMPARISON}
    by_worth = [
        DaySetting(name + ending, usual, filter=kind)
        for name in BY_WORTH
        for ending in ("", RESERVED)
        for kind in KINDS_OF_FILTER
    ]
    best, worst = days.best(by_worth), min(by_worth, key=lambda one: days.share(one).mean)
    held = {name: DaySetting(name, usual) for name in BY_WORTH}
    strongest = days.best(list(compared.values()))
    worst_held = min(held.values(), key=lambda one: days.share(one).mean)
    reserved_cost = (
        f"With place-holders, the worst is {_named(worst_held)}: {said(days.share(worst_held))} %, "
        f"{signed(days.lead(worst_held, strongest))} over {_named(strongest)}. Reservations cost "
        "more here than there, where no policy by worth is below 55 %: see the claim on "
        "place-holders."
    )
    return Figure(
        "25",
        f"Policies at {usual:g} GJ, {FEW:,} jobs a day",
        _setting(FEW),
        [_by_policy(found, by_worth, compared)],
        [
            *_least_claims(found, tried, compared, worst, reserved_cost),
            about("The best policy by worth", 73, {_named(best): days.share(best)}),
            ahead(
                "All policies by worth are ahead of all that do not look at it: the worst of these "
                "ahead of the best of those",
                {f"{_named(worst)} over {_named(strongest)}": days.lead(worst, strongest)},
                cause=reserved_cost,
            ),
            *_filter_claims(found, tried),
            never_worse(found, by_worth),
            more_energy(found, FEW, ""),
        ],
        [found_scale(found, FEW)],
        _table(found, [*compared.values(), *by_worth]),
    )


def _least_claims(
    found: BudgetDays,
    tried: Tried,
    compared: Mapping[str, DaySetting],
    worst: DaySetting,
    reserved_cost: str,
) -> list[Claim]:
    days = found.days
    compared_mean = np.mean([days.share(one).mean for one in compared.values()])
    return [
        about(
            "The policies that do not look at worth reach about 35 %",
            35,
            {label(name): days.share(one) for name, one in compared.items()},
            cause=f"Their mean is {compared_mean:.1f} %. "
            + tried.told("From the lowest to the highest", FEW, _spread_of_compared, POINTS),
        ),
        about(
            "The worst policy by worth",
            55,
            {_named(worst): days.share(worst)},
            cause=f"{reserved_cost} {tried.share(WORST, FEW, 55)}",
        ),
    ]


def _filter_claims(found: BudgetDays, tried: Tried) -> list[Claim]:
    """What filters change, by policy."""
    days = found.days
    held = {name: DaySetting(name, USUAL[FEW]) for name in BY_WORTH}
    filtered = {
        kind: {name: one._replace(filter=kind) for name, one in held.items()}
        for kind in KINDS_OF_FILTER
        if kind is not None
    }
    upr = {kind: filtered[kind]["max-upr"] for kind in filtered}
    return [
        ahead(
            "Max UPR earns more with the filter for each resource than with that for each task",
            {"Max UPR": days.lead(upr["resource"], upr["task"])},
            8,
            cause="Here, both filters help by about as much. The filter for each task needs "
            "the work that is still to come. How the publication counts it is not legible to "
            "us; ours takes the mean size of the jobs so far. "
            + tried.told("The lead", FEW, _lead_of_filter, POINTS),
        ),
        ahead(
            "Both filters raise Max Util, Max UPT and Max UPR",
            {
                f"{short}, {FILTER_LABELS[kind]}": days.lead(filtered[kind][name], held[name])
                for name, short in zip(BY_WORTH[:3], labels(BY_WORTH), strict=False)
                for kind in filtered
            },
        ),
        alike(
            "Filters do not change Max UPE",
            {
                FILTER_LABELS[kind]: days.lead(filtered[kind]["max-upe"], held["max-upe"])
                for kind in filtered
            },
            cause="The filter for each task also leaves out jobs that are large and worth "
            "much, whatever the policy.",
        ),
    ]


def figure_26(found: BudgetDays, tried: Tried) -> Figure:
    days, usual = found.days, USUAL[MANY]
    compared = {name: in_line(name, usual) for name in COMPARISON}
    by_worth = [
        DaySetting(name + ending, usual, filter="resource")
        for name in BY_WORTH
        for ending in ("", RESERVED)
    ]
    gain = _gain_over_upt(found)
    return Figure(
        "26",
        f"Policies at {usual:g} GJ, {MANY:,} jobs a day",
        f"{_setting(MANY)} Policies by worth have the filter for each resource.",
        [_by_policy(found, by_worth, compared)],
        [
            *_reached(found, tried, compared),
            ahead("Max UPR is ahead of Max UPT", {"Max UPR": days.lead(MANY_UPR, MANY_UPT)}),
            Claim(
                f"Max UPR earns up to 50 % more than Max UPT (read: {UPT_GAIN[0]:g} to "
                f"{UPT_GAIN[1]:g} % on average)",
                "up to 50 %",
                f"{gain:.0f} % more",
                UPT_GAIN[0] <= gain <= UPT_GAIN[1],
                f"{gain - 50:+.0f} {POINTS}",
                cause=tried.told("Max UPR over Max UPT", MANY, _gain_over_upt, between=UPT_GAIN),
            ),
            never_worse(found, by_worth),
            more_energy(
                found,
                MANY,
                tried.told("Max UPR over Max UPE", MANY, _more_energy, between=UPE_SAVES),
            ),
        ],
        [found_scale(found, MANY)],
        _table(found, [*compared.values(), *by_worth]),
    )


def _reached(found: BudgetDays, tried: Tried, compared: Mapping[str, DaySetting]) -> list[Claim]:
    days = found.days
    often = tried.ahead(compared["easy"], compared["conservative"], MANY)
    first = (
        f" EASY is ahead of Conservative in {often} of these {len(tried.days)}; published, it is "
        "behind."
    )
    return [
        *(
            about(
                f"{_named(one)} reaches",
                published,
                {_named(one): days.share(one)},
                cause=tried.share(one, MANY, published)
                + (first if one == compared["easy"] else ""),
            )
            for one, published in (
                (MANY_UPR, 49.5),
                (MANY_UPE, 48.7),
                (compared["conservative"], 15.3),
                (compared["easy"], 7.1),
            )
        )
    ]


def figure_27(found: BudgetDays) -> Figure:
    days, usual = found.days, USUAL[FEW]
    event, task = (DaySetting(name, usual) for name in METAHEURISTICS)
    upe = DaySetting("max-upe", usual)
    used = {label(one.policy): found.used(one) for one in (event, task)}
    others = [DaySetting(name, usual) for name in (*COMPARISON, *BY_WORTH)]
    return Figure(
        "27",
        f"Metaheuristics at {usual:g} GJ, {FEW:,} jobs a day",
        f"{_setting(FEW)} All policies drop jobs that cannot be worth 0.5.",
        [_by_policy(found, [event, task, *others], {})],
        [
            alike(
                "Both metaheuristics earn as much as Max UPE",
                {label(one.policy): days.lead(one, upe) for one in (event, task)},
            ),
            alike(
                "Event-Based and Task-Based earn the same",
                {"Event-Based": days.lead(event, task)},
            ),
            Claim(
                f"Both use the whole budget (read: at least {USED_UP:g} % of it)",
                "all",
                listed({name: f"{said(one)} %" for name, one in used.items()}),
                min(one.mean for one in used.values()) >= USED_UP,
                f"{min(one.mean for one in used.values()) - 100:+.1f} {POINTS}",
                cause="Above the line of even spending they are Max UPE, which saves more energy "
                f"here than there: alone it uses {said(found.used(upe))} % of this budget, and "
                "there all.",
            ),
        ],
        table=_table(found, [event, task, *others]),
    )


def never_worse(found: BudgetDays, by_worth: Sequence[DaySetting]) -> Claim:
    """Place-holders against reservations, in pairs of settings that differ in nothing else."""
    leads = {
        f"{_named(one)}": found.days.lead(one, one._replace(policy=one.policy + RESERVED))
        for one in by_worth
        if not one.policy.endswith(RESERVED)
    }
    least = min(leads.values(), key=lambda one: one.mean)
    return Claim(
        "Place-holders are never worse than reservations (read: no interval of the paired "
        "difference lies below 0)",
        "never",
        listed({name: signed(one) for name, one in leads.items()}),
        all(one.high >= 0 for one in leads.values()),
        f"at least {least.mean:+.1f} {POINTS}",
    )


def more_energy(found: BudgetDays, a_day: int, tried: str) -> Claim:
    days, usual = found.days, USUAL[a_day]
    upr = DaySetting("max-upr", usual, filter="resource")
    upe = DaySetting("max-upe", usual, filter="resource")
    more = Interval.of(100 * (days.joules(upr) / days.joules(upe) - 1))
    return Claim(
        "Max UPR uses 20 % more energy than Max UPE (read: "
        f"{UPE_SAVES[0]:g} to {UPE_SAVES[1]:g} %)",
        "20 %",
        f"{signed(more)} %",
        UPE_SAVES[0] <= more.mean <= UPE_SAVES[1],
        f"{more.mean - 20:+.1f} {POINTS}",
        cause="Max UPE saves more here: without a budget, it draws about half as much as Max UPR. "
        + tried,
    )


def _spread_of_compared(found: BudgetDays) -> float:
    """By how much the best of the policies that do not look at worth is ahead of their worst."""
    means = [found.days.share(in_line(name, USUAL[FEW])).mean for name in COMPARISON]
    return max(means) - min(means)


def _lead_of_filter(found: BudgetDays) -> float:
    """By how much Max UPR earns more with the filter for each resource."""
    task = DaySetting("max-upr", USUAL[FEW], filter="task")
    return found.days.lead(task._replace(filter="resource"), task).mean


def _gain_over_upt(found: BudgetDays) -> float:
    """Percent by which Max UPR earns more than Max UPT."""
    return 100 * (found.days.share(MANY_UPR).mean / found.days.share(MANY_UPT).mean - 1)


def _more_energy(found: BudgetDays) -> float:
    """Percent by which Max UPR draws more than Max UPE."""
    return float(np.mean(100 * (found.days.joules(MANY_UPR) / found.days.joules(MANY_UPE) - 1)))


def found_scale(found: BudgetDays, a_day: int) -> str:
    free = "Max Util" if a_day == FEW else "Max UPR"
    usual = USUAL[a_day]
    return (
        f"Without a budget, {free} draws {found.gigajoule * usual / 0.7 / 1e9:.2f} GJ a day here, "
        f"and {usual / 0.7:.1f} GJ there. So a published gigajoule is "
        f"{found.gigajoule / 1e9:.3f} GJ here."
    )


def _setting(a_day: int) -> str:
    return (
        f"{a_day:,} jobs a day on 100,000 cores in six clusters, a budget of {USUAL[a_day]:g} "
        "published GJ for the day. Worth in percent of the published maximum."
    )


def _named(setting: DaySetting) -> str:
    name = label(setting.policy)
    return name if setting.filter is None else f"{name}, {FILTER_LABELS[setting.filter]}"


def _by_policy(
    found: BudgetDays, by_worth: Sequence[DaySetting], compared: Mapping[str, DaySetting]
) -> Panel:
    """A violin a policy; policies with several filters have one a filter."""
    held = [one for one in by_worth if not one.policy.endswith(RESERVED)]
    kinds = list(dict.fromkeys(one.filter for one in held))
    names = [*compared, *dict.fromkeys(one.policy for one in held)]
    by_name = {(one.policy, one.filter): one for one in held}
    by_name |= {(name, kind): one for name, one in compared.items() for kind in kinds}
    series = [
        Series(
            FILTER_LABELS[kind],
            np.arange(len(names), dtype=float),
            np.array([found.days.shares(by_name[name, kind]) for name in names]),
        )
        for kind in kinds
    ]
    return Panel(
        "", "policy", "worth", "% of the maximum", series, "violins", categories=_below(names)
    )


def _below(names: Sequence[str]) -> list[str]:
    """Names of policies below a picture: if they are many, every second one is a line lower."""
    lower = "\n" if len(names) > A_LINE else ""
    return [lower * (k % 2) + one for k, one in enumerate(labels(names))]


def _table(found: BudgetDays, settings: Sequence[DaySetting]) -> Table:
    return Table(
        ["policy", "worth (% of the maximum)", "energy (% of the budget)"],
        [[_named(one), said(found.days.share(one)), said(found.used(one))] for one in settings],
    )
