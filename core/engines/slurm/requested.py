"""What each task requests of Slurm: what the jobs of a log asked for, or what a person says.

Licences are requested, too: by them Slurm itself keeps a cap on the power at every moment. One is a
watt above idle power. Slurm has as many as the cap leaves when all machines are idle, and each task
takes as many as its machine draws more at work than idle, rounded up. So tasks begin only while
their watts are free. Nodes are taken to be on.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from core.engines.slurm.job_arrays import JobArrays
from core.vocabulary.ranges import Range
from core.vocabulary.requests import LogRequests, Request
from core.vocabulary.say.words import MINUTE, Sense, counted
from core.vocabulary.say.words import amount as plain_amount
from core.vocabulary.system import NoPowerData, System

Typed = Mapping[str, float]
"""Amounts of a `Request` that a person has typed, by their names; 0 asks for nothing."""
_OPTIONS: Final = {
    "cores": ("--cpus-per-task={}",),
    "gpus": ("--gres=gpu:{}",),
    "memory": ("--mem={}M",),
    "nodes": ("--nodes={}", "--ntasks={}"),
}
"""By the amount of a request: the options of `sbatch` that say it. One node is what jobs get."""
_MOST_MINUTES: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Requested:
    """What tasks request. Of a log it is the most that any run of the task type asked for on one
    node and in nodes, and at most what a node of the machine type has and as many as there are, so
    that no task gets less than a run on such a node had. What a person has typed, by the position
    of the task type, is taken as it is.
    """

    system: System | None = None
    log: LogRequests | None = None
    typed: Mapping[int, Typed] = field(default_factory=dict)

    def of(self, task_type: int, machine_type: int) -> Request:
        """What a task of this type requests on such a machine; 0 requests nothing."""
        most, typed = self._most(task_type), self.typed.get(task_type, {})
        found: dict[str, Any] = {}
        for name in _OPTIONS:
            usual = min(getattr(most, name), self._there(machine_type, name))
            found[name] = typed.get(name, usual)
        return Request(**found)

    def options(self, task_type: int, machine_type: int) -> tuple[str, ...]:
        """The options of `sbatch` for a task of this type on such a machine."""
        request = self.of(task_type, machine_type)
        return tuple(
            option.format(math.ceil(amount))
            for name, options in _OPTIONS.items()
            if (amount := getattr(request, name)) > (name == "nodes")
            for option in options
        )

    def minutes(self, task_type: int) -> tuple[int, int]:
        """The time limit that a person has typed, and the one of the log (min); 0 for none."""
        typed = self.typed.get(task_type, {}).get("seconds", 0.0)
        said, of_log = (_minutes(each) for each in (typed, self._most(task_type).seconds))
        return said, of_log

    def lacking(self, arrays: JobArrays) -> Iterator[str]:
        """Why Slurm would not run tasks of the schedule as they are requested."""
        if self.system is None:
            return
        blocks, names = arrays.blocks, self.system.machine_names
        pairs = np.unique(np.column_stack([blocks.task_type, blocks.machine_type]), axis=0)
        for task_type, machine_type in pairs.tolist():
            kind, asks = names[machine_type], self.of(task_type, machine_type)
            least, typed = self._least(task_type), self.typed.get(task_type, {})
            for name in _OPTIONS:
                wanted = max(getattr(asks, name), 0 if name in typed else getattr(least, name))
                there = self._there(machine_type, name)
                if wanted > there:
                    where = f"{kind} has" if name == "nodes" else f"a node of {kind} has"
                    yield (
                        f"tasks of {self.system.task_names[task_type]} need "
                        f"{_said(name, wanted)}, and {where} {_said(name, there)}"
                    )

    def apart(self, arrays: JobArrays) -> Iterator[str]:
        """Tasks that are planned on one node, but request several."""
        for task_type in np.unique(arrays.blocks.task_type).tolist():
            most = self.typed.get(task_type, {}).get("nodes", self._most(task_type).nodes)
            if most > 1:
                yield (
                    f"tasks of {arrays.system.task_names[task_type]} request "
                    f"{_said('nodes', most)} at once, and the schedule plans their whole time on "
                    "one; Slurm takes others beside it, so what runs there waits"
                )

    def _most(self, task_type: int) -> Request:
        return self._known(self.log.most, task_type) if self.log else Request()

    def _least(self, task_type: int) -> Request:
        return self._known(self.log.least, task_type) if self.log else Request()

    def _known(self, requests: Mapping[str, Request], task_type: int) -> Request:
        names = self.system.task_names if self.system else ()
        return requests.get(names[task_type], Request()) if task_type < len(names) else Request()

    def _there(self, machine_type: int, name: str) -> float:
        """How much of something a node has, and how many nodes there are of its type; without
        limit where that is not known.
        """
        if self.log is None or self.system is None:
            return math.inf
        kind = self.system.machine_types[machine_type]
        if name == "nodes":
            return kind.count
        node = self.log.nodes.get(kind.name)
        amount: float = getattr(node, name) if node else math.inf
        return amount or (0 if name == "gpus" else math.inf)


NOTHING_ASKED: Final = Requested()


def _minutes(seconds: float) -> int:
    return min(math.ceil(seconds / MINUTE), _MOST_MINUTES)


def _said(name: str, amount: float) -> str:
    if name == "memory":
        return f"{plain_amount(amount / 1024, Sense.PLAIN)} GiB"
    return counted(int(amount), {"cores": "core", "gpus": "GPU", "nodes": "node"}[name])


WATTS: Final = "watts"
"""The name of the licences."""
PEAK_CAP: Final = Range(0.0, 1e15, "W")


def licences_within(system: System, watts: float) -> int:
    """How many licences Slurm has for a cap of so many watts; 0 if idle machines draw more."""
    if system.apc is None:
        raise NoPowerData
    idle = math.fsum(system.machine_counts * system.always_on.idle_power)
    return max(math.floor(watts - idle), 0)


def licences_of(system: System, task_type: int, machine_type: int) -> int:
    if system.apc is None:
        raise NoPowerData
    more = system.apc[task_type, machine_type] - system.always_on.idle_power[machine_type]
    return max(math.ceil(float(more)), 0)


def licence_line(licences: int) -> str:
    return f"Licenses={WATTS}:{licences}"
