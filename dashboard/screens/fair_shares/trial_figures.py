"""What trials say, draw and list: means of each policy, with their intervals."""

import pandas as pd
import plotly.graph_objects as go

from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES
from core.capabilities.fair_shares.tasks.words import SCORE_TITLES, score_unit
from core.capabilities.fair_shares.trials.means import TaskPolicyMeans, TrialMeans
from core.capabilities.fair_shares.trials.words import mean_said
from core.vocabulary.say.units import Unit
from core.vocabulary.say.words import Sense, amount, counted
from dashboard.screens.fair_shares.policies_chart import LeastPossible, PolicyBar, policies_figure


def trials_lead(means: TrialMeans) -> str:
    """Which policy is best on average."""
    best = means.best["max_stretch"]
    (found,) = (one for one in means.policies if one.policy == best)
    return (
        f"In {counted(means.trials, 'trial')}, {TASK_POLICIES[best].label} has the smallest mean "
        f"worst stretch: {mean_said(found.scores['max_stretch'])}, "
        f"{amount(found.over_optimum.mean, Sense.SPENT)} times the best possible on average."
    )


def alike_said(means: TrialMeans) -> str:
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


def means_figure(means: TrialMeans, score: str) -> go.Figure:
    """Bars with intervals; the best possible worst stretch is a mean, too."""
    unit = _unit(means, score)
    bars = [
        PolicyBar(
            TASK_POLICIES[one.policy].label,
            one.scores[score].mean,
            f"{mean_said(one.scores[score], unit)} {unit.symbol}<br>"
            f"more than the best: {_behind(means, one, score)}",
            one.scores[score].half_width,
        )
        for one in means.policies
    ]
    least = None
    if score == "max_stretch":
        said = f"best possible, on average: {amount(means.least.mean, Sense.PLAIN)}"
        least = LeastPossible(means.least.mean, said)
    return policies_figure(bars, score, least)


def means_table(means: TrialMeans, score: str) -> pd.DataFrame:
    """A row for each policy, the best by this score first."""
    order = sorted(means.policies, key=lambda one: one.scores[score].mean)
    columns = {}
    for name in (score, *(each for each in SCORE_TITLES if each != score)):
        unit, title = _unit(means, name), SCORE_TITLES[name]
        head = f"{title} ({unit.symbol})" if unit.symbol else title
        columns[head] = [mean_said(one.scores[name], unit) for one in order]
        if name == score:
            columns["More than the best"] = [_behind(means, one, score) for one in order]
    return pd.DataFrame({"Policy": [TASK_POLICIES[one.policy].label for one in order], **columns})


def _behind(means: TrialMeans, one: TaskPolicyMeans, score: str) -> str:
    """By how much a policy exceeds the best one, in the unit of the score."""
    if means.best[score] == one.policy:
        return "best"
    return mean_said(one.behind[score], _unit(means, score))


def _unit(means: TrialMeans, score: str) -> Unit:
    return score_unit(score, [one.scores[score].mean for one in means.policies])
