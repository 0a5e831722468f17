"""What the runs of a log asked for on a node: cores, GPUs, memory, time and a partition."""

from typing import Final

import numpy as np

from core.engines.logs.derived.derivation import Derivation
from core.engines.logs.pairs.needs import amounts_requested
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.classifying import Tally
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rule_parts import RunBlock, texts_of
from core.vocabulary.arrays import FloatArray
from core.vocabulary.requests import AMOUNTS, ON_A_NODE, TIMES_PLANNED, LogRequests, Request

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
