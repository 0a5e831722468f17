"""The same jobs on a cluster with more, or less, of one resource."""

from dataclasses import replace

import numpy as np

from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.engines.replay.hourly_prices import CORES
from core.engines.replay.workload import Pools, beside_each_other
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import counted


def with_amounts(file: WorkloadFile, resource: str, factor: float) -> WorkloadFile:
    """The workload on pools that have so many times the units (`CORES`), or so many times a further
    resource. Options that no longer fit are left out. Raises `InvalidInput` if a job has no other.
    """
    workload = file.workload
    pools, options = _scaled(workload.pools, resource, factor), workload.options
    there = beside_each_other(pools.units, pools.further)
    taken = beside_each_other(options.units, options.further, pools.resources)
    kept = (taken <= there[options.pool]).all(axis=1)
    left = np.bincount(options.job[kept], minlength=len(workload.jobs))
    if missing := int((left == 0).sum()):
        message = f"{counted(missing, 'job')} would fit nowhere"
        raise InvalidInput([Problem("", "", resource, message)])
    first = np.append(0, np.cumsum(left))
    changed = replace(workload, pools=pools, options=options.at(np.flatnonzero(kept), first))
    return replace(file, workload=changed)


def _scaled(pools: Pools, resource: str, factor: float) -> Pools:
    if resource == CORES:
        return replace(pools, units=np.maximum(np.round(pools.units * factor), 1).astype(np.int64))
    further = np.array(pools.further)
    further[:, pools.resources.index(resource)] *= factor
    return replace(pools, further=further)
