"""Sentences about trials of policies for whole tasks, for command line and page."""

import math
from typing import Final

from core.capabilities.fair_shares.share_words import in_minutes
from core.capabilities.fair_shares.tasks.words import SCORE_TITLES, aligned, score_unit
from core.capabilities.fair_shares.trials.means import TrialMeans
from core.engines.compute.many import RunsProgress
from core.vocabulary.intervals import Interval
from core.vocabulary.say.units import Unit
from core.vocabulary.say.words import Sense, amount, counted, duration, settled

_ONE: Final = Unit("", 1.0)


def trials_report(lead: str, means: TrialMeans) -> str:
    """After a lead, a line for each policy: means over trials with half of the width of their
    intervals, and by how much each score is behind the best policy.
    """
    units = {
        score: score_unit(score, [one.scores[score].mean for one in means.policies])
        for score in SCORE_TITLES
    }
    heads = [
        f"{title.lower()} ({unit.symbol})" if unit.symbol else title.lower()
        for title, unit in zip(SCORE_TITLES.values(), units.values(), strict=True)
    ]
    rows = [["policy", "over best possible", *heads]]
    behind = [["policy", *heads]]
    for one in means.policies:
        scores = [mean_said(one.scores[score], units[score]) for score in SCORE_TITLES]
        rows.append([one.policy, mean_said(one.over_optimum), *scores])
        behind.append(
            [
                one.policy,
                *(
                    "best"
                    if means.best[score] == one.policy
                    else mean_said(one.behind[score], units[score])
                    for score in SCORE_TITLES
                ),
            ]
        )
    wrong = sorted(f"  {one.policy}: {fault}" for one in means.policies for fault in one.faults)
    judged = wrong or ["  outcomes keep all limits (verified)"]
    compared = [
        "",
        "how much more than the best policy of each score, compared trial by trial:",
        *aligned(behind),
        "  If 0 is within an interval, these trials do not tell the policy from the best one.",
    ]
    return "\n".join(
        [
            f"{lead}, best possible worst stretch {mean_said(means.least)}",
            "means, with half of the width of their 95 % intervals:",
            *aligned(rows),
            *(compared if len(means.policies) > 1 else ()),
            "",
            *judged,
        ]
    )


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
