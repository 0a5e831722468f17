"""What is said of nodes that may sleep."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from core.capabilities.switch_off.advice import AS_GOOD, Assumed, Holds, SleepAdvice, SleepOutcome
from core.capabilities.switch_off.slurm_lines import awake_nodes, slurm_lines
from core.engines.slurm.places import fold_nodes
from core.shells.told.money import energy_cost_figure
from core.shells.told.told import KeyFigure, Told, ToldTable
from core.vocabulary.prices.site import Site
from core.vocabulary.say.words import (
    DAY,
    Sense,
    amount,
    counted,
    duration,
    energy,
    joined,
    power,
    share,
)

_LEAST: Final = 1.0
"""Fewer joules a year are none."""
_WEEK: Final = 7 * DAY
_NOTICED: Final = 0.001
"""Less is not worth an advice, as a share of the energy of all nodes."""


def told(advice: SleepAdvice, site: Site | None = None) -> Told:
    """The advice; with what it saves in money and carbon if the `site` is known."""
    return Told(
        _lead(advice),
        tuple(_sentences(advice)),
        tuple(_figures(advice, site)),
        (_by_type(advice), _front(advice)),
        _as_data(advice),
    )


def is_worth_it(advice: SleepAdvice) -> bool:
    """Whether sleep saves energy that anybody would notice, where it is judged."""
    return bool(advice.may_sleep.any()) and advice.judged.share_saved >= _NOTICED


def energy_a_year(outcome: SleepOutcome, joules: float) -> str:
    """As much in a year, in the digits that are stable."""
    year = outcome.a_year(joules)
    return energy(year, Sense.HEADLINE) if abs(year) >= _LEAST else "0"


def few_percent(fraction: float) -> str:
    """A share in the digits that are stable."""
    return share(fraction, Sense.HEADLINE)


def _lead(advice: SleepAdvice) -> str:
    judged, nodes = advice.judged, int(advice.use.nodes.sum())
    if not is_worth_it(advice):
        most = few_percent(advice.settings.most_waits)
        said = (
            f"Leave all nodes on: if at most {most} of the jobs may wait for a "
            "start, sleep saves next to nothing."
        )
        better = (
            f" If {few_percent(second.share_of_waits)} wait, it saves "
            f"{energy_a_year(second, second.saved)} a year."
            for _, second in advice.front
            if second.plan.most_waits > advice.settings.most_waits
            and second.share_saved >= _NOTICED
        )
        return said + next(better, "")
    start = duration(advice.powers.start_seconds, Sense.TYPED)
    waits = (
        f"{few_percent(judged.share_of_waits)} of the jobs wait {start} for a start"
        if judged.waits
        else "no job waits for a start"
    )
    return (
        f"{int(advice.may_sleep.sum()):,} of {counted(nodes, 'node')} can sleep: "
        f"{energy_a_year(judged, judged.saved)} a year less "
        f"({few_percent(judged.share_saved)}), and {waits}."
    )


def _sentences(advice: SleepAdvice) -> Iterator[str]:
    first, second = advice.chosen, advice.judged
    span = duration(first.span.seconds, Sense.HEADLINE)
    yield (
        f"Chosen by the first {span} of the log, where {few_percent(first.share_saved)} less was "
        f"drawn and {few_percent(first.share_of_waits)} of {counted(first.span.jobs, 'job')} "
        f"waited; judged by the {span} after it, where it was {few_percent(second.share_saved)} "
        f"and {few_percent(second.share_of_waits)} of {counted(second.span.jobs, 'job')}."
    )
    if first.span.seconds < _WEEK:
        yield (
            "Each half has less than a week, so one of them may have no weekend: a log of a month "
            "says more."
        )
    if is_worth_it(advice):
        mean = duration(second.share_of_waits * advice.powers.start_seconds, Sense.HEADLINE)
        yield (
            f"Nodes sleep after {duration(advice.plan.after, Sense.TYPED)} without a job. A job "
            f"waits {mean} on average, and at most as long as one start. What a wait delays "
            "after that is not counted."
        )
    even = advice.powers.break_even
    known = even[np.isfinite(even)]
    if len(known):
        ends = [duration(value, Sense.HEADLINE) for value in (known.min(), known.max())]
        said = " to ".join(dict.fromkeys(ends))
        yield f"A node must sleep for {said} to save what its start takes."
    yield from _assumptions(advice)
    if not advice.use.node_names:
        yield (
            "The log names no nodes: as few nodes are taken to be busy as the cores and GPUs in "
            "use could fill. A column NodeList makes this exact."
        )
    yield (
        "Jobs are taken to go to the nodes that were used last, with the lowest Weight first. If "
        "they are spread over all nodes, less sleeps."
    )


_NAMES: Final[dict[Assumed, str]] = {
    "idle": "the idle power",
    "asleep": "the power asleep",
    "start": "the time of a start",
}


def _assumptions(advice: SleepAdvice) -> Iterator[str]:
    """What nobody has said, and how far it may be from the truth."""
    powers = advice.powers
    assumed = [
        f"{power(powers.asleep, Sense.TYPED)} asleep",
        f"{duration(powers.start_seconds, Sense.TYPED)} for a start at the power at work",
    ]
    if powers.idle_assumed.any():
        said = share(advice.settings.idle_share, Sense.TYPED)
        assumed.append(f"idle power {said} of that at work{_where(advice, powers.idle_assumed)}")
    if powers.busy_assumed.any():
        said = power(advice.settings.busy_watts, Sense.TYPED)
        assumed.append(f"{said} at work{_where(advice, powers.busy_assumed)}")
    yield f"Assumed of each node: {joined(assumed)}."
    limits = [text for one in advice.holds if (text := _limit(one))]
    within = f"within {share(AS_GOOD, Sense.TYPED)} of the best"
    if limits:
        yield f"The same nodes and times stay {within} as long as {joined(limits)}."
    else:
        yield f"The same nodes and times stay {within} whatever these numbers are."


def _where(advice: SleepAdvice, marked: np.ndarray) -> str:
    if marked.all():
        return ""
    names = [name for name, is_so in zip(advice.use.names, marked, strict=True) if is_so]
    return f" ({', '.join(names)})"


def _limit(one: Holds) -> str:
    """From where to where a number may be; empty if it may be anything."""

    def say(value: float) -> str:
        if one.name == "idle":
            return f"{share(value, Sense.HEADLINE)} of what it is here"
        if one.name == "asleep":
            return power(value, Sense.HEADLINE)
        return duration(value, Sense.HEADLINE)

    ends = [
        f"{word} {say(value)}"
        for word, value in (("above", one.low), ("below", one.high))
        if value is not None
    ]
    return f"{_NAMES[one.name]} is {joined(ends)}" if ends else ""


def _figures(advice: SleepAdvice, site: Site | None) -> Iterator[KeyFigure]:
    judged = advice.judged
    yield KeyFigure(
        "Saved a year",
        energy_a_year(judged, judged.saved),
        "At the nodes, as much a year as in the half of the log that judges.",
    )
    if site is not None:
        cost = site.cost_of(judged.a_year(judged.saved))
        yield energy_cost_figure("Worth a year", cost, site, "At the site above the page")
    most = max(judged.always_on - judged.least, 0.0)
    reached = judged.saved / most if most > 0 else 1.0
    yield KeyFigure(
        "Of the most possible",
        few_percent(max(reached, 0.0)),
        "Of what a plan would save that knows all jobs ahead and lets none wait (proven: nobody "
        f"saves more than {energy_a_year(judged, most)} a year without a wait).",
    )
    yield KeyFigure(
        "Jobs that wait",
        few_percent(judged.share_of_waits),
        f"{judged.waits:,} of {counted(judged.span.jobs, 'job')} find a node asleep.",
    )
    nodes = int(advice.use.nodes.sum())
    yield KeyFigure(
        "Asleep on average",
        f"{amount(float(advice.asleep.sum()), Sense.HEADLINE)} of {nodes:,}",
        "Nodes, over the half of the log that judges.",
    )


def _by_type(advice: SleepAdvice) -> ToldTable:
    use, judged = advice.use, advice.judged
    levels = [table.levels for table in judged.span.tables]
    nights = judged.span.seconds / DAY
    columns = {
        "Machine type": use.names,
        "Nodes": [f"{number:,}" for number in use.nodes.tolist()],
        "Busy on average": [
            amount(one.busy_seconds / one.seconds, Sense.HEADLINE) for one in levels
        ],
        "Busy at most": [f"{one.most:,}" for one in use.changes],
        "Stay awake": [f"{number:,}" for number in (use.nodes - advice.may_sleep).tolist()],
        "May sleep": [f"{number:,}" for number in advice.may_sleep.tolist()],
        "Asleep on average": [amount(float(one), Sense.HEADLINE) for one in advice.asleep],
        "Starts a day": [amount(one.starts / nights, Sense.HEADLINE) for one in judged.slept],
        "Jobs that wait": [
            few_percent(one.waits / max(each.jobs, 1))
            for one, each in zip(judged.slept, levels, strict=True)
        ],
        "Saved a year": [energy_a_year(judged, float(one)) for one in judged.saved_by_type],
    }
    return ToldTable.of_columns("By machine type", columns)


def _front(advice: SleepAdvice) -> ToldTable:
    """The plans for other shares of jobs that may wait."""
    plans = [(first, second) for first, second in advice.front]
    columns = {
        "Jobs that wait": [few_percent(second.share_of_waits) for _, second in plans],
        "Waited where chosen": [few_percent(first.share_of_waits) for first, _ in plans],
        "Saved a year": [energy_a_year(second, second.saved) for _, second in plans],
        "Saved": [few_percent(second.share_saved) for _, second in plans],
        "SuspendTime (s)": [
            "never" if math.isinf(second.plan.after) else f"{round(second.plan.after):,}"
            for _, second in plans
        ],
        "Nodes that stay awake": [f"{sum(second.plan.awake):,}" for _, second in plans],
    }
    return ToldTable.of_columns("More or fewer jobs that wait", columns)


def slept_longest(advice: SleepAdvice) -> ToldTable | None:
    """The nodes that had nothing to do for the longest; None where the log names none."""
    use = advice.use
    if not use.node_names:
        return None
    idle = 1 - use.node_busy / use.seconds
    order = np.argsort(-idle, kind="stable")[:10]
    columns = {
        "Node": [use.node_names[place] for place in order],
        "Machine type": [use.names[use.node_types[place]] for place in order],
        "Without work": [few_percent(float(idle[place])) for place in order],
    }
    return ToldTable.of_columns("Nodes that had least to do", columns)


def _as_data(advice: SleepAdvice) -> dict[str, object]:
    named = awake_nodes(advice)
    return {
        "suspend_time": advice.plan.after if math.isfinite(advice.plan.after) else None,
        "machine_types": [
            {
                "name": name,
                "nodes": int(nodes),
                "awake": int(nodes - asleep),
                "may_sleep": int(asleep),
                "stay": fold_nodes(both[0]),
            }
            for name, nodes, asleep, both in zip(
                advice.use.names, advice.use.nodes, advice.may_sleep, named, strict=True
            )
        ],
        "chosen": _outcome_data(advice.chosen),
        "judged": _outcome_data(advice.judged),
        "front": [
            {"awake": [*second.plan.awake], "chosen": _outcome_data(first)}
            | {"judged": _outcome_data(second)}
            for first, second in advice.front
        ],
        "holds": {one.name: [one.low, one.value, one.high] for one in advice.holds},
        "slurm_conf": slurm_lines(advice),
    }


def _outcome_data(outcome: SleepOutcome) -> dict[str, object]:
    return {
        "seconds": outcome.span.seconds,
        "jobs": outcome.span.jobs,
        "waits": outcome.waits,
        "starts": outcome.starts,
        "joules": outcome.joules,
        "least_joules": outcome.least,
        "always_on_joules": outcome.always_on,
        "busy_joules": outcome.busy_joules,
        "saved_joules": outcome.saved,
    }
