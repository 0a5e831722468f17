"""Case 16: a large accounting log becomes matrices, and pandas reads the same file."""

import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, percent, table

ROWS: Final = 10_000_000
ROWS_QUICK: Final = 20_000
LIMIT: Final = 60.0
OURS, PANDAS = "wattfront derive", "pandas"
WATTFRONT: Final = str(Path(sys.executable).with_name("wattfront"))

HEADER: Final = (
    "JobID|JobName|Partition|Account|AllocCPUS|NNodes|NodeList|State|Submit|Start|End|Elapsed|"
    "ReqMem|AllocTRES|ConsumedEnergyRaw\n"
)
PROGRAMS: Final = ("bwa", "gatk", "cfd", "train", "eval", "post", "md", "qchem", "render", "assim")
NODES: Final = {"cpu": 100, "gpu": 20, "fat": 6}
WATTS: Final = (350, 1100, 800)
STATES: Final = ("COMPLETED", "FAILED", "CANCELLED by 1000")
_STATE_SHARES: Final = (0.9, 0.07, 0.03)
_NUMBERS: Final = 500
_DAYS: Final = 28
_LONGEST: Final = 3 * 86_400
_BLOCK: Final = 100_000


def write_log(path: Path, rows: int) -> None:
    """A dump of `sacct`, the same for the same number of rows: 10 programs under 5,000 names of
    jobs, 126 nodes of 3 types.
    """
    random = np.random.default_rng(1)
    typical = random.lognormal(6, 1, (len(PROGRAMS), len(NODES)))
    names = [f"job_{program}_{k}" for program in PROGRAMS for k in range(_NUMBERS)]
    types = [*NODES]
    nodes = [[f"{name}{k:03}" for k in range(count)] for name, count in NODES.items()]
    clock = [f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}" for s in range(86_400)]
    with path.open("w", encoding="ascii") as stream:
        stream.write(HEADER)
        for first in range(0, rows, _BLOCK):
            count = min(_BLOCK, rows - first)
            name, kind = random.integers(0, len(names), count), random.integers(0, 3, count)
            spread = typical[name // _NUMBERS, kind] * random.lognormal(0, 0.3, count)
            seconds = np.minimum(spread.astype(int) + 1, _LONGEST)
            begun = random.integers(0, _DAYS * 86_400, count)
            state = random.choice(len(STATES), count, p=_STATE_SHARES)
            of_kind = (random.random(count) * np.array([*NODES.values()])[kind]).astype(int)
            joules = seconds * np.array(WATTS)[kind]
            columns = (name, kind, of_kind, state, begun, seconds, joules)
            for number, row in enumerate(zip(*(c.tolist() for c in columns), strict=True), first):
                n, k, on, ended, start, took, energy = row
                moment = f"2024-03-{start // 86_400 + 1:02}T{clock[start % 86_400]}"
                days = f"{took // 86_400}-" if took >= 86_400 else ""
                stream.write(
                    f"{number + 1}|{names[n]}|{types[k]}|acc{n % 7}|16|1|{nodes[k][on]}|"
                    f"{STATES[ended]}|{moment}|{moment}|Unknown|{days}{clock[took % 86_400]}|4Gc|"
                    f"billing=16,cpu=16,mem=64G,node=1|{energy}\n"
                )


def measure(read: Callable[[Path], dict[str, Any]], quick: bool) -> dict[str, Any]:
    """The rows, and what reading them takes: time and processor time of a whole process (s)."""
    rows = ROWS_QUICK if quick else ROWS
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "dump.txt")
        write_log(log, rows)
        begun, computed = time.perf_counter(), _computed()
        found = read(log)
        return {
            "rows": rows,
            "seconds": time.perf_counter() - begun,
            "processor": _computed() - computed,
            **found,
        }


def _computed() -> float:
    """Processor time of the processes that have ended (s)."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _derived(log: Path) -> dict[str, Any]:
    """The medians of all pairs, by a command in a process of its own."""
    out = log.with_name("system")
    command = [WATTFRONT, "derive", str(log), "-o", str(out), "--json", "--statistic", "median"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    origin = json.loads(log.with_name("system.provenance.json").read_text(encoding="utf-8"))
    medians = {
        f"{pair['task_type']} {pair['machine_type']}": pair["time"]["value"]
        for pair in origin["pairs"]
    }
    return {"medians": medians}


_PANDAS: Final = """
import json, sys
import pandas as pd

columns = ["JobName", "NodeList", "State", "Elapsed", "ConsumedEnergyRaw"]
runs = pd.read_csv(sys.argv[1], sep="|", usecols=columns, engine="pyarrow")
runs = runs[runs.State == "COMPLETED"]

def mapped(texts, function):
    # What is the same for many rows is computed once.
    codes, different = pd.factorize(texts)
    return pd.Series(map(function, different)).to_numpy()[codes]

def seconds(text):
    days, _, clock = text.rpartition("-")
    hours, minutes, rest = map(int, clock.split(":"))
    return int(days or 0) * 86400 + hours * 3600 + minutes * 60 + rest

elapsed = mapped(runs.Elapsed.astype(str), seconds)
found = pd.DataFrame({
    "task": mapped(runs.JobName, lambda name: name.rpartition("_")[0]),
    "machine": mapped(runs.NodeList, lambda node: node.rstrip("0123456789")),
    "seconds": elapsed,
    "watts": runs.ConsumedEnergyRaw.to_numpy() / elapsed,
})
medians = found.groupby(["task", "machine"]).median()
print(json.dumps({f"{t} {m}": v for (t, m), v in medians.seconds.items()}))
"""


def _by_pandas(log: Path) -> dict[str, Any]:
    command = [sys.executable, "-c", _PANDAS, str(log)]
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return {"medians": json.loads(told)}


def _differences(measured: Mapping[str, Any]) -> Iterator[float]:
    """How much the medians of the pairs differ, as shares."""
    ours, theirs = (measured[name]["medians"] for name in (OURS, PANDAS))
    for pair in ours.keys() | theirs.keys():
        there = pair in ours and pair in theirs
        yield abs(ours[pair] / theirs[pair] - 1) if there else math.inf


def tell(measured: Mapping[str, Any]) -> Section:
    rows = measured[OURS]["rows"]
    return Section(
        [Target(f"{rows:,} rows to matrices", measured[OURS]["seconds"], LIMIT, duration)],
        "\n\n".join(
            [
                f"A dump of `sacct` with {rows:,} rows of 15 columns. `wattfront derive` reads all "
                "columns that mean something to it, chooses rules, and writes a system with its "
                "provenance. pandas reads five columns with its fastest engine, has been told what "
                "makes types, and computes the medians of all pairs. Both are whole processes.",
                table(
                    ["", "time", "processor time", "of a row"],
                    [
                        [name, *map(duration, (took["seconds"], computed, computed / rows))]
                        for name, took in measured.items()
                        for computed in (took["processor"],)
                    ],
                ),
                f"Their medians differ by at most {percent(max(_differences(measured)))}.",
            ]
        ),
    )


CASE: Final = Case(
    "An accounting log becomes matrices",
    {
        OURS: Part(partial(measure, _derived)),
        PANDAS: Part(partial(measure, _by_pandas), ours=False),
    },
    tell,
)
