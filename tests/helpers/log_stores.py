"""Logs of a few rows, read into stores of runs."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.engines.logs.reading.logs import read_logs
from core.engines.logs.reading.store import RunStore


@contextmanager
def store_of(*logs: str) -> Iterator[RunStore]:
    """The runs of logs with these contents."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"log-{k}") for k in range(len(logs))]
        for path, text in zip(paths, logs, strict=True):
            path.write_text(text, encoding="utf-8")
        store = read_logs(paths, folder=Path(folder))
        try:
            yield store
        finally:
            store.close()


@contextmanager
def runs_of(log: str, *columns: str) -> Iterator[tuple[RunStore, dict[str, list[Any]]]]:
    """The runs of a log, and their columns: texts, and numbers with None for what is unknown.
    All rows are runs or rejected.
    """
    with store_of(log) as store:
        assert store.rows == store.runs + sum(store.rejected.values())
        found = {name: store.column(name).tolist() for name in columns}
        for name, values in found.items():
            known = store.values(name) if name in store.texts else None
            found[name] = [known[v] if known else None if v != v else v for v in values]
        yield store, found


HEADER = "JobID|JobName|State|Elapsed|ConsumedEnergyRaw\n"
CUT_OFF = "cut off at the end of the log"
STEP = "step, counted with its job"


def job_row(number: object, name: str = "a", joules: object = "") -> str:
    """A row below `HEADER`, of a job or of a step."""
    return f"{number}|{name}|COMPLETED|00:00:05|{joules}\n"


def step_rows(job: int, many: int) -> str:
    """Steps of 2 J each below `HEADER`."""
    return "".join(job_row(f"{job}.{k}", "s", 2) for k in range(many))


USUAL: Mapping[str, str] = {
    "JobName": "job",
    "Partition": "cpu",
    "NodeList": "n1",
    "NNodes": "1",
    "AllocCPUS": "4",
    "State": "COMPLETED",
    "Start": "2024-03-01T00:00:00",
    "Elapsed": "00:01:00",
}


def dump(*rows: Mapping[str, object], without: Sequence[str] = (), separator: str = "|") -> str:
    """A dump of `sacct`: a row for each job, with what is unusual about it."""
    titles = ["JobID", *dict.fromkeys([*USUAL, *(title for row in rows for title in row)])]
    titles = [title for title in dict.fromkeys(titles) if title not in without]
    lines = [separator.join(titles)]
    for number, row in enumerate(rows, 1):
        cells = {"JobID": number, **USUAL, **row}
        lines.append(separator.join(str(cells.get(title, "")) for title in titles))
    return "\n".join(lines) + "\n"


def swf(*rows: Mapping[int, object], header: str = "; Version: 2.2\n") -> str:
    """A log in the Standard Workload Format: a row for each job, with its cells from 1 to 18."""
    usual = {3: 0, 4: 60, 5: 1, 11: 1}
    lines = []
    for number, row in enumerate(rows, 1):
        cells = {1: number, 2: number * 100, **usual, **row}
        lines.append(" ".join(str(cells.get(k, -1)) for k in range(1, 19)))
    return header + "\n".join(lines) + "\n"
