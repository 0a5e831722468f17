"""A thing that a publication says, what is found here, and whether that agrees."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np

from core.model.arrays import FloatArray

# How words on growth are read: run time goes like x to the power of a number in this range.
FLAT: Final = (-0.1, 0.1)
LINEAR: Final = (0.8, 1.2)
SUPER_LINEAR: Final = (1.1, np.inf)
CUBIC: Final = (2.5, 3.5)
RISING_SLOWLY: Final = (0.05, 0.5)
FALLING: Final = (-np.inf, -0.05)
RISING: Final = (0.05, np.inf)

NEAR: Final = 0.02
"""A schedule that exceeds the bound by at most this share is nearly indistinguishable from it."""

UNMEASURED: Final = "no number was published"


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing said of a figure: in words, the published value, the value here, the verdict.

    `difference` says by how much the two differ, in words or numbers. A claim is `ours` where the
    publication says nothing of the kind: an aim of our own, or its sentence asked of our method.
    Such are counted apart. One that `cannot_fail` is a theorem: it checks the code, not the
    publication. One that says `again` what another figure says is counted there, by its name.
    `cause` says why a claim does not hold: what was tried to find out, and what came of it.
    """

    figure: str
    claim: str
    published: str
    here: str
    holds: bool
    difference: str
    ours: bool = False
    cannot_fail: bool = False
    again: str = ""
    cause: str = ""

    @property
    def verdict(self) -> str:
        said = "holds" if self.holds else "does not hold"
        if self.again:
            return f"{said}, as in {self.again}"
        return f"{said}, a theorem" if self.cannot_fail else said

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def growth(x: FloatArray, y: FloatArray) -> float:
    """The power of x that y goes with: the slope of the straight line through the logarithms.

    Points where y is 0 are left out; NaN when fewer than two remain.
    """
    there = y > 0
    if there.sum() < 2:
        return float("nan")
    return float(np.polyfit(np.log(x[there]), np.log(y[there]), 1)[0])


def growth_claim(
    figure: str,
    claim: str,
    published: str,
    x: FloatArray,
    y: FloatArray,
    allowed: tuple[float, float],
    cause: str = "",
) -> Claim:
    """A claim on how y goes with x, held against the range of powers that its words allow."""
    power = growth(x, y)
    low, high = allowed
    return Claim(
        figure,
        claim,
        published,
        f"goes with {power_said(power)}",
        low <= power <= high,
        f"{power_said(power)} against {_range(allowed)}",
        cause=cause,
    )


def power_said(power: float) -> str:
    return f"power {round(power, 2) + 0.0:.2f}"


def percent(share: float, digits: int = 1) -> str:
    """A share (0.013) as a person writes it (1.3 %)."""
    return f"{100 * share:.{digits}f} %"


def points(here: float, published: float) -> str:
    """The difference of two shares, in percentage points."""
    return f"{100 * (here - published):+.1f} percentage points"


def times(ratio: float) -> str:
    return f"{ratio:,.0f} times" if ratio >= 20 else f"{ratio:.2g} times"


def duration(seconds: float) -> str:
    """Seconds in the unit that suits them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def counted(claims: Sequence[Claim]) -> tuple[str, int, int]:
    """How many of the publication's claims hold, and of how many; in words with ours apart.

    What is said twice counts once, where it is first.
    """
    claims = [claim for claim in claims if not claim.again]
    published = [claim for claim in claims if not claim.ours]
    holding = sum(claim.holds for claim in published)
    said = [f"{holding} of {len(published)} hold"] if published else []
    if ours := [claim for claim in claims if claim.ours]:
        said.append(f"of ours, {sum(claim.holds for claim in ours)} of {len(ours)}")
    return "; ".join(said), holding, len(published)


def _range(allowed: tuple[float, float]) -> str:
    low, high = allowed
    if np.isinf(low):
        return f"at most {high:g}"
    if np.isinf(high):
        return f"at least {low:g}"
    return f"{low:g} to {high:g}"
