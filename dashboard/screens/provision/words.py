"""What only the page What to buy says: settings in force, closer looks, and by how much the
two-stage purchase is better than each rival.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.futures.varying import BY_ERROR, WantedKinds
from core.capabilities.provision.goals.answer import goal_said
from core.capabilities.provision.settings import SOUGHT
from core.capabilities.provision.words import DECIDED, caution_share, listed
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, amount, begun, counted, power, rounded, settled, share
from core.vocabulary.tolerances import METHODS_AGREE, SAME
from dashboard.screens.provision.answer import ProvisionAnswer
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.sweeps import of_worst


def in_force(inputs: PlanInputs) -> list[str]:
    """The limits, the spread and the scenarios, each in a few words."""
    limits, spread, wanted = inputs.limits, inputs.spread, inputs.scenarios
    said = []
    if inputs.of_week is not None:
        said.append(SOUGHT[inputs.of_week])
    elif not inputs.is_usual:
        said.append(begun(goal_said(inputs.goal, inputs.rates)))
    if limits.power is not None:
        said.append(f"Power up to {power(limits.power, Sense.TYPED)}")
    if limits.failure_rate is not None:
        most = rounded(limits.failure_rate * inputs.rate_seconds, Sense.PLAIN, 12)
        said.append(f"Failures up to {amount(most, Sense.TYPED)} {inputs.rates.every}")
    if limits.least_machines:
        said.append(f"At least {amount(limits.least_machines, Sense.TYPED)} machines")
    if limits.most_machines is not None:
        said.append(f"At most {amount(limits.most_machines, Sense.TYPED)} machines")
    if inputs.of_week is not None:
        return [*said, *(f"Rule: {text}" for text in inputs.rules), "Whole machines"]
    for name, variation in (
        ("Arrivals", spread.arrivals),
        ("Times", spread.times),
        ("Powers", spread.powers),
    ):
        if variation.law == "empirical":
            said.append(f"{name} as seen")
        elif variation.covs:
            said.append(f"{name} ± by type, {variation.law}")
        elif variation.varies:
            cov = share(rounded(variation.cov, Sense.PLAIN, 12), Sense.TYPED)
            said.append(f"{name} ± {cov}, {variation.law}")
    if spread.operations and spread.times.varies:
        said.append(operations_title(spread.operations))
    if spread.correlation:
        said.append(f"Arrivals correlated, {amount(spread.correlation, Sense.TYPED)}")
    said += [f"Rule: {text}" for text in inputs.rules]
    whole = inputs.whole and inputs.is_usual
    said.append("Whole machines" if whole else "Machines in parts")
    if inputs.caution:
        said.append(f"Weight of the worst 5 %: {caution_share(inputs.caution)}")
    return [*said, f"{counted(wanted.count, 'scenario')}, {wanted.points} points"]


def operations_title(wanted: WantedKinds) -> str:
    """What times are made of, as a person chooses it."""
    if wanted == BY_ERROR:
        return "Operations, kinds chosen by error"
    return f"{counted(wanted, 'kind')} of operations" if wanted else "No operations"


def more_sentence(gains: FloatArray, answer: ProvisionAnswer) -> str:
    """Which machine type adds most, by itself and for its price."""
    plan, inputs = answer.plan, answer.asked.inputs
    if not (gains > SAME * abs(answer.best.value)).any():
        return "One more machine of any type adds nothing: all work that arrives is done."
    most = int(gains.argmax())
    said = f"One more {plan.offers[most].name} adds most: {inputs.rates.said(float(gains[most]))}."
    for_money = [
        gain / offer.price if offer.price else 0.0
        for gain, offer in zip(gains.tolist(), plan.offers, strict=True)
    ]
    best = max(range(len(for_money)), key=for_money.__getitem__)
    if best == most or not for_money[best]:
        return said
    return f"{said} For its price, {plan.offers[best].name} adds most."


def caution_sentence(values: FloatArray, purchase: Purchase, answer: ProvisionAnswer) -> str:
    """What caution buys, what it gains in the worst 5 % and loses on average."""
    inputs, best = answer.asked.inputs, answer.best
    scale = abs(best.value)
    gain = settled(of_worst(values) - of_worst(best.values), scale)
    loss = settled(float(best.values.mean() - values.mean()), scale)
    if gain <= 0 and loss <= 0:
        return "For the worst 5 % of scenarios alone, no purchase is better than the two-stage one."
    names = [offer.name for offer in answer.plan.offers]
    bought, sold = listed(purchase.buy, names), listed(purchase.sell, names)
    what = f"to buy {bought or 'nothing'}" + (f" and to sell {sold}" if sold else "")
    more, less = (inputs.rates.said(max(each, 0.0)) for each in (gain, loss))
    return (
        f"For the worst 5 % of scenarios alone it is best {what}: that {inputs.rates.earns} {more} "
        f"more there, and {less} less on average."
    )


def sweep_notes(inputs: PlanInputs) -> list[str]:
    """How the settings of the page hold in a sweep."""
    said = []
    if inputs.whole:
        said.append("Machines are whole; only where each future is known, they are in parts.")
    if inputs.caution:
        counts = caution_share(inputs.caution)
        said.append(
            f"The worst 5 % have a weight of {counts} in what is chosen; the {inputs.rates.noun} "
            "is that of all."
        )
    return said


def front_notes(inputs: PlanInputs) -> list[str]:
    """Which settings of the page do not hold along a front."""
    said = []
    if inputs.whole:
        said.append("Along the front and in all that is possible, machines are in parts.")
    if inputs.caution:
        said.append("Along the front, the worst 5 % have no weight of their own.")
    return said


_LEVELS: Final = 81
_TAIL: Final = 0.01
"""Where shares are drawn, so much of the scenarios is left out at each end: of a reward that is
almost 0, an improvement is a share without end."""
_SETTLED: Final = 2 * METHODS_AGREE


@dataclass(frozen=True, slots=True, eq=False)
class Violin:
    """The distribution of an improvement: of reward a second, or if `relative`, of shares of what
    the rival earns. Its density is that at `levels`, the largest being 1. All improvements are
    alike if there is one level. In `left_out` scenarios a share says nothing: the rival earns 0.
    """

    method: str
    improvement: FloatArray
    levels: FloatArray
    density: FloatArray
    relative: bool = False
    left_out: int = 0

    @property
    def mean(self) -> float:
        """NaN if all scenarios are left out."""
        return float(self.improvement.mean()) if len(self.improvement) else math.nan

    @property
    def wins(self) -> float:
        """The share of scenarios in which the two-stage purchase is better."""
        return float((self.improvement > 0).mean())

    @property
    def losses(self) -> float:
        """The share of scenarios in which the rival is better."""
        return float((self.improvement < 0).mean())


def violins(answer: ProvisionAnswer, *, relative: bool = False) -> list[Violin]:
    """One for each rival."""
    ours = answer.best.values
    scale = float(np.abs(ours).max()) or 1.0
    found = []
    for method, rival in answer.rivals.items():
        better = ours - rival.values
        # Both purchases are only as good as the search makes them.
        better = np.where(np.abs(better) <= _SETTLED * scale, 0.0, better)
        if not relative:
            found.append(Violin(method, better, *_density(better, scale)))
            continue
        earned = np.abs(rival.values)
        told = (earned > _SETTLED * scale) | (better == 0)
        shares = better[told] / np.where(better[told] == 0, 1.0, earned[told])
        left_out = len(ours) - len(shares)
        found.append(Violin(method, shares, *_density(_middle(shares), 1.0), True, left_out))
    return found


def _middle(shares: FloatArray) -> FloatArray:
    """Without the tails."""
    if not len(shares):
        return shares
    low, high = np.quantile(shares, (_TAIL, 1 - _TAIL))
    return np.asarray(shares[(shares >= low) & (shares <= high)])


def _density(values: FloatArray, scale: float) -> tuple[FloatArray, FloatArray]:
    if len(values) < 2 or np.ptp(values) <= SAME * scale:
        return values[:1], np.ones(len(values[:1]))
    levels = np.linspace(values.min(), values.max(), _LEVELS)
    width = values.std(ddof=1) * len(values) ** -0.2  # Scott's rule
    density = np.exp(-(((levels[:, None] - values) / width) ** 2) / 2).sum(axis=1)
    return levels, density / density.max()


def sentences(answer: ProvisionAnswer, found: list[Violin]) -> list[str]:
    """For each rival, how often and by how much on average the two-stage purchase is better."""
    said, earns = [], answer.asked.inputs.rates.earns
    for violin in found:
        title = DECIDED[violin.method]
        if not len(violin.improvement):
            said.append(f"{title}: it {earns} nothing in any scenario, so there are no shares.")
            continue
        if not (violin.improvement.any() or violin.left_out):
            said.append(f"{title}: equal in every scenario.")
            continue
        besides = ""
        if violin.left_out:
            out = counted(violin.left_out, "scenario")
            besides = f" Left out: {out} in which it {earns} nothing."
        said.append(
            f"{title}: our advice {earns} {mean_said(violin, answer.asked.inputs)} on "
            f"average; it is better in {share(violin.wins, Sense.PLAIN)} of the scenarios, and "
            f"worse in {share(violin.losses, Sense.PLAIN)}.{besides}"
        )
    return said


def mean_said(violin: Violin, inputs: PlanInputs) -> str:
    """The mean improvement: "12 an hour more", or "15 % less"."""
    size = abs(violin.mean)
    said = share(size, Sense.PLAIN) if violin.relative else inputs.rates.said(size)
    return f"{said} {'more' if violin.mean >= 0 else 'less'}"
