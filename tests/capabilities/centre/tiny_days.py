"""Days so small that every plan of them can be tried, with arithmetic of their own."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from hypothesis import strategies as st

from core.capabilities.centre.centre import (
    Centre,
    Cooling,
    LinearRoom,
    PhysicalRoom,
    ServerKind,
)
from core.capabilities.centre.day import CentreDay, Curves, grouped

SPEEDS = (0.5, 1.0)
"""Fan speeds that are tried; plans may choose others."""
AIMS = ("cost", "carbon", "energy", "excess", "lateness", "peak")


@st.composite
def tiny_days(draw: st.DrawFn) -> CentreDay:
    """At most 4 steps, 2 kinds, 3 jobs; prices may be negative, starts may take a step or two."""
    return tiny_day(np.random.default_rng(draw(st.integers(0, 2**32 - 1))))


def tiny_day(random: np.random.Generator) -> CentreDay:
    """One of them."""
    steps, step = int(random.integers(2, 5)), float(random.choice([60.0, 900.0]))
    kinds = tuple(_kind(random, name) for name in ("a", "b")[: random.integers(1, 3)])
    most = sum(kind.count * kind.busy_watts for kind in kinds)
    law = random.choice(["cubic", "linear"])
    cooling = Cooling(most / 4, most / 2, most, 2 * most, law)
    leak = most / float(random.choice([10, 40]))
    capacity = step * (leak + cooling.fan_heat) * float(random.choice([1.2, 3.0]))
    room: PhysicalRoom | LinearRoom = PhysicalRoom(capacity, leak)
    if random.random() < 0.3:
        room = LinearRoom(0.8, 0.2, 2.0 / most, 1.5, 3.0, step)
    limit = 27.0
    first = limit - float(random.choice([0.0, 0.5, 2.0]))
    centre = Centre(kinds, cooling, room, limit, first, float(random.choice([18.0, 24.0])))
    curves = Curves(
        random.choice([-0.1, 0.1, 0.3], steps, p=[0.2, 0.4, 0.4]),
        random.integers(0, 5, steps) * 100.0,
        random.integers(15, 29, steps).astype(float),
        random.integers(0, 3, steps) * most / 3,
        random.integers(0, 4, steps) * most / 3,
    )
    jobs = []
    for _ in range(random.integers(1, 4)):
        kind = int(random.integers(len(kinds)))
        length = int(random.integers(1, min(3, steps) + 1))
        release = int(random.integers(0, steps - length + 1))
        width = int(random.integers(1, kinds[kind].count + 1))
        due = release + length + float(random.choice([0.0, 0.5, 1.0]))
        jobs.append((kind, width, length, release, due))
    feed_in, peak = float(random.choice([0.0, 0.0, 0.2])), float(random.choice([0.0, 0.0, 2.0]))
    return CentreDay(centre, grouped(jobs), curves, step, feed_in, peak)


def _kind(random: np.random.Generator, name: str) -> ServerKind:
    watts = np.sort(random.integers(1, 400, 3))[::-1].astype(float)
    seconds, joules = random.choice([0.0, 60.0, 900.0]), random.choice([0.0, 5000.0, 90000.0])
    return ServerKind(name, int(random.integers(1, 3)), *watts.tolist(), seconds, joules)


@dataclass(frozen=True)
class AllPlans:
    """What every plan of a day comes to: a line a plan, a column for each of `AIMS`."""

    reached: np.ndarray

    def least(self, aim: str, caps: dict[str, float]) -> float:
        """The least of an aim under caps; infinity if none keeps them."""
        kept = np.ones(len(self.reached), bool)
        for name, most in caps.items():
            kept &= self.reached[:, AIMS.index(name)] <= most + 1e-12 * abs(most)
        values = self.reached[kept, AIMS.index(aim)]
        return float(values.min(initial=np.inf))


def all_plans(day: CentreDay) -> AllPlans:
    """Every start of each job, server that is awake, and way to cool (at `SPEEDS`)."""
    jobs = day.jobs
    each = np.repeat(np.arange(len(jobs)), jobs.count).tolist()
    found = [np.zeros((0, len(AIMS)))]
    starts = [range(int(jobs.release[g]), day.steps - int(jobs.length[g]) + 1) for g in each]
    ways = np.array(list(product(range(len(SPEEDS) + 2), repeat=day.steps)))
    for chosen in product(*starts):
        busy = [[0] * day.steps for _ in day.centre.kinds]
        late = 0.0
        for g, begin in zip(each, chosen, strict=True):
            end = begin + int(jobs.length[g])
            late += max(0.0, end - float(jobs.due[g]))
            for t in range(begin, end):
                busy[int(jobs.kind[g])][t] += int(jobs.width[g])
        if any(max(line) > kind.count for line, kind in zip(busy, day.centre.kinds, strict=True)):
            continue
        found += [_reached(day, watts, late, ways) for watts in _server_watts(day, busy)]
    return AllPlans(np.concatenate(found))


def _server_watts(day: CentreDay, busy: list[list[int]]) -> list[np.ndarray]:
    """Watts of all servers in each step, for every choice of those that are awake."""
    by_kind = []
    for line, kind in zip(busy, day.centre.kinds, strict=True):
        lead = -(-kind.start_seconds // day.step)
        lead = int(max(lead, 1 if kind.start_joules else 0))
        more = max(0.0, kind.start_joules - kind.asleep_watts * kind.start_seconds)
        each = kind.asleep_watts + (more / (day.step * lead) if lead else 0.0)
        choices = []
        for awake in product(*(range(n, kind.count + 1) for n in line)):
            starting = [0] * day.steps
            fits = True
            for t in range(1, day.steps):
                for _ in range(awake[t] - awake[t - 1]):
                    fits &= t >= lead
                    for ahead in range(1, lead + 1):
                        if t - ahead >= 0:
                            starting[t - ahead] += 1
            asleep = [kind.count - awake[t] - starting[t] for t in range(day.steps)]
            if fits and min(asleep) >= 0:
                choices.append(
                    [
                        line[t] * kind.busy_watts
                        + (awake[t] - line[t]) * kind.idle_watts
                        + asleep[t] * kind.asleep_watts
                        + starting[t] * each
                        for t in range(day.steps)
                    ]
                )
        by_kind.append(np.array(choices))
    return [sum(parts) for parts in product(*by_kind)]


def _reached(day: CentreDay, servers: np.ndarray, late: float, ways: np.ndarray) -> np.ndarray:
    """All of `AIMS` for every way to cool that keeps the limit."""
    centre, cooling, room, curves = day.centre, day.centre.cooling, day.centre.room, day.curves
    speed = np.array([0.0, *SPEEDS, 0.0])[ways]
    on = ways == len(SPEEDS) + 1
    law = speed**3 if cooling.fan_law == "cubic" else speed
    power = servers + cooling.fan_watts * law + cooling.compressor_watts * on
    inside, kept = np.full(len(ways), centre.first), np.ones(len(ways), bool)
    for t in range(day.steps):
        cooled = (speed[:, t] > 0) | on[:, t]
        outside = curves.outside[t]
        if isinstance(room, PhysicalRoom):
            out = cooling.fan_heat * speed[:, t] * np.maximum(inside - outside, 0.0)
            heat = servers[t] - room.leak * (inside - outside) - out
            inside = inside + day.step / room.capacity * (heat - cooling.compressor_heat * on[:, t])
        else:
            inside = (
                room.kept * inside
                + room.outside * outside
                + room.per_watt * servers[t]
                - room.fan * speed[:, t]
                - room.compressor * on[:, t]
            )
        kept &= (inside <= centre.limit) & ~(cooled & (inside < centre.coolest))
    power = power[kept]
    hours = day.step / 3600 / 1000
    grid, left = np.maximum(power - curves.green, 0), np.maximum(curves.green - power, 0)
    cost = hours * (grid @ curves.price - left.sum(axis=1) * day.feed_in)
    peak = grid.max(axis=1) / 1000
    columns = (
        cost + day.peak_price * peak,
        hours * (grid @ curves.carbon),
        hours * power.sum(axis=1),
        hours * np.maximum(power - curves.target, 0).sum(axis=1),
        np.full(len(power), late),
        peak,
    )
    return np.stack(columns, axis=1)
