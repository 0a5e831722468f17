"""Which machine types cannot run a task type, by what its runs asked for and where they ran."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, NamedTuple

import numpy as np

from core.engines.logs.pairs.machines import MIB_OF_GIB, MachinesSeen
from core.engines.logs.reading.store import RunStore
from core.engines.logs.reading.values import read_within
from core.engines.logs.types.classifying import Classified, Tally
from core.engines.logs.types.node_table import NodeTable
from core.engines.logs.types.nodes import Nodes
from core.engines.logs.types.rule_parts import texts_of
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.words import Sense, amount, counted

Need = Literal["gpus", "memory", "gpu model", "features", "partition", "chances"]

MANY_RUNS: Final = 100
"""Runs of a task type, and of a machine type, that say something of a pair without any."""
UNLIKELY: Final = 1e-6
"""A pair is no accident if it would come to have no run with a lower probability than this."""
_ALMOST: Final = 1 - 1e-6
"""Memory is kept in single precision."""

Clause = frozenset[str]
"""What a run asked for: one of these."""
_TEXTS: Final[tuple[tuple[str, Need], ...]] = (
    ("reqtres", "gpu model"),
    ("reqgres", "gpu model"),
    ("features", "features"),
    ("partition", "partition"),
)
_MODEL: Final = re.compile(r"gpu:([A-Za-z][^:=,()]*)")


class Misfit(NamedTuple):
    """Why a machine type cannot run a task type: all runs of the type asked for so much or for
    this, and no run on the machine type had it. Of `chances`: so many runs of the task type, and of
    the machine type.
    """

    need: Need
    asked: float | str
    there: float = 0.0


def misfits(
    store: RunStore, classified: Classified, nodes: Nodes, machines: MachinesSeen, table: NodeTable
) -> dict[tuple[int, int], Misfit]:
    """The pairs without a run that cannot run, each with the first reason. What a node has is what
    a run was given on it, or what the table of nodes says. Runs need the GPUs that they requested:
    those that they were given count only where the log has no request.
    """
    asked = _asked_for(store, classified, nodes)
    unseen = np.argwhere(asked.runs == 0).tolist()
    reasons: dict[tuple[int, int], Misfit] = {}
    for i, j in unseen:
        gpus, memory = float(asked.gpus[i]), float(asked.memory[i])
        if gpus > machines.gpus[j]:
            reasons[i, j] = Misfit("gpus", gpus, float(machines.gpus[j]))
        elif memory * _ALMOST > machines.memory[j] > 0:
            reasons[i, j] = Misfit("memory", memory, float(machines.memory[j]))
    for column, need in _TEXTS:
        if column in asked.texts:
            texts = texts_of(store, column)
            words = _WordsAskedFor(need, texts, asked.texts[column], asked.runs.shape)
            for j, name in enumerate(classified.machine_names):
                words.had[j] |= {frozenset([word]) for word in table.of(name).words}
            for i, j in unseen:
                if (i, j) not in reasons and (lacking := words.lacking(i, j)) is not None:
                    reasons[i, j] = Misfit(need, " or ".join(sorted(lacking)))
    if not store.is_table:
        _add_chances(asked.runs, unseen, reasons)
    return reasons


class _AskedFor(NamedTuple):
    """What the runs of a log asked for: how many `runs` each pair has; the least `gpus` and
    `memory` a node (MiB) of any run of each task type; and for each column of texts, how often each
    pair came with each text, as numbers of both (`_SIZE`).
    """

    runs: IntArray
    gpus: FloatArray
    memory: FloatArray
    texts: Mapping[str, Tally]


def _asked_for(store: RunStore, classified: Classified, nodes: Nodes) -> _AskedFor:
    tasks, types = len(classified.task_names), len(classified.machine_names)
    texts = {column: Tally() for column, _ in _TEXTS if column in store.texts}
    none = np.zeros((tasks, types), np.int64)
    asked = _AskedFor(none, np.full(tasks, np.inf), np.full(tasks, np.inf), texts)
    requested = amounts_requested(store, b"gres/gpu") if "reqtres" in texts else None
    columns = ("gpus", "memory", *texts)
    for block, task, machine in classified.used_runs(store, nodes, columns):
        np.add.at(asked.runs, (task, machine), 1)
        gpus = block["gpus"]
        if requested is not None:
            of_request = requested[block["reqtres"]]
            gpus = np.where(np.isnan(of_request), gpus, of_request)
        np.minimum.at(asked.gpus, task, np.ceil(gpus / block["nodes"]))
        memory = np.nan_to_num(block["memory"].astype(np.float64)) / block["nodes"]
        np.minimum.at(asked.memory, task, memory)
        for column, tally in texts.items():
            tally.add((task * types + machine) * _SIZE + block[column].astype(np.int64) + 1)
    return asked


_SIZE: Final = 1 << 21
"""More than different texts in a column, so that a number of a pair and a text is a number."""


def amounts_requested(store: RunStore, key: bytes) -> FloatArray:
    """The amount of this kind, as `gres/gpu`, in each text of `ReqTRES`: 0 where it names none, NaN
    where it is blank; the last, which stands for runs without a text, is NaN.
    """
    cells = [text.encode() for text in texts_of(store, "reqtres")]
    ends = np.cumsum([0, *map(len, cells)])
    found = np.full(len(cells), np.nan)
    data, named = (np.frombuffer(text, np.uint8) for text in (b"".join(cells), key))
    read_within(data, ends[:-1], ends[1:], named, found)
    found[np.isnan(found) & (np.diff(ends) > 0)] = 0
    return np.append(found, np.nan)


class _WordsAskedFor:
    """What runs asked for in one column of texts: `always` by each task type in all its runs, and
    `had` by any run on each machine type.
    """

    def __init__(
        self, need: Need, texts: Iterable[str], tally: Tally, shape: tuple[int, ...]
    ) -> None:
        numbers: dict[frozenset[Clause], int] = {frozenset(): 0}  # cells that ask for the same
        asked_for = (frozenset(_clauses(need, text)) for text in texts)
        of_texts = [0]  # the first is for cells that are not kept
        of_texts += [numbers.setdefault(cell, len(numbers)) for cell in asked_for]
        clauses = [*numbers]
        pairs, cells = np.divmod(tally.numbers, _SIZE)
        asked = np.unique(pairs * len(clauses) + np.array(of_texts)[cells])
        self.always: list[frozenset[Clause] | None] = [None] * shape[0]
        self.had: list[set[Clause]] = [set() for _ in range(shape[1])]
        for pair, number in (divmod(one, len(clauses)) for one in asked.tolist()):
            task, machine = divmod(pair, shape[1])
            before, now = self.always[task], clauses[number]
            self.always[task] = now if before is None else before & now
            self.had[machine] |= now

    def lacking(self, task: int, machine: int) -> Clause | None:
        """What the task type always asks for and no run on the machine type did."""
        for clause in sorted(self.always[task] or (), key=sorted):
            had = self.had[machine]
            fewer = len(clause) > 1 and any(one < clause for one in had)
            if clause not in had and not fewer:
                return clause
        return None


def _clauses(need: Need, text: str) -> Iterator[Clause]:
    """What a cell asks for: all of these."""
    if need == "gpu model":
        yield from (frozenset([model]) for model in _MODEL.findall(text))
    elif need == "partition":
        yield from [frozenset(text.split(","))] if text else []
    elif "(" in text:
        yield frozenset([text])  # alternatives of several features each
    else:
        for part in text.split("&"):
            words = (word.partition("*")[0] for word in re.split(r"[|,\[\]]", part))
            if alternatives := frozenset(filter(None, words)):
                yield alternatives


def _add_chances(
    runs: IntArray, unseen: Iterable[list[int]], reasons: dict[tuple[int, int], Misfit]
) -> None:
    """Adds the pairs that would have runs, if tasks went to machines by chance: with the same runs
    of each task type and machine type, in any order, no run at all is less likely than `UNLIKELY`.
    """
    of_tasks, of_machines, every = runs.sum(axis=1), runs.sum(axis=0), int(runs.sum())
    for i, j in unseen:
        a, b = int(of_tasks[i]), int(of_machines[j])
        if (i, j) in reasons or min(a, b) < MANY_RUNS:
            continue
        if _log_chance_of_none(a, b, every) < math.log(UNLIKELY):
            reasons[i, j] = Misfit("chances", float(a), float(b))


def _log_chance_of_none(a: int, b: int, every: int) -> float:
    """The logarithm of the probability that `a` and `b` of so many, drawn at random, share none."""
    if a + b > every:
        return -math.inf
    logs = (every - a, 1), (every - b, 1), (every, -1), (every - a - b, -1)
    return sum(sign * math.lgamma(number + 1) for number, sign in logs)


def misfit_in_words(why: Misfit) -> str:
    """Why a pair cannot run."""
    asked, there = why.asked, why.there
    if isinstance(asked, str):
        return f"all its runs asked for {_ASKED[why.need]} {asked}, and no run there did"
    if why.need == "chances":
        return (
            f"none of its {round(asked):,} runs was there, although {round(there):,} other runs "
            "were: that is no accident"
        )
    if why.need == "memory":
        return (
            f"all its runs asked for at least {_gib(asked)} of memory a node, and no run there had "
            f"more than {_gib(there)}"
        )
    gpus, more = counted(round(asked), "GPU"), f"more than {round(there):,}" if there else "any"
    return f"all its runs had at least {gpus} a node, and no run there had {more}"


_ASKED: Final[dict[Need, str]] = {
    "gpu model": "the GPU",
    "features": "the feature",
    "partition": "the partition",
}


def _gib(mib: float) -> str:
    return amount(mib / MIB_OF_GIB, Sense.PLAIN, "GiB", digits=4)
