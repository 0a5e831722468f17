"""For some machines and any part of the tasks, the least cost within each makespan, in compiled
code.

One more machine may run any part of the tasks, so its lists follow from those without it.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import math
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from core.engines.compute.compiled import Kernel
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.system import System


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts of the tasks, by number. Part c has `counts[c, i]` tasks of type i, at most
    `most[i]`; c is the sum of these times `radix[i]`, and the last part has all tasks.

    `loads[j, c]` (infinite where impossible) and `costs[j, c]` are the seconds and the joules above
    idle power of part c on a machine of type j; without APC the costs are 0.
    """

    system: System
    most: IntArray
    radix: IntArray
    counts: IntArray
    loads: FloatArray
    costs: FloatArray

    @classmethod
    def of(cls, system: System) -> Self:
        most = np.array(system.task_counts)
        radix = np.append(1, np.cumprod(most + 1)[:-1])
        counts = np.arange(math.prod((most + 1).tolist()))[:, None] // radix % (most + 1)
        runs = system.can_run
        seconds, joules = np.where(runs, system.etc, 0.0), np.zeros(runs.shape)
        if system.apc is not None:
            np.copyto(joules, system.dynamic_energy, where=runs)
        loads = np.where(counts @ ~runs, np.inf, counts @ seconds)
        return cls(system, most, radix, counts, *(x.T.copy() for x in (loads, counts @ joules)))


class _PartListArrays(NamedTuple):
    """A list for each part: that of part c is from `begin[c]` to before `begin[c + 1]`, by rising
    seconds and falling costs.
    """

    begin: IntArray
    seconds: FloatArray
    costs: FloatArray


@dataclass(frozen=True, eq=False)
class PartLists:
    """The least cost within each makespan, for each part of the tasks, on the machines of `fewer`
    and one of type `kind`. The list of a part that these machines cannot run is empty.
    """

    lists: _PartListArrays
    fewer: "PartLists | None" = None
    kind: int = -1

    @classmethod
    def of_no_machines(cls, parts: int) -> Self:
        begin = np.ones(parts + 1, np.int64)
        begin[0] = 0
        return cls(_PartListArrays(begin, np.zeros(1), np.zeros(1)))

    def with_machine(self, parts: Parts, kind: int, most: int) -> tuple["PartLists", int]:
        """The lists with one more machine, and how many pairs were compared; the lists are
        incomplete if that is more than `most`.
        """
        *lists, pairs = _add_machine(
            parts.radix, parts.most, parts.loads[kind], parts.costs[kind], self.lists, most
        )
        return PartLists(_PartListArrays(*lists), self, kind), int(pairs)

    @property
    def begin(self) -> IntArray:
        """Where the list of each part begins, and where the last one ends."""
        return self.lists.begin

    @property
    def seconds(self) -> FloatArray:
        """The seconds of each entry of all lists."""
        return self.lists.seconds

    @property
    def costs(self) -> FloatArray:
        """The costs of each entry of all lists."""
        return self.lists.costs

    def beside(self, loads: FloatArray, part: IntArray) -> IntArray:
        """For each of these parts, the cheapest entry for all other tasks that is done within the
        part's load; -1 where there is none.
        """
        entries: IntArray = _beside(self.lists, loads, part)
        return entries

    def machines(self, parts: Parts, part: int, entry: int) -> list[tuple[int, int]]:
        """The type of each machine and the part that it runs, where all machines together run this
        part as the entry says. The parts are found again from their seconds and costs.
        """
        found = []
        lists = self
        while lists.fewer is not None:
            fewer, kind = lists.fewer, lists.kind
            own, before = _made_of(
                parts.counts,
                parts.loads[kind],
                parts.costs[kind],
                fewer.lists,
                part,
                lists.seconds[entry],
                lists.costs[entry],
            )
            found.append((kind, own))
            lists, part, entry = fewer, part - own, before
        return found


def load_kernels() -> None:
    """See `core.engines.kernels`."""
    whole, number, none = np.zeros(1, np.int64), np.zeros(1), PartLists.of_no_machines(1)
    _add_machine(whole, whole, number, number, none.lists, 1)
    _beside(none.lists, number, whole)
    _made_of(whole[None], number, number, none.lists, 0, 0.0, 0.0)


