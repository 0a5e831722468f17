"""How much computed numbers may differ before the difference means anything.

`SUM_ROUNDING`, `SAME` and `SOLVER` are shares of the numbers' size. The judge (`core.verify`) has
tolerances of its own, because it shares nothing with what it checks, and `core.say.words` has one
for what people read. What only one kernel needs stays in that kernel's module.
"""

from typing import Final

SUM_ROUNDING: Final = 1e-12
"""No sum of loads, energies or counts has a larger rounding error.

It keeps a proof from claiming too much, and lets a schedule pass that meets a limit exactly."""

SAME: Final = 1e-9
"""Computed points, times or costs that differ by less are the same.

It is far above the rounding of sums, and far below what anybody reads."""

SOLVER: Final = 1e-10
"""The feasibility and optimality tolerances that HiGHS gets: the smallest that it takes."""

WHOLE: Final = 1e-7
"""A solver's answer this near to a whole number is that number: it returns 2.9999999 for 3."""

NOT_DIVISIBLE: Final = 1e-200
"""Amounts below this (joules, seconds, money) are nothing: a quotient by one would overflow."""

INSTANT: Final = 1e-6
"""Seconds (or units of work) that stand for no time at all where a budget must be above 0."""
