"""A drawn log of a cluster: 14 applications on 110 nodes of five kinds, of which two have GPUs.

`python -m benchmarks.cluster_log` says what is derived from 20,000 jobs of it: which pairs are
estimated, how much energy a slower schedule saves, and what the log's own placement takes in the
same tables.
"""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from core import study
from core.capabilities.derive.told import (
    differences_in_words,
    jobs_in_words,
    pairs_in_words,
    placement_in_words,
)
from core.engines.front.methods import Lp
from core.engines.logs.derived.derivation import derive
from core.engines.logs.derived.replayed import replayed
from core.engines.logs.reading.logs import read_logs
from core.engines.logs.types.settings import ANY, STATISTICS, RunSettings
from core.vocabulary.budget import Effort
from core.vocabulary.say.words import Sense, duration, energy, share

JOBS: Final = 20_000
DAYS: Final = 14
SPREAD: Final = 0.77
"""Standard deviation of the logarithm of run times: their mean is a third above their median."""
_BEGIN: Final = datetime(2026, 3, 2, tzinfo=UTC).timestamp()
_WITH_STEP: Final = 0.3464
_STATES: Final = ("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED by 1000")
_STATE_SHARES: Final = (0.9028, 0.06, 0.02, 0.0172)
_LONGEST: Final = 5 * 86_400
_HEADER: Final = (
    "JobID|JobName|Partition|Account|Constraints|AllocCPUS|NNodes|NodeList|State|Submit|Start|"
    "Elapsed|ReqMem|ReqTRES|AllocTRES|ConsumedEnergyRaw\n"
)


class Kind(NamedTuple):
    """Nodes of a kind: how many, their partition, what one has (memory in GiB), its speed, and what
    it draws (W) when it is full.
    """

    nodes: int
    partition: str
    cores: int
    memory: int
    gpus: int
    model: str
    speed: float
    watts: float


KINDS: Final[Mapping[str, Kind]] = {
    "cx": Kind(64, "cpu", 32, 128, 0, "", 1.0, 350),
    "cy": Kind(20, "cpu", 24, 64, 0, "", 0.7, 300),
    "fat": Kind(6, "fat", 64, 1024, 0, "", 1.3, 900),
    "ga": Kind(12, "gpu", 32, 256, 4, "a100", 1.6, 1600),
    "gv": Kind(8, "gpu", 24, 192, 4, "v100", 1.0, 1200),
}


class Application(NamedTuple):
    """What each run of an application asks for; `on` are the kinds of node on which it runs, with
    their shares of the runs; `hours` is the median of its times on cx.
    """

    runs: float
    on: Mapping[str, float]
    hours: float
    cores: int
    memory: int
    gpus: int = 0
    features: str = ""


_CPU: Final = {"cx": 0.75, "cy": 0.25}
_MOST: Final = {"cx": 0.68, "cy": 0.22, "fat": 0.1}
_GPU: Final = {"ga": 0.6, "gv": 0.4}
APPLICATIONS: Final[Mapping[str, Application]] = {
    "align": Application(0.164, _MOST, 0.5, 16, 32),
    "sort": Application(0.12, _MOST, 0.3, 8, 16),
    "cfd": Application(0.11, _CPU, 0.8, 24, 48),
    "md": Application(0.10, _MOST, 0.7, 24, 24),
    "qchem": Application(0.08, _MOST, 0.9, 16, 60),
    "render": Application(0.08, _CPU, 0.4, 24, 32),
    "assim": Application(0.06, _MOST, 0.6, 24, 40),
    "stats": Application(0.05, _CPU, 0.2, 4, 8),
    "post": Application(0.012, {"cx": 0.5, "cy": 0.3, "ga": 0.2}, 0.3, 8, 16),
    "vector": Application(0.05, {"cx": 1.0}, 0.6, 32, 60, features="avx512"),
    "assembly": Application(0.014, {"fat": 1.0}, 3.0, 64, 768),
    "train-resnet": Application(0.07, _GPU, 1.2, 16, 128, 4),
    "train-bert": Application(0.05, _GPU, 1.5, 16, 160, 4),
    "infer": Application(0.04, _GPU, 0.4, 6, 32, 1),
}


@dataclass(frozen=True)
class _Drawn:
    """A job: its application, the kind of its node, the node, and its times (s)."""

    application: str
    kind: str
    node: int
    state: str
    begin: int
    seconds: int
    joules: int
    has_step: bool


