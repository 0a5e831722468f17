"""A real Slurm, started once for all tests that ask for it."""

import warnings
from collections.abc import Iterator

import pytest
from slurm.cluster import Cluster, started
from slurm.daemons import left_behind
from slurm.packages import missing_packages


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Six nodes, cpu1 to cpu4 and gpu1 and gpu2. `make test` installs what it needs."""
    missing = missing_packages()
    if missing:
        left_out = f"THE TESTS ON A REAL SLURM WERE LEFT OUT: install {' '.join(missing)}"
        warnings.warn(left_out, stacklevel=1)
        pytest.skip(left_out)
    with started() as cluster:
        yield cluster
    assert not left_behind(cluster.environment["SLURM_CONF"])
    assert not cluster.folder.exists()
