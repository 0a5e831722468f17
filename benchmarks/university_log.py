"""A drawn log of a university cluster: two weeks, 40 nodes of five kinds, GPUs on two of them.

`python -m benchmarks.university_log sample_data` writes the sample log again, byte for byte: what
`sacct` would say of its jobs, and a table of its nodes with their idle watts; then what is derived
from it: the sample system, when its tasks came, and when its nodes were busy. All numbers are
drawn; days and weeks have their seasons, jobs wait for nodes, some fail, and the energy of a job is
that of its whole node, as meters of Slurm have it.
"""

import gzip
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from core.engines.logs.derived.derivation import LogFiles, deriving
from core.engines.logs.derived.replayed import replayed
from core.engines.logs.reading.sacct import SACCT
from core.engines.logs.types.settings import RunSettings
from core.files import write_system
from core.files.samples.named import LOG_FILES
from core.shells.studies.log_seen import seen_in_log, write_seen
from core.shells.studies.seen import SEEN_FILE

NAME: Final = "university"
JOBS: Final = 4_000
DAYS: Final = 14
_BEGIN: Final = datetime(2026, 3, 2, tzinfo=UTC).timestamp()  # a Monday
_HOURS: Final = (2, 1, 1, 1, 1, 1, 2, 4, 9, 13, 14, 13, 10, 13, 14, 13, 12, 10, 7, 5, 5, 4, 4, 3)
"""How many jobs come in each hour of a working day, in proportion."""
_WEEK: Final = (1.0, 1.1, 1.1, 1.05, 0.9, 0.3, 0.25)
_ARRAYS: Final = 0.12
_STATES: Final = ("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "OUT_OF_MEMORY", "NODE_FAIL")
_SHARES: Final = (0.902, 0.053, 0.018, 0.02, 0.005, 0.002)
_LIMITS: Final = (1, 2, 4, 8, 12, 24, 48, 72)
"""Hours of time limits that people ask for."""
_LONG: Final = 24
"""Hours: a longer limit needs a QOS of its own."""
_PEOPLE: Final = 6
"""People in each group; jobs of one name are of one of them."""
_OF_JOBS: Final = ("Partition", "QOS", "User", "Timelimit", "ReqMem", "ReqTRES")
"""Columns that `sacct` leaves empty in rows of steps."""


class Kind(NamedTuple):
    """Nodes of a kind: what people call them, what one has, its speed, and its watts when it idles
    and when it is full.
    """

    title: str
    nodes: int
    partition: str
    cores: int
    memory: int
    gpus: int
    model: str
    speed: float
    idle: int
    full: int


KINDS: Final[Mapping[str, Kind]] = {
    "cn": Kind("compute", 14, "batch", 32, 128, 0, "", 1.0, 62, 345),
    "old": Kind("old compute", 16, "batch", 16, 64, 0, "", 0.6, 74, 318),
    "hm": Kind("big memory", 2, "bigmem", 64, 1024, 0, "", 1.2, 120, 730),
    "gv": Kind("V100", 4, "gpu", 24, 192, 4, "v100", 1.0, 148, 1180),
    "ga": Kind("A100", 4, "gpu", 32, 512, 4, "a100", 2.1, 195, 1760),
}


class Application(NamedTuple):
    """What a run asks for: its names and their share of submissions, the kinds of node on which it
    may run, median hours on the slowest of them, and what it draws of the span of its node.
    """

    share: float
    account: str
    on: tuple[str, ...]
    hours: float
    cores: int
    memory: int
    gpus: int = 0
    draw: float = 0.85


APPLICATIONS: Final[Mapping[str, Application]] = {
    "gromacs_md": Application(0.14, "chem", ("cn", "old"), 6.0, 16, 16, draw=0.95),
    "vasp-relax": Application(0.1, "physics", ("cn", "old"), 7.5, 16, 48, draw=1.0),
    "blast_batch": Application(0.14, "biology", ("cn", "old", "hm"), 1.4, 8, 24, draw=0.7),
    "snakejob.align": Application(0.16, "genomics", ("cn", "old", "hm"), 0.9, 8, 30, draw=0.75),
    "openfoam_wing": Application(0.05, "engineering", ("cn",), 6.0, 32, 96, draw=0.9),
    "R_bootstrap": Application(0.13, "economics", ("cn", "old"), 0.5, 4, 8, draw=0.6),
    "matlab_sweep": Application(0.07, "engineering", ("cn", "old"), 1.2, 4, 12, draw=0.65),
    "assembly_hifi": Application(0.012, "genomics", ("hm",), 7.0, 48, 700, draw=0.8),
    "wrf_forecast": Application(0.04, "climate", ("cn",), 4.0, 32, 110, draw=0.92),
    "bert-finetune": Application(0.05, "nlp", ("gv", "ga"), 6.0, 8, 64, 2, draw=0.9),
    "resnet-train": Application(0.025, "vision", ("gv", "ga"), 8.0, 16, 128, 4, draw=0.97),
    "alphafold_predict": Application(0.03, "biology", ("gv", "ga"), 3.0, 8, 80, 1, draw=0.6),
    "jupyter": Application(0.03, "teaching", ("gv",), 1.8, 4, 16, 1, draw=0.25),
}


@dataclass
class _Job:
    number: str
    name: str
    application: str
    kind: str
    node: int
    state: str
    submit: int
    start: int
    seconds: int
    limit: int
    joules: float = 0.0

    @property
    def end(self) -> int:
        return self.start + self.seconds

    @property
    def share(self) -> float:
        """The share of its node."""
        one, has = APPLICATIONS[self.application], KINDS[self.kind]
        of_gpus = one.gpus / has.gpus if has.gpus else 0.0
        return max(min(one.cores, has.cores) / has.cores, of_gpus)


def university_log(jobs: int = JOBS, seed: int = 7) -> str:
    """A dump of `sacct`, the same for the same number of jobs and seed."""
    random = np.random.default_rng(seed)
    drawn = _placed(random, _submitted(random, jobs))
    _meter(random, drawn)
    titles = SACCT.rpartition("--format=")[2].split(",")
    lines = ["|".join(titles)]
    for job in drawn:
        lines += ("|".join(row[title] for title in titles) for row in _rows(job))
    return "\n".join(lines) + "\n"


def node_table() -> str:
    """The table of nodes, with the watts of each kind when it idles."""
    lines = ["node,type,cores,gpus,memory_gib,idle_watts"]
    for name, kind in KINDS.items():
        nodes = f"{name}[01-{kind.nodes:02}]"
        lines.append(f"{nodes},{kind.title},{kind.cores},{kind.gpus},{kind.memory},{kind.idle}")
    return "\n".join(lines) + "\n"


class _Submitted(NamedTuple):
    number: str
    name: str
    application: str
    submit: int
    work: float


def _submitted(random: np.random.Generator, jobs: int) -> list[_Submitted]:
    """Jobs and arrays of jobs by the hour of day and week; `work` are seconds at speed 1."""
    weights = np.outer(_WEEK * (DAYS // 7), _HOURS).ravel()
    names = [*APPLICATIONS]
    shares = np.array([one.share for one in APPLICATIONS.values()])
    found: list[_Submitted] = []
    while len(found) < jobs:
        hour = int(random.choice(len(weights), p=weights / weights.sum()))
        submit = hour * 3600 + int(random.integers(3600))
        name = names[int(random.choice(len(names), p=shares / shares.sum()))]
        one = APPLICATIONS[name]
        count = int(random.integers(8, 40)) if random.random() < _ARRAYS and one.hours < 2 else 1
        label = f"{name}{'_-.'[int(random.integers(3))]}{int(random.integers(1, 100)):02}"
        slow = random.lognormal(0, 0.35)  # one person's input is larger than another's
        for task in range(count):
            work = one.hours * 3600 * slow * random.lognormal(0, 0.45)
            found.append(_Submitted(f"_{task}" if count > 1 else "", label, name, submit, work))
    return sorted(found[:jobs], key=lambda one: one.submit)


def _placed(random: np.random.Generator, submitted: Sequence[_Submitted]) -> list[_Job]:
    """The jobs on nodes, first come, first served among those that may use a node."""
    fit = {
        (name, kind): float(random.lognormal(0, 0.25))
        for name, one in APPLICATIONS.items()
        for kind in one.on
    }
    busy: dict[tuple[str, int], list[_Job]] = defaultdict(list)
    found: list[_Job] = []
    numbers: dict[tuple[int, str], int] = {}
    for one in submitted:
        asked = APPLICATIONS[one.application]
        liked = random.permutation(len(asked.on)).tolist()  # people choose, or the scheduler
        places = [
            (_earliest(busy[kind, node], asked, KINDS[kind], one.submit), k, node, kind)
            for k, kind in zip(liked, asked.on, strict=True)
            for node in range(1, KINDS[kind].nodes + 1)
        ]
        start, _, node, kind = min(places)
        state = str(random.choice(_STATES, p=_SHARES))
        typical = one.work * fit[one.application, kind] / KINDS[kind].speed
        seconds = int(min(typical, 71 * 3600)) + 20
        limit = next(h for h in _LIMITS if h * 3600 > 1.25 * min(seconds, 57 * 3600)) * 3600
        if state == "TIMEOUT":
            seconds = limit + int(random.integers(30))
        elif state != "COMPLETED":
            seconds = int(seconds * random.uniform(0.01, 0.8)) + 1
        number = numbers.setdefault((one.submit, one.name), 48_211 + len(numbers))
        found.append(
            _Job(
                f"{number}{one.number}",
                one.name,
                one.application,
                kind,
                node,
                state,
                one.submit,
                start + int(random.integers(1, 4)),
                seconds,
                limit,
            )
        )
        busy[kind, node].append(found[-1])
    return found


def _earliest(running: Sequence[_Job], asked: Application, has: Kind, submit: int) -> int:
    """When a node has room for a job that was submitted then."""
    now = [job for job in running if job.end > submit]
    for time in sorted({submit, *(job.end for job in now), *(job.start for job in now)}):
        if time < submit:
            continue
        there = [APPLICATIONS[job.application] for job in now if job.end > time]
        cores = sum(min(one.cores, has.cores) for one in there) + min(asked.cores, has.cores)
        gpus = sum(one.gpus for one in there) + asked.gpus
        memory = sum(one.memory for one in there) + asked.memory
        if cores <= has.cores and gpus <= has.gpus and memory <= has.memory:
            return time
    raise ValueError("a job that fits no node")


def _meter(random: np.random.Generator, jobs: Sequence[_Job]) -> None:
    """The energy of the whole node while each job ran, its neighbours included."""
    on_node: dict[tuple[str, int], list[_Job]] = defaultdict(list)
    for job in jobs:
        on_node[job.kind, job.node].append(job)
    for (kind, _), there in on_node.items():
        has = KINDS[kind]
        for job in there:
            job.joules = has.idle * job.seconds
            for other in there:
                both = min(job.end, other.end) - max(job.start, other.start)
                if both > 0:
                    draw = APPLICATIONS[other.application].draw * (has.full - has.idle)
                    job.joules += draw * other.share * both
            job.joules *= float(random.normal(1, 0.015))


def _rows(job: _Job) -> Iterator[dict[str, str]]:
    """The rows of a job and of its batch step, by title."""
    one, has = APPLICATIONS[job.application], KINDS[job.kind]
    cores = min(one.cores, has.cores)
    asked = f"billing={cores},cpu={cores},mem={one.memory}G,node=1"
    had = asked
    if one.gpus:
        asked += f",gres/gpu={one.gpus}"
        had += f",gres/gpu={one.gpus},gres/gpu:{has.model}={one.gpus}"
    qos = "long" if job.limit > _LONG * 3600 else "normal"
    row = dict.fromkeys(SACCT.rpartition("--format=")[2].split(","), "")
    row |= {
        "JobID": job.number,
        "JobName": job.name,
        "Partition": has.partition,
        "QOS": "interactive" if job.application == "jupyter" else qos,
        "Account": one.account,
        "User": f"{one.account}{1 + int(job.name[-2:]) % _PEOPLE}",
        "State": f"{job.state} by 1042" if job.state == "CANCELLED" else job.state,
        "Submit": _clock(job.submit),
        "Start": _clock(job.start),
        "End": _clock(job.end),
        "Elapsed": _span(job.seconds),
        "Timelimit": _span(job.limit),
        "AllocCPUS": str(cores),
        "NNodes": "1",
        "NodeList": f"{job.kind}{job.node:02}",
        "ReqMem": f"{one.memory}G",
        "AllocTRES": had,
        "ReqTRES": asked,
        "ConsumedEnergyRaw": str(round(job.joules)),
    }
    yield row
    state = job.state if job.state != "TIMEOUT" else "CANCELLED"
    step = {"JobID": f"{job.number}.batch", "JobName": "batch", "State": state}
    left_out = dict.fromkeys(_OF_JOBS, "")
    yield row | step | left_out | {"Submit": row["Start"]}


def _clock(seconds: int) -> str:
    return datetime.fromtimestamp(_BEGIN + seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _span(seconds: int) -> str:
    days, rest = divmod(seconds, 86_400)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days}-{clock}" if days else clock


def write(samples: Path) -> None:
    """Write the log and its table of nodes, and what is derived from them."""
    folder = samples / "logs" / NAME
    folder.mkdir(parents=True, exist_ok=True)
    packed = gzip.compress(university_log().encode("ascii"), 9, mtime=0)
    jobs, nodes = (folder / file for file in LOG_FILES)
    jobs.write_bytes(packed)
    nodes.write_text(node_table(), encoding="ascii")
    with deriving(LogFiles([jobs], nodes), RunSettings()) as (derived, store, _):
        write_system(derived.system, samples / NAME)
        write_seen(seen_in_log(derived, store, replayed(derived, store)), folder / SEEN_FILE)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