def cluster_log(jobs: int = JOBS, seed: int = 1) -> str:
    """A dump of `sacct`, the same for the same number of jobs and seed."""
    random = np.random.default_rng(seed)
    lines = [_HEADER]
    for number, job in enumerate(_jobs(random, jobs), 1):
        lines += _rows(number, job)
    return "".join(lines)


def _jobs(random: np.random.Generator, jobs: int) -> Sequence[_Drawn]:
    names, kinds = [*APPLICATIONS], [*KINDS]
    runs = np.array([one.runs for one in APPLICATIONS.values()])
    fit = random.lognormal(0, 0.25, (len(names), len(kinds)))  # what suits some better than others
    draw = random.uniform(0.7, 1.0, (len(names), len(kinds)))
    begins = np.sort(random.integers(0, DAYS * 86_400, jobs)).tolist()
    drawn = []
    tasks = random.choice(len(names), jobs, p=runs / runs.sum()).tolist()
    for begin, task in zip(begins, tasks, strict=True):
        one = APPLICATIONS[names[task]]
        kind = str(random.choice([*one.on], p=[*one.on.values()]))
        node, at = KINDS[kind], kinds.index(kind)
        typical = one.hours * 3600 * fit[task, at] / node.speed
        seconds = min(int(typical * random.lognormal(0, SPREAD)) + 1, _LONGEST)
        watts = node.watts * draw[task, at] * random.normal(1, 0.03)
        drawn.append(
            _Drawn(
                names[task],
                kind,
                int(random.integers(node.nodes)) + 1,
                str(random.choice(_STATES, p=_STATE_SHARES)),
                begin,
                seconds,
                int(watts * seconds),
                bool(random.random() < _WITH_STEP),
            )
        )
    return drawn


def _rows(number: int, job: _Drawn) -> Sequence[str]:
    one, node = APPLICATIONS[job.application], KINDS[job.kind]
    cores = min(one.cores, node.cores)
    asked = f"billing={cores},cpu={cores},mem={one.memory}G,node=1"
    had = asked
    if one.gpus:
        asked += f",gres/gpu={one.gpus}"
        had += f",gres/gpu={one.gpus},gres/gpu:{node.model}={one.gpus}"
    start = datetime.fromtimestamp(_BEGIN + job.begin, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    days, rest = divmod(job.seconds, 86_400)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    elapsed = f"{days}-{clock}" if days else clock
    when = f"{job.state}|{start}|{start}|{elapsed}"
    row = (
        f"{number}|{job.application}|{node.partition}|acc{number % 7}|{one.features}|{cores}|1|"
        f"{job.kind}{job.node:03}|{when}|{one.memory}G|{asked}|{had}|{job.joules}\n"
    )
    step = (
        f"{number}.batch|batch||acc{number % 7}||{cores}|1|{job.kind}{job.node:03}|{when}|||{had}|"
        f"{job.joules}\n"
    )
    return [row, step] if job.has_step else [row]


def _figures() -> None:
    """What the page would say of the log, with means and medians, and if any pair could run."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        path.write_text(cluster_log(), encoding="ascii")
        store = read_logs([path], folder=Path(folder))
        asked = [RunSettings(statistic=statistic) for statistic in STATISTICS]
        for settings in (*asked, RunSettings(allowed=((ANY, ANY),))):
            found = derive(store, settings)
            took = replayed(found, store)
            if took is None:
                raise ValueError("the drawn log says when its jobs ran")
            shown = study(found.system, Lp(0.05), effort=Effort(0)).achieved
            fast, thrifty = shown[shown[:, 1].argmin()], shown[shown[:, 0].argmin()]
            saved = 1 - float(thrifty[0] / fast[0])
            print(
                f"{settings.statistic}, {'any pair' if settings.allowed else 'pairs that fit'}:",
                f"{jobs_in_words(found)}; {pairs_in_words(found)}",
                f"the log's own placement: {placement_in_words(took, 'node')}",
                *chain(*differences_in_words(took, found.settings)),
                *(
                    f"{name}: {duration(seconds, Sense.SPENT)}, {energy(joules, Sense.SPENT)}"
                    for name, (joules, seconds) in (("fastest", fast), ("thriftiest", thrifty))
                ),
                f"saved: {share(saved, Sense.EARNED)}",
                sep="\n  ",
            )


if __name__ == "__main__":
    _figures()
