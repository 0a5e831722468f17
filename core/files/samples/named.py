"""What is in `sample_data/`, by name: systems, bags, centres, days, logs, plans and workloads."""

import os
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from core.files import read_system
from core.vocabulary.system import System

SYSTEMS: Final = (
    *("university", "nine", "six", "two", "ten"),
    *("e1", "e2", "e3", "testbed", "two-by-two"),
)
"""In the order in which they are offered; the first opens unless another is asked for."""
BAGS: Final = ("morning",)
LOGS: Final = ("university",)
LOG_FILES: Final = ("jobs.txt.gz", "nodes.csv")
"""What a sample log has: what Slurm says of its jobs, and its table of nodes."""
CENTRES: Final = ("parasol", "london")
DAYS: Final = ("london", "greensboro")
PLANS: Final = ("e1", "e3", "nine")
WORKLOADS: Final = ("blades", "small-day")


def sample_folder(name: str) -> Path:
    """The folder of a sample, in the upload format. Raises `ValueError` for an unknown name."""
    return sample_data() / known_name(name, SYSTEMS, "sample is")


def known_name(name: str, names: Sequence[str], what: str) -> str:
    """The name, if it is among these. Raises `ValueError` with those that are like it."""
    if name not in names:
        close = get_close_matches(name, names, cutoff=0.5)
        hint = f"did you mean {' or '.join(close)}?" if close else "there are these:"
        raise ValueError(f"no {what} called {name!r}; {hint} ({', '.join(names)})")
    return name


def load_sample(name: str) -> System:
    """A system that comes with Wattfront.

    Parameters
    ----------
    name : str
        A name that `wattfront samples` lists.

    Returns
    -------
    System
        The system, with times in seconds and powers in watts.

    Raises
    ------
    ValueError
        If there is no such sample.

    Examples
    --------
    >>> load_sample("two-by-two").machine_names
    ('A', 'B')
    """
    return read_system(sample_folder(name))


def describe(name: str) -> str:
    """A sample in one line, the first of its README."""
    return first_line(sample_folder(name))


def first_line(folder: Path) -> str:
    """The first line of the README of a sample."""
    with (folder / "README.md").open(encoding="utf-8") as readme:
        return readme.readline().lstrip("# ").strip()


def sample_data() -> Path:
    """The folder of all samples, in the package or beside it."""
    package = Path(__file__).parents[2]
    installed = package / "sample_data"
    return installed if installed.exists() else package.parent / "sample_data"


def bags_folder(name: str) -> Path:
    """Bags: a system with release dates, data and a network. Raises `ValueError`, as others do."""
    return _folder("bags", "sample bags are", BAGS, name)


def log_folder(name: str) -> Path:
    """A log of a cluster, with its table of nodes (`LOG_FILES`)."""
    return _folder("logs", "sample log is", LOGS, name)


def with_sample_log(logs: Sequence[Path], nodes: Path | None) -> tuple[Sequence[Path], Path | None]:
    """The logs, and the table of nodes. The name of a sample log stands for both; a file or a
    folder of that name, and a table that is given, have precedence.
    """
    name = str(logs[0])
    if len(logs) > 1 or name not in LOGS or os.path.lexists(name):
        return logs, nodes
    jobs, table = (log_folder(name) / file for file in LOG_FILES)
    return [jobs], nodes or table


def day_folder(name: str) -> Path:
    """A day: curves of prices, carbon and weather, as files of `core.engines.signals`."""
    return _folder("days", "sample day is", DAYS, name)


def centre_folder(name: str) -> Path:
    """A centre: servers, a room that is cooled, jobs with due dates, and curves of a day."""
    return _folder("centres", "sample centre is", CENTRES, name)


def plan_folder(name: str) -> Path:
    """A plan: what can be bought, with prices, rewards and arrivals."""
    return _folder("plans", "sample plan is", PLANS, name)


def workload_folder(name: str) -> Path:
    """A workload: work that arrives, with where it may run."""
    return _folder("workloads", "sample workload is", WORKLOADS, name)


def _folder(kind: str, what: str, names: Sequence[str], name: str) -> Path:
    return sample_data() / kind / known_name(name, names, what)
