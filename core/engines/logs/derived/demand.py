"""When tasks of each type arrived, and what the runs of a log asked for."""

import math
from typing import Final

import numpy as np

from core.engines.logs.derived.derivation import Derivation
from core.engines.logs.pairs.needs import amounts_requested
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import USED
from core.engines.logs.types.classifying import Tally
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rule_parts import RunBlock, texts_of
from core.vocabulary.arrays import FloatArray
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.requests import AMOUNTS, ON_A_NODE, TIMES_PLANNED, LogRequests, Request
from core.vocabulary.say.words import DAY, HOUR

_HOURS: Final = 24
_WEEK: Final = 7
_MONDAY: Final = 4 * DAY
"""The first midnight of the clock that begins a Monday: day 0 was a Thursday."""
_PERIODS: Final = ((_HOURS, 0.0), (_WEEK * _HOURS, _MONDAY))
"""Hours of a period, and when one begins (s)."""


def arrivals_in(derivation: Derivation, store: RunStore) -> HourlyArrivals | None:
    """The runs that are used, by the hour of the cluster's clock in which they were submitted, or
    began where the log says no more; also by the hour of the week, if it is long enough. None if it
    does not say when.

    An hour that the log has less than once, at its ends, counts as once.
    """
    found = derivation.classified
    runs = {period: np.zeros((period[0], len(found.task_names))) for period in _PERIODS}
    first, last = math.inf, -math.inf
    for rows, block in store.parts(["submit", "start"]):  # all at once would take much memory
        submit, start = block["submit"], block["start"]
        moment = np.where(np.isfinite(submit), submit, start)
        known = (found.reasons.of_run[rows] == USED) & np.isfinite(moment)
        moment, task = moment[known], found.task[rows][known]
        first = min(first, float(moment.min(initial=math.inf)))
        last = max(last, float(moment.max(initial=-math.inf)))
        for (hours, begins), counts in runs.items():
            hour = ((moment - begins) % (hours * HOUR) // HOUR).astype(np.int64)
            np.add.at(counts, (hour, task), 1)
    if first > last:
        return None
    days = (last - first) / DAY
    of_day, of_week = (
        counts / np.maximum(hours_between(first - begins, last - begins, hours), 1.0)[:, None]
        for (hours, begins), counts in runs.items()
    )
    return HourlyArrivals(found.task_names, of_day, days, of_week if days >= _WEEK else None)


def hours_between(first: float, last: float, hours: int = _HOURS) -> FloatArray:
    """How often each hour of the day, or of another period of so many hours, is between two moments
    (s); parts of an hour count as such.
    """
    periods, rest = divmod(last - first, hours * HOUR)
    begins = HOUR * np.arange(2 * hours)
    begin = first % (hours * HOUR)
    parts = np.clip(begin + rest - begins, 0.0, HOUR) - np.clip(begin - begins, 0.0, HOUR)
    shares: FloatArray = periods + parts.reshape(2, hours).sum(axis=0) / HOUR
    return shares


_SIZE: Final = 1 << 21
"""More than different texts in a column, so that a number of a type and a text is a number."""
_TRES: Final = {"cores": b"cpu", "gpus": b"gres/gpu"}


def requests_in(derivation: Derivation, store: RunStore) -> LogRequests | None:
    """What used runs requested, or were given where the log has no requests. A run without a limit
    of its time counts with `TIMES_PLANNED` times what it took. None if a machine is no node.
    """
    machines, found = derivation.machines, derivation.classified
    if machines.unit != "node":
        return None
    texts = [name for name in ("reqtres", "partition") if name in store.texts]
    requested = {}
    if "reqtres" in texts:
        requested = {name: amounts_requested(store, key) for name, key in _TRES.items()}
    shape = len(found.task_names), len(AMOUNTS)
    least, most, partitions = np.full(shape, np.inf), np.zeros(shape), Tally()
    columns = ("cores", "gpus", "memory", "limit", "elapsed", *texts)
    for block, task, machine in found.used_runs(store, Nodes(store), columns):
        asked = _asked(block, requested)
        np.minimum.at(least, task, asked)
        np.maximum.at(most, task, asked)
        if "partition" in texts:
            partitions.add(machine * _SIZE + block["partition"].astype(np.int64) + 1)
    least = np.where(np.isfinite(least), least, 0.0)
    sizes = np.column_stack([machines.cores, machines.gpus, machines.memory])
    return LogRequests(
        dict(zip(found.task_names, map(_request, least), strict=True)),
        dict(zip(found.task_names, map(_request, most), strict=True)),
        dict(zip(found.machine_names, map(_request, sizes), strict=True)),
        _most_frequent(partitions, store, found.machine_names),
    )


def _asked(block: RunBlock, requested: dict[str, FloatArray]) -> FloatArray:
    """The amounts of each run, in the order of `AMOUNTS`."""
    on_node = []
    for name in ON_A_NODE:
        amount = np.nan_to_num(block[name].astype(np.float64))
        if name in requested:
            said = requested[name][block["reqtres"]]
            amount = np.where(np.isnan(said), amount, said)
        on_node.append(np.ceil(amount / block["nodes"]))
    limit = block["limit"].astype(np.float64)
    seconds = np.where(np.isfinite(limit) & (limit > 0), limit, TIMES_PLANNED * block["elapsed"])
    return np.column_stack([*on_node, seconds, block["nodes"]])


def _request(amounts: FloatArray) -> Request:
    cores, gpus, memory, *more = amounts.tolist()
    seconds, nodes = more or (0.0, 0.0)
    return Request(int(cores), int(gpus), memory, seconds, int(nodes))


def _most_frequent(tally: Tally, store: RunStore, names: tuple[str, ...]) -> dict[str, str]:
    if not len(tally.numbers):
        return {}
    texts = [*texts_of(store, "partition")]
    found: dict[str, str] = {}
    for place in np.argsort(-tally.counts, kind="stable").tolist():
        machine, text = divmod(int(tally.numbers[place]), _SIZE)
        if text and (name := texts[text - 1]):
            found.setdefault(names[machine], name)
    return found
