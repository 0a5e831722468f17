"""By how much the two-stage purchase is better than each rival, from scenario to scenario."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.stats import gaussian_kde

from core.capabilities.provision.words import DECIDED
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, counted, share
from core.vocabulary.tolerances import METHODS_AGREE, SAME
from dashboard.screens.provision.answer import ProvisionAnswer
from dashboard.screens.provision.inputs import PlanInputs

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
    density = gaussian_kde(values)(levels)
    return levels, density / density.max()


def sentences(answer: ProvisionAnswer, found: list[Violin]) -> list[str]:
    """For each rival, how often and by how much on average the two-stage purchase is better."""
    said = []
    for violin in found:
        title = DECIDED[violin.method]
        if not len(violin.improvement):
            said.append(f"{title}: it earns nothing in any scenario, so there are no shares.")
            continue
        if not (violin.improvement.any() or violin.left_out):
            said.append(f"{title}: equal in every scenario.")
            continue
        besides = ""
        if violin.left_out:
            out = counted(violin.left_out, "scenario")
            besides = f" Left out: {out} in which it earns nothing."
        said.append(
            f"{title}: the two-stage purchase earns {mean_said(violin, answer.asked.inputs)} on "
            f"average; it is better in {share(violin.wins, Sense.PLAIN)} of the scenarios, and "
            f"worse in {share(violin.losses, Sense.PLAIN)}.{besides}"
        )
    return said


def mean_said(violin: Violin, inputs: PlanInputs) -> str:
    """The mean improvement: "12 an hour more", or "15 % less"."""
    size = abs(violin.mean)
    said = share(size, Sense.PLAIN) if violin.relative else inputs.rates.said(size)
    return f"{said} {'more' if violin.mean >= 0 else 'less'}"
