"""The published policies that stop jobs, once more: a plain loop over every core and every job.

It shares no code with the clock. One job takes one core, everything that is done is kept, and a job
that has just begun is not stopped. A job that was stopped lies in its memory until it has ended.
"""

import math
from dataclasses import dataclass, field
from functools import partial


@dataclass
class PlainJob:
    """A job: its minutes on each cluster, what it is worth by its delay, and its rights."""

    arrival: float
    minutes: dict[int, float]
    worth: object
    may_stop: bool = True
    may_be_stopped: bool = True
    memory: int = 0
    cluster: int = -1
    done: float = 0.0
    core: int = -1
    began: float = math.nan
    end: float = math.inf
    pieces: list = field(default_factory=list)

    def rest(self, cluster):
        return self.minutes[cluster] - self.done

    def clusters(self):
        return [self.cluster] if self.done > 0 else sorted(self.minutes)


def replayed(cores, jobs, technique, per_time, until, price=0.0, memory=None):
    """Runs jobs on cores (the cluster of each), event by event; each job then has its pieces. By
    prices, a minute of a core costs `price`. Only the techniques none, greedy and diff look at the
    `memory` of each cluster.
    """
    on = [None] * len(cores)
    now = 0.0
    while now < until:
        for core, job in enumerate(on):
            if job is not None and job.end <= now:
                job.pieces.append((cores[core], job.began, job.end))
                on[core] = None
        if technique == "prices":
            _by_prices(cores, on, jobs, price, per_time, now)
        else:
            decide = _pairs if technique == "pair" else partial(_greedy, memory)
            decide(cores, on, jobs, technique, per_time, now)
        now += 1.0
    for core, job in enumerate(on):
        if job is not None:
            job.pieces.append((cores[core], job.began, job.end))


def _waits(job, now):
    return job.arrival <= now and job.core < 0 and math.isinf(job.end)


def _measure(job, cluster, now, per_time):
    worth = job.worth(now + job.rest(cluster) - job.arrival)
    return worth / job.rest(cluster) if per_time else worth


def _standing(job, now, per_time):
    worth = job.worth(job.end - job.arrival)
    return worth / (job.end - now) if per_time else worth


def _start(cores, on, core, job, now):
    job.cluster, job.core, job.began = cores[core], core, now
    job.end = now + job.rest(cores[core])
    on[core] = job


def _stop(cores, on, core, now):
    job = on[core]
    job.pieces.append((cores[core], job.began, now))
    job.done += now - job.began
    job.core, job.end, job.began = -1, math.inf, math.nan
    on[core] = None


def _lies_in(job, cluster, now):
    """How much memory of a cluster a job takes: while it runs, and while it is suspended."""
    runs, suspended = job.core >= 0 and job.end > now, job.core < 0 and job.done > 0
    return job.memory if job.cluster == cluster and (runs or suspended) else 0


def _has_memory(memory, jobs, job, cluster, now):
    if memory is None or job.done > 0:
        return True
    return job.memory + sum(_lies_in(one, cluster, now) for one in jobs) <= memory[cluster]


def _greedy(memory, cores, on, jobs, technique, per_time, now):
    while True:
        best = None
        for number, job in enumerate(jobs):
            if not _waits(job, now):
                continue
            for core, cluster in enumerate(cores):
                if cluster not in job.clusters():
                    continue
                mine = _measure(job, cluster, now, per_time)
                if mine <= 0 or not _has_memory(memory, jobs, job, cluster, now):
                    continue
                other = on[core]
                if other is None:
                    found = (-mine, number, 0, -math.inf, cluster, 0, core)
                elif technique == "none" or not (job.may_stop and other.may_be_stopped):
                    continue
                else:
                    theirs = _standing(other, now, per_time)
                    if other.began >= now or mine <= theirs:
                        continue
                    score = mine - theirs if technique == "diff" else mine
                    found = (-score, number, 1, theirs, cluster, jobs.index(other), core)
                if best is None or found < best:
                    best = found
        if best is None:
            return
        job, core = jobs[best[1]], best[-1]
        if on[core] is not None:
            _stop(cores, on, core, now)
        _start(cores, on, core, job, now)


def _by_prices(cores, on, jobs, price, per_time, now):
    while True:
        offers = []
        for cluster in set(cores):
            offers += _offer(cores, on, jobs, cluster, price, per_time, now)
        if not offers:
            return
        *_, number, _, core = min(offers)
        if on[core] is not None:
            _stop(cores, on, core, now)
        _start(cores, on, core, jobs[number], now)


def _offer(cores, on, jobs, cluster, price, per_time, now):
    """Of what can start in a cluster, the first in line by its measure."""

    def surplus(job, end):
        return job.worth(end - job.arrival) - price * (end - now)

    mine = [core for core, its in enumerate(cores) if its == cluster]
    victims = [
        (max(surplus(on[core], on[core].end), 0.0), jobs.index(on[core]), core)
        for core in mine
        if on[core] is not None and on[core].may_be_stopped and on[core].began < now
    ]
    line = [
        (-_measure(job, cluster, now, per_time), number)
        for number, job in enumerate(jobs)
        if _waits(job, now) and cluster in job.clusters()
    ]
    for measure, number in sorted(line):
        job = jobs[number]
        gain = surplus(job, now + job.rest(cluster))
        idle = [core for core in mine if on[core] is None]
        if measure < 0 and idle:
            return [(-gain, number, -math.inf, cluster, number, 0, idle[0])]
        if measure < 0 and victims and job.may_stop and gain > min(victims)[0]:
            theirs, victim, core = min(victims)
            return [(theirs - gain, number, theirs, cluster, number, victim, core)]
    return []


def _pairs(cores, on, jobs, _technique, per_time, now):
    todo = [number for number, job in enumerate(jobs) if _waits(job, now)]
    while todo:
        choices = [(number, *_choice(cores, on, jobs, number, per_time, now)) for number in todo]
        choices = [one for one in choices if one[1] is not None]
        if not choices:
            return
        number, what, core, _ = max(choices, key=lambda one: (one[3], -one[0]))
        todo.remove(number)
        if what == "after":
            continue
        if what == "before":
            _stop(cores, on, core, now)
        _start(cores, on, core, jobs[number], now)


def _choice(cores, on, jobs, number, per_time, now):
    job = jobs[number]

    def of(one, rest, end):
        worth = one.worth(end - one.arrival)
        return worth / rest if per_time else worth

    best, idle = None, None
    for core, cluster in enumerate(cores):
        if cluster not in job.clusters():
            continue
        rest, other = job.rest(cluster), on[core]
        mine = of(job, rest, now + rest)
        if other is None:
            if mine > 0 and (idle is None or mine > idle[0]):
                idle = mine, core
            continue
        if not (job.may_stop and other.may_be_stopped) or other.began >= now:
            continue
        left = other.end - now
        stays = of(other, left, other.end)
        before = mine + of(other, left, other.end + rest)
        second = of(job, rest, other.end + rest)
        after = stays + second
        what = ("before", core, mine) if before > after else ("after", core, second)
        found = max(before, after), -cluster, stays, -jobs.index(other), what
        if best is None or found > best:
            best = found
    if idle is not None:
        beside = 0.0
        if best is not None:
            other = on[best[4][1]]
            beside = of(other, other.end - now, other.end)
        if best is None or best[0] <= idle[0] + beside:
            return "idle", idle[1], idle[0]
    if best is None or (best[4][0] == "before" and best[4][2] <= 0):
        return None, None, None
    return best[4]
