"""By how much the two-stage purchase is better than each rival, from scenario to scenario."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.stats import gaussian_kde

from core.model.arrays import FloatArray
from core.model.tolerances import METHODS_AGREE, SAME
from core.say.words import Sense, share
from dashboard.provision.answer import METHODS, ProvisionAnswer
from dashboard.provision.words import rate

_LEVELS: Final = 81
_SETTLED: Final = 2 * METHODS_AGREE


@dataclass(frozen=True, slots=True, eq=False)
class Violin:
    """The distribution of an improvement (reward a second): its density at `levels`, the largest
    being 1. All improvements are alike if there is one level.
    """

    method: str
    improvement: FloatArray
    levels: FloatArray
    density: FloatArray

    @property
    def mean(self) -> float:
        return float(self.improvement.mean())

    @property
    def wins(self) -> float:
        """The share of scenarios in which the two-stage purchase is better."""
        return float((self.improvement > 0).mean())

    @property
    def losses(self) -> float:
        """The share of scenarios in which the rival is better."""
        return float((self.improvement < 0).mean())


def violins(answer: ProvisionAnswer) -> list[Violin]:
    """One for each rival."""
    ours = answer.best.values
    scale = float(np.abs(ours).max()) or 1.0
    found = []
    for method, rival in answer.rivals.items():
        better = ours - rival.values
        # Both purchases are only as good as the search makes them.
        better = np.where(np.abs(better) <= _SETTLED * scale, 0.0, better)
        found.append(Violin(method, better, *_density(better, scale)))
    return found


def _density(values: FloatArray, scale: float) -> tuple[FloatArray, FloatArray]:
    if len(values) < 2 or np.ptp(values) <= SAME * scale:
        return values[:1], np.ones(1)
    levels = np.linspace(values.min(), values.max(), _LEVELS)
    density = gaussian_kde(values)(levels)
    return levels, density / density.max()


def sentences(answer: ProvisionAnswer, found: list[Violin]) -> list[str]:
    """For each rival, how often and by how much on average the two-stage purchase is better."""
    said = []
    for violin in found:
        title = METHODS[violin.method]
        if not violin.improvement.any():
            said.append(f"{title}: equal in every scenario.")
            continue
        more = "more" if violin.mean >= 0 else "less"
        mean = rate(abs(violin.mean), answer.asked.inputs)
        said.append(
            f"{title}: the two-stage purchase earns {mean} {more} on average; it is better in "
            f"{share(violin.wins, Sense.PLAIN)} of the scenarios, and worse in "
            f"{share(violin.losses, Sense.PLAIN)}."
        )
    return said
