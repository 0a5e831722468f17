"""What options are charged for, and their sizes, by numbers that were computed by hand."""

from dataclasses import replace

import numpy as np
import pytest

from core.engines.replay.policy import Charges, Prices
from core.engines.replay.workload import ArrivingJobs, Options, Pools, Workload
from core.vocabulary.tolerances import NOT_DIVISIBLE


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


def test_by_resources_a_job_has_the_least_price_of_its_options_for_a_size() -> None:
    workload = two_jobs()
    pools = replace(workload.pools, resources=("memory_gb",), further=np.full((2, 1), 64.0))
    options = replace(workload.options, further=np.array([[8.0], [0.0], [4.0]]))
    workload = replace(workload, pools=pools, options=options)
    charges = Charges.of(workload, Prices(0.01, further=(0.005,)), by_resources=True)
    # 100 s (0.04 + 0.04), 400 s (0.02), 25 s (0.04 + 0.02)
    assert charges.price.tolist() == pytest.approx([8.0, 8.0, 1.5])
    assert charges.size.tolist() == [1.0, 1.0, 1.0]
    assert charges.least_size.tolist() == pytest.approx([8.0, 1.5])
    # Memory alone has a price: what takes none costs nothing, however many its cores.
    charges = Charges.of(workload, Prices(further=(0.005,)), by_resources=True)
    assert charges.least_size.tolist() == pytest.approx([400 * NOT_DIVISIBLE, 0.5])
    # Nothing has a price: of two jobs, the one of fewer core-seconds is first.
    charges = Charges.of(workload, Prices(further=(0.0,)), by_resources=True)
    assert charges.least_size.tolist() == pytest.approx([400.0, 100.0])


def test_a_workload_without_jobs_is_charged_nothing() -> None:
    nothing = np.zeros(0)
    whole = np.zeros(0, int)
    workload = Workload(
        Pools.of(("A",), [4]),
        ArrivingJobs.plain(nothing, whole, ("job",)),
        Options(np.zeros(1, int), whole, whole, nothing, nothing, whole),
    )
    assert [len(one) for one in Charges.of(workload, Prices(1.0, 1.0))] == [0, 0, 0, 1]
