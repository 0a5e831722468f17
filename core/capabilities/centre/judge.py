"""Judges plans of a day: whether they can be carried out, keep the limit, and what comes of them.

It shares no formula with `DayMeasures`, the bound or what makes plans: it goes through the day step
by step, in plain Python, with what is said of the centre. Sums are those of `math.fsum`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.centre.centre import PhysicalRoom, ServerKind
from core.capabilities.centre.day import CentreDay, Curves
from core.capabilities.centre.plan import DayPlan
from core.engines.verify.verdict import Faults
from core.files.numbers import number_cell
from core.vocabulary.problems import Problem
from core.vocabulary.say.words import counted
from core.vocabulary.tolerances import METHODS_AGREE, SAME

DAY_CHECKS: Final = (
    "each job starts exactly once, at the begin of a step",
    "no job starts before its release or ends after the day",
    "no more servers of a kind are at work than are awake",
    "no more servers of a kind are awake or start than there are",
    "no server is awake before its start, which begins within the day, has ended",
    "the fan runs between 0 and its full speed, and never beside the compressor",
    "the inside temperature never is above the limit, computed again step by step, and nothing "
    "cools the room below the least that it may be cooled to",
    "what is stated of cost, energy, excess and lateness follows from the plan, added up again",
)
"""What is checked, in sentences."""
STATED_FIGURES: Final = (
    *("cost", "carbon", "energy", "grid_energy", "green_energy", "cooling_energy", "excess"),
    *("relative_excess", "lateness", "late_jobs", "on_time_share", "peak", "hottest"),
)
"""What a file may state of a plan: fields of `DayVerdict`."""

_JOULES_PER_KWH: Final = 3_600_000.0
"""The judge has its own, as it shares nothing with what it checks."""


class PlanPlaces(NamedTuple):
    """Where a file has what is wrong: the names of its tables and of what is stated, and the row of
    a start, of a kind in a step, and of the cooling of a step.
    """

    starts: str = "starts"
    awake: str = "awake"
    cooling: str = "steps"
    figures: str = "plan"
    start_row: Callable[[int], str] | None = None
    awake_row: Callable[[int, int], str] | None = None
    cooling_row: Callable[[int], str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DayVerdict:
    """What is wrong with a plan, and what comes of it, if nothing is.

    Energies are in joules, carbon in grams, lateness in seconds, `peak` (of grid power) and `power`
    (of all in each step) in watts, temperatures in °C: `inside[t]` when step t begins, and when the
    day has ended. Of each kind of fault only a few are listed, followed by the number of the rest.
    """

    problems: tuple[Problem, ...]
    cost: float = 0.0
    carbon: float = 0.0
    energy: float = 0.0
    grid_energy: float = 0.0
    green_energy: float = 0.0
    cooling_energy: float = 0.0
    excess: float = 0.0
    relative_excess: float = 0.0
    lateness: float = 0.0
    late_jobs: int = 0
    on_time_share: float = 1.0
    peak: float = 0.0
    hottest: float = -math.inf
    power: tuple[float, ...] = ()
    inside: tuple[float, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.problems


def judged_plan(
    day: CentreDay,
    plan: DayPlan,
    curves: Curves | None = None,
    stated: Mapping[str, float] | None = None,
    places: PlanPlaces | None = None,
) -> DayVerdict:
    """The verdict on a plan under the curves of its day, or under those that came instead, and on
    what is `stated` of it (some of `STATED_FIGURES`). No plan makes it raise.
    """
    return _PlanJudge(day, plan, curves or day.curves, places or PlanPlaces()).verdict(stated or {})


class _PlanJudge:
    """One plan, and the faults found in it."""

    def __init__(self, day: CentreDay, plan: DayPlan, curves: Curves, places: PlanPlaces) -> None:
        self.day, self.plan, self.curves, self.places = day, plan, curves, places
        self.of_starts = Faults(places.starts)
        self.of_awake = Faults(places.awake)
        self.of_cooling = Faults(places.cooling)
        self.of_figures = Faults(places.figures)
        self.kinds = day.centre.kinds
        self.steps = len(day.curves.price)
        self.start_steps = [
            max(int(-(-kind.start_seconds // day.step)), 1 if kind.start_joules > 0 else 0)
            for kind in self.kinds
        ]

    def verdict(self, stated: Mapping[str, float]) -> DayVerdict:
        if not self._has_shape():
            return DayVerdict(self._problems())
        executing = self._executing()
        awake = [[int(one) for one in row] for row in self.plan.awake.tolist()]
        starting = self._starting(awake)
        self._check_servers(executing, awake, starting)
        self._check_cooling()
        if self._problems():
            return DayVerdict(self._problems())
        found = self._carried_out(executing, awake, starting)
        self._check_temperature(found.inside)
        self._check_stated(found, stated)
        if not self._problems():
            return found
        return DayVerdict(self._problems(), power=found.power, inside=found.inside)

    def _problems(self) -> tuple[Problem, ...]:
        found = self.of_starts, self.of_awake, self.of_cooling, self.of_figures
        return tuple(problem for faults in found for problem in faults.problems)

    def _has_shape(self) -> bool:
        """Whether there are as many of all as there must be, and each start is one of a job."""
        plan, jobs = self.plan, len(self.day.jobs.kind)
        there = f"but the day has {counted(self.steps, 'step')}; give a row for each"
        awake = plan.awake.shape
        if len(awake) != 2 or awake[0] != len(self.kinds):
            said = f"is of {awake[0] if awake else 0:,} kinds of servers, not of the "
            self.of_awake.add("", "kind", f"{said}{len(self.kinds):,} of the centre; give each")
        elif awake[1] != self.steps:
            self.of_awake.add("", "", f"has {counted(awake[1], 'step')}, {there}")
        for name, length in (("fan_speed", len(plan.speed)), ("compressor", len(plan.compressor))):
            if length != self.steps:
                self.of_cooling.add("", name, f"has {counted(length, 'step')}, {there}")
        if not len(plan.group) == len(plan.start) == len(plan.count):
            self.of_starts.add("", "", "has columns of different lengths; give whole rows")
        elif len(self.curves.price) != self.steps:
            self.of_cooling.add("", "", f"is judged by {len(self.curves.price):,} steps, {there}")
        else:
            wrong = [not 0 <= group < jobs for group in plan.group.tolist()]
            self._starts(wrong, "job", lambda _: "is no job of the day; remove the row")
        return not self._problems()

    def _starts(self, wrong: Sequence[bool], column: str, say: Callable[[int], str]) -> None:
        """Report starts."""
        row = self.places.start_row or self._start_said
        self.of_starts.each(np.array(wrong, bool), column, row, say)

    def _start_said(self, row: int) -> str:
        group, names = int(self.plan.group[row]), self.day.jobs.names
        return names[group] if 0 <= group < len(names) else f"{row + 1:,}"

    def _each(
        self, wrong: Sequence[Sequence[bool]], column: str, say: Callable[[int, int], str]
    ) -> None:
        """Report kinds in steps."""
        flat = np.array(wrong, bool).ravel()

        def row(place: int) -> str:
            kind, step = divmod(place, self.steps)
            if self.places.awake_row is not None:
                return self.places.awake_row(kind, step)
            return f"{self.kinds[kind].name}, step {step + 1:,}"

        self.of_awake.each(flat, column, row, lambda place: say(*divmod(place, self.steps)))

    def _step_said(self, step: int) -> str:
        found = self.places.cooling_row
        return f"step {step + 1:,}" if found is None else found(step)

    def _executing(self) -> list[list[int]]:
        """Servers at work of each kind in each step. Checks what is wrong with starts."""
        plan, jobs = self.plan, self.day.jobs
        kind, width, length = jobs.kind.tolist(), jobs.width.tolist(), jobs.length.tolist()
        release, wanted = jobs.release.tolist(), jobs.count.tolist()
        begun = [0] * len(kind)
        rise = [[0] * (self.steps + 1) for _ in self.kinds]
        groups, starts, counts = plan.group.tolist(), plan.start.tolist(), plan.count.tolist()
        odd, early, late = ([False] * len(groups) for _ in range(3))
        for row, (group, start, count) in enumerate(zip(groups, starts, counts, strict=True)):
            odd[row] = count < 1 or count != int(count)
            early[row] = start < release[group]
            end = start + length[group]
            late[row] = end > self.steps
            begun[group] += count
            if not early[row] and not late[row]:
                rise[kind[group]][int(start)] += width[group] * int(count)
                rise[kind[group]][int(end)] -= width[group] * int(count)
        step = self.day.step
        self._starts(odd, "count", lambda row: f"is {counts[row]}; give a whole number, at least 1")
        self._starts(
            early,
            "start",
            lambda row: (
                f"is {starts[row] * step:.12g} s, before the release at "
                f"{release[groups[row]] * step:.12g} s; start the job then or later"
            ),
        )
        self._starts(
            late,
            "start",
            lambda row: (
                f"is {starts[row] * step:.12g} s, so the job would end at "
                f"{(starts[row] + length[groups[row]]) * step:.12g} s, after the day, which has "
                f"{self.steps * step:.12g} s; start it earlier"
            ),
        )
        self._check_counts(begun, wanted)
        found = []
        for changes in rise:
            now, level = [], 0
            for change in changes[: self.steps]:
                level += change
                now.append(level)
            found.append(now)
        return found

    def _check_counts(self, begun: list[int], wanted: list[int]) -> None:
        names = self.day.jobs.names
        wrong = np.array([have != want for have, want in zip(begun, wanted, strict=True)], bool)

        def said(job: int) -> str:
            if not begun[job]:
                return f"never starts; give a row with its start{self._of_several(wanted[job])}"
            times = counted(int(begun[job]), "start")
            return f"has {times}, but there {_are(wanted[job])}; give as many starts"

        def row(job: int) -> str:
            return names[job] if names else f"job {job + 1:,}"

        self.of_starts.each(wrong, "job", row, said)

    def _of_several(self, count: int) -> str:
        return f", {count:,} times" if count > 1 else ""

    def _starting(self, awake: list[list[int]]) -> list[list[int]]:
        """Servers of each kind that start in each step: those that are awake more than before."""
        found = [[0] * self.steps for _ in self.kinds]
        early = [[False] * self.steps for _ in self.kinds]
        for kind, takes in enumerate(self.start_steps):
            for step in range(1, self.steps):
                more = awake[kind][step] - awake[kind][step - 1]
                if more <= 0 or not takes:
                    continue
                early[kind][step] = step < takes
                for before in range(max(step - takes, 0), step):
                    found[kind][before] += more
        seconds = self.day.step

        def said(kind: int, step: int) -> str:
            return (
                f"{awake[kind][step]:,} after {awake[kind][step - 1]:,} needs a start of "
                f"{self.start_steps[kind] * seconds:.12g} s, which would begin before the day; "
                "let them wake later, or never sleep"
            )

        self._each(early, "awake", said)
        return found

    def _check_servers(
        self, executing: list[list[int]], awake: list[list[int]], starting: list[list[int]]
    ) -> None:
        steps, kinds = range(self.steps), range(len(self.kinds))
        self._each(
            [[0 <= awake[k][t] < executing[k][t] for t in steps] for k in kinds],
            "awake",
            lambda k, t: (
                f"is {awake[k][t]:,}, but {counted(executing[k][t], 'server')} at work; let more "
                "be awake, or start jobs at another time"
            ),
        )

        def there(kind: int, step: int) -> bool:
            return awake[kind][step] >= 0 and (
                awake[kind][step] + starting[kind][step] <= self.kinds[kind].count
            )

        self._each(
            [[not there(k, t) for t in steps] for k in kinds],
            "awake",
            lambda k, t: (
                f"is {awake[k][t]:,}{_and_start(starting[k][t])}, of "
                f"{counted(self.kinds[k].count, 'server')}; give numbers that there are"
            ),
        )

    def _check_cooling(self) -> None:
        speed, compressor = self.plan.speed.tolist(), self.plan.compressor.tolist()
        self.of_cooling.each(
            np.array([not 0 <= one <= 1 for one in speed], bool),
            "fan_speed",
            self._step_said,
            lambda step: f"is {speed[step]:.12g}; give 0 to 1, a share of the full speed",
        )
        self.of_cooling.each(
            np.array([s > 0 and bool(c) for s, c in zip(speed, compressor, strict=True)], bool),
            "compressor",
            self._step_said,
            lambda step: (
                f"runs beside the fan at {number_cell(speed[step])} of its speed; let one of them "
                "run"
            ),
        )

    def _carried_out(
        self, executing: list[list[int]], awake: list[list[int]], starting: list[list[int]]
    ) -> DayVerdict:
        """What comes of the plan: each step after the other."""
        day, cooling = self.day, self.day.centre.cooling
        speeds, compressors = self.plan.speed.tolist(), self.plan.compressor.tolist()
        begun = [
            self._watts_of_start(kind, takes * day.step)
            for kind, takes in zip(self.kinds, self.start_steps, strict=True)
        ]
        inside, power, cools = [day.centre.first], [], []
        for step in range(self.steps):
            watts = 0.0
            for k, kind in enumerate(self.kinds):
                work, on, up = executing[k][step], awake[k][step], starting[k][step]
                watts += work * kind.busy_watts + (on - work) * kind.idle_watts
                watts += up * begun[k] + (kind.count - on - up) * kind.asleep_watts
            speed, runs = speeds[step], bool(compressors[step])
            turns = speed * speed * speed if cooling.fan_law == "cubic" else speed
            cools.append(turns * cooling.fan_watts + (cooling.compressor_watts if runs else 0.0))
            power.append(watts + cools[-1])
            inside.append(self._next(inside[-1], step, watts))
        return self._added_up(power, cools, inside)

    def _watts_of_start(self, kind: ServerKind, seconds: float) -> float:
        """What a server draws that starts within so many seconds, and sleeps for the rest."""
        rest = seconds - kind.start_seconds
        joules = max(kind.start_joules, kind.start_seconds * kind.asleep_watts)
        return (joules + rest * kind.asleep_watts) / seconds if seconds else 0.0

    def _next(self, now: float, step: int, watts: float) -> float:
        """The inside temperature a step later, with so many watts of the servers."""
        room, cooling = self.day.centre.room, self.day.centre.cooling
        outside = float(self.curves.outside[step])
        speed, runs = float(self.plan.speed[step]), bool(self.plan.compressor[step])
        if isinstance(room, PhysicalRoom):
            warms = watts - room.leak * (now - outside)
            if outside < now:
                warms -= cooling.fan_heat * speed * (now - outside)
            if runs:
                warms -= cooling.compressor_heat
            return now + warms * self.day.step / room.capacity
        then = room.kept * now + room.outside * outside + room.per_watt * watts
        return then - room.fan * speed - (room.compressor if runs else 0.0)

    def _added_up(self, power: list[float], cools: list[float], inside: list[float]) -> DayVerdict:
        day, curves, seconds = self.day, self.curves, self.day.step
        green, target = curves.green.tolist(), curves.target.tolist()
        bought = [max(one - own, 0.0) for one, own in zip(power, green, strict=True)]
        used = [min(one, own) for one, own in zip(power, green, strict=True)]
        left = [max(own - one, 0.0) for one, own in zip(power, green, strict=True)]
        over = [max(one - most, 0.0) for one, most in zip(power, target, strict=True)]
        kwh = seconds / _JOULES_PER_KWH
        paid = math.fsum(w * p * kwh for w, p in zip(bought, curves.price.tolist(), strict=True))
        carbon = math.fsum(w * c * kwh for w, c in zip(bought, curves.carbon.tolist(), strict=True))
        late, late_jobs, work = self._late()
        highest = max(bought, default=0.0)
        return DayVerdict(
            (),
            cost=paid - math.fsum(left) * kwh * day.feed_in + highest / 1000 * day.peak_price,
            carbon=carbon,
            energy=math.fsum(power) * seconds,
            grid_energy=math.fsum(bought) * seconds,
            green_energy=math.fsum(used) * seconds,
            cooling_energy=math.fsum(cools) * seconds,
            excess=math.fsum(over) * seconds,
            relative_excess=math.fsum(over) / math.fsum(target) if any(target) else 0.0,
            lateness=late * seconds,
            late_jobs=late_jobs,
            on_time_share=1 - late / work if work else 1.0,
            peak=highest,
            hottest=max(inside[1:], default=-math.inf),
            power=tuple(power),
            inside=tuple(inside),
        )

    def _late(self) -> tuple[float, int, int]:
        """By how many steps jobs are late, how many are, and for how many steps all jobs work."""
        plan, jobs = self.plan, self.day.jobs
        length, due = jobs.length.tolist(), jobs.due.tolist()
        late, number = [], 0
        rows = zip(plan.group.tolist(), plan.start.tolist(), plan.count.tolist(), strict=True)
        for group, start, count in rows:
            by = start + length[group] - due[group]
            if by > 0:
                late.append(by * count)
                number += int(count)
        pairs = zip(length, jobs.count.tolist(), strict=True)
        return math.fsum(late), number, sum(each * count for each, count in pairs)

    def _check_temperature(self, inside: tuple[float, ...]) -> None:
        limit = self.day.centre.limit
        hot = [then > limit + SAME for then in inside[1:]]

        def said(step: int) -> str:
            by = inside[step + 1] - limit
            return (
                f"it is {inside[step + 1]:.9g} °C inside after this step, {by:.3g} K above the "
                f"limit of {limit:g} °C; cool more in it or before"
            )

        self.of_cooling.each(np.array(hot, bool), "", self._step_said, said)
        least = self.day.centre.coolest
        cools = [
            (speed > 0 or runs) and then < least - SAME
            for speed, runs, then in zip(
                self.plan.speed.tolist(), self.plan.compressor.tolist(), inside[1:], strict=True
            )
        ]
        self.of_cooling.each(
            np.array(cools, bool),
            "",
            self._step_said,
            lambda step: (
                f"it is cooled to {inside[step + 1]:.9g} °C, below the least of {least:g} °C; cool "
                "less in it or before"
            ),
        )

    def _check_stated(self, found: DayVerdict, stated: Mapping[str, float]) -> None:
        for name, value in stated.items():
            true = float(getattr(found, name))
            if not abs(value - true) <= METHODS_AGREE * max(abs(true), 1.0):
                said = f"is {number_cell(value)}, but should be {number_cell(true)}; correct it"
                self.of_figures.add("", name, said)


def _and_start(count: int) -> str:
    return f", and {count:,} more start" if count else ""


def _are(count: int) -> str:
    return "is 1 such job" if count == 1 else f"are {count:,} such jobs"
