"""Runs a case, each part in a new process, and records when and where."""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Collection
from contextlib import nullcontext
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from benchmarks.case import Part, load

PACKAGES: Final = ("numpy", "scipy", "numba", "highspy", "cvxpy", "ortools")


def run(name: str, *, command: str, quick: bool, only: Collection[str] = ()) -> dict[str, Any]:
    """Measures a case or some of its parts. Records time, command, machine and results."""
    parts = {}
    for part_name, part in load(name).parts.items():
        if only and part_name not in only:
            continue
        print(f"{name}: {part_name} ...", file=sys.stderr, flush=True)
        parts[part_name] = measure_part(name, part_name, part, quick=quick)
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "command": command,
        "machine": describe_machine(),
        "parts": parts,
    }


def measure_part(name: str, part_name: str, part: Part, *, quick: bool) -> dict[str, Any]:
    """The output of `benchmarks.process` for a part: "measured" and "peak_memory" (bytes)."""
    arguments = [sys.executable, "-m", "benchmarks.process", name, part_name]
    with tempfile.TemporaryDirectory() if part.compile_afresh else nullcontext() as empty:
        finished = subprocess.run(
            [*arguments, "--quick"] if quick else arguments,
            env=os.environ | ({"NUMBA_CACHE_DIR": empty} if empty else {}),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    outcome: dict[str, Any] = json.loads(finished.stdout.splitlines()[-1])
    return outcome


def describe_machine() -> str:
    """Cores, processor, system, Python and packages, but no name of the machine."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    packages = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    return (
        f"{cores} cores of {_processor()}, {platform.system()}; "
        f"Python {platform.python_version()}, {packages}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()
