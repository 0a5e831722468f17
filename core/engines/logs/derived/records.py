"""Files beside a derived system: its origin, and the jobs that are not used."""

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.engines.logs.derived.derivation import Derivation
from core.engines.logs.pairs.measuring import Estimate
from core.engines.logs.pairs.needs import misfit_in_words
from core.engines.logs.reading.rejections import Example
from core.engines.logs.reading.store import RunStore
from core.engines.logs.types.accepting import USED
from core.files.numbers import number_cell
from core.files.sheet import csv_cell

FORMAT: Final = "wattfront provenance"
VERSION: Final = 1
SUFFIX: Final = ".provenance.json"


def provenance(derivation: Derivation, store: RunStore) -> dict[str, Any]:
    """Which logs, which rules, and which runs of each pair; times in seconds, powers in watts."""
    system = derivation.system
    estimates = derivation.estimates
    return {
        "format": FORMAT,
        "version": VERSION,
        "logs": [
            {
                "name": log.name,
                "format": log.format,
                "sha256": log.digest,
                "bytes": log.bytes,
                "rows": log.rows,
            }
            for log in store.logs
        ],
        "rules": asdict(derivation.settings),
        "rows": derivation.rows,
        "steps": derivation.steps,
        "jobs": derivation.jobs,
        "used": derivation.used,
        "rejected": dict(derivation.rejected),
        "powers_from": derivation.power_source or None,
        "idle_watts": [
            {"machine_type": system.machine_names[machine]} | (_estimate(found) or {})
            for machine, found in sorted(derivation.metered.idle.items())
        ],
        "kinds_of_operations": (estimates.kinds or None) if estimates else None,
        "held_out_error": derivation.held_out_error,
        "pairs": [
            {
                "task_type": task,
                "machine_type": machine,
                "origin": "measured" if derivation.measured[i, j] else "estimated",
                "time": _estimate(derivation.runs.of(i, j)[0]),
                "power": _estimate(derivation.runs.of(i, j)[1]),
            }
            for i, task in enumerate(system.task_names)
            for j, machine in enumerate(system.machine_names)
            if np.isfinite(system.etc[i, j])
        ],
        "cannot_run": [
            {
                "task_type": system.task_names[i],
                "machine_type": system.machine_names[j],
                "why": why.need,
                "words": misfit_in_words(why),
            }
            for (i, j), why in sorted(derivation.misfits.items())
        ],
    }


def _estimate(estimate: Estimate) -> dict[str, float | int | None] | None:
    """What the runs say; None without runs."""
    if not estimate.runs:
        return None
    return {
        "runs": estimate.runs,
        "value": estimate.value,
        "confidence95": _interval(estimate.low, estimate.high),
        "half_between": _interval(estimate.quarter, estimate.three_quarters),
    }


def _interval(low: float, high: float) -> Any:
    return [low, high] if np.isfinite(low) and np.isfinite(high) else None


def provenance_path(system: Path) -> Path:
    """The file beside a system: `cluster.xlsx` has `cluster.provenance.json`."""
    return path_beside(system, SUFFIX)


def path_beside(system: Path, suffix: str) -> Path:
    return system.with_name(f"{system.stem if system.suffix else system.name}{suffix}")


def provenance_text(derivation: Derivation, store: RunStore) -> str:
    return json.dumps(provenance(derivation, store), indent=1, ensure_ascii=False) + "\n"


MOST_ROWS: Final = 1_000_000
_AT_ONCE: Final = 10_000
_EXAMPLES: Final = 3
"""Runs shown of each reason."""
_TEXTS: Final = ("name", "state", "nodelist", "partition")
_NUMBERS: Final = ("job", "start", "elapsed", "nodes", "cores")


def rejected_lines(derivation: Derivation, store: RunStore) -> Iterator[str]:
    """The lines of the file: rows that are no runs as they stand in the log, and runs by their
    columns. Names are written so that no spreadsheet runs them.
    """
    texts = [name for name in _TEXTS if name in store.texts]
    yield ",".join(["reason", "log", "line", "row", *_NUMBERS, *texts]) + "\n"
    blanks = "," * (len(_NUMBERS) + len(texts))
    with store.rejected_rows.open(encoding="utf-8", newline="") as broken:
        rows = csv.reader(broken)  # a row of a log may have several lines
        next(rows, None)
        for row in rows:
            quoted = ('"' + cell.replace('"', '""') + '"' for cell in row)
            yield ",".join(quoted) + blanks + "\n"
    yield from chain.from_iterable(_of_runs(derivation, store, texts))


def _of_runs(derivation: Derivation, store: RunStore, texts: Sequence[str]) -> Iterator[list[str]]:
    reasons = derivation.classified.reasons
    names = [csv_cell(name) for name in reasons.names]
    logs = [csv_cell(log.name) for log in store.logs]
    written = 0
    for part, block in store.parts(["log", "line", *_NUMBERS, *texts]):
        of_run = reasons.of_run[part]
        chosen = np.flatnonzero(of_run != USED)[: MOST_ROWS - written]
        written += len(chosen)
        for begin in range(0, len(chosen), _AT_ONCE):
            rows = chosen[begin : begin + _AT_ONCE]
            columns = [
                [names[k] for k in of_run[rows]],
                [logs[k] for k in block["log"][rows]],
                [str(line) for line in block["line"][rows].tolist()],
                [""] * len(rows),
                *(
                    [number_cell(value) for value in block[name][rows].tolist()]
                    for name in _NUMBERS
                ),
                *([_text(store, name, k) for k in block[name][rows].tolist()] for name in texts),
            ]
            yield [",".join(cells) + "\n" for cells in zip(*columns, strict=True)]


def _text(store: RunStore, column: str, number: int) -> str:
    return csv_cell(store.values(column)[number]) if number >= 0 else ""


def examples(derivation: Derivation, store: RunStore) -> dict[str, list[Example]]:
    """The first runs of each reason for which runs are not used."""
    reasons = derivation.classified.reasons
    texts = [name for name in _TEXTS if name in store.texts]
    found: dict[str, list[Example]] = {}
    for number in np.unique(reasons.of_run).tolist():
        if number == USED:
            continue
        shown = found[reasons.names[number]] = []
        for run in np.flatnonzero(reasons.of_run == number)[:_EXAMPLES].tolist():
            log, line = (int(store.column(name, run, run + 1)[0]) for name in ("log", "line"))
            said = [_plain_text(store, name, run) for name in texts]
            shown.append(Example(store.logs[log].name, line, ", ".join(filter(None, said))))
    return found


def _plain_text(store: RunStore, column: str, run: int) -> str:
    number = int(store.column(column, run, run + 1)[0])
    return store.values(column)[number] if number >= 0 else ""
