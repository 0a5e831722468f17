"""Dumps of sacct as hypothesis draws them, and an oracle that reads them in plain Python."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import strategies as st

from core.engines.logs.reading.logs import read_logs

ORDER = ("JobID", "JobName", "Partition", "State", "Start", "Elapsed", "AllocCPUS", "NodeList")
ENERGY = "ConsumedEnergyRaw"


@dataclass(frozen=True)
class Run:
    """What a dump says of a job."""

    job: int
    task: int
    name: str
    elapsed: float
    cores: int
    joules: float | None
    start: float | None


def cells_of(number: int, draw: st.DrawFn) -> dict[str, str]:
    seconds = draw(st.integers(0, 200_000))
    days, rest = divmod(seconds, 86_400)
    clock = f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    return {
        "JobID": draw(
            st.sampled_from([f"{number}", f"{number}_7", f"{number}_[3-9]", f"{number}+1"])
        ),
        "JobName": draw(
            st.sampled_from(["a", "sort_1", "x y", "näh", "", "a|b", "two\nlines", '"q'])
        ),
        "Partition": draw(st.sampled_from(["cpu", "gpu,cpu"])),
        "State": draw(st.sampled_from(["COMPLETED", "FAILED", "CANCELLED by 1000"])),
        "Start": draw(st.sampled_from(["2024-03-10T01:59:59", "Unknown", "2024-12-31T23:59:59"])),
        "Elapsed": f"{days}-{clock}" if days else clock,
        "AllocCPUS": str(draw(st.integers(0, 10**6))),
        "NodeList": draw(st.sampled_from(["n1", "n[1-3],m7", "None assigned"])),
        ENERGY: draw(st.sampled_from(["", "0", "123", "18446744073709551614"])),
    }


@st.composite
def dumps(draw: st.DrawFn) -> str:
    """A dump with columns in any order, with steps, and perhaps a second header in the middle."""
    columns = draw(st.permutations([*ORDER, ENERGY]))
    trailing = draw(st.sampled_from(["", "|"]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    lines = ["|".join(columns) + trailing]
    for number in range(1, draw(st.integers(1, 8))):
        if draw(st.integers(0, 5)) == 0:
            columns = draw(st.permutations(columns))
            lines.append("|".join(columns) + trailing)
        cells = cells_of(number, draw)
        if "JobName" in (columns[0], columns[-1]):
            # A line of its own there may be anything: nobody can tell that it belongs to a name.
            cells["JobName"] = cells["JobName"].replace("\n", " ")
        lines.append("|".join(cells[column] for column in columns) + trailing)
        started = "[" not in cells["JobID"]
        words = st.lists(st.sampled_from(["batch", "extern", "0", "1"]), max_size=3)
        for step in draw(words) if started else ():
            of_step = dict.fromkeys(columns, "") | {
                "JobID": f"{cells['JobID']}.{step}",
                "JobName": step,
                "State": "COMPLETED",
                "Elapsed": "00:00:01",
                ENERGY: draw(st.sampled_from(["", "50", "70"])),
            }
            lines.append("|".join(of_step[column] for column in columns) + trailing)
    return end.join(lines) + end


def oracle(text: str) -> list[Run]:
    """The runs of a dump whose rows are as `dumps` draws them, read line by line."""
    runs: list[Run] = []
    columns: list[str] = []
    steps: list[tuple[str, float]] = []
    own = 0.0
    text = text.replace("\r\n", "\n").replace("two\nlines", "two@lines").replace("a|b", "a@b")
    for line in text.splitlines():
        cells = line.split("|")
        if "JobID" in cells:
            columns = cells
            continue
        row = dict(zip(columns, cells, strict=True))
        whole, _, step = row["JobID"].partition(".")
        energy = float(row[ENERGY] or "nan")
        energy = energy if energy <= 1e15 else float("nan")
        if step:
            steps.append((step, energy))
        else:
            steps, own = [], energy
            runs.append(run_of(row, whole))
        runs[-1] = with_energy(runs[-1], own, steps)
    return runs


def run_of(row: dict[str, str], whole: str) -> Run:
    number = re.match(r"\d+", whole)
    assert number is not None
    task = re.search(r"_(\d+)", whole)
    part = re.search(r"\+(\d+)", whole)
    code = int(task[1]) if task else -3 - int(part[1]) if part else -2 if "[" in whole else -1
    days, _, clock = row["Elapsed"].rpartition("-")
    hours, minutes, seconds = map(int, clock.split(":"))
    moment = row["Start"]
    start = (
        None
        if moment == "Unknown"
        else datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()
    )
    name = row["JobName"].replace("two@lines", "two\nlines").replace("a@b", "a|b")
    return Run(
        int(number[0]),
        code,
        name,
        int(days or 0) * 86_400 + hours * 3_600 + minutes * 60 + seconds,
        int(row["AllocCPUS"]),
        None,
        start,
    )


def with_energy(run: Run, own: float, steps: list[tuple[str, float]]) -> Run:
    batch = max([e for step, e in steps if step == "batch" and e > 0], default=0.0)
    others = sum(e for step, e in steps if step in ("0", "1") and e > 0)
    return replace(run, joules=known(own if own > 0 else max(batch, others) or own))


def known(value: float) -> float | None:
    return None if value != value else value


def read(text: bytes, folder: Path) -> tuple[list[Run], dict[str, int], int]:
    """What our reader makes of a dump: its runs, rejected rows by reason, and all rows."""
    log = folder / "dump.txt"
    log.write_bytes(text)
    store = read_logs([log], folder=folder)
    names = store.values("name") if "name" in store.texts else ()
    columns = ("job", "task", "elapsed", "cores", "joules", "start")
    values = [store.column(name).tolist() for name in columns]
    numbers = store.column("name").tolist() if "name" in store.texts else [-1] * len(store)
    runs = [
        Run(job, task, names[name], elapsed, cores, known(joules), known(start))
        for job, task, elapsed, cores, joules, start, name in zip(*values, numbers, strict=True)
    ]
    found = runs, dict(store.rejected), store.rows
    store.close()
    return found
