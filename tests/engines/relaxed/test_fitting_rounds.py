"""Each round of fitting does the same as ever, from what the divisible bound says on."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from irregular import irregular

from core.engines.relaxed import MAKESPAN, lower_bound
from core.engines.relaxed.fitting import Worths
from core.vocabulary.system import System

pytestmark = pytest.mark.usefixtures("coarse_fitting")


Known = tuple[float, int, float, int]


def steps_of(tasks, machines, rounds):
    """After each round the cells that are proven, the rounds in vain, the aim, and the cells of
    tables; at last the limits, what all tasks are worth, and the bound in seconds.
    """
    worths = Worths(lower_bound(irregular(tasks, machines), MAKESPAN))
    known = []
    with ThreadPoolExecutor(1) as pool:
        for _ in range(rounds):
            worths.improve(pool)
            known.append((worths.proven, worths.vain, worths.aim, round(worths.units * 3.5e8)))
    return known, [*worths.limits.tolist(), float(worths.worth.sum()), worths.soonest]


# Whoever changes the steps on purpose finds others, and writes them down here.
@pytest.mark.parametrize(
    ("tasks", "machines", "known", "last"),
    [
        (
            9,
            3,
            [
                (1, 0, 0.2, 11_477),
                (3, 0, 0.2, 22_965),
                (9, 0, 0.2, 34_475),
                (18, 0, 0.2, 46_062),
                (58, 0, 0.2, 60_963),
                (63, 0, 0.2, 79_875),
                (63, 1, 0.2, 92_711),
            ],
            [
                0.06829785319334501,
                0.07416544091544422,
                0.011054541445603208,
                1.019238645777156,
                7.483611630447423,
            ],
        ),
        (
            14,
            4,
            [
                (1, 0, 0.2, 20_258),
                (4, 0, 0.2, 40_525),
                (12, 0, 0.2, 65_107),
                (25, 0, 0.2, 93_152),
                (44, 0, 0.2, 130_343),
                (44, 1, 0.2, 168_189),
                (44, 2, 0.2, 207_410),
                (44, 3, 0.2, 248_862),
                (44, 4, 0.2, 291_450),
                (44, 0, 0.14, 337_364),
                (44, 1, 0.14, 383_254),
                (44, 2, 0.14, 429_144),
            ],
            [
                0.01929913933408238,
                0.048124111128134146,
                0.06825356712830216,
                0.019413689709955703,
                1.0069961730357178,
                8.862425579497746,
            ],
        ),
        (
            6,
            2,
            [
                (0, 1, 0.2, 7_301),
                (2, 0, 0.2, 14_602),
                (6, 0, 0.2, 21_917),
                (15, 0, 0.2, 29_260),
                (34, 0, 0.2, 37_740),
                (48, 0, 0.2, 48_570),
                (48, 1, 0.2, 60_670),
                (48, 2, 0.2, 71_670),
                (48, 3, 0.2, 82_670),
            ],
            [0.08916406221422958, 0.05658042044557075, 1.0018559615935774, 10.245741166224887],
        ),
    ],
)
def test_the_same_rounds_always_prove_the_same(tasks, machines, known, last):
    found, limits = steps_of(tasks, machines, len(known))
    assert found == [
        (proven, vain, pytest.approx(aim), cells) for proven, vain, aim, cells in known
    ]
    assert limits == pytest.approx(last, rel=1e-9)


def test_it_begins_with_what_the_divisible_bound_says_a_task_is_worth():
    """Of two machines the second is half as fast but for the second task; they share three."""
    system = System(
        irregular(3, 2).task_types,
        irregular(3, 2).machine_types,
        np.array([[2.0, 4.0], [3.0, 3.0], [1.0, np.inf]]),
    )
    bound = lower_bound(system, MAKESPAN)
    worths = Worths(bound)
    assert worths.unit == bound.makespan
    assert worths.prices.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(worths.seconds * bound.makespan, [[2, 4], [3, 3], [1, 0]])
    priced = np.array([[2, 4], [3, 3], [1, np.inf]]) / bound.makespan * worths.prices
    np.testing.assert_allclose(worths.priced, priced)
    least, next_least = np.sort(priced, axis=1).T
    # Half of what it costs to run a task where it fits less well; or a four-thousandth.
    expected = least + np.minimum(next_least - least, 5e-4) / 2
    np.testing.assert_allclose(worths.worth, expected)
    assert worths.worth[2] == pytest.approx(least[2] + 2.5e-4)
    assert worths.limits.tolist() == [5e-4, 5e-4]
    assert worths.direction.tolist() == [0, 0, 0]
    assert (worths.proven, worths.aim, worths.rounds, worths.vain, worths.units) == (
        0,
        0.2,
        0,
        0,
        0,
    )
    assert worths.soonest == 0.0


def test_what_is_proven_is_so_many_cells_above_the_divisible_bound():
    worths = Worths(lower_bound(irregular(3, 2), MAKESPAN))
    worths.proven = 50
    assert worths.soonest == pytest.approx(worths.unit * 1.05 * (1 - 1e-9), rel=1e-14)
    assert worths.soonest < worths.unit * 1.05


@pytest.mark.parametrize(
    ("rounds", "aim", "hopeful"),
    [(149, 0.2, True), (150, 0.2, False), (0, 0.01, False), (0, 0.0101, True)],
)
def test_there_is_hope_for_so_many_rounds_and_while_it_aims_above(rounds, aim, hopeful):
    worths = Worths(lower_bound(irregular(3, 2), MAKESPAN))
    worths.rounds, worths.aim = rounds, aim
    assert worths.hopeful is hopeful
