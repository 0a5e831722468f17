"""Reproduces the dissertation's chapter on provisioning: measures, judges, draws and reports."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.publications.figure import Figure
from benchmarks.publications.provision import first_example, kinds, second_example, third_example
from benchmarks.publications.publication import Publication, silent

TRIALS: Final = 40

PREAMBLE: Final = """\
# What to buy, done again

Kyle M. Tarplee: *Highly scalable algorithms for scheduling tasks and provisioning machines on
heterogeneous computing systems*, dissertation, Colorado State University 2015, chapter 5. Its
figures 5.2 to 5.8 and tables 5.2, 5.4 and 5.6, measured with this code, and in A what its text says
of abstract operations.

This file is written by `wattfront reproduce provision`; nothing in it is edited by hand.

## How to read it

- Ways to choose are called as there: RP is the two-stage program (the recourse problem), MVP the
  plan for the mean future (the mean value problem), WS knows the future (wait and see), H1 to H3
  are rules of thumb. EEV is what the purchase of MVP can be expected to earn.
- The first example (E1) is printed as a whole. Of the second (E2) and the third (E3) only times are
  printed: neither prices nor rewards, arrival rates or powers. Ours replace them, so that absolute
  numbers of these two cannot be compared, only what is bought, orders and sizes.
- Not measured here: figure 5.1, which is a drawing, and figure 5.9, for which the powers are
  missing. Run times are in `benchmarks/RESULTS.md`.
- A verdict judges one sentence of the publication. Where a word needs a number ("nearly"), the
  number that we use is in the claim.
- If a claim does not hold, the column *cause* says what we tried to find out why, and the result.
- Random draws have fixed seeds. Optima are proven to a millionth.
"""

PUBLICATION: Final = Publication("provision", PREAMBLE, "png", TRIALS)


def reproduce(
    folder: Path, trials: int = TRIALS, say: Callable[[str], None] = silent
) -> Mapping[str, object]:
    """Measure everything; the result is that of `Publication.reproduce`.

    `trials` is the number of samples of the first example.
    """
    drawn = (
        f"This run drew {trials} samples of {first_example.PUBLISHED_SCENARIOS:,} scenarios of the "
        f"first example, {second_example.PUBLISHED_SCENARIOS:,} scenarios of the second and "
        f"{third_example.PUBLISHED_SCENARIOS:,} of the third."
    )
    return PUBLICATION.reproduce(lambda: measure(trials, say), folder, trials, drawn, say)


def measure(
    trials: int,
    say: Callable[[str], None],
    scenarios: Sequence[int] = (
        first_example.PUBLISHED_SCENARIOS,
        second_example.PUBLISHED_SCENARIOS,
        third_example.PUBLISHED_SCENARIOS,
    ),
    starts: int = kinds.STARTS,
) -> list[Figure]:
    """All figures in the order of the publication, then the claims of its text."""
    one, two, three = scenarios
    say(f"first example: {trials} samples of {one:,} scenarios")
    first = first_example.figures(first_example.measure(trials, one))
    say(f"second example: {two:,} scenarios")
    second = second_example.figures(second_example.measure(two))
    say(f"third example: {three:,} scenarios")
    third = third_example.figures(third_example.measure(three))
    return [*first, *second, *third, kinds.figure(kinds.measure(starts))]
