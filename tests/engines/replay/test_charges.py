"""What options are charged for, and their sizes, by numbers that were computed by hand."""

import numpy as np
import pytest

from core.engines.replay.policy import Charges, Prices
from core.engines.replay.workload import ArrivingJobs, Options, Pools, Workload


def two_jobs() -> Workload:
    """A job with two options, on four cores of a unit and on two, and a job with one."""
    return Workload(
        Pools.of(("A", "B"), [4, 4], [4, 2]),
        ArrivingJobs.plain(np.zeros(2)),
        Options.of([0, 0, 1], [0, 1, 1], [1, 1, 2], [100.0, 400.0, 25.0], [12.0, 5.0, 0.0]),
    )


def test_a_price_is_that_of_cores_and_of_joules() -> None:
    charges = Charges.of(two_jobs(), Prices(core_second=0.01, joule=0.0025))
    # 100 s (0.04 + 0.03), 400 s (0.02 + 0.0125), 25 s (0.04 + 0)
    assert charges.price.tolist() == pytest.approx([7.0, 13.0, 1.0])
    sizes = [(100 * 0.07**0.5) ** 0.5, (400 * 0.0325**0.5) ** 0.5, (25 * 0.2) ** 0.5]
    assert charges.size.tolist() == pytest.approx(sizes)
    assert charges.least_size.tolist() == pytest.approx([sizes[0], sizes[2]])
    assert charges.least_rate.tolist() == pytest.approx([0.07, 0.0325])
    assert [Prices(0.01, 0.0025).of(*one) for one in ((400, 1200), (800, 2000))] == pytest.approx(
        [7.0, 13.0]
    )


def test_where_nothing_has_a_price_the_size_is_of_cores() -> None:
    charges = Charges.of(two_jobs(), Prices())
    assert charges.price.tolist() == [0.0, 0.0, 0.0]
    assert charges.size.tolist() == pytest.approx([200**0.5, (400 * 2**0.5) ** 0.5, 50**0.5])


def test_where_energy_alone_has_a_price_what_draws_none_has_the_size_of_its_cores() -> None:
    charges = Charges.of(two_jobs(), Prices(joule=0.0025))
    assert charges.size[2] == pytest.approx(50**0.5)


def test_a_workload_without_jobs_is_charged_nothing() -> None:
    nothing = np.zeros(0)
    whole = np.zeros(0, int)
    workload = Workload(
        Pools.of(("A",), [4]),
        ArrivingJobs.plain(nothing, whole, ("job",)),
        Options(np.zeros(1, int), whole, whole, nothing, nothing, whole),
    )
    assert [len(one) for one in Charges.of(workload, Prices(1.0, 1.0))] == [0, 0, 0, 1]
