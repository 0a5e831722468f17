"""Judges outcomes: whether what is stated can have happened, and adds up.

It shares no code with the clock, its kernels or `ReplayOutcome`; its own sums are in
`core.engines.replay.recount`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

import numpy as np

from core.engines.replay.outcome import NOT_RUN, ReplayOutcome, StatedOutcome
from core.engines.replay.recount import JobRuns, UnitSteps, limited
from core.engines.verify.recount import AGREEMENT, ROUNDING
from core.engines.verify.verdict import Faults
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.problems import Problem
from core.vocabulary.say.words import HOUR

OUTCOME_CHECKS: Final = (
    "each job runs at most once, or in parts if it was stopped",
    "the parts of a job follow each other, in one pool if any was kept, and keep what they may",
    "each job runs on an option of its own, with the pool and units of that option",
    "no job starts, or is dropped, before it arrives",
    "no job starts at or after the end of the horizon",
    "each job takes its true time",
    "each job is expected to take its estimated time, and ends no later",
    "no pool has more units at work than it has, nor more of a further resource taken",
    "no job that was dropped runs",
    "the jobs draw no more than each window of the energy budget allows",
    "the worth of each job is that of its curve, computed again",
    "the energy of each job is its power times its time, computed again",
    "the worth is that of all jobs, added up again",
    "the energy is that of all jobs and idle machines, added up again",
)
"""What is checked, in sentences."""


@dataclass(frozen=True, slots=True)
class OutcomeVerdict:
    """What was checked, what is wrong, and the recomputed figures.

    `ran`, `dropped` and `waiting` are numbers of jobs; `waiting` never ran and were not dropped.
    `joules` includes machines that are on or asleep. `mean_flow` (s) is from arrival to end. The
    figures are valid only if `ok`. Of each kind of fault only a few are listed, followed by the
    number of the rest.
    """

    problems: tuple[Problem, ...]
    ran: int
    dropped: int
    waiting: int
    worth: float
    joules: float
    makespan: float
    mean_flow: float

    @property
    def ok(self) -> bool:
        return not self.problems


def judge_outcome(outcome: ReplayOutcome) -> OutcomeVerdict:
    """Whether an outcome keeps all rules, and its figures add up.

    It takes time by the number of jobs, not of units. No outcome makes it raise.
    """
    jobs, options = len(outcome.workload.jobs), len(outcome.workload.options.pool)
    columns = (outcome.option, outcome.start, outcome.end, outcome.estimated_end, outcome.dropped)
    whole = all(len(column) == jobs for column in columns)
    if not whole or ((outcome.option < NOT_RUN) | (outcome.option >= options)).any():
        faults = Faults("outcome")
        faults.add("", "", "its rows are not for this workload; replay it again")
        return OutcomeVerdict(tuple(faults.problems), 0, 0, jobs, 0.0, 0.0, 0.0, 0.0)
    return judge_stated(StatedOutcome.of(outcome))


def judge_stated(stated: StatedOutcome) -> OutcomeVerdict:
    """`judge_outcome` for rows in which anything may be wrong."""
    rows = _OutcomeRows(stated)
    rows.check_jobs()
    rows.check_drops()
    usable = rows.usable()
    runs = JobRuns.of(stated, usable)
    rows.check_times(usable, runs)
    rows.check_parts(usable, runs)
    rows.check_figures(usable, runs)
    _check_capacity(rows.faults, runs)
    _check_windows(rows.faults, stated, runs)
    worth = math.fsum(runs.worth.tolist())
    drawn = math.fsum((runs.joules * runs.scored).tolist())
    joules = drawn + runs.idle_joules
    _check_total(rows.faults, "worth", "", stated.total_worth, worth)
    _check_total(rows.faults, "energy", " J", stated.total_joules, joules)
    flow = (runs.end - stated.workload.jobs.arrival[runs.job])[runs.ends]
    ran = int(np.count_nonzero(runs.ends))
    dropped = int(np.count_nonzero(stated.dropped))
    return OutcomeVerdict(
        tuple(rows.faults.problems),
        ran=ran,
        dropped=dropped,
        waiting=len(stated.workload.jobs) - ran - dropped,
        worth=worth,
        joules=joules,
        makespan=float(runs.end.max(initial=0.0)),
        mean_flow=math.fsum(flow.tolist()) / max(len(flow), 1),
    )


class _OutcomeRows:
    """The rows of an outcome, and the faults found in them."""

    def __init__(self, stated: StatedOutcome) -> None:
        self.stated = stated
        self.faults = Faults("outcome")
        self.ran = stated.option != NOT_RUN
        self.known = (stated.job >= 0) & (stated.job < len(stated.workload.jobs))
        self.arrival = stated.workload.jobs.arrival[np.where(self.known, stated.job, 0)]

    def report(self, wrong: BoolArray, column: str, say: Callable[[int], str]) -> None:
        self.faults.each(wrong, column, self.name, say)

    def report_runs(
        self,
        usable: BoolArray,
        wrong: BoolArray | IntArray,
        column: str,
        say: Callable[[int], str],
    ) -> None:
        """The same for wrong ones among the `usable` rows, which `say` gets by their numbers among
        these.
        """
        everywhere = np.zeros(len(usable), bool)
        everywhere[np.flatnonzero(usable)[wrong]] = True
        run_of = np.cumsum(usable) - 1
        self.report(everywhere, column, lambda row: say(int(run_of[row])))

    def name(self, row: int) -> str:
        """The job of a row, and which part of it that is if it has several."""
        job = int(self.stated.job[row])
        if not self.known[row]:
            return f"row {row + 1}"
        name = self.stated.workload.jobs.name(job)
        return f"{name}, part {self.nth[row]}" if self.in_parts[row] else name

    @cached_property
    def nth(self) -> IntArray:
        """Which part of its job each row is, by the starts."""
        job, nth = self.stated.job, np.ones(len(self.stated.job), np.int64)
        order = np.lexsort((self.stated.start, job))
        nth[order] = np.arange(len(job)) - np.searchsorted(job[order], job[order]) + 1
        return nth

    @cached_property
    def in_parts(self) -> BoolArray:
        """Which rows are of jobs that have several, where jobs may have parts."""
        job = self.stated.job
        if self.stated.parts is None:
            return np.zeros(len(job), bool)
        return np.isin(job, job[self.nth > 1])

    def check_jobs(self) -> None:
        """Each job is one of the workload, and has one row."""
        self.report(~self.known, "job", lambda _: "is no job of the workload; remove the row")
        whole = np.flatnonzero(~self.stated.stopped)
        _, first = np.unique(self.stated.job[whole], return_index=True)
        again = self.known.copy()
        again[whole[first]] = False
        again[self.stated.stopped] = False
        self.report(again, "job", lambda _: "is there twice; keep one row")

    def check_drops(self) -> None:
        stated = self.stated
        both = stated.dropped & self.ran
        self.report(both, "option", lambda _: "was dropped, and runs; a job is dropped for good")
        early = self.known & stated.dropped & ~self.ran & ~(stated.end >= self.arrival)
        self.report(
            early,
            "end",
            lambda r: f"is dropped at {stated.end[r]:.12g} s, but arrives at {self.at(r)}",
        )

    def at(self, row: int) -> str:
        return f"{self.arrival[row]:.12g} s"

    def usable(self) -> BoolArray:
        """The rows that run an option of their job at finite times; the others are reported."""
        stated, options = self.stated, self.stated.workload.options
        there = (stated.option >= 0) & (stated.option < len(options.pool))
        option = np.where(there, stated.option, 0)
        own = there & self.known & (options.job[option] == stated.job)
        several = np.diff(options.first)
        self.report(
            self.ran & self.known & ~own,
            "option",
            lambda r: (
                f"is no option of this job, which has {several[stated.job[r]]:,}; give its number, "
                "from 1"
            ),
        )
        names = stated.workload.pools.names
        pool = own & (options.pool[option] != stated.pool)

        def moved(row: int) -> str:
            is_known = 0 <= stated.pool[row] < len(names)
            said = names[stated.pool[row]] if is_known else "no pool of the workload"
            return (
                f"is {said}, but option {self.number(option[row])} of this job runs on "
                f"{names[options.pool[option[row]]]}; correct the pool or the option"
            )

        self.report(pool, "pool", moved)
        units = own & (options.units[option] != stated.units)
        self.report(
            units,
            "units",
            lambda r: f"is {stated.units[r]:,}, but the option takes {options.units[option[r]]:,}",
        )
        for column, times in (("start", stated.start), ("end", stated.end)):
            wrong = own & ~np.isfinite(times)
            self.report(wrong, column, lambda _: "is no time; give seconds")
        return np.asarray(own & np.isfinite(stated.start) & np.isfinite(stated.end))

    def number(self, option: int) -> int:
        """The number of an option among those of its job, from 1."""
        options = self.stated.workload.options
        return int(option - options.first[options.job[option]]) + 1

    def check_times(self, usable: BoolArray, runs: JobRuns) -> None:
        stated, arrival = self.stated, self.arrival[usable]
        horizon, promised = stated.workload.horizon, stated.estimated_end[usable]
        expected = runs.start + stated.workload.options.seconds[runs.option]
        slack = _slack(runs.seconds, runs.end)
        report = partial(self.report_runs, usable)
        report(
            runs.start < arrival,
            "start",
            lambda k: f"is {runs.start[k]:.12g} s, before the job arrives at {arrival[k]:.12g} s",
        )
        report(
            runs.start >= horizon.end,
            "start",
            lambda k: f"is {runs.start[k]:.12g} s, but the horizon ends at {horizon.end:.12g} s",
        )
        seconds = runs.seconds - runs.done_before + runs.lead

        def takes(k: int) -> str:
            said = f"is {runs.end[k] - runs.start[k]:.12g} s after the start, but the job takes "
            if not self.in_parts[usable][k]:
                return f"{said}{seconds[k]:.12g} s"
            return (
                f"{said}{seconds[k]:.12g} s more: {runs.seconds[k]:.12g} s, of which "
                f"{runs.done_before[k]:.12g} s were kept before, and {runs.lead[k]:.12g} s until "
                "it goes on; correct the end, or add the part that is missing"
            )

        report(runs.ends & _differ(runs.end - runs.start, seconds, slack), "end", takes)
        expected = expected - runs.done_before + runs.lead
        report(
            runs.ends & _differ(promised, expected, _slack(0.0 * expected, expected)),
            "estimated_end",
            lambda k: (
                f"is {promised[k]:.12g} s, but by its estimate the job ends at {expected[k]:.12g} s"
            ),
        )
        report(
            runs.ends & (runs.end > promised + slack),
            "end",
            lambda k: f"is {runs.end[k]:.12g} s, after the estimated end, {promised[k]:.12g} s",
        )

    def check_parts(self, usable: BoolArray, runs: JobRuns) -> None:
        """The parts of jobs that were stopped follow each other, and keep what they may."""
        rule = self.stated.stopping
        if self.stated.parts is None:
            return
        if rule is None:
            message = (
                "is given, but nothing says what is kept of a job that is stopped; give the notes "
                "(.toml) that were written beside the outcome"
            )
            self.faults.add("", "part", message)
            return
        start, end, kept, nth = runs.start, runs.end, runs.kept, self.nth[usable]
        order = np.lexsort((start, runs.job))
        same = runs.job[order[:-1]] == runs.job[order[1:]]
        before, after = order[:-1][same], order[1:][same]
        last = np.arange(len(order))  # of each run, the one before it
        last[after] = before
        slack, report = _slack(runs.seconds, end), partial(self.report_runs, usable)
        report(
            after[start[after] < end[before] - slack[after]],
            "start",
            lambda k: (
                f"is {start[k]:.12g} s, before part {nth[last[k]]} ends at {end[last[k]]:.12g} s; "
                "let it start then or later"
            ),
        )
        report(
            after[runs.ends[before]],
            "start",
            lambda k: (
                f"is {start[k]:.12g} s, but part {nth[last[k]]} ended the job at "
                f"{end[last[k]]:.12g} s; remove one of the two, or leave the estimated end of "
                "that part blank, if it was stopped"
            ),
        )
        goes_on = runs.done_before > slack
        report(
            after[goes_on[after] & (runs.option[after] != runs.option[before])],
            "option",
            lambda k: (
                f"is {self.on(int(runs.option[k]))}, but part {nth[last[k]]} ran option "
                f"{self.on(int(runs.option[last[k]]))}, and {runs.done_before[k]:.12g} s are kept; "
                "let it go on there, or keep 0 s"
            ),
        )
        stopped = ~runs.ends
        stop = end - np.where(stopped, rule.stop_seconds, 0.0)
        busy = stop - start
        lead = np.minimum(np.where(goes_on, rule.resume_seconds, 0.0), np.maximum(busy, 0.0))
        report(
            _differ(runs.lead, lead, slack),
            "lead",
            lambda k: (
                f"is {runs.lead[k]:.12g} s, but the job goes on after {lead[k]:.12g} s "
                f"(resume_seconds, {rule.resume_seconds:.12g} s, if anything is kept); correct it"
            ),
        )
        backwards = stopped & (busy < -slack)
        report(
            backwards,
            "end",
            lambda k: (
                f"is {end[k]:.12g} s, but the part starts at {start[k]:.12g} s, and "
                f"{rule.stop_seconds:.12g} s pass until its units are free; let it end at "
                f"{start[k] + rule.stop_seconds:.12g} s or later"
            ),
        )
        done = runs.done_before + busy - runs.lead
        report(
            stopped & (done > runs.seconds + slack),
            "end",
            lambda k: (
                f"is {end[k]:.12g} s, so the job was stopped at {stop[k]:.12g} s, but would have "
                f"ended at {stop[k] - done[k] + runs.seconds[k]:.12g} s; stop it before that, or "
                "give the part an estimated end"
            ),
        )
        report(
            stopped & (busy < rule.least_run - slack) & ~backwards,
            "end",
            lambda k: (
                f"is {end[k]:.12g} s, so the job was stopped after {busy[k]:.12g} s, but "
                f"least_run is {rule.least_run:.12g} s; stop it later"
            ),
        )
        most = math.inf if rule.most_stops is None else rule.most_stops
        report(
            stopped & (nth > most),
            "part",
            lambda k: (
                f"is {nth[k]:,} and stopped, but most_stops is {most:,}; leave out the stops that "
                "are too many"
            ),
        )
        marks = done
        if rule.checkpoints > 0.0:
            marks = np.floor((done + slack) / rule.checkpoints) * rule.checkpoints
        may = np.where(stopped, marks - runs.done_before, end - start - runs.lead)
        report(
            _differ(kept, may, slack) & ~backwards,
            "kept",
            lambda k: (
                f"is {kept[k]:.12g} s, but of the {busy[k] - runs.lead[k]:.12g} s for which the "
                f"job ran in this part, {may[k]:.12g} s are kept; correct it"
            ),
        )

    def on(self, option: int) -> str:
        """An option by its number among those of its job, and where it runs."""
        pool = self.stated.workload.options.pool[option]
        return f"{self.number(option)} (on {self.stated.workload.pools.names[pool]})"

    def check_figures(self, usable: BoolArray, runs: JobRuns) -> None:
        """The stated worth and energy of each row; a row that does not run has neither."""
        stated = self.stated
        worth, joules = np.zeros(len(usable)), np.zeros(len(usable))
        worth[usable], joules[usable] = runs.worth, runs.joules
        most = stated.workload.jobs.priority[np.where(self.known, stated.job, 0)]
        checked = usable | ~self.ran
        wrong = checked & _differ(stated.worth, worth, AGREEMENT * worth + ROUNDING * most)
        self.report(
            wrong, "worth", lambda r: f"is {stated.worth[r]:.12g}, but should be {worth[r]:.12g}"
        )
        slack = np.zeros(len(usable))
        slack[usable] = runs.watts * _slack(runs.seconds, runs.end)
        wrong = checked & _differ(stated.joules, joules, slack)
        self.report(
            wrong,
            "energy",
            lambda r: f"is {stated.joules[r]:.12g} J, but should be {joules[r]:.12g} J",
        )


def _check_capacity(faults: Faults, runs: JobRuns) -> None:
    pools = runs.workload.pools
    for pool, there in enumerate(pools.units.tolist()):
        _check_taken(faults, runs, (pool, "units"), there, runs.steps(pool))
    given, has = runs.workload.options.further, pools.further
    if given is None or has is None:
        return
    for place, name in enumerate(pools.resources):
        # In whole millionths, whose sums nothing rounds.
        taken = np.array([round(1e6 * one) for one in given[:, place].tolist()], np.int64)
        for pool, there in enumerate(has[:, place].tolist()):
            steps = runs.steps(pool, taken)
            _check_taken(faults, runs, (pool, name), round(1e6 * there), steps, 1e6)


def _check_taken(
    faults: Faults,
    runs: JobRuns,
    place: tuple[int, str],
    there: int,
    steps: UnitSteps,
    parts: float = 1,
) -> None:
    """At no moment more of a pool is taken than there is, both in so many parts of 1."""
    time, busy = steps
    # An end and a start may be one moment that is rounded in two ways.
    lasts = np.diff(time, append=np.inf) > ROUNDING * np.abs(time)
    over = np.flatnonzero((busy > there) & lasts)
    if len(over):
        pool, what = place
        worst = over[np.argmax(busy[over])]
        jobs = _at_work(runs, pool, float(time[worst]))
        others = " and others" if len(jobs) > 3 else ""
        message = (
            f"has {there / parts:,.12g} {what}, but at {time[worst]:.12g} s "
            f"{busy[worst] / parts:,.12g} work, for jobs {', '.join(jobs[:3])}{others}"
        )
        faults.add(runs.workload.pools.names[pool], what, message)


def _at_work(runs: JobRuns, pool: int, moment: float) -> list[str]:
    mine = runs.workload.options.pool[runs.option] == pool
    at = np.flatnonzero(mine & (runs.start <= moment) & (runs.end > moment))
    return [runs.workload.jobs.name(int(runs.job[row])) for row in at[:4]]


def _check_windows(faults: Faults, stated: StatedOutcome, runs: JobRuns) -> None:
    """No window draws more than its budget, by the powers that were known.

    Nobody who decides knows that a job will draw more than its estimate, so that is no fault.
    """
    for begin, end, joules in limited(stated.windows):
        drawn = runs.joules_between(begin, end, runs.watts)
        unforeseen = runs.joules_between(begin, end, runs.excess_watts)
        if not drawn - unforeseen <= joules * (1 + AGREEMENT) + ROUNDING * drawn:
            place = f"from {begin / HOUR:g} to {end / HOUR:g} h"
            message = f"jobs draw {drawn:.12g} J, but the budget is {joules:.12g} J"
            faults.add(place, "energy", message)


def _check_total(
    faults: Faults, what: str, unit: str, said: float | None, recomputed: float
) -> None:
    # Written so that NaN agrees with nothing.
    if said is not None and not abs(said - recomputed) <= AGREEMENT * abs(recomputed):
        message = f"is said to be {said:.12g}{unit}, but adds up to {recomputed:.12g}{unit}"
        faults.add("", what, message)


def _slack(seconds: FloatArray, end: FloatArray) -> FloatArray:
    """How far a duration may be off: times after a long while have fewer digits."""
    return AGREEMENT * seconds + ROUNDING * np.abs(end)


def _differ(one: FloatArray | IntArray, other: FloatArray, slack: FloatArray) -> BoolArray:
    """Whether numbers differ; NaN differs from everything."""
    return np.asarray(~(np.abs(one - other) <= slack))
