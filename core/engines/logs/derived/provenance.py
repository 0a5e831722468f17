"""Where a derived system comes from: a JSON file beside it."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.engines.logs.derived.derivation import Derivation
from core.engines.logs.pairs.needs import misfit_in_words
from core.engines.logs.pairs.statistics import Estimate
from core.engines.logs.reading.store import RunStore
from core.files.archive import write_lines
from core.files.disk import replacing

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
    return system.with_name(f"{system.stem if system.suffix else system.name}{SUFFIX}")


def provenance_text(derivation: Derivation, store: RunStore) -> str:
    """The content of the file."""
    return json.dumps(provenance(derivation, store), indent=1, ensure_ascii=False) + "\n"


def write_provenance(derivation: Derivation, store: RunStore, path: Path) -> None:
    """Write the file; an old one is replaced when the new one is complete."""
    with replacing(path) as stream:
        write_lines(stream, [provenance_text(derivation, store)])
