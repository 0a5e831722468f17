"""Samples of the power of nodes, as any monitoring has them: cleaned, and in watts of a node."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple, Self

import numpy as np

from core.engines.logs.reading.limits import NODE_WATTS, NODE_WATTS_LEAST
from core.files.findings import shown
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.words import Sense, counted, duration, power

_GAP: Final = 5.0
"""A pause of more than so many usual distances between samples is a gap."""
_TOGETHER: Final = 1.0
"""At most so many seconds lie between samples of the parts of a node that count as one moment."""
_TOGETHER_SHARE: Final = 0.25
"""The same as a share of the usual distance between samples."""


class RawSamples(NamedTuple):
    """The samples of a file: times in seconds since 1970, and watts, or joules that a meter has
    counted up to that time. Each sample is of a series: of one of the `nodes`, or of a part of one.

    With `is_absolute`, times say their time zone; others are of the cluster's clock.
    """

    label: str
    times: FloatArray
    series: IntArray
    values: FloatArray
    nodes: Sequence[str]
    is_energy: bool = False
    is_absolute: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class PowerSamples:
    """The watts of whole nodes over spans of time, by node and by time: sample k is of
    `nodes[node[k]]`, from `begin[k]` to `end[k]` (seconds since 1970), which are equal where a
    meter says the power of a moment.
    """

    nodes: tuple[str, ...]
    node: IntArray
    begin: FloatArray
    end: FloatArray
    watts: FloatArray
    is_absolute: bool
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.watts)

    @property
    def in_words(self) -> str:
        """How many samples of how many nodes, from when to when."""
        if not len(self):
            return "No sample of power can be used."
        first, last = moment(float(self.begin.min())), moment(float(self.end.max()))
        nodes = counted(len(np.unique(self.node)), "node")
        return f"{counted(len(self), 'sample')} of power of {nodes}, from {first} to {last}."

    def save(self, path: Path) -> None:
        """Write the samples to a file for `load`."""
        arrays = (self.node, self.begin, self.end, self.watts)
        texts = (np.array(each, str) for each in (self.nodes, self.notes))
        np.savez(path, *arrays, *texts, np.array(self.is_absolute))

    @classmethod
    def load(cls, path: Path) -> Self:
        with np.load(path) as kept:
            node, begin, end, watts, nodes, notes, absolute = (kept[name] for name in kept.files)
        return cls(
            tuple(nodes.tolist()), node, begin, end, watts, bool(absolute), tuple(notes.tolist())
        )


def gathered(files: Sequence[RawSamples]) -> PowerSamples:
    """The samples of all files. Counters are differenced, parts of a node added up; `notes` say
    what was left out.
    """
    names = dict.fromkeys(plain_node(node) for file in files for node in file.nodes)
    numbers = {name: number for number, name in enumerate(names)}
    notes: list[str] = []
    found = [_watts_of(file, numbers, notes) for file in files]
    node, begin, end, watts = (np.concatenate(each) for each in zip(*found, strict=True))
    sound = (watts >= NODE_WATTS_LEAST) & (watts <= NODE_WATTS)
    if not sound.all():
        notes.append(
            f"{counted(int((~sound).sum()), 'sample')} below "
            f"{power(NODE_WATTS_LEAST, Sense.PLAIN)} or above {power(NODE_WATTS, Sense.PLAIN)} "
            "are left out: no node draws that."
        )
        node, begin, end, watts = node[sound], begin[sound], end[sound], watts[sound]
    order = in_order(node, end)
    node, begin, end, watts = node[order], begin[order], end[order], watts[order]
    notes += _gaps(tuple(names), node, begin, end)
    absolute = any(file.is_absolute for file in files)
    return PowerSamples(tuple(names), node, begin, end, watts, absolute, tuple(notes))


def in_order(groups: IntArray, times: FloatArray | None = None) -> IntArray:
    """The places of samples by group and, within each, by time; without times, as they came."""
    most = groups.max(initial=0)
    order = np.argsort(groups.astype(np.uint16) if most < _SMALL else groups, kind="stable")
    if times is None:
        return order
    group, time = groups[order], times[order]
    if ((time[1:] >= time[:-1]) | (group[1:] != group[:-1])).all():
        return order
    return np.lexsort((times, groups))


_SMALL: Final = 1 << 16
"""Numbers below this are sorted ten times as fast."""


def plain_node(name: str) -> str:
    """The name of a node without the port of its exporter."""
    host, _, port = name.strip().rpartition(":")
    return host if host and port.isdecimal() else name.strip()


class _Watts(NamedTuple):
    node: IntArray
    begin: FloatArray
    end: FloatArray
    watts: FloatArray


def _watts_of(file: RawSamples, numbers: dict[str, int], notes: list[str]) -> _Watts:
    notes += file.notes
    known = np.isfinite(file.values) & np.isfinite(file.times)
    if not known.all():
        blank = counted(int((~known).sum()), "sample")
        notes.append(f"{file.label}: {blank} without a value are left out.")
    series, times, values = file.series[known], file.times[known], file.values[known]
    order = in_order(series, times)
    series, times, values = series[order], times[order], values[order]
    follows = series[1:] == series[:-1]
    again = np.append(False, follows & (times[1:] == times[:-1]))
    if again.any():
        first = int(np.flatnonzero(again)[0])
        notes.append(
            f"{file.label}: {counted(int(again.sum()), 'sample')} of the same node and time as "
            f"another are left out, the first of {shown(file.nodes[series[first]])} at "
            f"{moment(times[first])}."
        )
        series, times, values = series[~again], times[~again], values[~again]
    of_series = np.array([numbers[plain_node(name)] for name in file.nodes], np.int64)
    begin = times
    if file.is_energy:
        series, begin, times, values = _differenced(file, series, times, values, notes)
    found = _Watts(of_series[series] if len(series) else series, begin, times, values)
    parts = np.bincount(of_series, minlength=len(numbers))
    return found if parts.max(initial=0) <= 1 else _added_up(file, found, series, parts, notes)


def _differenced(
    file: RawSamples, series: IntArray, times: FloatArray, joules: FloatArray, notes: list[str]
) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
    """Mean watts from each reading of a counter to the next."""
    follows = series[1:] == series[:-1]
    more = np.diff(joules)
    wrapped = follows & (more < 0)
    if wrapped.any():
        notes.append(
            f"{file.label}: a counter of joules began again {counted(int(wrapped.sum()), 'time')} "
            "(it wrapped around, or its node started anew); these spans are left out."
        )
    sound = follows & ~wrapped
    watts = more[sound] / np.diff(times)[sound]
    return series[1:][sound], times[:-1][sound], times[1:][sound], watts


def _added_up(
    file: RawSamples, found: _Watts, series: IntArray, parts: IntArray, notes: list[str]
) -> _Watts:
    """The sums over the parts of each node, at moments that have all of them."""
    follows = series[1:] == series[:-1]
    distance = float(np.median(np.diff(found.end)[follows])) if follows.any() else 0.0
    near = min(_TOGETHER, _TOGETHER_SHARE * distance)
    order = in_order(found.node, found.end)
    node, begin, end, watts = (each[order] for each in found)
    fresh = np.append(True, (np.diff(node) != 0) | (np.diff(end) > near))[: len(node)]
    group = np.cumsum(fresh) - 1
    firsts = np.flatnonzero(fresh)
    counts = np.bincount(group)
    whole = counts == parts[node[firsts]]
    lacking = int((~whole).sum())
    if lacking:
        notes.append(
            f"{file.label}: {counted(lacking, 'moment')} at which a node lacks some of its parts "
            "are left out."
        )
    lasts = firsts + counts - 1
    begins = np.minimum.reduceat(begin, firsts) if len(firsts) else begin
    sums = np.bincount(group, watts)
    return _Watts(node[firsts][whole], begins[whole], end[lasts][whole], sums[whole])


def _gaps(
    nodes: Sequence[str], node: IntArray, begin: FloatArray, end: FloatArray
) -> Iterator[str]:
    follows = node[1:] == node[:-1]
    pause = np.where(follows, begin[1:] - end[:-1], 0.0)
    distance = np.diff(end)[follows]
    if not len(distance):
        return
    usual = float(np.median(distance))
    gaps = np.flatnonzero(pause > _GAP * usual)
    if len(gaps):
        k = int(gaps[np.argmax(pause[gaps])])
        longest = duration(float(pause[k]), Sense.PLAIN)
        yield (
            f"Samples are {duration(usual, Sense.PLAIN)} apart, with "
            f"{counted(len(gaps), 'gap')}; the longest is {longest} on {shown(nodes[node[k]])} "
            f"from {moment(end[k])}. A gap says nothing."
        )


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


def matched(nodes: Iterable[str], known: Sequence[str]) -> dict[str, int]:
    """The places among `known` of those nodes that are there, with or without their domains."""
    exact: dict[str, int | None] = {name.casefold(): at for at, name in enumerate(known)}
    hosts: dict[str, int | None] = {}
    for at, name in enumerate(known):
        host = name.casefold().partition(".")[0]
        hosts[host] = None if host in hosts else at  # of two domains, nobody knows which
    found: dict[str, int] = {}
    for node in nodes:
        name = node.casefold()
        host = name.partition(".")[0]
        nearly = hosts.get(host) if "." not in name or host in exact else None
        place = exact.get(name, nearly)
        if place is not None:
            found[node] = place
    return found
