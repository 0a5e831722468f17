"""The same jobs on a cluster with more, or less, of one resource."""

from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.made.amounts import with_amounts
from core.engines.replay.workload import ArrivingJobs, Options, Pools, Workload
from core.vocabulary.problems import InvalidInput


def file_of() -> WorkloadFile:
    """Two jobs on 4 units of 2 cores and 8 GB: of 4 units and 2 GB, or of 1 unit and 6 GB."""
    options = Options.of(np.repeat([0, 1], 2), 0, [4, 1, 4, 1], [1.0, 2.0, 3.0, 4.0], 5.0)
    options = replace(options, further=np.array([[2.0], [6.0], [2.0], [6.0]]), extra=np.arange(4.0))
    pools = Pools.of(["p"], 4, cores=2, further={"memory_gb": 8.0})
    jobs = ArrivingJobs.plain(np.array([0.0, 1.0]))
    return WorkloadFile.as_estimated(Workload(pools, jobs, options))


@pytest.mark.parametrize(
    ("resource", "factor", "units", "memory", "rows"),
    [
        ("cores", 1.5, 6, 8.0, [0, 1, 2, 3]),
        ("cores", 0.5, 2, 8.0, [1, 3]),
        ("cores", 0.01, 1, 8.0, [1, 3]),
        ("memory_gb", 2.0, 4, 16.0, [0, 1, 2, 3]),
        ("memory_gb", 0.5, 4, 4.0, [0, 2]),
    ],
)
def test_what_does_not_fit_is_left_out(
    resource: str, factor: float, units: int, memory: float, rows: list[int]
) -> None:
    file = file_of()
    found = with_amounts(file, resource, factor).workload
    assert (found.pools.units.tolist(), found.pools.further.tolist()) == ([units], [[memory]])
    assert found.options.extra.tolist() == rows
    assert found.options.seconds.tolist() == file.workload.options.seconds[rows].tolist()
    assert found.options.first.tolist() == [0, len(rows) // 2, len(rows)]
    assert found.jobs == file.workload.jobs
    assert file.workload.pools.further.tolist() == [[8.0]], "the first stays as it was"


def test_a_job_that_fits_nowhere_is_refused() -> None:
    with pytest.raises(InvalidInput, match="memory_gb: 2 jobs would fit nowhere"):
        with_amounts(file_of(), "memory_gb", 0.2)
