"""Sentences about trials of policies for whole tasks, for command line and page."""

import math
from typing import Final

from core.capabilities.fair_shares.share_words import in_minutes
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES
from core.capabilities.fair_shares.tasks.words import SCORE_TITLES, score_unit
from core.capabilities.fair_shares.trials.means import TaskPolicyMeans, TrialMeans
from core.engines.compute.many import RunsProgress
from core.shells.told.told import Told, ToldTable
from core.vocabulary.intervals import Interval
from core.vocabulary.say.units import Unit
from core.vocabulary.say.words import Sense, amount, counted, duration, settled

_ONE: Final = Unit("", 1.0)


def told_of_trials(means: TrialMeans) -> Told:
    """All that is said of trials: which policy is best on average, and how sure that is."""
    wrong = [
        f"NOT verified: {TASK_POLICIES[one.policy].label}: {fault}"
        for one in means.policies
        for fault in one.faults
    ]
    return Told(
        _lead(means),
        (
            *((_alike(means),) if len(means.policies) > 1 else ()),
            f"The best possible worst stretch is {mean_said(means.least)} on average.",
            *(wrong or ("Checked: a judge agrees that whole tasks can run so.",)),
        ),
        tables=(
            means_table(means, "max_stretch"),
            *((_behind_table(means),) if len(means.policies) > 1 else ()),
        ),
    )


def _lead(means: TrialMeans) -> str:
    """Which policy is best on average."""
    best = means.best["max_stretch"]
    (found,) = (one for one in means.policies if one.policy == best)
    return (
        f"In {counted(means.trials, 'trial')}, {TASK_POLICIES[best].label} has the smallest mean "
        f"worst stretch: {mean_said(found.scores['max_stretch'])}, "
        f"{amount(found.over_optimum.mean, Sense.SPENT)} times the best possible on average."
    )


def _alike(means: TrialMeans) -> str:
    """Which policies may have as small a worst stretch as the best one."""
    best = means.best["max_stretch"]
    alike = [
        TASK_POLICIES[one.policy].label
        for one in means.policies
        if one.policy != best and one.behind["max_stretch"].low <= 0
    ]
    if not alike:
        return "All others have a larger one (95 % intervals of differences)."
    return f"These trials do not tell it from {', '.join(alike)}."


def means_table(means: TrialMeans, score: str) -> ToldTable:
    """A row for each policy, the best by this score first."""
    order = sorted(means.policies, key=lambda one: one.scores[score].mean)
    columns = {"Policy": [TASK_POLICIES[one.policy].label for one in order]}
    for name in (score, *(each for each in SCORE_TITLES if each != score)):
        unit = unit_of(means, name)
        columns[_head(means, name)] = [mean_said(one.scores[name], unit) for one in order]
        if name == score:
            columns["More than the best"] = [behind_said(means, one, score) for one in order]
    note = (
        "± is half of the width of the 95 % interval. More than the best: the mean difference to "
        "the best policy in the same trial; if its interval has 0 in it, these trials do not tell "
        "the two apart."
    )
    return ToldTable.of_columns("Means over trials", columns, 0, note)


def _behind_table(means: TrialMeans) -> ToldTable:
    """A row for each policy: by how much it exceeds the best one of each score."""
    columns = {"Policy": [TASK_POLICIES[one.policy].label for one in means.policies]}
    for score in SCORE_TITLES:
        columns[_head(means, score)] = [behind_said(means, one, score) for one in means.policies]
    return ToldTable.of_columns("More than the best of each score, trial by trial", columns)


def _head(means: TrialMeans, score: str) -> str:
    symbol, title = unit_of(means, score).symbol, SCORE_TITLES[score]
    return f"{title} ({symbol})" if symbol else title


def behind_said(means: TrialMeans, one: TaskPolicyMeans, score: str) -> str:
    """By how much a policy exceeds the best one, in the unit of the score."""
    if means.best[score] == one.policy:
        return "best"
    return mean_said(one.behind[score], unit_of(means, score))


def unit_of(means: TrialMeans, score: str) -> Unit:
    return score_unit(score, [one.scores[score].mean for one in means.policies])


def redrawn_said(gap: float) -> str:
    """How release dates of bags with a mean gap (s) are drawn."""
    mean = in_minutes(gap)
    return (
        "In each trial the bags come in another random order, with random (exponential) gaps of "
        f"the same mean, {mean}."
    )


def trials_progress(progress: RunsProgress) -> str:
    """`12 of 48 trials, about 12 s left`."""
    said = f"{progress.done:,} of {counted(progress.all, 'trial')}"
    if progress.left is None:
        return said
    return f"{said}, about {duration(max(math.ceil(progress.left), 1), Sense.PLAIN)} left"


def mean_said(found: Interval, unit: Unit = _ONE) -> str:
    """As in "3.144 ± 0.13"."""
    mean, half = found.mean / unit.size, settled(found.half_width, abs(found.mean)) / unit.size
    return f"{amount(mean, Sense.PLAIN)} ± {amount(half, Sense.SPENT, digits=2)}"
