"""Reproduces the dissertation's chapter on profit: measures, judges, draws and reports."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from benchmarks.publications.figure import Figure
from benchmarks.publications.profit import bags as profit_bags
from benchmarks.publications.profit import caps as profit_caps
from benchmarks.publications.profit import contours as profit_contours
from benchmarks.publications.profit import fronts as profit_fronts
from benchmarks.publications.profit import idle as profit_idle
from benchmarks.publications.profit import ratios as profit_ratios
from benchmarks.publications.profit import seconds as profit_seconds
from benchmarks.publications.profit.answers import IDLE_FRACTION, RATIOS, environment
from benchmarks.publications.publication import Publication, silent

TRIALS: Final = profit_bags.PUBLISHED_TRIALS
POLISH_SECONDS: Final = 1.0
BAG_POLISH_SHARE: Final = 0.1
"""The share of these seconds for each of the many bags of figure 4.2."""

PREAMBLE: Final = """\
# The most profitable schedules, done again

Kyle M. Tarplee: *Highly scalable algorithms for scheduling tasks and provisioning machines on
heterogeneous computing systems*, dissertation, Colorado State University 2015, chapter 4. Its
figures 4.1 to 4.5, measured with this code, and in A to C what its text says of run time, of
power caps and of idle power. "Published phases" are the profit program, rounding and local
assignment without our polish.

This file is written by `wattfront reproduce profit`; nothing in it is edited by hand.

## How to read it

- The price of a bag is given as a ratio (gamma): the price divided by the cost of the bag's least
  energy. A joule costs 1, so profit per second is in watts.
- We do not have the publication's matrices or the numbers behind its figures. We have its text. Its
  environment is replaced by the one that we drew for nine ([how](environments.md)), with 40
  machines of each type and 11,000 tasks. Its powers are drawn. So orders and trends can be compared
  with the publication; absolute profits cannot.
- A verdict judges one sentence of the publication. Where a word needs a number ("nearly"), the
  number that we use is in the claim.
- If a claim does not hold, the column *cause* says what we tried to find out why, and the result.
  Claims of figure 4.5 that repeat those of figure 4.3 are counted once.
- Bounds are exact and proven. Random draws have fixed seeds. Run times are processor times of one
  thread. They depend on the computer, and so does what polish reaches.
"""

PUBLICATION: Final = Publication("profit", PREAMBLE, "png", TRIALS)


def reproduce(
    folder: Path,
    trials: int = TRIALS,
    say: Callable[[str], None] = silent,
    polish_seconds: float = POLISH_SECONDS,
) -> Mapping[str, object]:
    """Measure everything; the result is that of `Publication.reproduce`.

    `trials` is the number of bags for each point of figure 4.2.
    """
    drawn = (
        f"This run drew {trials} bags of each size for figure 4.2 (the publication: "
        f"{profit_bags.PUBLISHED_TRIALS}) and polished for {polish_seconds:g} s a schedule, "
        f"{BAG_POLISH_SHARE * polish_seconds:g} s in figure 4.2."
    )
    return PUBLICATION.reproduce(
        lambda: measure(trials, say, polish_seconds), folder, trials, drawn, say
    )


def measure(trials: int, say: Callable[[str], None], polish_seconds: float) -> list[Figure]:
    """All figures in the order of the publication, then the claims of its text."""
    system = environment()
    idle = system.with_idle_fraction(IDLE_FRACTION)
    say("figures 4.1, 4.3 and 4.5: fronts and prices")
    losing = (*profit_fronts.LOSING_RATIOS, *RATIOS[1:])
    with_idle = profit_fronts.measure(idle, losing, polish_seconds)
    thrifty = profit_fronts.measure(system, RATIOS, polish_seconds)
    say(f"figure 4.2: {trials} bags of each size")
    bag_seconds = BAG_POLISH_SHARE * polish_seconds
    losses = profit_bags.measure(trials, bag_seconds, say)
    say("figure 4.4, run times and power caps")
    return [
        profit_fronts.profitable(thrifty, profit_fronts.elsewhere()),
        profit_bags.figure(losses, bag_seconds),
        profit_fronts.losing(with_idle),
        profit_ratios.figure(profit_ratios.measure(idle)),
        profit_contours.figure(with_idle),
        profit_seconds.figure(profit_seconds.measure(trials)),
        profit_caps.figure(profit_caps.measure(idle, polish_seconds)),
        profit_idle.figure(profit_idle.measure(system)),
    ]
