"""How far computed numbers may be off before a difference means anything.

Every tolerance of `core` is here, once, with what it protects. Where no unit is given, it is a
share of the numbers that are compared. Only the judge (`core.engines.verify`) has tolerances of its
own, because it shares nothing with what it checks.
"""

import sys
from typing import Final

# Rounding of floats, from the smallest.

ULP: Final = sys.float_info.epsilon
"""The distance from 1 to the next float. One operation is off by at most half of it.

Proofs count their operations and subtract as many of these."""

PRODUCT_ROUNDING: Final = 1e-15
"""No sum of two products has a larger rounding error.

It keeps a proof from claiming too much, and a scale from being rounding error alone."""

FEW_OPERATIONS: Final = 1e-14
"""A few operations on floats are off by less.

It keeps an area that exists only through rounding from being reported, and an exact quotient from
being rounded away from what it is."""

DIFFERENCE_ROUNDING: Final = 1e-13
"""The difference of two sums of a few dozen terms is off by less, as a share of the sums.

It keeps a difference of 0 from looking like a small amount, and ends searches by bisection."""

SUM_ROUNDING: Final = 1e-12
"""No sum of loads, energies or counts has a larger rounding error.

It keeps a proof from claiming too much, and lets a schedule pass that meets a limit exactly."""

FITTING_ROUNDING: Final = 1e-9
"""Sums of values of tasks in `core.engines.relaxed.fitting`, which are about 1, are off by less.

It keeps the proof from claiming too much after thousands of additions."""

CELL_ROUNDING: Final = 1e-6
"""Sums of thousands of grid cells are off by less, in cells. It keeps a proof true, too."""

# What is the same.

BOUND_MET: Final = 1e-11
"""A value this near to its lower bound meets it: a share of the sums that both are computed from.

It keeps a gap that exists only through rounding from being reported."""

SAME_VERTEX: Final = 1e-10
"""Vertices of a front that are this near to each other, or to the line between their neighbours,
are not vertices of their own."""

SAME: Final = 1e-9
"""Computed points, times, powers or costs that differ by less are the same.

It is far above the rounding of sums, and far below what anybody reads. It keeps figures that exist
only through rounding from readers: a schedule of 10.800000000000053 s takes 10.8 s, and one that
saves 1e-13 of its energy saves nothing. It never moves what is proven: a lower bound of
10.799999999999947 s is written as 10.79 s."""

SAME_OPTIMUM: Final = 1e-7
"""Optima of two linear programs that differ by less are the same optimum.

Solvers keep to their tolerances only after scaling, so this is far above `SOLVER`."""

METHODS_AGREE: Final = 1e-6
"""Answers of two methods, two computers or two versions of a library that differ by less agree."""

GOAL_GAP: Final = 1e-5
"""Page and report decide what to buy for a goal this near to what is possible.

The command line decides to `METHODS_AGREE`, which takes about a third longer."""

# Solvers.

SOLVER: Final = 1e-10
"""The feasibility and optimality tolerances that HiGHS gets: the smallest that it takes."""

SOLVED_ZERO: Final = 1e-9
"""A dual value, reduced cost or rate below this share of its scale is 0: ten times `SOLVER`."""

SOLVED_NOTHING: Final = 1e-6
"""What an interior point method without crossover leaves where there is nothing: of a start of a
job, or of what is missing of a cap. It ends with rows that are kept to 1e-7."""

WHOLE: Final = 1e-7
"""A solver's answer this near to a whole number is that number: it returns 2.9999999 for 3."""

LARGEST_COEFFICIENT: Final = 1e9
"""Coefficients of a scaled program above this are capped: no solver copes with every range.

Where a proof follows, it uses the true ones."""

LEAST_COEFFICIENT: Final = 1e-12
"""Coefficients of a scaled program below this are 0, for the same reason."""

TRACE: Final = 1e-6
"""The share of a task type that a capped coefficient may leave where it does not belong.

A cap makes its cell too cheap, so a smaller share there is removed."""

SIMPLEX_ZERO: Final = 1e-11
"""Pivots, slopes and values of the parametric simplex below this are 0; its program is scaled so
that costs and loads sum to about 1."""

PERTURBATION: Final = 1e-11
"""Costs of the parametric simplex change by up to this share, so that no two columns tie."""

LEAST_KEY_SHARE: Final = 1e-6
"""A task type gets another key column if its key has less than this share of the next column's.

The share of the key is 1 less the other shares: a small one has lost its digits to their rounding.
"""

CERTIFIED: Final = 1e-9
"""An edge of a front is proven if its line is this near to both its ends."""

UNCLEAR: Final = 1e-9
"""Directions of least squares whose weight is below this share of the largest say nothing: task
types that always ran together in the same shares cannot be told apart."""

# What is nothing.

NO_SHARE: Final = 1e-9
"""Shares of a node below this are of rounding: they are sums of shares that came and went."""

NOT_DIVISIBLE: Final = 1e-200
"""Amounts below this (joules, seconds, money) are nothing: a quotient by one would overflow."""

INSTANT: Final = 1e-6
"""Seconds (or units of work) that stand for no time at all where a budget must be above 0."""

SAME_MOMENT: Final = 1e-3
"""Moments that are nearer to each other, in seconds, are the same: seconds since 1970 as floats are
off by up to 2e-7. It keeps gaps that exist only through rounding from being reported."""
