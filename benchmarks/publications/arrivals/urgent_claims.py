"""What is claimed of urgent jobs in chapter 4, and whether it holds: claims of several figures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.budget import (
    POINTS,
    ahead,
    alike,
    listed,
    not_below,
    signed,
)
from benchmarks.publications.arrivals.urgent import (
    BY_WORTH,
    COMPARISON,
    FLAGS,
    KINDS,
    LABELS,
    PAIR,
    PAIRS,
    UPT,
    UTIL,
    UrgentDays,
    of_flags,
    smaller,
)
from benchmarks.publications.claim import Claim
from core.capabilities.arrivals.made.urgent import UrgentSettings
from core.vocabulary.intervals import Interval

GREEDY: Final = f"{UPT}-greedy"
RIVALS: Final = {
    f"{measure}-{kind}": f"{measure}-now" for measure in (UTIL, UPT) for kind in KINDS[1:]
}
"""The policy that stops no job, by each of Greedy and Diff that has the same measure."""
MUCH_LESS: Final = 0.5
"""What may be lost as bursts grow, as a share of what others lose, to fall "much less"."""

Kinds = Mapping[str, UrgentSettings]
"""Kinds of days by what a figure calls them."""


def by_worth_ahead(found: UrgentDays, kinds: Kinds, again: str = "") -> Claim:
    leads = {}
    for name, kind in kinds.items():
        worst = min(BY_WORTH, key=lambda one: found.share(kind, one).mean)
        best = found.best(kind, COMPARISON)
        lead = found.lead(kind, worst, best)
        leads[f"{name}: {LABELS[worst]} over {LABELS[best]}"] = lead
    return _repeated(
        ahead("Policies by worth earn more than Random and FCFS: the worst over the best", leads),
        again,
    )


def per_time_ahead(found: UrgentDays, kinds: Kinds, again: str = "") -> Claim:
    leads = {
        f"{name}: {LABELS[f'{UPT}-{kind}']}": found.lead(of, f"{UPT}-{kind}", f"{UTIL}-{kind}")
        for name, of in kinds.items()
        for kind in KINDS
    }
    return _repeated(
        ahead(
            "Max UPT and its kin earn more than Max Util and its kin, each over its own",
            leads,
            cause="The publication has other classes, types and sizes of clusters, which it does "
            "not print.",
        ),
        again,
    )


def greedy_and_diff_alike(found: UrgentDays, kinds: Kinds, again: str = "") -> Claim:
    leads = {
        f"{name}: {LABELS[f'{measure}-greedy']} over Diff": found.lead(
            kind, f"{measure}-greedy", f"{measure}-diff"
        )
        for name, kind in kinds.items()
        for measure in (UTIL, UPT)
    }
    return _repeated(alike("Greedy and Diff earn nearly the same", leads), again)


def not_below_rivals(found: UrgentDays, kinds: Kinds, again: str = "") -> Claim:
    leads = {
        f"{name}: {LABELS[policy]}": found.lead(kind, policy, rival)
        for name, kind in kinds.items()
        for policy, rival in RIVALS.items()
    }
    return _repeated(
        _not_below("Greedy and Diff never earn less than the same without stopping", leads), again
    )


def not_below_any(found: UrgentDays, kinds: Kinds) -> Claim:
    """A statement on means: there are days on which it is wrong."""
    leads = {}
    for name, kind in kinds.items():
        for policy in (GREEDY, f"{UPT}-diff"):
            rival = found.best(
                kind,
                (one for one in (*COMPARISON, *BY_WORTH) if one not in (GREEDY, f"{UPT}-diff")),
            )
            leads[f"{name}: {LABELS[policy]} over {LABELS[rival]}"] = found.lead(
                kind, policy, rival
            )
    return _not_below("Max UPT Greedy and Diff never earn less than any other policy", leads)


def _not_below(claim: str, leads: Mapping[str, Interval]) -> Claim:
    return not_below(
        claim,
        leads,
        "It is no theorem: on small days that are enumerated, a job that is stopped for one that "
        "is worth more at once can be worth more in the end.",
    )


def pair_claims(found: UrgentDays, kinds: Kinds, *, alone: bool = True) -> Iterator[Claim]:
    """Pair against Greedy and Diff, on the smaller days; if not `alone`, its two kinds, too."""
    leads = {
        f"{name}: {LABELS[f'{measure}-{PAIR}']} over {kind.title()}": found.lead(
            smaller(of), f"{measure}-{PAIR}", f"{measure}-{kind}"
        )
        for name, of in kinds.items()
        for measure in (UTIL, UPT)
        for kind in KINDS[1:]
    }
    worst = max(leads.values(), key=lambda one: one.mean)
    trials = trials_said(found.trials_of_pair)
    yield Claim(
        f"Pair earns less than Greedy and Diff (read: the mean of {trials})",
        "less",
        listed({name: signed(one) for name, one in leads.items()}),
        worst.mean < 0,
        f"at most {worst.mean:+.1f} {POINTS}",
        cause="Here a job that was stopped is not looked at again at that event, without which "
        "Pair as printed goes round in circles; that alone may better it.",
    )
    if not alone:
        losses = {
            measure: [
                float(found.gains(smaller(of), f"{measure}-{PAIR}", f"{measure}-greedy").mean())
                for of in kinds.values()
            ]
            for measure in (UPT, UTIL)
        }
        more = dict(zip(kinds, np.subtract(losses[UPT], losses[UTIL]).tolist(), strict=True))
        yield Claim(
            "Max UPT Pair loses more against Greedy than Max Util Pair does (read: a larger share "
            f"of its worth, in the mean of {trials})",
            "more",
            listed({name: f"{one:+.1f} {POINTS}" for name, one in more.items()}),
            max(more.values()) < 0,
            f"at most {max(more.values()):+.1f} {POINTS}",
            cause="It stops jobs that are nearly done, since these have the highest worth for the "
            "time that is left; how often such jobs meet depends on the classes, which are ours.",
        )


def falls_less(falls: Mapping[str, Interval]) -> Claim:
    """What those lose that stop jobs, against what the same without stopping lose."""
    return Claim(
        "Greedy and Diff fall much less (read: at most half as many "
        f"{POINTS} as the same without stopping)",
        "much less",
        listed(
            {
                LABELS[policy]: f"{signed(falls[policy])} against {signed(falls[rival])}"
                for policy, rival in RIVALS.items()
            }
        ),
        all(falls[one].mean <= MUCH_LESS * falls[rival].mean for one, rival in RIVALS.items()),
        cause="What they lose depends on how long the classes keep a worth, which is ours.",
    )


def straightness(found: UrgentDays, kinds: Iterable[UrgentSettings], policy: str) -> float:
    """The correlation of the means with the shares of flags, over the trials that all have."""
    shares = [found.shares(days_of(kind, policy), policy) for kind in kinds]
    means = [one[: min(map(len, shares))].mean() for one in shares]
    return float(np.corrcoef(FLAGS, means)[0, 1])


def steps_said(found: UrgentDays, policies: Sequence[str]) -> str:
    """What each further share of flags adds to the worth."""
    means = {
        LABELS[policy]: np.diff(
            [found.share(days_of(of_flags(share), policy), policy).mean for share in FLAGS]
        )
        for policy in policies
    }
    return listed({name: ", ".join(f"{one:+.1f}" for one in each) for name, each in means.items()})


def _repeated(claim: Claim, again: str) -> Claim:
    return replace(claim, again=again)


def by_label(leads: Mapping[str, Interval]) -> dict[str, Interval]:
    return {LABELS[policy]: lead for policy, lead in leads.items()}


def trials_said(count: int) -> str:
    return "one trial" if count == 1 else f"{count} trials"


def days_of(kind: UrgentSettings, policy: str) -> UrgentSettings:
    """The days of a kind that a policy meets."""
    return smaller(kind) if policy in PAIRS else kind