@Kernel
def _add_machine(radix, most, loads, costs, lists, allowed):
    """The lists of all parts with one more machine, on which part c takes `loads[c]` and costs
    `costs[c]`; and how many pairs of a part and an entry were compared. The lists are cut off when
    these are more than `allowed`.

    Costs may be negative. Loads are not negative, and infinite where impossible. Sums that are
    unequal only through rounding both stay in the lists: times and costs are compared as they are.
    """
    begin, seconds, joules = lists
    parts, types = len(loads), len(most)
    new_begin = np.zeros(parts + 1, np.int64)
    new_seconds, new_joules = np.empty(2 * len(seconds)), np.empty(2 * len(seconds))
    # The list of the current part.
    own_seconds, own_joules = np.empty(16), np.empty(16)
    whole, own = np.zeros(types, np.int64), np.zeros(types, np.int64)
    filled = compared = 0
    for part in range(parts):
        held = 0
        given = 0
        while given >= 0:
            low, high = begin[part - given], begin[part - given + 1]
            if loads[given] < np.inf and low < high:
                # Of the entries that are done before this machine, only the cheapest counts.
                done = np.searchsorted(seconds[low:high], loads[given], side="right")
                for entry in range(low + max(done - 1, 0), high):
                    compared += 1
                    if held == len(own_seconds):
                        own_seconds, own_joules = _longer(own_seconds), _longer(own_joules)
                    held = _enter(
                        own_seconds,
                        own_joules,
                        held,
                        max(seconds[entry], loads[given]),
                        joules[entry] + costs[given],
                    )
            given = _next_within(given, own, whole, radix)
        while filled + held > len(new_seconds):
            new_seconds, new_joules = _longer(new_seconds), _longer(new_joules)
        new_seconds[filled : filled + held] = own_seconds[:held]
        new_joules[filled : filled + held] = own_joules[:held]
        filled += held
        new_begin[part + 1] = filled
        if compared > allowed:
            break
        _next_within(0, whole, most, radix)
    return new_begin, new_seconds[:filled].copy(), new_joules[:filled].copy(), compared


@Kernel
def _longer(values):
    """The values in an array of twice the length."""
    longer = np.empty(2 * len(values))
    longer[: len(values)] = values
    return longer


@Kernel
def _next_within(part, digits, most, radix):
    """The next part after this one that has at most `most` tasks of any type; -1 after the last.
    `digits` are the counts of the part, and are changed to those of the next.
    """
    for i in range(len(digits)):
        if digits[i] < most[i]:
            digits[i] += 1
            return part + radix[i]
        part -= digits[i] * radix[i]
        digits[i] = 0
    return -1


@Kernel
def _enter(seconds, joules, held, time, cost):
    """Enter (time, cost) into a list of `held` entries by rising seconds and falling joules, unless
    it has an entry that is as good. The list has space for one more. Returns its new length.
    """
    place = np.searchsorted(seconds[:held], time)
    if (place > 0 and joules[place - 1] <= cost) or (
        place < held and seconds[place] == time and joules[place] <= cost
    ):
        return held
    worse = place
    while worse < held and joules[worse] >= cost:
        worse += 1
    if worse == place:
        for x in range(held, place, -1):
            seconds[x], joules[x] = seconds[x - 1], joules[x - 1]
        held += 1
    else:
        for x in range(worse, held):
            seconds[place + 1 + x - worse], joules[place + 1 + x - worse] = seconds[x], joules[x]
        held -= worse - place - 1
    seconds[place], joules[place] = time, cost
    return held


@Kernel
def _beside(lists, loads, part):
    """For each part of the tasks on the machine that ends last, the cheapest entry of the other
    machines for all other tasks that is done by then; -1 if there is none.
    """
    begin, seconds, _ = lists
    entries = np.empty(len(part), np.int64)
    for k in range(len(part)):
        other = len(begin) - 2 - part[k]
        low, high = begin[other], begin[other + 1]
        done = np.searchsorted(seconds[low:high], loads[part[k]], side="right")
        entries[k] = low + done - 1 if done > 0 else -1
    return entries


@Kernel
def _made_of(counts, loads, costs, lists, part, time, cost):
    """The part of the last machine and the entry of the machines before it, where all of them run
    this part in this time and at this cost. The sums are made in the same order as before, so they
    are equal to the last bit.
    """
    begin, seconds, joules = lists
    for given in range(part + 1):
        if loads[given] <= time and (counts[given] <= counts[part]).all():
            other = part - given
            for entry in range(begin[other], begin[other + 1]):
                if (
                    max(seconds[entry], loads[given]) == time
                    and joules[entry] + costs[given] == cost
                ):
                    return given, entry
    return -1, -1
