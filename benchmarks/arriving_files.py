"""Files of jobs for case 19: a month as a log, and ten million jobs in a CSV file, each read and
replayed by the command in a process of its own.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.process import peak_memory
from core.capabilities.arrivals.files.workload_reader import inspect_workload
from core.vocabulary.arrays import FloatArray, IntArray

EASY: Final = "easy"
WATTFRONT: Final = str(Path(sys.executable).with_name("wattfront"))
TIME_SHARE, LOAD, DAYS = 0.3, 0.96, 30
ROWS_AT_ONCE: Final = 100_000


class Month(NamedTuple):
    """Jobs of a month in the order of their arrival, with estimated seconds, and its nodes."""

    arrival: FloatArray
    units: IntArray
    seconds: FloatArray
    nodes: int


def month_of_jobs(quick: bool) -> Month:
    jobs = 10_000 if quick else 1_000_000
    random = np.random.default_rng(3)
    seconds: FloatArray = random.lognormal(np.log(3600), 1.0, jobs).clip(60, 86_400)
    units = 2 ** random.integers(0, 7, jobs)
    whole_time = DAYS * 86_400.0
    nodes = max(64, int(TIME_SHARE * seconds @ units / (LOAD * whole_time)))
    return Month(np.sort(random.uniform(0, whole_time, jobs)), units, seconds, nodes)


def swf(month: Month) -> Iterator[str]:
    yield f"; MaxProcs: {month.nodes}\n"
    for job, (at, asked, took, units) in enumerate(_rows(month), 1):
        yield f"{job} {at} -1 {took} {units} -1 -1 {units} {asked} -1 1 1 1 -1 1 1 -1 -1\n"


def sacct(month: Month) -> Iterator[str]:
    yield "JobID|JobName|User|State|Submit|Start|End|Elapsed|Timelimit|AllocCPUS|NNodes\n"
    for job, (at, asked, took, units) in enumerate(_rows(month), 1):
        moment = f"2024-04-{at // 86_400 + 1:02}T{_clock(at % 86_400)}"
        yield (
            f"{job}|job_{job % 5000}|user{job % 99}|COMPLETED|{moment}|{moment}|Unknown|"
            f"{_span(took)}|{_span(asked)}|{units}|{units}\n"
        )


def _rows(month: Month) -> Iterator[tuple[int, int, int, int]]:
    """Arrival, seconds asked for, seconds taken and units of each job, as logs have them."""
    asked = month.seconds.astype(int)
    took = np.maximum(TIME_SHARE * month.seconds, 1.0).astype(int)
    columns = (month.arrival.astype(int), asked, took, month.units)
    return zip(*(column.tolist() for column in columns), strict=True)


def _clock(second: int) -> str:
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"


def _span(seconds: int) -> str:
    return f"{seconds // 86_400}-{_clock(seconds % 86_400)}"


def measure_log(lines: Callable[[Month], Iterator[str]], quick: bool) -> dict[str, Any]:
    """The same month as a log, by the command in a process of its own: it is read, replayed under
    EASY, judged, and what was possible at most is proven.
    """
    month = month_of_jobs(quick)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "month.log")
        with log.open("w", encoding="ascii") as stream:
            stream.writelines(lines(month))
        size = log.stat().st_size
        command = [WATTFRONT, "replay", str(log), "--policy", EASY, "--json"]
        begun = time.perf_counter()
        told = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
        )
        seconds = time.perf_counter() - begun
    (found,) = json.loads(told.stdout)["policies"].values()
    return {
        "jobs": len(month.arrival),
        "bytes": size,
        "seconds": seconds,
        "memory": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024,
        "completed": found["completed"],
        "verified": found["verified"],
    }


def measure_millions(quick: bool) -> dict[str, Any]:
    """A plain table of jobs alone over a year: read here, and then replayed under EASY by the
    command in a process of its own.
    """
    jobs, random = 20_000 if quick else 10_000_000, np.random.default_rng(6)
    between = 365 * 86_400.0 / jobs
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "jobs.csv")
        with path.open("w", encoding="ascii") as stream:
            stream.write("arrival,seconds,units\n")
            for first in range(0, jobs, ROWS_AT_ONCE):
                rows = min(ROWS_AT_ONCE, jobs - first)
                seconds = random.lognormal(np.log(3600), 1.0, rows).clip(60, 86_400).astype(int)
                units = 2 ** random.integers(0, 7, rows)
                arrival = ((first + np.arange(rows)) * between).astype(int)
                columns = zip(arrival.tolist(), seconds.tolist(), units.tolist(), strict=True)
                stream.writelines(f"{a},{s},{u}\n" for a, s, u in columns)
        size = path.stat().st_size
        begun = time.process_time()
        read = len(inspect_workload(path).require().workload.jobs)
        found = {"seconds": time.process_time() - begun, "memory": peak_memory()}
        command = [WATTFRONT, "replay", str(path), "--policy", EASY, "--no-bound", "--json"]
        before = _seconds_of_others()
        told = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
        )
        replayed = _seconds_of_others() - before
    (easy,) = json.loads(told.stdout)["policies"].values()
    return found | {
        "jobs": read,
        "bytes": size,
        "replayed": replayed,
        "replay_memory": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024,
        "completed": easy["completed"],
        "verified": easy["verified"],
    }


def _seconds_of_others() -> float:
    """Processor time of all processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
