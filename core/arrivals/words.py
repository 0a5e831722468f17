"""Policies and their results in words."""

import math

from core.arrivals.bag_trials import BagTrials
from core.arrivals.policies import POLICIES
from core.arrivals.trials import ReplayComparison, worth_of
from core.arrivals.uncertain_methods import BAG_METHODS
from core.engine.many import RunsProgress
from core.model.intervals import Interval
from core.say.columns import exact_duration, exact_energies, exact_energy, table
from core.say.units import Unit
from core.say.words import Sense, amount, counted, duration, share

PUBLISHED_MAXIMUM = (
    "The published maximum is what all jobs would be worth if each began when it arrived, on its "
    "fastest option."
)
BOUND_MEANING = "The bound is proven, also for who knows beforehand what arrives."
_ALL_FAILED = 5


def policy_label(name: str) -> str:
    """The name of a policy or method for people."""
    return POLICIES[name].label if name in POLICIES else BAG_METHODS[name].label


def replay_progress(progress: RunsProgress) -> str:
    """`12 of 48 replays, about 12 s left`."""
    said = f"{progress.done:,} of {counted(progress.all, 'replay')}"
    if progress.left is None:
        return said
    return f"{said}, about {duration(max(math.ceil(progress.left), 1), Sense.PLAIN)} left"


def interval_in_words(interval: Interval) -> str:
    """`7,421 ± 31`, or the mean alone if one trial does not say how sure it is."""
    mean = amount(interval.mean, Sense.PLAIN)
    if not math.isfinite(interval.half_width):
        return mean
    return f"{mean} ± {amount(interval.half_width, Sense.PLAIN)}"


def mean_in_unit(interval: Interval, unit: Unit) -> str:
    """A time or an energy with its interval: `45.9 ± 7.4 h`; the mean alone if one trial does not
    say how sure it is.
    """
    mean = amount(interval.mean / unit.size, Sense.PLAIN)
    if not math.isfinite(interval.half_width):
        return f"{mean} {unit.symbol}"
    width = amount(interval.half_width / unit.size, Sense.UPPER_BOUND, digits=2)
    return f"{mean} ± {width} {unit.symbol}"


def bags_lead(found: BagTrials) -> str:
    """The method whose bags end first, how far that is above the bound, and what it expected."""
    best = found.best
    actual, expected = found.mean(best, "seconds"), found.mean(best, "expected_seconds")
    above = found.above_bound(best, "seconds")
    of_bound = ""
    if above is not None:
        of_bound = f", at most {share(above.mean, Sense.UPPER_BOUND)} above the lower bound"
    return (
        f"Bags end first under the method {policy_label(best)}: after "
        f"{duration(actual.mean, Sense.PLAIN)} on average{of_bound}. It expected "
        f"{duration(expected.mean, Sense.PLAIN)}."
    )


def replay_report(name: str, found: ReplayComparison) -> str:
    """A line for each policy, the best first."""
    trials = len(found.common)
    question = found.question
    jobs = len(question.file(found.common[0]).workload.jobs) if trials else 0
    head = f"{name}: {counted(jobs, 'job')}"
    if question.trials > 1:
        head = f"{name}: {trials:,} of {counted(question.trials, 'trial')}"
    of_bound = "of the bound and " if found.bounds else ""
    rows = [
        ("", f"worth, {of_bound}of the published maximum; energy; jobs done, dropped; makespan")
    ]
    rows += [(policy_label(policy), _figures(found, policy)) for policy in ranked(found)]
    said = PUBLISHED_MAXIMUM
    if found.bounds and trials:
        proven = amount(float(found.bound_values.mean()), Sense.UPPER_BOUND)
        rows.append(("bound", f"{proven}: no policy could have earned more"))
        said = f"{said} {BOUND_MEANING}"
    if (of_bags := found.bag_bound) is not None:
        makespan = exact_duration(of_bags.makespan, Sense.LOWER_BOUND)
        joules = exact_energy(of_bags.joules, Sense.LOWER_BOUND)
        rows.append(("", f"{makespan} and {joules}: no method could have taken less"))
    rows.append(("checked", _verified(found)))
    return f"{head}\n{table(rows)}\n{said}"


def ranked(found: ReplayComparison) -> list[str]:
    """The policies, by their mean worth and then by their energy; the best first."""
    if not found.common:
        return []

    def place(policy: str) -> tuple[float, float]:
        means = found.means(policy)
        return -means.mean(worth_of), means.mean(lambda one: one.score.joules)

    return sorted(found.question.policies, key=place)


def _figures(found: ReplayComparison, policy: str) -> str:
    means = found.means(policy)
    joules = means.mean(lambda one: one.score.joules)
    budget = means.mean(lambda one: one.budget)
    energy = exact_energy(joules, Sense.SPENT)
    if math.isfinite(budget):
        energy = " of ".join(exact_energies(joules, budget))
    done = round(means.mean(lambda one: one.score.completed))
    dropped = round(means.mean(lambda one: one.score.dropped))
    shares = means.bound_share
    of_bound = f"{share(shares.mean, Sense.EARNED)} and " if shares else ""
    makespan = exact_duration(means.mean(lambda one: one.score.makespan), Sense.SPENT)
    return (
        f"{interval_in_words(means.interval(worth_of))}, {of_bound}"
        f"{share(means.published_share.mean, Sense.EARNED)}; {energy}; {done:,}, {dropped:,}; "
        f"{makespan}"
    )


def _verified(found: ReplayComparison) -> str:
    if not found.common:
        return "nothing, because no trial came to its end"
    wrong = [policy for policy in found.question.policies if not found.means(policy).verified]
    if not wrong:
        return "every outcome was judged, and keeps all rules"
    return f"outcomes that break rules: {', '.join(map(policy_label, wrong))}"


def replay_failures(found: ReplayComparison) -> list[str]:
    """A sentence for each of the first replays that failed."""
    said = [f"the replay of {one.input} failed: {one.why}" for one in found.failed[:_ALL_FAILED]]
    more = len(found.failed) - _ALL_FAILED
    return [*said, f"... and {more} more"] if more > 0 else said
